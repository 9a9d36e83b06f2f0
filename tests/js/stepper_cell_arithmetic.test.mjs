// tests/unit/views/test_stepper.py holds the cells of whole runs against Python's; here is what no such run shows.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Chain} from '../../attnviz/views/stepper/chain.js';
import {CURVES, cellOf} from '../../attnviz/views/stepper/cell_arithmetic.js';
import {angleText, isRotation, pairsOf} from '../../attnviz/views/stepper/pair_arrows.js';
import {listedTerms, restOf} from '../../attnviz/views/stepper/listed_terms.js';

const near = (a, b, tolerance = 1e-12) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);
const array = (rows) => ({data: Float32Array.from(rows.flat()), shape: [rows.length, rows[0].length]});

/** The step of a chain of one, from plain numbers: `matrices` is id -> [rows, rowAxis, columnAxis, more]. */
function stepOf(axes, matrices, step) {
  const header = {axes, tokens: {}, matrices: {}, steps: [{name: 'y', kind: 'y', group: 'y', result: 'y', ...step}]};
  const arrays = {};
  for (const [id, [rows, rowAxis, columnAxis, more = {}]] of Object.entries(matrices)) {
    arrays[id] = array(rows);
    header.matrices[id] = {name: id, rows: rowAxis, columns: columnAxis, max: 1, ...more};
  }
  return new Chain({header, arrays}).steps[0];
}

const TWO = {kind: 'feature', n: 2, letter: 'd_model'};
const ONE = {kind: 'one', n: 1, letter: '1'};

test('a product lists its terms with their places, then the bias', () => {
  const step = stepOf(
    {t: TWO, d: TWO, one: ONE},
    {
      x: [[[1, 2], [3, 4]], 't', 'd'],
      w: [[[5, 6], [7, 8]], 'd', 'd'],
      b: [[[10, 20]], 'one', 'd'],
      y: [[[27, 43], [49, 75]], 't', 'd'],
    },
    {rule: 'product', operands: ['x', {id: 'w', turned: true}], bias: 'b'},
  );
  const cell = cellOf(step, 1, 0); // row 1 of x: 3, 4; the stored weight is [out, in], so its row 0: 5, 6
  const terms = cell.terms.map(({left, right, product}) => [left, right, product]);
  assert.deepEqual(terms, [[3, 5, 15], [4, 6, 24], [10, 1, 10]]);
  assert.equal(cell.again, 49);
  assert.deepEqual(cell.terms[1].at, [{operand: 0, row: 1, column: 1}, {operand: 1, row: 1, column: 0}]);
});

test('a part of a product has the indices of the whole, and counts what it does not show', () => {
  const part = {kind: 'feature', n: 5, letter: 'd_model', start: 2, count: 2};
  const step = stepOf(
    {one: ONE, d: part},
    {x: [[[1, 2]], 'one', 'd'], w: [[[3], [4]], 'd', 'one'], r: [[[0.5]], 'one', 'one'], y: [[[11.5]], 'one', 'one']},
    {rule: 'product', operands: ['x', 'w'], rest: 'r'},
  );
  const cell = cellOf(step, 0, 0);
  assert.deepEqual(cell.rest, {count: 3, product: 0.5});
  assert.deepEqual(cell.terms.map(({index}) => index), [2, 3]);
});

test('a sink takes its share, and so do keys that did not travel', () => {
  const axes = {q: ONE, k: TWO, one: ONE};
  const own = {m: [[[0, 0]], 'q', 'k'], y: [[[0, 0]], 'q', 'k']};
  const step = {rule: 'softmax row', operands: ['m']};
  near(cellOf(stepOf(axes, own, {...step, facts: {sink: 0}}), 0, 0).again, 1 / 3);
  const extra = {h: [[[0]], 'q', 'one'], r: [[[2]], 'q', 'one']};
  const cell = cellOf(stepOf(axes, {...own, ...extra}, {...step, rest: 'r', extras: {highest: 'h'}}), 0, 0);
  near(cell.again, 1 / 4);
  assert.deepEqual(cell.rest, {count: 0, product: 2});
});

// A row of softmax over 8 entries, of which 6 are here and the last two have exp 0.25 together.
const SCORES = [0, 1, 2, 3, 4, 5];
const TOTAL = SCORES.reduce((all, x) => all + Math.exp(x - 5), 0.25);
const PART = stepOf(
  {one: ONE, v: {kind: 'vocabulary', n: 8, count: 6}},
  {m: [[SCORES], 'one', 'v'], r: [[[0.25]], 'one', 'one'], h: [[[5]], 'one', 'one'], y: [[SCORES.map((x) => Math.exp(x - 5) / TOTAL)], 'one', 'v']},
  {rule: 'softmax row', operands: ['m'], rest: 'r', extras: {highest: 'h'}},
);

test('what of a row is not drawn is counted once: what travelled and what did not', () => {
  const rest = restOf(PART, 0, [0, 1, 2]);
  assert.equal(rest.count, 5); // 8 less the 3 that are drawn
  near(rest.share, (0.25 + Math.exp(-2) + Math.exp(-1) + 1) / TOTAL, 1e-6);
  assert.equal(restOf(PART, 0, null), null);
});

test('the strip lists what is drawn, and the largest score, from which all distances are taken', () => {
  const {list, rest} = listedTerms(cellOf(PART, 0, 1), {shown: [0, 1, 2], room: 12});
  assert.deepEqual(list.map(({index}) => index), [0, 1, 2, 5]);
  assert.equal(rest.count, 4);
});

test('scale multiplies by every factor, and colours keep the scale of what is scaled', () => {
  const step = stepOf(
    {d: TWO},
    {r: [[[8, 2], [1, 1]], 'd', 'd', {max: 8}], y: [[[2, 0.5], [0.25, 0.25]], 'd', 'd', {max: 2}]},
    {rule: 'scale', operands: ['r'], factors: {'1/√d_k': 0.5, '1/τ': 0.5}},
  );
  assert.equal(cellOf(step, 0, 0).again, 2);
  assert.equal(step.result.max, 8);
});

test('a column of joined heads leads to its place in its head', () => {
  const step = stepOf(
    {one: ONE, d: TWO, f: {kind: 'feature', n: 4, letter: 'd_model'}},
    {a: [[[1, 2]], 'one', 'd'], b: [[[3, 4]], 'one', 'd'], y: [[[1, 2, 3, 4]], 'one', 'f']},
    {rule: 'concat', operands: ['a', 'b']},
  );
  assert.deepEqual(cellOf(step, 0, 2).terms[0].at, [{operand: 1, row: 0, column: 0}]);
});

test('the curves of activations are exact where a reader can check them', () => {
  assert.deepEqual([CURVES.relu(-2), CURVES.relu(2)], [0, 2]);
  near(CURVES.gelu(1), 0.8413447460685429, 1e-14); // the normal distribution up to 1
  near(CURVES.gelu(-3), -0.004049694094890206, 1e-14);
  near(CURVES.gelu_tanh(1), 0.8411919906082768, 1e-14);
});

test('a pair turns by its position times its frequency, as halves and as neighbours', () => {
  const [quarter, axes] = [Math.PI / 2, {t: {kind: 'token', n: 2, letter: 'T'}, d: {...TWO, n: 4}, one: ONE}];
  for (const [pairs, frequency, result] of [
    ['halves', [quarter, 0, quarter, 0], [-3, 2, 1, 4]],
    ['neighbours', [quarter, quarter, 0, 0], [-2, 1, 3, 4]],
  ]) {
    const step = stepOf(
      axes,
      {x: [[[1, 2, 3, 4], [1, 2, 3, 4]], 't', 'd'], f: [[frequency], 'one', 'd'], y: [[[1, 2, 3, 4], result], 't', 'd']},
      {rule: 'rotate', operands: ['x'], extras: {frequency: 'f'}, facts: {width: 4, pairs, magnitude: 1}},
    );
    result.forEach((value, column) => near(cellOf(step, 1, column).again, value, 1e-6));
    const [first, second] = pairsOf(step, 1);
    assert.deepEqual([first.before, first.after], pairs === 'halves' ? [[1, 3], [-3, 1]] : [[1, 2], [-2, 1]]);
    assert.deepEqual([first, second].map(({angle}) => angleText(angle)), ['90°', '0°']);
    const turns = (id) => (id === 'view-stepper-turns' ? '{n} turns' : id);
    assert.deepEqual([3 * Math.PI, 1e-5, 0.05].map((angle) => angleText(angle, turns)), ['1.5 turns', '<0.01°', '2.9°']);
    const [held, moved] = [1, 3].map((position) => cellOf(step, 1, 0, position));
    assert.equal(held.value, result[0]); // the run's own number
    near(moved.value, -result[0], 1e-6); // half a turn further
    assert.equal(moved.facts.position, 3);
    assert.deepEqual(pairsOf(step, 0).map(({angle}) => angle), [0, 0]);
    assert.ok(isRotation(step));
    step.result.columns.count = step.operands[0].columns.count = 1; // of each pair one number at most is here
    assert.ok(!isRotation(step));
  }
});

test('a rule that is not known is refused', () => {
  assert.throws(() => cellOf({rule: 'guess', result: {at: () => 0}}, 0, 0), /no rule guess/);
});
