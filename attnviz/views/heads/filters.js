// One head's weights under the filters, in this order: hidden tokens are taken out of each row, the row is brought back
// to 1 where that is asked for, pieces become words (rows averaged, columns summed), and what is below the threshold is
// not drawn. Several heads are brought together before that. No DOM.

import {whole} from './head_weights.js';
import {groupsOf, isChanging, isOutside} from './filter_settings.js';

const NOTHING = 1e-6; // a row that has no more than this outside the hidden tokens cannot be brought back to 1

/**
 * Numbers between the shown tokens, with `removed(query)`, the share of a shown row that lies on hidden tokens (null where
 * it is not known), `removedOnAverage` of all shown rows, and `floor`, below which nothing is drawn.
 *
 * queries, keys: from `sideUnder`. settings: what `possible` says holds here. tokens: the model's own keys.
 */
export function filtered(numbers, queries, keys, settings, tokens) {
  if (!numbers) return null;
  const {threshold: floor} = settings;
  if (!isChanging(settings)) return {...numbers, floor, removed: null, removedOnAverage: null};
  const groups = groupsOf(tokens);
  const isHidden = tokens.map((token) => (settings.special && Boolean(token.special)) || (settings.sinks && Boolean(token.sink)) || isOutside(token, settings.to, groups));
  const make = numbers.weight ? fromWhole : fromLargest;
  const {share, ...rest} = make(numbers, queries, keys, settings, isHidden);
  if (!share || !isHidden.some(Boolean)) return {...rest, floor, removed: null, removedOnAverage: null};
  const shares = queries.groups.map((rows) => rows.reduce((sum, query) => sum + share(query), 0) / rows.length);
  const removedOnAverage = shares.reduce((sum, part) => sum + part, 0) / Math.max(1, shares.length);
  const isTaken = (key) => keys.groups[key].every((token) => isHidden[token]); // a shown column that was taken out of the rows
  return {...rest, floor, isTaken, removed: (query) => shares[query], removedOnAverage};
}

function fromWhole(numbers, queries, keys, settings, isHidden) {
  const {weight, isExact} = numbers;
  const [nQueries, nKeys] = [queries.groups.length, keys.groups.length];
  const sum = (query, wanted) => isHidden.reduce((total, is, key) => (is === wanted ? total + weight(query, key) : total), 0);
  const data = new Float64Array(nQueries * nKeys);
  queries.groups.forEach((rows, at) => {
    for (const query of rows) {
      const left = settings.rescaled ? sum(query, false) : 1; // summed, not 1 − hidden: a row is rounded to 32 bits
      if (left <= NOTHING) continue; // this row has nothing to bring back to 1
      keys.groups.forEach((columns, column) => {
        for (const key of columns) if (!isHidden[key]) data[at * nKeys + column] += weight(query, key) / left / rows.length;
      });
    }
  });
  const share = (query) => sum(query, true) / Math.max(1, sum(query, true) + sum(query, false)); // a row of largest weights is over 1
  return {...whole(data, nQueries, nKeys, isExact), share};
}

/** Only the largest of each row are here: columns can be left out, and what they had travels beside them. */
function fromLargest(numbers, queries, keys, {special}, isHidden) {
  const {aside, isExact} = numbers;
  const share = (query) => (isHidden[0] ? aside[query * 2] : 0) + (special ? aside[query * 2 + 1] : 0);
  const kept = (query) => numbers.keys(queries.groups[query][0], Infinity).filter(({index}) => !isHidden[index]);
  return {
    isExact,
    weight: null,
    queries: null,
    keys: (query, count) => kept(query).slice(0, count).map(({index, weight}) => ({index: keys.at(index), weight})),
    mean: (key) => (isHidden[keys.groups[key][0]] ? 0 : numbers.mean(keys.groups[key][0])),
    share: aside ? share : null,
  };
}
