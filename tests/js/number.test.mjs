import assert from 'node:assert/strict';
import {test} from 'node:test';
import {fmt, pct} from '../../attnviz/views/kit/number.js';

const table = (name, call, rows) => {
  for (const [given, expected] of rows)
    test(`${name} ${given.join(', ')} is ${expected}`, () => assert.equal(call(...given), expected));
};

table('the number', fmt, [
  [[0], '0'], [[-0], '0'], [[0.004], '0.00'], [[-0.004], '0.00'], [[-1.5], '\u22121.50'], [[12.34, 1], '12.3'],
  [[123456], '1.2×10⁵'], [[-9.96e9], '\u22121.0×10¹⁰'], [[99999, 0], '99999'],
  [[-Infinity], '\u2212∞'], [[Infinity], '∞'], [[NaN], '–'],
]);

table('the share', pct, [
  [[1], '100%'], [[0.995], '100%'], [[0.714], '71%'], [[0.0149], '1%'], [[0.01], '1%'], [[0.0096], '1%'], // elsewhere 1.0%
  [[0.005], '<1%'],
  [[0.0005], '<1%'], [[1e-12], '<1%'], [[0], '0%'], [[NaN], '–'],
]);
