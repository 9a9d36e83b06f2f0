// One of the three maps of a pair: A, B or A − B. Its names are the units of both texts; of a long text a cell is a block.

import {Bands, areGrouped} from '../kit/bands.js';
import {APART, hatching, paintCells} from '../kit/cells.js';
import {codeOf, colourOf, tableOf} from '../kit/colour.js';
import {el, setLengths} from '../kit/dom.js';
import {Matrix, evenPlace} from '../kit/matrix.js';
import {namesIn, roomForNames, tokenNames} from '../kit/matrix_names.js';
import {clamp, fmt} from '../kit/number.js';
import {pictureOf} from '../kit/pixels.js';
import {widestToken} from '../kit/token.js';

const LARGEST = 44; // px of a cell, at normal size
const TELLING = 0.05; // the largest difference from which two decimals tell something

export class PairMap {
  holder; widest; widestOf; units; swapped; act; k; theme; numbers; kind; valueAt; max; seen; picked; hovered;
  /** @type {number} */
  size;
  /** @type {ReturnType<typeof roomForNames>} */
  room;

  /** `swapped` are units whose names are always there, `widestOf` those that names have room for. `act`: hover({query, key} or null), pick({query, key}). */
  constructor(holder, {units, widestOf, swapped, name, say, signal, act}) {
    Object.assign(this, {holder, units, widestOf, swapped, act});
    this.matrix = new Matrix({say, signal, label: name, act: {
      hover: (cell) => act.hover(this.unitsAt(cell)),
      pick: (cell) => this.numbers && act.pick(this.unitsAt(cell)),
      step: (down, right) => this.step(down, right),
    }});
    this.sheet = el('div', {class: 'matrix'}, this.matrix.stop);
    this.names = {row: tokenNames(this.sheet, 'row', units, say), column: tokenNames(this.sheet, 'column', units, say)};
    this.bands = {row: new Bands(this.sheet, 'row', units, say), column: new Bands(this.sheet, 'column', units, say)};
    holder.replaceChildren(this.sheet);
  }

  /** The query and the key of a cell; of a block those that differ most. */
  unitsAt(cell) {
    const {numbers} = this;
    return cell && numbers ? numbers.cellOf(cell.row * numbers.side + cell.column) : null;
  }

  step(down, right) {
    const last = this.units.length - 1;
    const by = this.numbers?.step ?? 1;
    const {query, key} = this.picked;
    this.act.pick({query: clamp(query + down * by, 0, last), key: clamp(key + right * by, 0, last)});
  }

  layout({width, height, k, theme}) {
    const n = this.units.length;
    this.widest ??= widestToken(this.widestOf, getComputedStyle(this.holder).fontFamily);
    this.room = roomForNames({width, height, n, m: n, k, widest: this.widest, hasBands: areGrouped(this.units)});
    this.size = Math.min(this.room.room.width, this.room.room.height, n * LARGEST * k);
    Object.assign(this, {k, theme});
    const {left, top, font} = this.room;
    this.sheet.style.height = `${top + this.size + 6 * k}px`;
    this.sheet.style.setProperty('--font', `${Math.max(10 * k, Math.min(font, Math.max(this.size / n, this.room.gap) * 0.78))}px`);
    setLengths(this.matrix.stop, {left, top});
    const pitch = this.size / n;
    this.bands.row.show((i) => top + i * pitch, left - this.room.band);
    this.bands.column.show((i) => left + i * pitch, top - this.room.band);
  }

  /**
   * `kind`: weights or signed; `valueAt(index)` what a cell is coloured by, `max` the end of a signed scale, `seen(index)`
   * whether the query can attend to the key.
   */
  show({numbers, kind, valueAt, max, seen}) {
    if (numbers && this.numbers && numbers !== this.numbers) this.matrix.fade();
    Object.assign(this, {numbers, kind, valueAt, max, seen});
    this.paint();
  }

  paint() {
    const {numbers, size, seen, k, matrix, kind, max, theme, valueAt} = this;
    const side = numbers?.side ?? this.units.length;
    const place = evenPlace({rows: side, columns: side, cw: size / side, ch: size / side});
    const context = matrix.lay(place, {k});
    const style = getComputedStyle(this.holder);
    if (!numbers || seen) {
      context.fillStyle = hatching(context, style, k);
      context.fillRect(0, 0, size, size);
    }
    if (numbers && place.cw < APART) this.paintPicture(context, side);
    else if (numbers) {
      const isTold = side === this.units.length && (kind === 'weights' || max >= TELLING);
      const at = (row, column) => row * side + column;
      paintCells(context, place, {
        rows: [0, side],
        columns: [0, side],
        colourAt: (row, column) => (seen && !seen(at(row, column)) ? undefined : colourOf(kind, valueAt(at(row, column)), max, theme)),
        textAt: isTold ? (row, column) => fmt(valueAt(at(row, column))) : null,
        ground: seen ? style.getPropertyValue('--surface') : null,
        k,
      });
    }
    this.mark();
  }

  /** Of the cells that share a pixel the largest is seen. */
  paintPicture(context, side) {
    const {size, kind, max, theme, valueAt, seen} = this;
    const n = Math.max(1, Math.round((size * context.canvas.width) / this.matrix.width));
    const codes = Int16Array.from({length: side * side}, (_, i) => (seen && !seen(i) ? -1 : codeOf(kind, valueAt(i), max)));
    const cells = {codes, rows: side, columns: side};
    context.putImageData(pictureOf([n, n], cells, tableOf(kind, theme), context.getImageData(0, 0, n, n)), 0, 0);
  }

  select(picked, hovered) {
    Object.assign(this, {picked, hovered});
    if (this.matrix.place) this.mark();
  }

  /** The cell that is picked, the row and column that are pointed at, and the names of rows and columns. */
  mark() {
    const {picked, hovered, numbers, room, size, units, k} = this;
    if (!picked) return;
    const by = numbers?.step ?? 1;
    const cellOf = ({query, key}) => ({row: Math.floor(query / by), column: Math.floor(key / by)});
    const marked = numbers ? [picked, hovered].filter(Boolean).map(cellOf) : [];
    this.matrix.mark(marked, hovered && numbers ? cellOf(hovered) : null);
    const pitch = size / units.length; // px from one unit to the next
    const at = hovered ?? picked;
    const near = (unit) => namesIn(units, [0, units.length], pitch, room.gap, [unit, ...this.swapped]);
    this.names.row.show(near(at.query), (i) => ({top: `${room.top + (i + 0.5) * pitch}px`, width: `${room.left - room.band - 7 * k}px`}), {marked: [at.query]});
    this.names.column.show(near(at.key), (i) => ({left: `${room.left + (i + 0.5) * pitch}px`, top: `${room.top - room.band - 6 * k}px`, maxWidth: `${room.column}px`}), {marked: [at.key]});
  }
}
