// What is picked in the heads view, as the link says it: layers, heads and tokens count from 1, and what is usual is left out.

import {headName} from './several_heads.js';

export const NAMES = ['layer', 'head', 'token', 'key', 'view', 'also', 'together', 'filter', 'overview', 'beside'];

const counted = (index) => (index === null || index === undefined ? '' : String(index + 1));

/** The value of every name in NAMES; '' for one that is left out. */
export function toLink({layer, head, token, key, released, view, also = [], together, filter, overview, beside}) {
  return {
    layer: counted(layer),
    head: counted(head),
    token: released ? 'none' : counted(token),
    key: counted(key),
    view: view ?? '',
    also: also.map(headName).join(','),
    together: together ?? '',
    filter: filter ?? '',
    overview: overview ?? '',
    beside: beside ?? '',
  };
}

/** The same read, by the tab that has the picture already: no number is fitted to it. @param {URLSearchParams} query */
export function selectionIn(query) {
  const said = (name) => query.get(name) ?? '';
  const index = (name) => (/^[1-9][0-9]{0,6}$/.test(said(name)) ? Number(said(name)) - 1 : null);
  const also = said('also').split(',').filter(Boolean).map((name) => name.split('.').map((n) => Number(n) - 1));
  return {
    layer: index('layer') ?? 0, head: index('head') ?? 0, token: index('token'), key: index('key'), released: said('token') === 'none',
    view: said('view'), also, together: said('together'), filter: said('filter'), overview: said('overview'), beside: said('beside'),
  };
}
