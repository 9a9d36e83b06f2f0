import assert from 'node:assert/strict';
import {test} from 'node:test';
import {axis, evenTicks, logSteps, nearest, nearestStep, powers, stepAxis, thinTicks} from '../../attnviz/views/kit/axis.js';

const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

test('an even axis is a line, and what lies outside is drawn at its edge', () => {
  const x = axis({low: 0, high: 10, from: 100, to: 200});
  assert.deepEqual([0, 5, 10, 12, -1].map(x), [100, 150, 200, 200, 100]);
});

test('on a log axis of steps each doubling of step + 1 takes the same room, and step 0 has a place', () => {
  const x = stepAxis(1023, 0, 1000, true);
  near(x(0), 0);
  near(x(1), 100);
  near(x(3), 200);
  near(x(1023), 1000);
});

test('a log axis of the loss takes the same room for each power of ten', () => {
  const y = axis({low: 0.01, high: 10, from: 300, to: 0, isLog: true});
  [[0.01, 300], [0.1, 200], [1, 100], [10, 0]].forEach(([loss, at]) => near(y(loss), at));
  near(y(0), 300);
});

test('even ticks are round and do not pass the end', () => {
  assert.deepEqual(evenTicks(3.75, 4), [0, 1, 2, 3]);
  assert.deepEqual(evenTicks(1500, 8), [0, 200, 400, 600, 800, 1000, 1200, 1400]);
  assert.deepEqual(evenTicks(0.1, 4), [0, 0.05, 0.1]);
  assert.deepEqual(evenTicks(2, 8, true), [0, 1, 2]);
  assert.deepEqual(evenTicks(0, 4), [0]);
});

test('log ticks are 0, the powers of ten and the last step', () => {
  assert.deepEqual(logSteps(1500), [0, 1, 10, 100, 1000, 1500]);
  assert.deepEqual(logSteps(1000), [0, 1, 10, 100, 1000]);
  assert.deepEqual(powers(0.004, 5), [0.01, 0.1, 1]);
});

test('ticks too near to a kept one or to the last are left out', () => {
  const x = stepAxis(1500, 0, 300, true);
  assert.deepEqual(thinTicks(logSteps(1500), x, 34), [0, 10, 100, 1500]);
  assert.deepEqual(thinTicks([0], x, 34), [0]);
});

test('the cursor goes to the checkpoint drawn nearest, on either axis', () => {
  const checkpoints = [0, 1, 3, 100, 200];
  assert.equal(nearest(checkpoints, stepAxis(200, 0, 1000, false), 320), 3);
  assert.equal(nearest(checkpoints, stepAxis(200, 0, 1000, true), 320), 2);
  assert.equal(nearest(checkpoints, stepAxis(200, 0, 1000, true), -50), 0);
  assert.equal(nearestStep(checkpoints, 140), 3);
  assert.equal(nearestStep(checkpoints, Infinity), 4);
});
