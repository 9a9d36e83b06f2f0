import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Chain} from '../../attnviz/views/stepper/model.js';
import {CURVES, cellOf} from '../../attnviz/views/stepper/cell_arithmetic.js';

const near = (a, b, tolerance = 1e-12) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);
const array = (rows) => ({data: Float32Array.from(rows.flat()), shape: [rows.length, rows[0].length]});

/** A chain of one step from plain numbers: `matrices` is id -> [rows, rowAxis, columnAxis, more]. */
function chainOf(axes, matrices, step) {
  const header = {axes, tokens: {}, matrices: {}, steps: [step]};
  const arrays = {};
  for (const [id, [rows, rowAxis, columnAxis, more = {}]] of Object.entries(matrices)) {
    arrays[id] = array(rows);
    header.matrices[id] = {name: id, rows: rowAxis, columns: columnAxis, max: 1, ...more};
  }
  return new Chain({header, arrays});
}

const TWO = {kind: 'feature', n: 2, letter: 'd_model'};
const ONE = {kind: 'one', n: 1, letter: '1'};

test('a product lists its terms, then the bias, and they add up', () => {
  const {steps} = chainOf(
    {t: TWO, d: TWO, one: ONE},
    {
      x: [
        [
          [1, 2],
          [3, 4],
        ],
        't',
        'd',
      ],
      w: [
        [
          [5, 6],
          [7, 8],
        ],
        'd',
        'd',
      ],
      b: [[[10, 20]], 'one', 'd'],
      y: [
        [
          [27, 43],
          [49, 75],
        ],
        't',
        'd',
      ],
    },
    {
      name: 'y',
      kind: 'y',
      group: 'y',
      rule: 'product',
      operands: ['x', {id: 'w', turned: true}],
      result: 'y',
      bias: 'b',
    },
  );
  const cell = cellOf(steps[0], 1, 0); // row 1 of x: 3, 4; the stored weight is [out, in], so its row 0: 5, 6
  assert.deepEqual(
    cell.terms.map(({left, right, product}) => [left, right, product]),
    [
      [3, 5, 15],
      [4, 6, 24],
      [10, 1, 10],
    ],
  );
  assert.equal(cell.again, 49);
  assert.equal(cell.value, 49);
  assert.deepEqual(cell.terms[1].at, [
    {operand: 0, row: 1, column: 1},
    {operand: 1, row: 1, column: 0},
  ]);
});

test('what a product does not show is its rest', () => {
  const part = {kind: 'feature', n: 5, letter: 'd_model', start: 2, count: 2};
  const {steps} = chainOf(
    {one: ONE, d: part},
    {x: [[[1, 2]], 'one', 'd'], w: [[[3], [4]], 'd', 'one'], r: [[[0.5]], 'one', 'one'], y: [[[11.5]], 'one', 'one']},
    {name: 'y', kind: 'y', group: 'y', rule: 'product', operands: ['x', 'w'], result: 'y', rest: 'r'},
  );
  const cell = cellOf(steps[0], 0, 0);
  assert.deepEqual(cell.rest, {count: 3, product: 0.5});
  assert.deepEqual(
    cell.terms.map(({index}) => index),
    [2, 3],
  );
  assert.equal(cell.again, 11.5);
});

const softmax = (rows, more = {}, extra = {}) =>
  chainOf(
    {q: ONE, k: {...TWO, n: rows[0].length}, one: ONE},
    {m: [rows, 'q', 'k'], w: [rows, 'q', 'k'], ...extra},
    {name: 'w', kind: 'w', group: 'w', rule: 'softmax row', operands: ['m'], result: 'w', ...more},
  ).steps[0];

test('softmax subtracts the row maximum, and a hidden key takes nothing', () => {
  const cell = cellOf(softmax([[1, 3, -Infinity]]), 0, 0);
  near(cell.again, Math.exp(-2) / (1 + Math.exp(-2)));
  assert.equal(cell.terms[2].product, 0);
  assert.equal(cell.facts.highest, 3);
});

test('a row that may look at nothing is all zero', () => {
  const cell = cellOf(softmax([[-Infinity, -Infinity]]), 0, 1);
  assert.equal(cell.again, 0);
  assert.equal(cell.facts.isBlocked, true);
});

test('a sink takes its share, and so do keys that did not travel', () => {
  near(cellOf(softmax([[0, 0]], {facts: {sink: 0}}), 0, 0).again, 1 / 3);
  const extra = {h: [[[0]], 'q', 'one'], r: [[[2]], 'q', 'one']};
  const cell = cellOf(softmax([[0, 0]], {rest: 'r', extras: {highest: 'h'}}, extra), 0, 0);
  near(cell.again, 1 / 4);
  near(cell.rest.share, 1 / 2);
});

test('scale multiplies by every factor, and colours keep the scale of what is scaled', () => {
  const {steps} = chainOf(
    {d: TWO},
    {
      r: [
        [
          [8, 2],
          [1, 1],
        ],
        'd',
        'd',
        {max: 8},
      ],
      s: [
        [
          [2, 0.5],
          [0.25, 0.25],
        ],
        'd',
        'd',
        {max: 2},
      ],
    },
    {
      name: 's',
      kind: 's',
      group: 's',
      rule: 'scale',
      operands: ['r'],
      result: 's',
      factors: {'1/√d_k': 0.5, '1/τ': 0.5},
    },
  );
  assert.equal(cellOf(steps[0], 0, 0).again, 2);
  assert.equal(steps[0].result.max, 8);
});

test('a norm row is centred, scaled, stretched and shifted', () => {
  const {steps} = chainOf(
    {d: TWO, one: ONE},
    {
      x: [[[1, 3]], 'one', 'd'],
      y: [[[0, 3]], 'one', 'd'],
      mean: [[[2]], 'one', 'one'],
      variance: [[[1]], 'one', 'one'],
      gain: [[[2, 2]], 'one', 'd'],
      shift: [[[1, 1]], 'one', 'd'],
    },
    {
      name: 'y',
      kind: 'y',
      group: 'y',
      rule: 'norm row',
      operands: ['x'],
      result: 'y',
      facts: {epsilon: 0},
      extras: {mean: 'mean', variance: 'variance', gain: 'gain', shift: 'shift'},
    },
  );
  assert.equal(cellOf(steps[0], 0, 0).again, -1); // (1 − 2) ÷ 1 · 2 + 1
  assert.equal(cellOf(steps[0], 0, 1).again, 3);
});

test('the mask hides by adding −∞', () => {
  const {steps} = chainOf(
    {d: TWO},
    {
      s: [
        [
          [1, 2],
          [3, 4],
        ],
        'd',
        'd',
      ],
      m: [
        [
          [0, -Infinity],
          [0, 0],
        ],
        'd',
        'd',
      ],
      y: [
        [
          [1, -Infinity],
          [3, 4],
        ],
        'd',
        'd',
      ],
    },
    {name: 'y', kind: 'y', group: 'y', rule: 'mask', operands: ['s', 'm'], result: 'y'},
  );
  assert.equal(cellOf(steps[0], 0, 1).again, -Infinity);
  assert.equal(cellOf(steps[0], 1, 0).again, 3);
});

test('heads are cut from the whole and joined to it at their places', () => {
  const four = {kind: 'feature', n: 4, letter: 'd_model'};
  const whole = [[[1, 2, 3, 4]], 'one', 'f'];
  const cut = chainOf(
    {one: ONE, d: TWO, f: four},
    {q: whole, h: [[[3, 4]], 'one', 'd']},
    {
      name: 'h',
      kind: 'h',
      group: 'h',
      rule: 'split',
      operands: ['q'],
      result: 'h',
      facts: {first: 2},
    },
  );
  assert.equal(cellOf(cut.steps[0], 0, 1).again, 4);
  const joined = chainOf(
    {one: ONE, d: TWO, f: four},
    {a: [[[1, 2]], 'one', 'd'], b: [[[3, 4]], 'one', 'd'], c: whole},
    {
      name: 'c',
      kind: 'c',
      group: 'c',
      rule: 'concat',
      operands: ['a', 'b'],
      result: 'c',
    },
  );
  assert.deepEqual(cellOf(joined.steps[0], 0, 2).terms[0].at, [{operand: 1, row: 0, column: 0}]);
});

test('a look-up copies the row of its id', () => {
  const {steps} = chainOf(
    {t: TWO, one: ONE, v: {kind: 'vocabulary', n: 2, letter: 'V'}, d: TWO},
    {
      ids: [[[9], [4]], 't', 'one'],
      table: [
        [
          [1, 2],
          [3, 4],
        ],
        'v',
        'd',
      ],
      e: [
        [
          [3, 4],
          [1, 2],
        ],
        't',
        'd',
      ],
    },
    {name: 'e', kind: 'e', group: 'e', rule: 'lookup', operands: ['ids', 'table'], result: 'e', ids: [4, 9]},
  );
  const cell = cellOf(steps[0], 0, 1);
  assert.equal(cell.again, 4);
  assert.equal(cell.facts.row, 1);
});

test('positions are sines in even columns and cosines in odd ones', () => {
  const {steps} = chainOf(
    {t: TWO, d: TWO},
    {
      p: [
        [
          [0, 1],
          [0.84, 0.54],
        ],
        't',
        'd',
      ],
    },
    {
      name: 'p',
      kind: 'p',
      group: 'p',
      rule: 'position',
      operands: [],
      result: 'p',
      facts: {base: 10000, width: 2},
    },
  );
  near(cellOf(steps[0], 1, 0).again, Math.sin(1));
  near(cellOf(steps[0], 1, 1).again, Math.cos(1));
});

test('the curves of activations are exact where a reader can check them', () => {
  assert.equal(CURVES.relu(-2), 0);
  assert.equal(CURVES.relu(2), 2);
  near(CURVES.gelu(1), 0.8413447460685429, 1e-14); // the normal distribution up to 1
  near(CURVES.gelu(-3), -0.004049694094890206, 1e-14);
  near(CURVES.gelu_tanh(1), 0.8411919906082768, 1e-14);
});

test('a rule that is not known is refused', () => {
  assert.throws(() => cellOf({rule: 'guess', result: {at: () => 0}}, 0, 0), /no rule guess/);
});
