// Weights as grids of bytes, round(255·√w), each over a part of a head, and a grid painted at any zoom. No DOM.

/** The bytes of `rows` × `columns` blocks over the cells from [query, key] up to [query, key]. */
export const gridOf = (data, [rows, columns], from, to) => ({data, rows, columns, from, to});

/** How many cells of the head a block of the grid is high: 1 where it holds every cell. */
export const coarseness = (grid) => (grid ? Math.max((grid.to[0] - grid.from[0]) / grid.rows, (grid.to[1] - grid.from[1]) / grid.columns) : Infinity);

const byteOf = (weight, floor) => (weight < floor ? 0 : Math.round(255 * Math.sqrt(Math.min(1, Math.max(0, weight)))));

/** A grid without what lies below a threshold: a cell shows the largest of what it stands for. */
export function gridAbove(grid, floor) {
  if (!grid || !floor) return grid;
  const least = Math.round(255 * Math.sqrt(floor));
  return {...grid, data: grid.data.map((byte) => (byte < least ? 0 : byte))};
}

/** Every cell of a head whose weights are all known; what is below `floor` is not drawn. */
export function wholeGrid(weight, nQueries, nKeys, floor = 0) {
  const data = new Uint8Array(nQueries * nKeys);
  for (let query = 0, at = 0; query < nQueries; query++)
    for (let key = 0; key < nKeys; key++, at++) data[at] = byteOf(weight(query, key), floor);
  return gridOf(data, [nQueries, nKeys], [0, 0], [nQueries, nKeys]);
}

/** What the largest weights of each row show, in blocks; every other cell is nothing. */
export function sparseGrid(keys, nQueries, nKeys, floor = 0, most = 512) {
  const [rows, columns] = [Math.min(nQueries, most), Math.min(nKeys, most)];
  const data = new Uint8Array(rows * columns);
  for (let query = 0; query < nQueries; query++)
    for (const {index, weight} of keys(query, Infinity)) {
      const at = Math.floor((query * rows) / nQueries) * columns + Math.floor((index * columns) / nKeys);
      data[at] = Math.max(data[at], byteOf(weight, floor));
    }
  return gridOf(data, [rows, columns], [0, 0], [nQueries, nKeys]);
}

/** Whether a grid covers a part of the head: {rows: [from, to], columns: [from, to]}. */
export const covers = ({from, to}, {rows, columns}) =>
  from[0] <= rows[0] && from[1] <= columns[0] && to[0] >= rows[1] && to[1] >= columns[1];

/**
 * Paint the part {row, column, rows, columns} of a head (in cells, also halves of them) into `out`, width × height
 * packed colours. A pixel over several cells shows the largest; one inside a cell shows that cell.
 */
export function paintGrid(out, width, height, part, grid, table) {
  const down = spans(height, part.row, part.rows, grid.from[0], grid.to[0], grid.rows);
  const across = spans(width, part.column, part.columns, grid.from[1], grid.to[1], grid.columns);
  const most = new Uint8Array(grid.columns);
  let before = -1;
  for (let y = 0; y < height; y++) {
    const [first, end] = [down.first[y], down.end[y]];
    if (before >= 0 && down.first[before] === first && down.end[before] === end) {
      out.copyWithin(y * width, before * width, (before + 1) * width);
      continue;
    }
    before = y;
    most.set(grid.data.subarray(first * grid.columns, (first + 1) * grid.columns));
    for (let row = first + 1; row < end; row++)
      for (let column = across.low, at = row * grid.columns + column; column < across.high; column++, at++)
        if (grid.data[at] > most[column]) most[column] = grid.data[at];
    for (let x = 0; x < width; x++) {
      let largest = 0;
      for (let column = across.first[x]; column < across.end[x]; column++) if (most[column] > largest) largest = most[column];
      out[y * width + x] = table[largest];
    }
  }
}

/** Which blocks each of `pixels` shows of `cells` cells that start at `start`. */
function spans(pixels, start, cells, from, to, blocks) {
  const [first, end] = [new Uint16Array(pixels), new Uint16Array(pixels)];
  const scale = blocks / (to - from);
  const inside = (block) => Math.min(blocks - 1, Math.max(0, block));
  for (let at = 0; at < pixels; at++) {
    const [a, b] = [at, at + 1].map((edge) => (start + (edge * cells) / pixels - from) * scale);
    const isFine = b - a <= 1;
    first[at] = inside(Math.floor(isFine ? (a + b) / 2 : a + 1e-6));
    end[at] = isFine ? first[at] + 1 : Math.max(first[at] + 1, inside(Math.ceil(b - 1e-6) - 1) + 1);
  }
  return {first, end, low: first[0] ?? 0, high: end[pixels - 1] ?? 0};
}
