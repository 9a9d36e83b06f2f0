// A head as a square picture, however many rows and columns; a pixel shows the largest of its cells.

import {cellEdges} from '../kit/layout.js';

/** A painter of maps `pixels` wide: (context, data, offset, table, x, y) in device pixels. */
export function thumbnail(rows, columns, pixels) {
  const image = new ImageData(pixels, pixels);
  const out = new Uint32Array(image.data.buffer);
  const [below, beside] = [cellsOf(rows, pixels), cellsOf(columns, pixels)];
  return (context, data, offset, table, left, top) => {
    for (let y = 0; y < pixels; y++) {
      const [y0, y1] = [below.first[y], below.end[y]];
      if (y && y0 === below.first[y - 1] && y1 === below.end[y - 1]) out.copyWithin(y * pixels, (y - 1) * pixels, y * pixels);
      else for (let x = 0; x < pixels; x++) out[y * pixels + x] = table[largestIn(data, offset, columns, y0, y1, beside.first[x], beside.end[x])];
    }
    context.putImageData(image, left, top);
  };
}

/** Which cells each of `pixels` shows: several where there are more cells than pixels, else the one it lies in. */
function cellsOf(cells, pixels) {
  const [first, end] = [new Uint16Array(pixels), new Uint16Array(pixels)];
  if (cells > pixels) {
    const edges = cellEdges(pixels, cells);
    for (let at = 0; at < pixels; at++) [first[at], end[at]] = [edges[at], edges[at + 1]];
  } else {
    const edges = cellEdges(cells, pixels);
    for (let cell = 0; cell < cells; cell++) {
      first.fill(cell, edges[cell], edges[cell + 1]);
      end.fill(cell + 1, edges[cell], edges[cell + 1]);
    }
  }
  return {first, end};
}

function largestIn(data, offset, columns, y0, y1, x0, x1) {
  let most = 0;
  for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) {
    const weight = data[offset + y * columns + x];
    if (weight > most) most = weight;
  }
  return most;
}
