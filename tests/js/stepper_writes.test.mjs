import assert from 'node:assert/strict';
import {test} from 'node:test';
import {labelRoom} from '../../attnviz/views/stepper/labels.js';
import {arranged} from '../../attnviz/views/stepper/layout.js';
import {Axis, Matrix} from '../../attnviz/views/stepper/chain.js';
import {writesOf} from '../../attnviz/views/stepper/subscripts.js';
import {writesText} from '../../attnviz/views/stepper/cell_wording.js';

const ROWS = new Axis('t', {kind: 'token', n: 2, letter: 'T'}, [{text: '没', writes: '买', wrote: '卖'}, {text: '买', writes: '<end>'}]);
const FEATURES = new Axis('d', {kind: 'feature', n: 3, letter: 'd_model'});
const matrix = (rows, columns, id) =>
  new Matrix(id, {name: id, max: 1}, {data: new Float32Array(6), shape: [rows.count, columns.count]}, rows, columns);
const RAW = {
  rule: 'product',
  operands: [matrix(ROWS, FEATURES, 'q'), matrix(FEATURES, ROWS, 'k')],
  result: matrix(ROWS, ROWS, 'raw'),
  bias: null,
  extras: {},
  siblings: [],
};
const say = (id) => (id === 'view-stepper-writes' ? 'the row that read {token} writes {next}' : id);
const withWrites = (width) => arranged(RAW, {width, height: 500, k: 1}).blocks.filter(({labels}) => labels.writes).map(({key, labels}) => [key, labels.writes]);

test('a row of a decoder says in words what was read and what it writes', () => {
  assert.equal(writesText(RAW, 0, say), 'the row that read 没 writes 买');
  assert.equal(writesText({result: matrix(FEATURES, ROWS, 'kt')}, 0, say), '');
});

test('what a row writes stands beside its token, on a telephone below it, and never beside a key', () => {
  assert.deepEqual(withWrites(1000), [[0, 'beside']]);
  assert.deepEqual(withWrites(390), [[0, 'below']]);
  assert.ok(labelRoom([ROWS], 1, false) > labelRoom([ROWS], 1, false, false));
});

test('the matrix of the untouched run has rows that say what they wrote then', () => {
  assert.deepEqual([writesOf(ROWS, 0), writesOf(ROWS, 0, Infinity, 'wrote')], ['买', '卖']);
});
