// How alike every head of A is to every head of B: rows are A's heads, columns B's, with a gap between layers.

import {APART, paintCells} from '../kit/cells.js';
import {sequential, tableOf} from '../kit/colour.js';
import {el, setLengths} from '../kit/dom.js';
import {Matrix} from '../kit/matrix.js';
import {clamp} from '../kit/number.js';
import {pictureOf} from '../kit/pixels.js';
import {alikeness, alikePlace, layerSpans} from './similarity_matrix_layout.js';

const TICK = 15; // px from the number of one layer to the next

export class AlikeMatrix {
  holder; js; a; b; picked; k; theme; hovered;

  /** `act`: hover({a, b} or null), pick({a, b}), both numbers of heads. */
  constructor(holder, {js, a, b, say, signal, act}) {
    Object.assign(this, {holder, js, a, b, picked: null});
    const pairAt = (cell) => cell && {a: cell.row, b: cell.column};
    this.matrix = new Matrix({say, signal, label: say('view-compare-alike-name'), act: {
      hover: (cell) => act.hover(pairAt(cell)),
      pick: (cell) => act.pick(pairAt(cell)),
      step: (down, right) => act.pick({a: clamp(this.picked.a + down, 0, a.n - 1), b: clamp(this.picked.b + right, 0, b.n - 1)}),
    }});
    holder.replaceChildren(this.matrix.stop);
  }

  layout({width, height, k, theme}) {
    const {a, b, matrix, holder} = this;
    const label = {left: 40 * k, top: 22 * k, right: 22 * k};
    const place = alikePlace({width: width - label.left - label.right, height: height - label.top - 4 * k, a, b, k});
    const left = Math.max(label.left, (width - place.width) / 2);
    Object.assign(this, {k, theme});
    setLengths(matrix.stop, {left, top: label.top});
    holder.style.height = `${Math.min(height, place.height + label.top + 6 * k)}px`;
    this.paint(matrix.lay(place, {k}), place);
    this.mark();
    this.ticks(place, left, label.top);
  }

  /** Every pair as a colour; where cells are small, the most alike of those that share a pixel. */
  paint(context, place) {
    const {a, b, js, theme, k} = this;
    const at = (row, column) => alikeness(js[row * b.n + column]);
    if (Math.min(place.cw, place.ch) >= APART)
      return paintCells(context, place, {rows: [0, a.n], columns: [0, b.n], colourAt: (row, column) => sequential(at(row, column), theme), k});
    const codes = Uint8Array.from({length: a.n * b.n}, (_, i) => Math.round(255 * alikeness(js[i])));
    const scale = context.canvas.width / place.width;
    const across = layerSpans(b, place.cw, place.gap, scale);
    for (const [layerA, [top, tall]] of layerSpans(a, place.ch, place.gap, scale).entries())
      for (const [layerB, [left, wide]] of across.entries()) {
        const [rows, columns] = [a.counts[layerA], b.counts[layerB]];
        const block = blockOf(codes, b.n, {row: a.starts[layerA], rows, column: b.starts[layerB], columns});
        context.putImageData(pictureOf([wide, tall], {codes: block, rows, columns}, tableOf('weights', theme)), left, top);
      }
  }

  /** The numbers of layers on both sides, as many as have room, and the letters of the sides. */
  ticks(place, left, top) {
    const {a, b, k, holder} = this;
    const apart = (heads, at, cell) => {
      let last = -Infinity;
      return heads.counts.flatMap((count, layer) => {
        const middle = (at(heads.starts[layer]) + at(heads.starts[layer] + count - 1) + cell) / 2;
        if (middle - last < TICK * k) return [];
        last = middle;
        return [{layer, middle}];
      });
    };
    const label = (kind, text, x, y) => setLengths(el('span', {class: kind, 'aria-hidden': 'true'}, text), {left: x, top: y});
    for (const node of holder.querySelectorAll('.tick, .sidename')) node.remove();
    const rows = apart(a, place.y, place.ch).map(({layer, middle}) => label('tick row', layer + 1, left - 10 * k, top + middle));
    const columns = apart(b, place.x, place.cw).map(({layer, middle}) => label('tick column', layer + 1, left + middle, top - 14 * k));
    const sideA = label('row sidename a', 'A', left - 34 * k, top + place.height / 2);
    const sideB = label('column sidename b', 'B', left + place.width + 13 * k, top - 14 * k);
    holder.append(...rows, ...columns, sideA, sideB);
  }

  select(picked, hovered) {
    Object.assign(this, {picked, hovered});
    if (this.matrix.place) this.mark();
  }

  /** The row and the column of the picked pair and of the one pointed at. */
  mark() {
    const {picked, hovered} = this;
    const band = ({a, b}, alpha) => [
      ...(a >= 0 ? [{row: a, column: null, wide: 1, alpha}] : []),
      ...(b >= 0 ? [{row: null, column: b, wide: 1, alpha}] : []),
      ...(a >= 0 && b >= 0 ? [{row: a, column: b}] : []),
    ];
    const isOther = hovered && !(hovered.a === picked?.a && hovered.b === picked?.b);
    this.matrix.mark([...(picked ? band(picked, 0.8) : []), ...(isOther ? band(hovered, 0.45) : [])]);
  }
}

/** The codes of two layers, row by row. */
function blockOf(codes, width, {row, rows, column, columns}) {
  const block = new Uint8Array(rows * columns);
  for (let i = 0; i < rows; i++) block.set(codes.subarray((row + i) * width + column, (row + i) * width + column + columns), i * columns);
  return block;
}
