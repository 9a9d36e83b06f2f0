// What is picked in the heads view, as the link says it: layers, heads and tokens count from 1, and what is usual is left out.

import {headName} from './several.js';

export const NAMES = ['layer', 'head', 'token', 'key', 'view', 'also', 'together', 'filter', 'overview'];

const counted = (index) => (index === null || index === undefined ? '' : String(index + 1));

/** The value of every name in NAMES; '' for one that is left out. */
export function toLink({layer, head, token, key, released, view, also = [], together, filter, overview}) {
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
  };
}
