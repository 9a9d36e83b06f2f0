// Where the cells of the similarity matrix lie, and how alike two heads are. No DOM.

import {clamp} from '../kit/number.js';

const LARGEST = 30; // px of a cell's side, at normal size
const LONGEST = 4; // times its other side, where one model has few heads

/** The place of the matrix in the room there is, as kit/matrix.js wants it; a gap belongs to the layer before it. */
export function alikePlace({width, height, a, b, k = 1}) {
  const roomy = Math.min(width / b.n, height / a.n) >= 4;
  const gap = roomy ? 2 * k : 1;
  const most = LARGEST * k;
  let cw = Math.min(most, (width - gap * (b.counts.length - 1)) / b.n);
  let ch = Math.min(most, (height - gap * (a.counts.length - 1)) / a.n);
  [cw, ch] = [Math.min(cw, ch * LONGEST), Math.min(ch, cw * LONGEST)];
  if (a.n === b.n) cw = ch = Math.min(cw, ch);
  const x = (column) => column * cw + b.layer(column) * gap;
  const y = (row) => row * ch + a.layer(row) * gap;
  const [wide, tall] = [x(b.n - 1) + cw, y(a.n - 1) + ch];
  const at = (px, py) => (px < 0 || py < 0 || px >= wide || py >= tall ? null : {row: under(a, py, ch, gap), column: under(b, px, cw, gap)});
  return {left: 0, top: 0, x, y, cw, ch, gap, width: wide, height: tall, at};
}

function under(heads, at, cell, gap) {
  let layer = heads.counts.length - 1;
  while (layer > 0 && heads.starts[layer] * cell + layer * gap > at) layer -= 1;
  const head = Math.floor((at - heads.starts[layer] * cell - layer * gap) / cell);
  return heads.starts[layer] + clamp(head, 0, heads.counts[layer] - 1);
}

/** [first, count] of the whole pixels of each layer, `scale` to a px: a pixel at least is left between two. */
export function layerSpans({counts, starts}, cell, gap, scale) {
  const edge = (head, layer) => Math.round((head * cell + layer * gap) * scale);
  const between = Math.max(1, Math.round(gap * scale));
  return counts.map((count, layer) => {
    const first = edge(starts[layer], layer);
    return [first, Math.max(1, edge(starts[layer] + count, layer + 1) - between - first)];
  });
}

/** How alike two heads look, 1 for the same and 0 for no key in common: by the distance √js, the near ones spread out. */
export const alikeness = (js) => (1 - Math.sqrt(clamp(js, 0, 1))) ** 1.5;
