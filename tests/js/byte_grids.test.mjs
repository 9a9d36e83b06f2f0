import assert from 'node:assert/strict';
import {test} from 'node:test';
import {byteOf, coarseness, covers, gridAbove, gridOf, mapsWithout, paintGrid, sparseGrid, weightOf, wholeGrid} from '../../attnviz/views/heads/byte_grids.js';
import {isSeen, weightAt} from '../../attnviz/views/heads/head_weights.js';

const table = Uint32Array.from({length: 256}, (_, i) => i); // a colour is its byte
const painted = (grid, part, width, height) => {
  const out = new Uint32Array(width * height);
  paintGrid(out, width, height, part, grid, table);
  return [...out];
};
const whole = (n, m) => ({row: 0, column: 0, rows: n, columns: m});

test('a cell larger than a pixel fills its pixels', () => {
  const grid = gridOf(new Uint8Array([1, 2, 3, 4]), [2, 2], [0, 0], [2, 2]);
  assert.deepEqual(painted(grid, whole(2, 2), 4, 4), [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]);
});

test('a pixel over several cells shows the largest, so a single bright cell stays', () => {
  const data = new Uint8Array(64 * 64);
  data[37 * 64 + 53] = 200;
  const out = painted(gridOf(data, [64, 64], [0, 0], [64, 64]), whole(64, 64), 8, 8);
  assert.equal(out[Math.floor(37 / 8) * 8 + Math.floor(53 / 8)], 200);
  assert.equal(out.filter((byte) => byte > 0).length, 1);
});

test('no cell is lost at any width', () => {
  for (const width of [7, 13, 31, 50, 63]) {
    for (let at = 0; at < 64; at++) {
      const data = new Uint8Array(64);
      data[at] = 9;
      assert.ok(painted(gridOf(data, [1, 64], [0, 0], [1, 64]), whole(1, 64), width, 1).includes(9), `${at} at ${width}`);
    }
  }
});

test('a part of a head is painted where it lies, and a coarse picture under any zoom', () => {
  const part = gridOf(new Uint8Array([5, 6, 7, 8]), [2, 2], [10, 20], [12, 22]);
  assert.deepEqual(painted(part, {row: 11, column: 20, rows: 1, columns: 2}, 2, 1), [7, 8]);
  const coarse = gridOf(new Uint8Array([1, 2, 3, 4]), [2, 2], [0, 0], [100, 100]);
  assert.deepEqual(painted(coarse, {row: 49, column: 10, rows: 2, columns: 2}, 1, 2), [1, 3]);
  assert.equal(coarseness(coarse), 50);
  assert.equal(coarseness(part), 1);
  assert.equal(covers(part, {rows: [10, 12], columns: [21, 22]}), true);
  assert.equal(covers(part, {rows: [10, 13], columns: [21, 22]}), false);
});

test('bytes are the square root of weights, of a whole head and of its largest weights', () => {
  const weights = [[1, 0], [0.25, 0.75]];
  assert.deepEqual([...wholeGrid((query, key) => weights[query][key], 2, 2).data], [255, 0, 128, 221]);
  assert.deepEqual([...wholeGrid((query, key) => weights[query][key], 2, 2, 0.5).data], [255, 0, 0, 221]);
  const largest = (query) => (query === 3 ? [{index: 7, weight: 0.25}] : []);
  const grid = sparseGrid(largest, 8, 8, 0, 4);
  assert.deepEqual([...grid.data].flatMap((byte, at) => (byte ? [[at, byte]] : [])), [[7, 128]]);
});

test('of a long head a cell is known from a part that came, from its row, or only as less than the rest', () => {
  const numbers = {weight: null, keys: () => [{index: 4, weight: 0.5}, {index: 1, weight: 0.125}]};
  const parts = [{rows: [2, 4], columns: [8, 10], weights: new Float32Array([0.5, 0.25, 0.125, 0.0625])}];
  assert.deepEqual(weightAt(numbers, parts, 3, 9), {weight: 0.0625});
  assert.deepEqual(weightAt(numbers, parts, 3, 4), {weight: 0.5});
  assert.deepEqual(weightAt(numbers, [], 3, 9), {below: 0.125});
  assert.deepEqual(weightAt(null, [], 3, 9), {});
  assert.deepEqual(weightAt({weight: () => 0.75}, [], 0, 0), {weight: 0.75});
});

test('a mask says which keys a query may look at', () => {
  const causal = new Uint16Array([0, 1, 0, 2]);
  assert.equal(isSeen(causal, 0, 1), false);
  assert.equal(isSeen(causal, 1, 1), true);
  assert.equal(isSeen(null, 0, 9), true);
});

test('a grid above a threshold keeps what is above it', () => {
  const grid = gridOf(new Uint8Array([0, 51, 128, 255]), [2, 2], [0, 0], [4, 4]);
  assert.deepEqual([...gridAbove(grid, 0.25).data], [0, 0, 128, 255]);
  assert.equal(gridAbove(grid, 0), grid);
});

test('small pictures leave the sinks out too, each row brought back to 1 where that is asked; pooled ones stay', () => {
  const maps = {shape: [1, 1, 2, 3], data: Uint8Array.from([0.9, 0.1, 0, 0.8, 0.1, 0.1], byteOf)};
  assert.deepEqual([...mapsWithout(maps, [true, false, false], false).data], [0, byteOf(0.1), 0, 0, byteOf(0.1), byteOf(0.1)]);
  const rescaled = [...mapsWithout(maps, [true, false, false], true).data].map(weightOf);
  [0, 1, 0, 0, 0.5, 0.5].forEach((weight, at) => assert.ok(Math.abs(rescaled[at] - weight) < 0.01, String(rescaled)));
  assert.equal(mapsWithout(maps, [true, false, false, false], true), maps);
  assert.equal(mapsWithout(maps, [false, false, false], true), maps);
});
