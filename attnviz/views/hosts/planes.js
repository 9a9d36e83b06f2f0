// A file's arrays come with their bytes in planes, as html.py wrote them; here they get back into numbers. No DOM.

/** All first bytes, then all second ones … -> number after number, in place. */
export function fromPlanes({data}) {
  const size = data.BYTES_PER_ELEMENT;
  if (size === 1) return;
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const planes = bytes.slice();
  const n = data.length;
  for (let plane = 0; plane < size; plane++) {
    for (let i = 0; i < n; i++) bytes[i * size + plane] = planes[plane * n + i];
  }
}
