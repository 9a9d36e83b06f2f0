import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Chain} from '../../attnviz/views/stepper/chain.js';
import {cellOf} from '../../attnviz/views/stepper/cell_arithmetic.js';
import {listedTerms, restOf} from '../../attnviz/views/stepper/listed_terms.js';

/** A row of softmax over 8 entries, of which 6 are here and the last two have exp 0.25 together. */
function row() {
  const axes = {one: {kind: 'feature', n: 1}, v: {kind: 'vocabulary', n: 8, count: 6}};
  const scores = [0, 1, 2, 3, 4, 5];
  const total = scores.reduce((all, x) => all + Math.exp(x - 5), 0.25);
  const arrays = {
    m: {data: Float32Array.from(scores), shape: [1, 6]},
    w: {data: Float32Array.from(scores.map((x) => Math.exp(x - 5) / total)), shape: [1, 6]},
    r: {data: Float32Array.of(0.25), shape: [1, 1]},
    h: {data: Float32Array.of(5), shape: [1, 1]},
  };
  const matrices = {
    m: {name: 'm', rows: 'one', columns: 'v'}, w: {name: 'w', rows: 'one', columns: 'v'},
    r: {name: 'r', rows: 'one', columns: 'one'}, h: {name: 'h', rows: 'one', columns: 'one'},
  };
  const step = {name: 'w', kind: 'w', group: 'w', rule: 'softmax row', operands: ['m'], result: 'w', rest: 'r', extras: {highest: 'h'}};
  return {step: new Chain({header: {axes, tokens: {}, matrices, steps: [step]}, arrays}).steps[0], total};
}

test('what of a row is not drawn is counted once: what travelled and what did not', () => {
  const {step, total} = row();
  const rest = restOf(step, 0, [0, 1, 2]);
  assert.equal(rest.count, 5); // 8 less the 3 that are drawn
  const undrawn = 0.25 + Math.exp(-2) + Math.exp(-1) + 1;
  assert.ok(Math.abs(rest.share - undrawn / total) < 1e-6);
  assert.equal(restOf(step, 0, null), null);
});

test('the strip lists what is drawn, and the largest score, from which all distances are taken', () => {
  const {step} = row();
  const {list, rest} = listedTerms(cellOf(step, 0, 1), {shown: [0, 1, 2], room: 12});
  assert.deepEqual(list.map(({index}) => index), [0, 1, 2, 5]);
  assert.equal(rest.count, 4);
});
