// One of the three maps of a pair: A, B or A − B. A canvas for cells, one above it for names and marks; one tab stop.

import {css, diverging, signedPosition, textOn} from '../kit/colour.js';
import {el, sized} from '../kit/dom.js';
import {cellEdges} from '../kit/layout.js';
import {fmt} from '../kit/number.js';
import {named} from '../kit/words.js';
import {hatching} from '../heads/cellink.js';
import {widestToken} from '../heads/label.js';
import {labelled, mapLabels} from '../heads/maplabels.js';

const STEPS = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
const FAR = 1e6; // cells: to the first or last of a row
const APART = 6; // px: from this size on cells stand apart
const NUMBERED = 30; // px: from this size on a cell has its number in it, at normal size
const FADED = 0.64; // of the surface over what is not pointed at
const LARGEST = 44; // px of a cell, at normal size
const STEP = 255; // colours of one arm where cells are pixels
const TURN = (62 * Math.PI) / 180; // names of columns stand up

export class PairMap {
  /** `act`: hover({query, key} or null), pick({query, key}). */
  constructor(holder, {units, name, say, act}) {
    Object.assign(this, {holder, units, say, act});
    this.cells = el('canvas', {'aria-hidden': 'true'});
    this.marks = el('canvas', {class: 'marks', 'aria-hidden': 'true'});
    const facts = {role: 'application', tabindex: 0, 'aria-roledescription': say('view-kit-matrix'), 'aria-label': name};
    this.stop = el('div', {class: 'stop', ...facts}, this.cells, this.marks);
    holder.replaceChildren(this.stop);
    this.listen();
  }

  listen() {
    this.stop.addEventListener('pointermove', (event) => event.pointerType !== 'touch' && this.act.hover(this.under(event)));
    this.stop.addEventListener('pointerleave', () => this.act.hover(null));
    this.stop.addEventListener('click', (event) => this.under(event) && this.act.pick(this.under(event)));
    this.stop.addEventListener('keydown', (event) => {
      const [down, right] = STEPS[event.key] ?? (event.key === 'Home' ? [0, -FAR] : event.key === 'End' ? [0, FAR] : []);
      if (down === undefined || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const inside = (x) => Math.max(0, Math.min(this.units.length - 1, x));
      const step = this.numbers?.step ?? 1;
      this.act.pick({query: inside(this.picked.query + down * step), key: inside(this.picked.key + right * step)});
    });
  }

  /** The cell under a pointer; of a block the one that differs most. */
  under(event) {
    if (!this.numbers) return null;
    const box = this.stop.getBoundingClientRect();
    const {place, cell, numbers} = this;
    const [column, row] = [Math.floor((event.clientX - box.left - place.left) / cell), Math.floor((event.clientY - box.top - place.top) / cell)];
    const {side} = numbers;
    return row < 0 || column < 0 || row >= side || column >= side ? null : numbers.cellOf(row * side + column);
  }

  layout({width, height, k, theme}) {
    const n = this.units.length;
    this.widest ??= widestToken(this.units, getComputedStyle(this.holder).fontFamily);
    this.place = mapLabels({width, height, n, m: n, k, widest: this.widest});
    this.size = Math.min(this.place.room.width, this.place.room.height, n * LARGEST * k);
    Object.assign(this, {k, theme, width, height: this.place.top + this.size + 6 * k});
    Object.assign(this.stop.style, {width: `${width}px`, height: `${this.height}px`});
  }

  /** `kind`: weights or signed; `valueOf(index)` what a cell is coloured by, `max` the end of a signed scale, `seen(index)` whether a mask lets it. */
  show({numbers, kind, valueOf, max, seen}) {
    Object.assign(this, {numbers, kind, valueOf, max, seen});
    this.paint();
  }

  get cell() {
    return this.size / (this.numbers?.side ?? this.units.length);
  }

  /** Where a cell lies on its colour scale, from −1 to 1. */
  position(index) {
    const value = this.valueOf(index);
    return this.kind === 'weights' ? Math.sqrt(Math.max(0, Math.min(1, value))) : signedPosition(value, this.max);
  }

  colour(index) {
    return diverging(this.position(index), this.theme); // its upper arm is the scale of weights
  }

  paint() {
    const {cells, numbers} = this;
    const context = sized(cells, this.width, this.height);
    context.clearRect(0, 0, this.width, this.height);
    if (numbers && this.cell < APART) this.paintPixels(context);
    else if (numbers) this.paintApart(context);
    if (!numbers || this.seen) this.hatch(context);
    this.mark();
  }

  /** Under what is painted: there is no number, or a mask forbids to look. */
  hatch(context) {
    const {place, size, k} = this;
    const style = getComputedStyle(this.holder);
    context.globalCompositeOperation = 'destination-over';
    context.fillStyle = hatching(style.getPropertyValue('--line-2'), style.getPropertyValue('--sunken'), k).pattern(context);
    context.fillRect(place.left, place.top, size, size);
    context.globalCompositeOperation = 'source-over';
  }

  paintApart(context) {
    const {place, cell, k, numbers, kind, seen} = this;
    const {side} = numbers;
    const inset = 0.5;
    const isNumbered = cell >= NUMBERED * k && side === this.units.length && (kind === 'weights' || this.max >= 0.05);
    Object.assign(context, {font: `450 ${Math.min(cell * 0.31, 12.5 * k)}px ${getComputedStyle(this.holder).fontFamily}`, textAlign: 'center', textBaseline: 'middle'});
    if (seen) {
      context.fillStyle = getComputedStyle(this.holder).getPropertyValue('--surface'); // between cells
      for (let i = 0; i < side * side; i++) if (seen(i)) context.fillRect(place.left + (i % side) * cell, place.top + Math.floor(i / side) * cell, cell, cell);
    }
    for (let i = 0; i < side * side; i++) {
      if (seen && !seen(i)) continue;
      const [x, y] = [place.left + (i % side) * cell, place.top + Math.floor(i / side) * cell];
      const colour = this.colour(i);
      context.fillStyle = css(colour);
      context.beginPath();
      context.roundRect(x + inset, y + inset, cell - 2 * inset, cell - 2 * inset, cell < 12 ? 0 : 1.5 * k);
      context.fill();
      if (!isNumbered) continue;
      context.fillStyle = textOn(colour);
      context.fillText(fmt(this.valueOf(i)), x + cell / 2, y + cell / 2 + 0.5);
    }
  }

  /** Cells of a few pixels or less: of those that share a pixel the largest. */
  paintPixels(context) {
    const {place, size, numbers} = this;
    const {side} = numbers;
    const scale = context.canvas.width / this.width;
    const n = Math.max(1, Math.round(size * scale));
    const image = context.createImageData(n, n);
    const pixels = new Uint32Array(image.data.buffer);
    const best = new Float32Array(n * n).fill(-1);
    const edges = cellEdges(side, n);
    const table = coloursOf(this.theme);
    for (let i = 0; i < side * side; i++) {
      if (this.seen && !this.seen(i)) continue;
      const strength = Math.abs(this.valueOf(i));
      const packed = table[Math.round(STEP * (1 + this.position(i)))];
      const [row, column] = [Math.floor(i / side), i % side];
      for (let y = edges[row]; y < Math.max(edges[row] + 1, edges[row + 1]) && y < n; y++)
        for (let x = edges[column]; x < Math.max(edges[column] + 1, edges[column + 1]) && x < n; x++)
          if (strength > best[y * n + x]) [best[y * n + x], pixels[y * n + x]] = [strength, packed];
    }
    context.putImageData(image, Math.round(place.left * scale), Math.round(place.top * scale));
  }

  select(picked, hovered) {
    Object.assign(this, {picked, hovered});
    if (this.place) this.mark();
  }

  /** Names of rows and columns, the cell that is picked, and the row and column that are pointed at. */
  mark() {
    const {marks, place, size, k, picked, hovered, numbers} = this;
    const context = sized(marks, this.width, this.height);
    context.clearRect(0, 0, this.width, this.height);
    if (!picked) return;
    const style = getComputedStyle(this.stop);
    const [ink, surface] = [style.getPropertyValue('--ink'), style.getPropertyValue('--surface')];
    const step = numbers?.step ?? 1;
    const {cell} = this;
    const boxOf = ({query, key}) => [place.left + Math.floor(key / step) * cell, place.top + Math.floor(query / step) * cell];
    if (hovered && numbers) {
      const [x, y] = boxOf(hovered);
      const tall = Math.max(cell, 2);
      context.globalAlpha = FADED;
      context.fillStyle = surface;
      context.fillRect(place.left, place.top, size, size);
      context.clearRect(place.left, y, size, tall);
      context.clearRect(x, place.top, tall, size);
      context.globalAlpha = 1;
    }
    Object.assign(context, {strokeStyle: ink, lineWidth: 2 * k});
    const tall = Math.max(cell + k, 9 * k); // a frame around a dot is a frame still
    const edge = (cell - tall) / 2;
    for (const at of numbers ? [picked, hovered].filter(Boolean) : []) context.strokeRect(...boxOf(at).map((start) => start + edge), tall, tall);
    this.names(context, style, ink);
  }

  names(context, style, ink) {
    const {place, units, k, size} = this;
    const pitch = size / units.length; // px from one unit to the next
    const at = this.hovered ?? this.picked;
    const font = Math.max(10 * k, Math.min(place.font, Math.max(pitch, place.gap) * 0.78));
    const family = style.fontFamily;
    const set = (isStrong) => {
      context.font = `${isStrong ? 660 : 400} ${font}px ${family}`;
      context.fillStyle = isStrong ? ink : style.getPropertyValue('--ink-2');
    };
    context.textBaseline = 'middle';
    for (const row of labelled(units, 0, units.length, pitch, place.gap, [at.query])) {
      set(row === at.query);
      context.textAlign = 'right';
      context.fillText(cut(context, labelOf(units[row]), place.left - 8 * k), place.left - 7 * k, place.top + (row + 0.5) * pitch);
    }
    for (const column of labelled(units, 0, units.length, pitch, place.gap, [at.key])) {
      set(column === at.key);
      context.save();
      context.translate(place.left + (column + 0.5) * pitch, place.top - 6 * k);
      context.rotate(-TURN);
      context.textAlign = 'left';
      context.fillText(cut(context, labelOf(units[column]), (place.top - 8 * k) / Math.sin(TURN)), 0, 0);
      context.restore();
    }
  }
}

const known = new Map();

/** Packed colours for positions from −1 to 1. */
function coloursOf(theme) {
  if (!known.has(theme)) {
    const bytes = new Uint8ClampedArray((2 * STEP + 1) * 4);
    for (let i = -STEP; i <= STEP; i++) bytes.set([...diverging(i / STEP, theme), 255], (i + STEP) * 4);
    known.set(theme, new Uint32Array(bytes.buffer));
  }
  return known.get(theme);
}

const labelOf = (unit) => (unit.continues ? '·' : '') + named(unit);

function cut(context, text, wide) {
  if (context.measureText(text).width <= wide) return text;
  const characters = [...text];
  while (characters.length > 1 && context.measureText(`${characters.join('')}…`).width > wide) characters.pop();
  return `${characters.join('')}…`;
}
