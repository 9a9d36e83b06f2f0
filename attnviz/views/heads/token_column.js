// The two columns of tokens beside the lines. Both can be clicked; the left one can be walked with the keyboard.

import {el} from '../kit/dom.js';
import {tokenName, tokenNodes, tooltip} from '../kit/token.js';

const LONG = 12; // characters of a token from which it may be cut

/** Buttons for the queries, a percentage first in each: hover or focus isolates the row, click pins it. */
export const queryColumn = (tokens, say) =>
  tokens.map((token, index) => button('query', token, index, say, el('span', {class: 'percent'}), ...tokenNodes(token)));

/** Buttons for the keys, with a bar and a percentage each: hover isolates the column, click pins it. */
export function keyColumn(tokens, say) {
  return tokens.map((token, index) => {
    const bar = el('i', {class: 'bar', 'aria-hidden': 'true'});
    const percent = el('span', {class: 'percent'});
    const node = button('key', token, index, say, el('span', {class: 'text'}, ...tokenNodes(token)), percent);
    return {node, bar, percent}; // the bar lies under the lines, its row above them
  });
}

function button(side, token, index, say, ...within) {
  const names = {'aria-label': tokenName(token, say), title: tooltip(token, say, LONG)};
  return el('button', {type: 'button', class: side, 'data-index': index, tabindex: -1, ...names}, ...within);
}

/** How strongly a token of this weight is written. */
export const levelOf = (weight) => (weight > 0.2 ? 'strong' : weight >= 0.03 ? 'some' : 'faint');

/** Where neighbours are pieces of one word: [first, last] of each run. */
export function wordRuns(tokens) {
  const runs = [];
  tokens.forEach((token, i) => {
    if (!token.continues) return;
    const last = runs.at(-1);
    if (last && last[1] === i - 1) last[1] = i;
    else runs.push([i - 1, i]);
  });
  return runs;
}
