import assert from 'node:assert/strict';
import {test} from 'node:test';
import {entered, firstBeyond, neighbour, ofHead, pickedIn, placeIn, targetOf} from '../../attnviz/views/stepper/kept_place.js';

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

test('words that may come next are entered at the largest of the row, and left as they are from one such step to another', () => {
  const columns = {kind: 'vocabulary', start: 2, count: 3};
  const next = {result: {rows: {start: 0, count: 2}, columns, at: (row, column) => [[0, 0, 0.1, 0.9, 0], [0, 0, 1, 0, 0]][row][column]}};
  const features = {result: {columns: {kind: 'feature'}}};
  assert.deepEqual(entered([], features, next, {row: 0, key: 4, feature: 4}), {row: 0, key: 4, feature: 3});
  assert.deepEqual(entered([], features, next, {row: 1, key: 4, feature: 4}), {row: 1, key: 4, feature: 2});
  assert.deepEqual(entered([], next, next, {row: 0, key: 4, feature: 4}), {row: 0, key: 4, feature: 4});
  assert.deepEqual(entered([], next, features, {row: 0, key: 4, feature: 4}), {row: 0, key: 4, feature: 4});
});

test('a number of one head is the same number where the heads are joined, and back', () => {
  const wide = (n) => ({kind: 'feature', n, start: 0, count: n});
  const of = (id, n) => ({id, columns: wide(n)});
  const [first, second] = ['h0', 'h1'].map((id) => ({result: of(id, 12), follows: []}));
  const join = {rule: 'concat', operands: [of('h0', 12), of('h1', 12)], result: of('all', 24), follows: [0]};
  const out = {result: of('out', 24), follows: []};
  const alone = [second, join, out]; // a chain of the second head
  const at = (feature) => ({row: 1, key: 2, feature});
  assert.deepEqual(entered(alone, second, join, at(3)), at(15));
  assert.deepEqual(entered(alone, second, join, at(30)), at(23)); // the last was shown
  assert.deepEqual(entered(alone, join, second, at(15)), at(3));
  assert.deepEqual(entered(alone, join, out, at(15)), at(3));
  assert.deepEqual(entered(alone, out, join, at(3)), at(15));
  const all = [first, second, {...join, follows: [0, 1]}];
  assert.deepEqual(entered(all, first, all[2], at(3)), at(3));
  assert.deepEqual(entered(all, second, all[2], at(3)), at(15));
});

const axis = (kind, start = 0, count = 9) => ({kind, start, count});
const PICKED = {result: {rows: axis('token', 2, 4), columns: axis('feature')}};

test('the place a person keeps is moved into what is here', () => {
  assert.deepEqual(pickedIn(PICKED, {row: 0, key: 3, feature: 20}), {row: 2, column: 8});
  assert.deepEqual(pickedIn({result: {rows: axis('token'), columns: axis('token')}}, {row: 4, key: 3, feature: 7}), {row: 4, column: 3});
});

test('a number that goes in leads to its row or its column of the result', () => {
  const picked = {row: 4, column: 5};
  const at = (key) => ({key, row: 1, column: 2});
  assert.deepEqual(targetOf('school', picked, at(0)), {row: 1, column: 5});
  assert.deepEqual(targetOf('school', picked, at(1)), {row: 4, column: 2});
  assert.deepEqual(targetOf('school', picked, at('bias')), {row: 4, column: 2});
  assert.deepEqual(targetOf('stacked', picked, at('mean')), {row: 1, column: 5});
  assert.deepEqual(targetOf('stacked', picked, at('gain')), {row: 4, column: 2});
  assert.deepEqual(targetOf('beside', picked, at(0)), {row: 1, column: 2});
  assert.deepEqual(targetOf('gallery', picked, at('step:7')), {row: 1, column: 2, sibling: 7});
});

// q, the weights of four heads, their contexts, and what joins them
const steps = ['q', ...Array(4).fill('weights'), ...Array(4).fill('context'), 'concat'].map((name) => ({name, siblings: []}));
for (const step of steps) {
  const own = steps.flatMap((other, index) => (other.name === step.name ? [{index}] : []));
  if (own.length > 1) step.siblings = own;
}
const walk = (at, by, isAsked) => neighbour(steps, at, by, isAsked);

test('the heads of a step are one step: nine presses become three', () => {
  const seen = [0];
  while (walk(seen.at(-1), 1) !== null) seen.push(walk(seen.at(-1), 1));
  assert.deepEqual(seen.map((at) => steps[at].name), ['q', 'weights', 'context', 'concat']);
});

test('the head that was chosen goes along, on and back', () => {
  assert.equal(walk(3, 1), 7);
  assert.equal(walk(7, -1), 3);
  assert.equal(walk(7, 1), 9);
  assert.equal(walk(9, -1), 5);
  assert.equal(walk(3, -1), 0);
  assert.equal(walk(9, 1), null);
});

test('the head of the menu is the one gone to, as the group whose keys it reads', () => {
  const grouped = ['x', ...Array(6).fill('q'), ...Array(2).fill('k'), ...Array(6).fill('raw'), 'concat'].map((name) => ({name, siblings: []}));
  for (const step of grouped) {
    const own = grouped.flatMap((other, index) => (other.name === step.name ? [{index}] : []));
    if (own.length > 1) step.siblings = own;
  }
  const from = (at, by, head) => neighbour(grouped, at, by, () => false, {head, heads: 6});
  assert.equal(from(0, 1, 4), 5); // q of head 5
  assert.equal(from(5, 1, 4), 8); // k of group 2
  assert.equal(from(8, 1, 4), 13); // its own scores again
  assert.equal(from(7, 1, 4), 9); // of another group, that group's first head
  assert.equal(from(15, -1, 4), 13);
  assert.equal(ofHead(grouped, 1, {head: 4, heads: 6}), 5);
  assert.equal(ofHead(grouped, 7, {head: 4, heads: 6}), 8);
  assert.equal(ofHead(grouped, 15, {head: 4, heads: 6}), 15);
  assert.equal(ofHead(grouped, 1), 1);
});

test('a head that is still to be guessed is a step of its own', () => {
  assert.equal(walk(1, 1, (index) => index === 2), 2);
});
