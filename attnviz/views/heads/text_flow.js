// A text as it is written: its tokens in paragraphs, and how strongly each belongs to the one that is pointed at. No DOM.

import {weightOf} from './byte_grids.js';

const LONGEST = 160; // tokens of a paragraph, where the text has no shorter ones
const END = /[.!?。！？…]["'”’」』)]*$/u;

/** Paragraphs of a text, [first, end] each: at the ends of lines, where another text or role begins, and of long ones at the ends of sentences. */
export function paragraphs(tokens, longest = LONGEST) {
  const ranges = [];
  let first = 0;
  let sentence = 0; // one past the last end of a sentence in this paragraph
  const close = (end) => {
    if (end > first) ranges.push([first, end]);
    first = sentence = end;
  };
  tokens.forEach((token, i) => {
    if (token.space === 2 || (i && token.group !== tokens[i - 1].group)) close(i);
    if (i - first >= longest) close(sentence > first ? sentence : i);
    if (END.test(token.text)) sentence = i + 1;
  });
  close(tokens.length);
  return ranges;
}

/** What stands between a token and the one before it: nothing, or a blank. What the model added stands apart. */
export function gapBefore(tokens, index) {
  const [before, token] = [tokens[index - 1], tokens[index]];
  if (!before) return '';
  return token.space || token.special || before.special ? ' ' : '';
}

/**
 * How much each token of the other side belongs to the one pointed at: [{index, weight}], and whether these are all of
 * them. `side` is that of the one pointed at. Columns of long texts are known from parts that came, else from the rows
 * that have them among their largest.
 */
export function weightsOf({side, index}, numbers, parts, n, m) {
  const line = (count, at) => Array.from({length: count}, (_, other) => ({index: other, weight: at(other)}));
  if (numbers.weight) {
    const at = side === 'query' ? (key) => numbers.weight(index, key) : (query) => numbers.weight(query, index);
    return {items: line(side === 'query' ? m : n, at), isAll: true};
  }
  const part = parts.find((one) => one.weights && spans(one, side, index, n, m));
  if (part) return {items: fromPart(part, side, index), isAll: true};
  if (side === 'query') return {items: numbers.keys(index, Infinity), isAll: false};
  const items = [];
  for (let query = 0; query < n; query++) {
    const here = numbers.keys(query, Infinity).find((item) => item.index === index);
    if (here) items.push({index: query, weight: here.weight});
  }
  return {items, isAll: false};
}

function spans({rows, columns}, side, index, n, m) {
  const [range, other, count] = side === 'query' ? [rows, columns, m] : [columns, rows, n];
  return index >= range[0] && index < range[1] && other[0] === 0 && other[1] === count;
}

function fromPart({rows, columns, weights}, side, index) {
  const wide = columns[1] - columns[0];
  const at = side === 'query' ? (key) => weights[(index - rows[0]) * wide + key] : (query) => weights[query * wide + index - columns[0]];
  return Array.from({length: side === 'query' ? wide : rows[1] - rows[0]}, (_, other) => ({index: other, weight: at(other)}));
}

/** The same from a coarse picture, until numbers come. */
export function coarseOf({side, index}, grid) {
  const [down, across] = side === 'query' ? [0, 1] : [1, 0];
  const [rows, columns] = [grid.rows, grid.columns];
  const scale = (at, axis) => Math.floor((at * (axis ? columns : rows)) / grid.to[axis]);
  const line = scale(index, down);
  return Array.from({length: grid.to[across]}, (_, other) => {
    const block = scale(other, across);
    return {index: other, weight: weightOf(grid.data[side === 'query' ? line * columns + block : block * columns + line])};
  });
}
