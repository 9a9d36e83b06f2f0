// Reads the frame that pack.py writes: 4-byte length | JSON header | arrays on multiples of 8. No DOM.

const VERSION = 1;
const HEADER_LIMIT = 4_000_000;
const TYPES = {uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, float32: Float32Array};

export class PayloadError extends Error {}

/** Uint8Array -> {header, arrays: {name: {data, shape}}}. Throws PayloadError on anything that is not a whole frame. */
export function unpack(bytes) {
  if (!(bytes instanceof Uint8Array)) throw new PayloadError('expected bytes');
  if (bytes.length < 4) throw new PayloadError(`expected at least 4 bytes, got ${bytes.length}`);
  const length = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  if (length > HEADER_LIMIT || 4 + length > bytes.length)
    throw new PayloadError(`header of ${length} bytes in a frame of ${bytes.length}`);
  const header = parse(bytes.subarray(4, 4 + length));
  if (header.v !== VERSION) throw new PayloadError(`version ${header.v}, expected ${VERSION}`);
  if (typeof header.arrays !== 'object' || header.arrays === null) throw new PayloadError('header without arrays');
  const arrays = {};
  for (const [name, entry] of Object.entries(header.arrays)) arrays[name] = read(bytes, 4 + length, name, entry);
  return {header, arrays};
}

function parse(bytes) {
  let header;
  try {
    header = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes));
  } catch {
    throw new PayloadError('header is not JSON');
  }
  if (typeof header === 'object' && header !== null && !Array.isArray(header)) return header;
  throw new PayloadError('header is no object');
}

function read(bytes, base, name, entry) {
  const {dtype, shape, offset} = entry ?? {};
  const Type = Object.hasOwn(TYPES, dtype) ? TYPES[dtype] : null;
  if (!Type) throw new PayloadError(`array ${name}: unknown dtype ${dtype}`);
  if (!Array.isArray(shape) || !shape.every(isCount)) throw new PayloadError(`array ${name}: bad shape`);
  if (!isCount(offset) || offset % 8) throw new PayloadError(`array ${name}: offset ${offset} is no multiple of 8`);
  const count = shape.reduce((a, b) => a * b, 1);
  const size = count * Type.BYTES_PER_ELEMENT;
  if (!Number.isSafeInteger(size) || base + offset + size > bytes.length)
    throw new PayloadError(`array ${name}: needs ${size} bytes, frame ends first`);
  const start = bytes.byteOffset + base + offset;
  // A host may hand the frame at any address; only then is the array copied.
  const data =
    start % Type.BYTES_PER_ELEMENT === 0
      ? new Type(bytes.buffer, start, count)
      : new Type(bytes.slice(base + offset, base + offset + size).buffer);
  return {data, shape};
}

const isCount = (x) => Number.isSafeInteger(x) && x >= 0;
