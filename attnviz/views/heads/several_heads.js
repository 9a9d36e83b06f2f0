// Several heads at once: which are picked beside the first, and their weights as one picture. No DOM.

import {whole} from './head_weights.js';

export const MOST = 8; // heads at once: as many as there are colours to tell them apart
export const TOGETHER = ['mean', 'max', 'overlay'];

/** A head as it is named on screen: layer and head from 1, "3.10". @param {number[]} place */
export const headName = ([layer, head]) => `${layer + 1}.${head + 1}`;

/** The [layer, head] of one numbered layer by layer, of `heads` a layer. @returns {[number, number]} */
export const headAt = (index, heads) => [Math.floor(index / heads), index % heads];

/** @param {number[]} head @param {number[]} other */
const isSame = ([layer, head], other) => layer === other[0] && head === other[1];

/** Every head of a picture once, the first one picked in front. @param {{layer: number, head: number, also?: number[][]}} picked */
export const headsOf = ({layer, head, also = []}) => [[layer, head], ...also.filter((other) => !isSame([layer, head], other))];

/**
 * `picked` with a head added, or taken away where it is among them. The first one's place is taken by the next; the last
 * one stays. Beyond `MOST` nothing changes.
 */
export function toggled(picked, head) {
  const heads = headsOf(picked);
  const without = heads.filter((other) => !isSame(head, other));
  const kept = without.length < heads.length ? without : [...heads, head];
  if (!kept.length || kept.length > MOST) return picked;
  const [[layer, first], ...also] = kept;
  return {...picked, layer, head: first, also};
}

/**
 * `picked` with another head alone.
 * @param {HeadsSelection} picked
 * @returns {HeadsSelection}
 */
export function alone(picked, layer, head) {
  return {...picked, layer, head, also: []};
}

/** Whether these numbers can be averaged: of the largest weights of each row alone, a mean is not known. */
export const canCombine = (list) => list.every((numbers) => numbers?.weight);

/**
 * The mean or the largest of several heads' weights, cell by cell; null while one of them is not here at all. Rows of a
 * mean sum to 1, rows of a maximum need not. Where heads are overlaid, the sentence and the percentages are their mean.
 */
export function combined(list, way, nQueries, nKeys) {
  if (list.length === 1) return list[0];
  if (!canCombine(list)) return null;
  const data = new Float64Array(nQueries * nKeys);
  for (let query = 0; query < nQueries; query++)
    for (let key = 0; key < nKeys; key++) {
      const weights = list.map(({weight}) => weight(query, key));
      const mean = () => weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
      data[query * nKeys + key] = way === 'max' ? Math.max(...weights) : mean();
    }
  return whole(data, nQueries, nKeys, list.every(({isExact}) => isExact));
}
