import assert from 'node:assert/strict';
import {test} from 'node:test';
import {rowAfter, stepOf} from '../../attnviz/views/heads/written_tokens.js';

const rows = [5, 6, 7, 8]; // the rows that wrote the tokens 6 to 9

test('the row of the token before it is the step of a written token', () => {
  assert.equal(stepOf(rows, 5), 0);
  assert.equal(stepOf(rows, 8), 3);
});

test('a row that wrote none of them is no step, and neither is no row', () => {
  assert.equal(stepOf(rows, 2), null);
  assert.equal(stepOf(rows, null), null);
});

test('a walk goes on from the pinned row and stays at its ends', () => {
  assert.equal(rowAfter(rows, 6, 1), 7);
  assert.equal(rowAfter(rows, 6, -1), 5);
  assert.equal(rowAfter(rows, 8, 1), 8);
  assert.equal(rowAfter(rows, 5, -1), 5);
});

test('from any other row a walk forward begins with the first, and one back with the last', () => {
  assert.equal(rowAfter(rows, 2, 1), 5);
  assert.equal(rowAfter(rows, null, -1), 8);
});
