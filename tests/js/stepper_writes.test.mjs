import assert from 'node:assert/strict';
import {test} from 'node:test';
import {labelRoom} from '../../attnviz/views/stepper/labels.js';
import {arranged} from '../../attnviz/views/stepper/layout.js';
import {Axis, Chain, Matrix} from '../../attnviz/views/stepper/chain.js';
import {writesOf} from '../../attnviz/views/stepper/names.js';
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

test('what a change did is drawn on the scale of the run, or of a change that is larger', () => {
  const chainOf = (kind, max, was, is) => {
    const [array, axes] = [(data) => ({data: Float32Array.from(data), shape: [1, 2]}), {t: {kind: 'token', n: 2}, one: {kind: 'one', n: 1}}];
    const matrices = {w: {name: 'w', kind, max, rows: 'one', columns: 't'}};
    const header = {axes, tokens: {}, matrices, steps: [{name: 'w', rule: 'add', operands: [], result: 'w'}]};
    return new Chain({header, arrays: {w: array(is), 'w@before': array(was)}}).steps[0];
  };
  assert.equal(chainOf('weights', 0.502, [0.5, 0.5], [0.498, 0.502]).difference.max, 1);
  const scores = chainOf('signed', 20, [19, -Infinity], [20, -Infinity]).difference;
  assert.deepEqual([scores.kind, scores.max, scores.at(0, 0), scores.at(0, 1)], ['signed', 20, 1, 0]);
  const {before, result, difference} = chainOf('signed', 9, [-10, 0], [9, -Infinity]);
  assert.deepEqual([before.max, result.max, difference.max], [10, 10, 19]); // both runs on one scale
});

test('the columns of what mixes the values have labels, left of the words beside the values', () => {
  const [keys, rows] = [new Axis('k', {kind: 'token', n: 2}, [{text: 'yesterday'}, {text: 'internationally'}]), ROWS];
  const mixed = {...RAW, operands: [matrix(rows, keys, 'weights'), matrix(keys, FEATURES, 'v')], result: matrix(rows, FEATURES, 'context')};
  const [weights, v] = arranged(mixed, {width: 1000, height: 500, k: 1}).blocks;
  assert.ok(weights.labels.columns && weights.name.y < weights.y - 24);
  assert.ok(v.x - labelRoom([keys], 1, false, false) > weights.x + 2 * weights.cw - 1);
  assert.equal(arranged(mixed, {width: 390, height: 500, k: 1}).blocks[0].labels.columns, false);
});

test('a row has its whole word where there is room', () => {
  const room = (text, isNarrow = false) => labelRoom([new Axis('w', {kind: 'token', n: 1}, [{text}])], 1, isNarrow);
  assert.ok(room('455 yesterday') > room('455 yesterd'));
  assert.equal(room('455 yesterday', true), room('455 yesterd', true));
});
