// The two columns of tokens beside the lines. Both can be clicked; the left one can be walked with the keyboard.

import {el} from '../kit/dom.js';
import {tokenName, tokenNodes} from '../kit/token.js';

/** Buttons for the queries, a percentage first in each: hover or focus isolates the row, click pins it. */
export function queryColumn(tokens, say) {
  return tokens.map((token, index) => {
    const facts = {type: 'button', class: 'query', 'data-index': index, tabindex: -1};
    const names = {'aria-label': tokenName(token, say), title: hint(token, say)};
    return el('button', {...facts, ...names}, el('span', {class: 'percent'}), ...tokenNodes(token));
  });
}

/** Buttons for the keys, with a bar and a percentage each: hover isolates the column, click pins it. */
export function keyColumn(tokens, say) {
  return tokens.map((token, index) => {
    const bar = el('i', {class: 'bar', 'aria-hidden': 'true'});
    const text = el('span', {class: 'text'}, ...tokenNodes(token));
    const percent = el('span', {class: 'percent'});
    const facts = {type: 'button', class: 'key', 'data-index': index, tabindex: -1};
    const names = {'aria-label': tokenName(token, say), title: hint(token, say)};
    const node = el('button', {...facts, ...names}, text, percent);
    return {node, bar, percent}; // the bar lies under the lines, its row above them
  });
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

/** A token that says less than its name, or may be cut, has a tooltip. */
function hint(token, say) {
  return token.continues || token.unknown || token.special || token.written || token.writes !== undefined || token.text.length > 12 ? tokenName(token, say) : null;
}
