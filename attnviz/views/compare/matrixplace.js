// Where the cells of the similarity matrix lie: rows are A's heads, columns B's, a gap between layers. No DOM.

const LARGEST = 30; // px of a cell's side, at normal size
const LONGEST = 4; // times its other side, where one model has few heads

/** {x(column), y(row), cw, ch, width, height, gap} for the heads of both sides in the room there is. */
export function matrixPlace({width, height, a, b, k = 1}) {
  const roomy = Math.min(width / b.n, height / a.n) >= 4;
  const gap = roomy ? 2 * k : 1;
  const most = LARGEST * k;
  let cw = Math.min(most, (width - gap * (b.counts.length - 1)) / b.n);
  let ch = Math.min(most, (height - gap * (a.counts.length - 1)) / a.n);
  [cw, ch] = [Math.min(cw, ch * LONGEST), Math.min(ch, cw * LONGEST)];
  if (a.n === b.n) cw = ch = Math.min(cw, ch);
  const x = (column) => column * cw + b.layer(column) * gap;
  const y = (row) => row * ch + a.layer(row) * gap;
  return {x, y, cw, ch, gap, width: x(b.n - 1) + cw, height: y(a.n - 1) + ch};
}

/** The {row, column} under a point; null outside. A gap belongs to the layer before it. */
export function cellUnder(place, a, b, px, py) {
  if (px < 0 || py < 0 || px >= place.width || py >= place.height) return null;
  return {row: under(a, py, place.ch, place.gap), column: under(b, px, place.cw, place.gap)};
}

function under(heads, at, cell, gap) {
  let layer = heads.counts.length - 1;
  while (layer > 0 && heads.starts[layer] * cell + layer * gap > at) layer -= 1;
  const head = Math.floor((at - heads.starts[layer] * cell - layer * gap) / cell);
  return heads.starts[layer] + Math.max(0, Math.min(heads.counts[layer] - 1, head));
}

/** How alike two heads look, 1 for the same and 0 for no key in common: by the distance √js, the near ones spread out. */
export const alikeness = (js) => (1 - Math.sqrt(Math.max(0, Math.min(1, js)))) ** 1.5;
