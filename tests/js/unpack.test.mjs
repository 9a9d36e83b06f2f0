import assert from 'node:assert/strict';
import {test} from 'node:test';
import {unpack} from '../../attnviz/views/kit/unpack.js';

function framed(header, body = new Uint8Array()) {
  let text = JSON.stringify(header);
  while ((4 + text.length) % 8) text += ' ';
  const bytes = new Uint8Array(4 + text.length + body.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(new TextEncoder().encode(text), 4);
  bytes.set(body, 4 + text.length);
  return bytes;
}

const floats = new Uint8Array(new Float32Array([0.25, 0.75]).buffer);
const entry = {dtype: 'float32', shape: [1, 2], offset: 0};
const good = () => framed({v: 1, arrays: {head: entry}}, floats);

test('a frame gives its header and arrays back', () => {
  const {header, arrays} = unpack(good());
  assert.equal(header.v, 1);
  assert.deepEqual([...arrays.head.data], [0.25, 0.75]);
  assert.deepEqual(arrays.head.shape, [1, 2]);
});

test('a frame may start at any address', () => {
  for (let shift = 0; shift < 8; shift++) {
    const inner = good();
    const outer = new Uint8Array(inner.length + shift);
    outer.set(inner, shift);
    assert.deepEqual([...unpack(outer.subarray(shift)).arrays.head.data], [0.25, 0.75]);
  }
});

test('an aligned array is not copied', () => {
  const bytes = good();
  assert.equal(unpack(bytes).arrays.head.data.buffer, bytes.buffer);
});

test('a truncated frame is refused, also inside a longer buffer', () => {
  const bytes = good();
  for (let n = 0; n < bytes.length; n++) {
    assert.throws(() => unpack(bytes.slice(0, n)), Error, `${n} bytes`);
    assert.throws(() => unpack(bytes.subarray(0, n)), Error, `${n} bytes of more`);
  }
});

const refused = {
  'another version': framed({v: 2, arrays: {}}),
  'no table of arrays': framed({v: 1}),
  'an unknown dtype': framed({v: 1, arrays: {a: {...entry, dtype: 'float64'}}}, floats),
  'an array past the end': framed({v: 1, arrays: {a: {...entry, offset: 8}}}, floats),
};
for (const [name, bytes] of Object.entries(refused)) test(`${name} is refused`, () => assert.throws(() => unpack(bytes)));

test('bytes that are not UTF-8 are refused', () => {
  const bytes = good();
  bytes[5] = 0xff;
  assert.throws(() => unpack(bytes));
});
