// What is picked in the heads view, as the link says it.

import {headName} from './several_heads.js';

/** The values by their names; see link.py. */
export const toLink = ({token, released, also = [], ...picked}) => ({...picked, token: released ? 'none' : token, also: also.map(headName).join(',')});

/** The same read, by the tab that has the picture already: no number is fitted to it. */
export function selectionIn({layer, head, also, ...values}, {token}) {
  const heads = also.split(',').filter(Boolean).map((name) => name.split('.').map((n) => Number(n) - 1));
  return {...values, layer: layer ?? 0, head: head ?? 0, also: heads, released: token === 'none'};
}

/** What the picture begins with, where something was picked on another page. */
export function takenAlong({layer, head, token, key}, {picked, selection, model, tokens}) {
  const given = picked ?? {key: null, released: false, ...selection};
  const isHere = layer !== null && head !== null && layer < model.layers && head < model.heads;
  const rows = (tokens.target ?? tokens.source).length;
  const isThere = token !== null && token < rows;
  const column = isThere && key !== null && key < tokens.source.length ? key : null;
  const isOther = isThere && (token !== given.token || column !== null); // else a key that is pinned stays
  return {...given, ...(isHere && {layer, head}), ...(isOther && {token, key: column, released: false})};
}
