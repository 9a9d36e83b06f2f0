// One map as a table: keys across, a query a line. No DOM.

import {named} from '../kit/words.js';

export function tableOf(run, c, layer, head, corner) {
  const weight = (query, key) => (run.isCausal && key > query ? null : run.weight(c, layer, head, query, key));
  return [[corner, ...run.keys.map(named)], ...run.queries.map((token, query) => [named(token), ...run.keys.map((_, key) => weight(query, key))])];
}
