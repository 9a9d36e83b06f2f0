import assert from 'node:assert/strict';
import {test} from 'node:test';
import {firstBeyond, placeIn} from '../../attnviz/views/stepper/place.js';

const tokens = (n, start = 0, count = Math.min(n, 64)) => ({id: `t${n}`, kind: 'token', n, start, count});
const features = {id: 'd', kind: 'feature', n: 32, start: 0, count: 32};

test('a step beyond the edge asks for the part that holds it, and beyond the text for nothing', () => {
  assert.equal(firstBeyond(tokens(95), 63), null);
  assert.equal(firstBeyond(tokens(95), 64), 31);
  assert.equal(firstBeyond(tokens(500), 64), 64);
  assert.equal(firstBeyond(tokens(500, 64), 63), 0);
  assert.equal(firstBeyond(tokens(95, 31), 95), null);
  assert.equal(firstBeyond(tokens(95), -1), null);
  assert.equal(firstBeyond(tokens(95), Infinity), null);
});

test('the picked cell comes along into another part', () => {
  const part = {axis: tokens(95), first: 31, count: 64};
  const place = {row: 4, key: 90, feature: 3};
  assert.deepEqual(placeIn({rows: tokens(95), columns: tokens(95)}, place, part), {row: 31, key: 90, feature: 3});
  assert.deepEqual(placeIn({rows: tokens(95), columns: features}, {...place, key: 2}, part), {row: 31, key: 31, feature: 3});
  assert.deepEqual(placeIn({rows: tokens(95), columns: tokens(20)}, {...place, key: 2}, part), {row: 31, key: 2, feature: 3});
});

test('a part of the features moves the feature alone', () => {
  const part = {axis: features, first: 12, count: 12};
  assert.deepEqual(placeIn({rows: tokens(9), columns: features}, {row: 4, key: 2, feature: 3}, part), {row: 4, key: 2, feature: 12});
  const inner = {axis: {...features, id: 'inner'}, first: 12, count: 12};
  assert.deepEqual(placeIn({rows: tokens(9), columns: features}, {row: 4, key: 2, feature: 3}, inner), {row: 4, key: 2, feature: 3});
});
