// Reads the frame that pack.py writes: 4-byte length | JSON header | arrays on multiples of 8. No DOM.

const VERSION = 1;
const TYPES = {uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, float32: Float32Array};

/** Uint8Array -> {header, arrays: {name: {data, shape}}}. Throws where it is of another version or no whole frame. */
export function unpack(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset, Math.min(4, bytes.length)).getUint32(0, true);
  const header = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes.subarray(4, 4 + length)));
  if (header.v !== VERSION) throw new Error(`version ${header.v}, expected ${VERSION}`);
  const arrays = {};
  for (const [name, entry] of Object.entries(header.arrays)) arrays[name] = read(bytes, 4 + length, name, entry);
  return {header, arrays};
}

function read(bytes, base, name, {dtype, shape, offset}) {
  const Type = TYPES[dtype];
  const count = shape.reduce((a, b) => a * b, 1);
  const [from, size] = [base + offset, count * Type.BYTES_PER_ELEMENT];
  if (from + size > bytes.length) throw new Error(`array ${name}: needs ${size} bytes, frame ends first`);
  const start = bytes.byteOffset + from;
  // A host may hand the frame at any address; only then is the array copied.
  const isAligned = start % Type.BYTES_PER_ELEMENT === 0;
  return {data: isAligned ? new Type(bytes.buffer, start, count) : new Type(bytes.slice(from, from + size).buffer), shape};
}
