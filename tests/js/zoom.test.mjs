import assert from 'node:assert/strict';
import {test} from 'node:test';
import {around, fit, framed, held, showing, sight, stepped, zoomed} from '../../attnviz/views/heads/zoom.js';
import {namesIn} from '../../attnviz/views/kit/matrix_names.js';

const room = {width: 600, height: 600};
const N = 1000;
const bounds = [room, N, N, 64];
const whole = held({cell: 0, row: 0, column: 0}, ...bounds);

test('the whole fits, and nothing is smaller', () => {
  assert.deepEqual(whole, {cell: 0.6, row: 0, column: 0});
  assert.deepEqual(zoomed(whole, 0.5, {x: 0, y: 0}, ...bounds), whole);
  assert.equal(fit({width: 600, height: 300}, 10, 10, 64), 30);
});

test('the cell under the pointer stays under it', () => {
  const view = zoomed(whole, 10, {x: 300, y: 120}, ...bounds);
  assert.equal(view.cell, 6);
  assert.ok(Math.abs(view.column + 300 / 6 - 500) < 1e-9);
  assert.ok(Math.abs(view.row + 120 / 6 - 200) < 1e-9);
});

test('a zoom ends where a cell can be read, and no move leaves the matrix', () => {
  let view = whole;
  for (let press = 0; press < 30; press++) view = stepped(view, 1, {row: 700, column: 3}, ...bounds);
  assert.equal(view.cell, 64);
  const seen = sight(view, room, N, N);
  assert.ok(seen.row <= 700 && seen.row + seen.rows >= 701 && seen.column <= 3);
  assert.deepEqual(held({...view, row: 5000, column: -3}, ...bounds), {cell: 64, row: N - 600 / 64, column: 0});
});

test('the rectangle that was drawn fills the room, a tiny one does not zoom without end', () => {
  const view = framed(whole, {x: 60, y: 60}, {x: 120, y: 120}, ...bounds);
  assert.ok(Math.abs(view.cell - 6) < 1e-9);
  assert.ok(Math.abs(view.row - 100) < 1e-9 && Math.abs(view.column - 100) < 1e-9);
  assert.equal(framed(whole, {x: 60, y: 60}, {x: 60.1, y: 60.1}, ...bounds).cell, 64);
});

test('a cell that arrows move to comes into sight, and no further', () => {
  const view = {cell: 60, row: 100, column: 100};
  assert.deepEqual(showing(view, {row: 105, column: 105}, ...bounds), view);
  assert.deepEqual(showing(view, {row: 110, column: 99}, ...bounds), {cell: 60, row: 101, column: 99});
});

test('what is asked for lies on multiples of 32 around what is in sight', () => {
  const asked = around({row: 100, column: 0, rows: 40, columns: 40}, N, N);
  assert.deepEqual(asked, {rows: [64, 160], columns: [0, 64]});
  assert.deepEqual(around({row: 101, column: 1, rows: 40, columns: 40}, N, N), asked);
  assert.deepEqual(around({row: 980, column: 980, rows: 20, columns: 20}, N, N), {rows: [960, 1000], columns: [960, 1000]});
});

test('all labels stand where cells are as wide as a line; else those that say most, and the marked ones', () => {
  const tokens = Array.from({length: 40}, (_, i) => ({text: i % 4 === 1 ? 'word' : '.'}));
  assert.equal(namesIn(tokens, [0, 40], 13, 12.5).length, 40);
  assert.deepEqual(namesIn(tokens, [0, 12], 3.2, 12.5), [1, 5, 9]);
  assert.deepEqual(namesIn(tokens, [0, 12], 3.2, 12.5, [6]), [6, 1]);
});
