import assert from 'node:assert/strict';
import {test} from 'node:test';
import {exactNumbers, mapNumbers, pageNumbers, worthNaming} from '../../attnviz/views/heads/head_weights.js';

const array = (data, shape) => ({data, shape});
const weights = new Float32Array([0.5, 0.25, 0.25, 0, 1, 0, 0.1, 0.2, 0.7]);

test('the whole matrix gives rows, columns and column means', () => {
  const numbers = exactNumbers({head: array(weights, [3, 3])}, 3);
  assert.equal(numbers.isExact, true);
  assert.deepEqual(numbers.keys(0, 2), [{index: 0, weight: 0.5}, {index: 1, weight: 0.25}]);
  assert.deepEqual(numbers.queries(1, 1), [{index: 1, weight: 1}]);
  assert.ok(Math.abs(numbers.mean(0) - 0.2) < 1e-7);
});

test('the largest per query give rows and means, and no columns', () => {
  const arrays = {
    top_keys: array(new Uint16Array([2, 0, 1, 2]), [2, 2]),
    top_weights: array(new Float32Array([0.5, 0.25, 1, 0]), [2, 2]),
    received: array(new Float32Array([0.125, 0.5, 0.25]), [3]),
  };
  const numbers = exactNumbers(arrays, 300);
  assert.deepEqual(numbers.keys(0, 20), [{index: 2, weight: 0.5}, {index: 0, weight: 0.25}]);
  assert.equal(numbers.mean(1), 0.5);
  assert.equal(numbers.queries, null);
});

test('8-bit maps give weights that are not exact, and none where they are pooled', () => {
  const maps = array(new Uint8Array([0, 255, 51, 102, 0, 0, 0, 0]), [1, 2, 2, 2]);
  const numbers = mapNumbers(maps, 0, 2);
  assert.equal(numbers.isExact, false);
  assert.equal(numbers.weight(0, 1), 1);
  assert.ok(Math.abs(numbers.weight(1, 0) - 0.04) < 1e-12);
  assert.equal(mapNumbers(maps, 0, 65), null);
});

test('a file finds each head among all', () => {
  const all = array(new Float32Array([1, 0, 0, 1, 0, 1, 1, 0]), [1, 2, 2, 2]);
  assert.equal(pageNumbers({all}, 1, 2).weight(0, 1), 1);
  assert.equal(pageNumbers({}, 1, 2), null);
});

test('rows and columns of different numbers are told apart', () => {
  const data = new Float32Array([0.5, 0.25, 0.25, 0, 1, 0]);
  const numbers = exactNumbers({head: array(data, [2, 3])}, 2, 3);
  assert.deepEqual(numbers.keys(1, 5).map(({index}) => index), [1, 0, 2]);
  assert.deepEqual(numbers.queries(2, 5), [{index: 0, weight: 0.25}, {index: 1, weight: 0}]);
  assert.equal(numbers.mean(1), 0.625);
  assert.equal(exactNumbers({head: array(data, [2, 3])}, 3, 3), null);
  const all = array(new Float32Array([...data, 0, 0, 1, 1, 0, 0]), [1, 2, 2, 3]);
  assert.equal(pageNumbers({all}, 1, 2, 3).weight(1, 0), 1);
  const maps = array(new Uint8Array([0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0]), [1, 2, 2, 3]);
  assert.equal(mapNumbers(maps, 1, 2, 3).weight(0, 2), 1);
});

test('a matrix of another size is no answer', () => {
  assert.equal(exactNumbers({head: array(weights, [3, 3])}, 4), null);
});

test('a sentence names weights of 1 % and more, and one in any case', () => {
  const items = (...weights) => weights.map((weight, index) => ({index, weight}));
  assert.deepEqual(worthNaming(items(0.99, 0.004, 0)).map(({index}) => index), [0]);
  assert.deepEqual(worthNaming(items(0.5, 0.3, 0.01)).map(({index}) => index), [0, 1, 2]);
  assert.deepEqual(worthNaming(items(0.004, 0.004, 0.003)).map(({index}) => index), [0]);
});
