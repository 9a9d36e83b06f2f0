// One head's weights, whatever travelled: the whole matrix, its largest per query, or 8-bit colours. No DOM.

import {gridOf, weightOf} from './byte_grids.js';

/** [{index, weight}] of the `count` largest, largest first; earlier tokens first among equals. */
function largestOf(n, at, count) {
  const order = Array.from({length: n}, (_, i) => ({index: i, weight: at(i)}));
  return order.sort((a, b) => b.weight - a.weight || a.index - b.index).slice(0, count);
}

/** The whole matrix. `data[query * nKeys + key]`; `scale` turns what is stored into a weight. */
export function whole(data, nQueries, nKeys, isExact, scale = (x) => x) {
  const weight = (query, key) => scale(data[query * nKeys + key]);
  return {
    isExact,
    weight,
    keys: (query, count) => largestOf(nKeys, (key) => weight(query, key), count),
    queries: (key, count) => largestOf(nQueries, (query) => weight(query, key), count),
    mean(key) {
      let sum = 0;
      for (let query = 0; query < nQueries; query++) sum += weight(query, key);
      return sum / nQueries;
    },
  };
}

/**
 * The largest keys of every query; what else a query looks at is unknown, so columns are too. `aside` is
 * [query, 2]: the row's weight on the first token, and on the other special ones.
 */
function largest(keys, weights, received, kept, aside) {
  const item = (at) => ({index: keys[at], weight: weights[at]});
  const row = (query, count) => Array.from({length: Math.min(count, kept)}, (_, i) => item(query * kept + i));
  return {isExact: true, weight: null, keys: row, queries: null, mean: (key) => received[key], aside};
}

const SAID = 0.01; // less than this is nothing a sentence should claim

/** What a sentence names of the largest weights, largest first: those of 1 % and more, and the first in any case. */
export const worthNaming = (items) => items.filter(({weight}, i) => i === 0 || weight >= SAID);

/** From the arrays of an exact payload, or of a heads payload's own picked head. */
export function exactNumbers(arrays, nQueries, nKeys = nQueries) {
  if (arrays.head && arrays.head.data.length === nQueries * nKeys) return whole(arrays.head.data, nQueries, nKeys, true);
  if (arrays.top_keys) {
    const {top_keys: keys, top_weights: weights, received} = arrays;
    const numbers = largest(keys.data, weights.data, received.data, keys.shape[1], arrays.aside?.data);
    return arrays.pooled ? {...numbers, pooled: gridOf(arrays.pooled.data, arrays.pooled.shape, [0, 0], [nQueries, nKeys])} : numbers;
  }
  return null;
}

/** From the numbers of all heads that a file carries. */
export function pageNumbers(arrays, index, nQueries, nKeys = nQueries) {
  const size = nQueries * nKeys;
  if (arrays.all) return whole(arrays.all.data.subarray(index * size, (index + 1) * size), nQueries, nKeys, true);
  if (!arrays.all_keys) return null;
  const kept = arrays.all_keys.shape[3];
  const part = (name, size) => arrays[name].data.subarray(index * size, (index + 1) * size);
  const perHead = nQueries * kept;
  return largest(part('all_keys', perHead), part('all_weights', perHead), part('all_received', nKeys), kept, arrays.all_aside && part('all_aside', nQueries * 2));
}

/** From the 8-bit maps: good for lines, never for a printed number. Null where the maps are pooled. */
export function mapNumbers(maps, index, nQueries, nKeys = nQueries) {
  if (maps.shape[2] !== nQueries || maps.shape[3] !== nKeys) return null;
  const size = nQueries * nKeys;
  const bytes = maps.data.subarray(index * size, (index + 1) * size);
  return whole(bytes, nQueries, nKeys, false, weightOf);
}

/**
 * {weight} where it is known exactly; {below} where it is less than the smallest weight of its row that travelled; {} where
 * nothing is. `parts` are the exact parts of a long head that came: [{rows: [from, to], columns: [from, to], weights}].
 */
export function weightAt(numbers, parts, query, key) {
  if (!numbers) return {};
  if (numbers.weight) return {weight: numbers.weight(query, key)};
  const isIn = ({rows, columns, weights}) => weights && query >= rows[0] && query < rows[1] && key >= columns[0] && key < columns[1];
  const part = (parts ?? []).find(isIn);
  if (part) return {weight: part.weights[(query - part.rows[0]) * (part.columns[1] - part.columns[0]) + key - part.columns[0]]};
  const largest = numbers.keys(query, Infinity);
  const here = largest.find(({index}) => index === key);
  if (here) return {weight: here.weight};
  return largest.length ? {below: largest.at(-1).weight} : {};
}

/** Whether a query can attend to a key; `seen` holds first and end of each row, null where every query can to all. */
export const isSeen = (seen, query, key) => !seen || (key >= seen[query * 2] && key < seen[query * 2 + 1]);
