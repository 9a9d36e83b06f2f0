// A file's arrays come byte-shuffled, as html.py wrote them: all first bytes, then all second ones. No DOM.

/** All first bytes of an array, then all second ones: they deflate better so. */
export function shuffled({buffer, byteOffset, byteLength, length, BYTES_PER_ELEMENT: size}) {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return Uint8Array.from({length: byteLength}, (_, at) => bytes[(at % length) * size + Math.floor(at / length)]);
}

/** Put the bytes of each number together again, in place. */
export function unshuffle({data}) {
  const size = data.BYTES_PER_ELEMENT;
  if (size === 1) return;
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const planes = bytes.slice();
  const n = data.length;
  for (let plane = 0; plane < size; plane++) {
    for (let i = 0; i < n; i++) bytes[i * size + plane] = planes[plane * n + i];
  }
}
