// A matrix of codes as pixels: a pixel over several cells shows the largest code, one inside a cell that cell. No DOM.

/** [first, end) of the blocks that each of `pixels` shows, where it shows `size` cells from `start` and `n` blocks lie over from…to. */
export function spansOf(pixels, {start = 0, size, from = 0, to = size, n = to - from}) {
  const [first, end] = [new Uint16Array(pixels), new Uint16Array(pixels)];
  const scale = n / (to - from);
  const inside = (block) => Math.min(n - 1, Math.max(0, block));
  for (let at = 0; at < pixels; at++) {
    const [a, b] = [at, at + 1].map((edge) => (start + (edge * size) / pixels - from) * scale);
    const isFine = b - a <= 1;
    first[at] = inside(Math.floor(isFine ? (a + b) / 2 : a + 1e-6));
    end[at] = isFine ? first[at] + 1 : Math.max(first[at] + 1, inside(Math.ceil(b - 1e-6) - 1) + 1);
  }
  return {first, end};
}

/**
 * Cells as a picture of width × height pixels, painted over `under`.
 * @param {number[]} size
 * @param {{codes: any, rows: number, columns: number, offset?: number}} cells as paintPixels has them
 * @param {Uint32Array} table
 */
export function pictureOf([width, height], {codes, rows, columns, offset = 0}, table, under = new ImageData(width, height)) {
  const spans = {down: spansOf(height, {size: rows}), across: spansOf(width, {size: columns})};
  paintPixels(new Uint32Array(under.data.buffer), spans, {codes, columns, offset}, table);
  return under;
}

/**
 * Paint codes into `out`, packed colours, a row of pixels after the other.
 * `codes[offset + row * columns + column]` is an index of `table`; where it is −1, `out` stays as it is; `down` and `across` are spans of pixels.
 */
export function paintPixels(out, {down, across}, {codes, columns, offset = 0}, table) {
  const [height, width] = [down.first.length, across.first.length];
  const [low, high] = [across.first[0] ?? 0, across.end[width - 1] ?? 0];
  const most = new Int16Array(columns);
  for (let y = 0; y < height; y++) {
    const [first, end] = [down.first[y], down.end[y]];
    if (y && down.first[y - 1] === first && down.end[y - 1] === end) {
      out.copyWithin(y * width, (y - 1) * width, y * width);
      continue;
    }
    most.set(codes.subarray(offset + first * columns, offset + (first + 1) * columns));
    for (let row = first + 1; row < end; row++)
      for (let column = low, at = offset + row * columns + column; column < high; column++, at++)
        if (codes[at] > most[column]) most[column] = codes[at];
    for (let x = 0; x < width; x++) {
      let largest = -1;
      for (let column = across.first[x]; column < across.end[x]; column++) if (most[column] > largest) largest = most[column];
      if (largest >= 0) out[y * width + x] = table[largest];
    }
  }
}
