import assert from 'node:assert/strict';
import {test} from 'node:test';
import {unshuffle} from '../../attnviz/views/hosts/byte_shuffle.js';

test('bytes in planes become the numbers they were', () => {
  const numbers = Float32Array.of(0.1, -2.5, 1e-9);
  const bytes = new Uint8Array(numbers.buffer);
  const planes = new Uint8Array(12);
  for (let i = 0; i < 3; i++) for (let plane = 0; plane < 4; plane++) planes[plane * 3 + i] = bytes[i * 4 + plane];
  const data = new Float32Array(planes.buffer);
  unshuffle({data});
  assert.deepEqual(data, numbers);
});

test('an array inside a larger frame leaves its neighbours alone', () => {
  const frame = Uint8Array.of(9, 9, 1, 3, 2, 4, 9, 9);
  unshuffle({data: new Uint16Array(frame.buffer, 2, 2)});
  assert.deepEqual([...frame], [9, 9, 1, 2, 3, 4, 9, 9]);
});

test('single bytes stay where they are, and an array of none is one', () => {
  const data = Uint8Array.of(3, 1, 2);
  unshuffle({data});
  unshuffle({data: new Float32Array(0)});
  assert.deepEqual([...data], [3, 1, 2]);
});
