import assert from 'node:assert/strict';
import {test} from 'node:test';
import {aboutScores, chainOf, decimalsOf} from '../../attnviz/views/heads/neuron_words.js';
import {byContribution, featuresOf, largestOf, mostOf, rowOf, rowTable} from '../../attnviz/views/heads/vectors.js';

const array = (data, shape) => ({data: new Float32Array(data), shape});
const features = featuresOf({first: 4, keys: [1, 5], scale: 0.5}, {
  q: array([1, -2, 0.5, 0, 1, 0], [2, 3]),
  k: array([3, 1, 2, -1, -4, 0], [2, 3]),
  raw: array([2, 7, 1, -4], [2, 2]),
  scores: array([1, 3.5, 0.5, -2], [2, 2]),
  masked: array([1, 3.5, 0.5, -Infinity], [2, 2]),
  weights: array([0.25, 0.75, 1, 0], [2, 2]),
  rest: array([0.125, 0], [2]),
});

test('products of the features sum to the score that came', () => {
  for (let row = 0; row < 2; row++) for (let at = 0; at < 2; at++) assert.equal([0, 1, 2].reduce((sum, feature) => sum + features.product(row, at, feature), 0), features.raw(row, at));
  assert.equal(features.product(0, 1, 1), 8);
});

test('features are in the order of what they add to the score of one key', () => {
  assert.deepEqual(byContribution(features, 0, 0), [0, 2, 1]); // 3, 1, −2
  assert.deepEqual(byContribution(features, 0, 1), [1, 2, 0]); // 8, 0, −1
});

test('the key that gets most, and the row that was asked for', () => {
  assert.deepEqual([mostOf(features, 0), mostOf(features, 1)], [1, 0]);
  assert.deepEqual([rowOf(features, 5), rowOf(features, 4), rowOf(features, 9), rowOf(features, null)], [1, 0, 0, 0]);
});

test('colours are measured by the largest size of each matrix', () => {
  assert.deepEqual(largestOf(features, 0), {q: 2, k: 4, product: 8, raw: 7, masked: 3.5});
  assert.equal(largestOf(features, 1).masked, 0.5); // −∞ is no size
});

test('what cannot be shown says why', () => {
  assert.equal(featuresOf({why: 'scores'}, {}).why, 'scores');
});

test('the numbers from product to weight name every step that the model has', () => {
  const say = (id) => ({'view-heads-neurons-chain-bias': 'bias {bias}', 'view-heads-neurons-chain-score': 'score {score}'})[id] ?? id.split('-').at(-1);
  assert.equal(chainOf(features, 0, 1, say), 'raw → score 3.50 → weight');
  assert.equal(chainOf(features, 1, 1, say), 'raw → score −2.00 → masked → weight');
  assert.equal(chainOf({...features, bias: () => -0.25}, 0, 1, say), 'raw → score 3.50 → bias −0.25 → sum → weight');
  const added = {...features, adds: true, bias: () => -0.25};
  assert.equal(chainOf(added, 0, 1, (id) => (id.endsWith('added') ? 'adds {added}' : id.split('-').at(-1))), 'raw → score → adds −0.25 → sum → weight');
  assert.equal(chainOf({...added, masked: () => 3.25}, 0, 1, (id) => (id.endsWith('sum') ? '= {sum}' : '')), ' →  →  → = 3.25 → ');
  const plain = {...features, softcap: null, sink: null, shares: 1, key_head: 0};
  const said = (of, row) => aboutScores(of, row, (id) => id.split('-').at(-1));
  assert.deepEqual(said(plain, 0), ['scale', 'rotated', 'colours']);
  assert.deepEqual(said({...plain, scale: 3 ** -0.5, softcap: 50, sink: 0.5, shares: 2, bias: () => 0}, 1), ['root', 'capped', 'bias', 'sink', 'shared', 'rotated', 'mask', 'colours']);
  assert.deepEqual(said({...plain, ...added}, 0), ['scale', 'added', 'rotated', 'colours']);
});

test('a column of large numbers has fewer decimals, so that it keeps its width', () => {
  assert.deepEqual([9.99, 10, 405.13, 4051].map(decimalsOf), [2, 1, 1, 0]);
});

test('a row is taken away with its query, each key, their products and the numbers up to the weight', () => {
  const table = rowTable(features, 0, [1, 0, 2], {query: 'it', keys: ['a', 'b', 'c', 'd', 'e', 'f'], corner: 'head'});
  assert.deepEqual(table[0], ['head', '', 2, 1, 3, 'raw', 'score', 'masked', 'weight']);
  assert.deepEqual(table[1].slice(0, 5), ['it', 'q', -2, 1, 0.5]);
  assert.deepEqual(table[4], ['f', 'k', -4, -1, 0, 7, 3.5, 3.5, 0.75]);
  assert.deepEqual(table[5].slice(0, 5), ['f', 'q·k', 8, -1, 0]);
  assert.ok(table.every((line) => line.length === table[0].length));
});
