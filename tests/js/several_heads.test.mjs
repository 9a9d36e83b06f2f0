import assert from 'node:assert/strict';
import {test} from 'node:test';
import {exactNumbers} from '../../attnviz/views/heads/head_weights.js';
import {SERIES} from '../../attnviz/views/kit/palette.js';
import {MOST, alone, canCombine, combined, headName, headsOf, toggled} from '../../attnviz/views/heads/several_heads.js';

const array = (data, shape) => ({data: new Float32Array(data), shape});
const head = (...data) => exactNumbers({head: array(data, [2, 3])}, 2, 3);
const one = head(1, 0, 0, 0.25, 0.5, 0.25);
const two = head(0, 1, 0, 0.75, 0, 0.25);
const cells = ({weight}) => [0, 1].map((query) => [0, 1, 2].map((key) => weight(query, key)));

test('a mean of heads has rows that sum to 1, and is the mean of every cell', () => {
  const mean = combined([one, two], 'mean', 2, 3);
  assert.deepEqual(cells(mean), [[0.5, 0.5, 0], [0.5, 0.25, 0.25]]);
  assert.deepEqual(mean.keys(1, 1), [{index: 0, weight: 0.5}]);
  assert.equal(mean.isExact, true);
});

test('a maximum takes the largest of every cell', () => {
  assert.deepEqual(cells(combined([one, two], 'max', 2, 3)), [[1, 1, 0], [0.75, 0.5, 0.25]]);
});

test('numbers of several heads are exact only where those of each are', () => {
  assert.equal(combined([one, {...two, isExact: false}], 'mean', 2, 3).isExact, false);
  assert.equal(combined([one, null], 'mean', 2, 3), null);
  assert.equal(canCombine([one, {...two, weight: null}]), false);
  assert.equal(combined([one], 'max', 2, 3), one);
});

test('heads are added, taken away, and the last one stays', () => {
  const first = {layer: 2, head: 9, token: 4};
  const both = toggled(first, [0, 1]);
  assert.deepEqual(both, {layer: 2, head: 9, token: 4, also: [[0, 1]]});
  assert.deepEqual(headsOf(toggled(both, [2, 9])), [[0, 1]]);
  assert.deepEqual(headsOf(toggled(first, [2, 9])), [[2, 9]]);
  assert.deepEqual(alone(both, 1, 1), {layer: 1, head: 1, token: 4, also: []});
  assert.deepEqual(headsOf({...both, layer: 0, head: 1}), [[0, 1]]);
  assert.equal(headName([2, 9]), '3.10');
});

test('there are no more heads at once than colours', () => {
  let picked = {layer: 0, head: 0};
  for (let at = 1; at < 12; at++) picked = toggled(picked, [0, at]);
  assert.equal(headsOf(picked).length, MOST);
  for (const colours of Object.values(SERIES)) assert.equal(new Set(colours).size, MOST);
});
