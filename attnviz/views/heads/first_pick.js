// Which head and which row a picture begins with. A text that was typed comes without a head of its own: the person's
// stays, also where they pick another one while the text is drawn. A link, an example or another model brings one.
// The pinned token belongs to its text, so a new text always has another: the last one of a text that
// goes on, else the row that says most in the head that stays.

import {weightOf} from './byte_grids.js';
import {forAnotherText} from './overview_options.js';

/** Whether its last row says the next word of the text. */
export const goesOn = ({predicted, tokens}) => Boolean(predicted?.is_next && !tokens.target);

const KEPT = ['view', 'also', 'together', 'filter', 'overview', 'beside'];

/**
 * What is picked where a new text begins.
 *
 * @param {HeadsHeader} header of the picture; `picked` is what the host brings in place of the payload's own `selection`
 * @param {HeadsSelection | null} before what was picked in the picture before it, null where none was
 * @param {Arrays} arrays of the payload: its maps say which row is telling in another head than the payload's own
 * @returns {HeadsSelection}
 */
export function pickedAtFirst({selection, picked: brought, model, tokens, predicted, keeps_head: keepsHead}, before, arrays) {
  if (brought) return {key: null, released: false, ...brought};
  const picked = {...selection};
  if (!before || !keepsHead) return picked;
  const head = {layer: Math.min(before.layer, model.layers - 1), head: Math.min(before.head, model.heads - 1)};
  const isOther = head.layer !== selection.layer || head.head !== selection.head;
  const token = isOther && !goesOn({predicted, tokens}) ? tellingToken(arrays.maps, head, tokens, model) ?? selection.token : selection.token;
  const kept = Object.fromEntries(KEPT.filter((name) => before[name]).map((name) => [name, before[name]]));
  return {...picked, ...head, token, ...kept, ...(kept.overview && {overview: forAnotherText(kept.overview)})};
}

/**
 * The word whose row says most: its largest weight on another word, above what all rows give that word. Twin of
 * `telling_token` in first_pick.py, from the weights as colours; null where the maps of a long text are pooled.
 * @param {Tensor} maps
 * @param {{layer: number, head: number}} head
 * @param {TokenRows} tokens
 * @param {{heads: number}} model
 */
export function tellingToken(maps, {layer, head}, {source, target}, {heads}) {
  const [queries, keys] = [target ?? source, source];
  const [, , rows, columns] = maps.shape;
  if (rows !== queries.length || columns !== keys.length) return null;
  const start = (layer * heads + head) * rows * columns;
  const weight = (row, column) => weightOf(maps.data[start + row * columns + column]);
  const mean = keys.map((_, column) => queries.reduce((sum, _, row) => sum + weight(row, column), 0) / rows);
  const words = (tokens) => tokens.map((token, at) => (isWord(token) ? at : -1)).filter((at) => at >= 0);
  let best = null;
  let most = -Infinity;
  for (const row of words(queries))
    for (const column of words(keys)) {
      const above = weight(row, column) - mean[column];
      if ((target || row !== column) && above > most) [best, most] = [row, above];
    }
  return best;
}

const isWord = (token) => !token.special && !token.unknown && /[\p{L}\p{N}]/u.test(token.text);
