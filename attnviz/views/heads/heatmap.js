// All cells of one head as a picture: one tab stop, a cell that arrows move, zoom down to exact cells with their numbers.

import {Bands, areGrouped} from '../kit/bands.js';
import {el, setLengths} from '../kit/dom.js';
import {guarded} from '../kit/error_guard.js';
import {Matrix} from '../kit/matrix.js';
import {namesIn, roomForNames, tokenNames} from '../kit/matrix_names.js';
import {clamp} from '../kit/number.js';
import {fillText} from '../kit/words.js';
import {coarseness, covers, gridAbove, sparseGrid, wholeGrid} from './byte_grids.js';
import {listenToMap} from './heatmap_input.js';
import {paintDrag, paintHeatmap, placeOf} from './heatmap_paint.js';
import {weightAt} from './head_weights.js';
import {isSame} from './pointer.js';
import {LARGEST_CELL, around, fit, framed, held, sight, showing, stepped, zoomed} from './zoom.js';

const EXACT_CELLS = 65_536; // of one part that comes with its numbers
const ASK_MS = 90; // how long a picture rests before its exact part is asked for
const SINGLE = 3; // px: from this size on a row can be told from its neighbours
const ALL = 64; // tokens up to which the whole is wanted at once

const cellsIn = ({rows, columns}) => (rows[1] - rows[0]) * (columns[1] - columns[0]);

export class Heatmap {
  holder; tokens; say; act; drag; k; theme; largest; numbers; extras; grid; wasDragged;
  /** @type {ReturnType<typeof roomForNames>} */
  place;
  /** @type {ReturnType<typeof sight>} */
  sight;
  /** @type {{query: number, key: number}} */
  cell;
  /** @type {number} */
  painting;
  /** @type {boolean} */
  isPointed;
  /** @type {any} */
  focus;

  constructor(holder, tokens, say, act) {
    Object.assign(this, {holder, tokens, say, act, zoom: null, drag: null, cell: {query: 0, key: 0}});
    this.n = tokens.queries.length;
    this.m = tokens.keys.length;
    const label = fillText(say('view-heads-map-name'), {rows: this.n, columns: this.m});
    const step = (down, right) => this.goTo(this.cell.query + down, this.cell.key + right);
    this.end = new AbortController();
    this.matrix = new Matrix({say, label, act: {step}, signal: this.end.signal});
    this.stop = this.matrix.stop;
    this.sheet = el('div', {class: 'sheet map matrix'}, this.stop);
    this.names = {query: tokenNames(this.sheet, 'row', tokens.queries, say), key: tokenNames(this.sheet, 'column', tokens.keys, say)};
    this.bands = {query: new Bands(this.sheet, 'row', tokens.queries, say), key: new Bands(this.sheet, 'column', tokens.keys, say)};
    holder.replaceChildren(this.sheet);
    listenToMap(this, this.end.signal);
    const zoom = (name, sign, direction) => el('button', {type: 'button', class: 'tool bordered', 'aria-label': say(`view-heads-zoom-${name}`), title: say(`view-heads-zoom-${name}`), click: () => this.step(direction)}, sign);
    this.controls = [zoom('out', '−', -1), zoom('whole', '⤢', 0), zoom('in', '+', 1)];
    this.queries = [];
  }

  destroy() {
    this.end.abort();
    clearTimeout(this.asking);
  }

  layout({k, widest, theme, height}) {
    const width = this.holder.clientWidth;
    this.place = roomForNames({width, height, n: this.n, m: this.m, k, widest, hasBands: areGrouped([...this.tokens.queries, ...this.tokens.keys])});
    Object.assign(this, {k, theme, largest: LARGEST_CELL * k});
    const {room, left, top} = this.place;
    const whole = fit(room, this.n, this.m, this.largest);
    const isWhole = !this.zoom || this.isWhole;
    this.zoom = held(isWhole ? {cell: whole, row: 0, column: 0} : this.zoom, room, this.n, this.m, this.largest);
    this.isWhole = isWhole;
    this.sheet.style.height = `${height ?? top + this.n * whole + 8 * k}px`;
    setLengths(this.stop, {left, top});
    this.sheet.style.setProperty('--font', `${this.place.font}px`);
  }

  /** `extras`: {preview: a grid or null, seen: [first, end] of each row or null, parts: those that came, ask}. */
  show(numbers, extras) {
    if (numbers && this.numbers && numbers !== this.numbers) this.matrix.fade();
    Object.assign(this, {numbers, extras, grid: null, limit: this.limitOf(numbers, extras)});
    this.paint();
  }

  /** How exact cells are come by; where nobody can send them, what is known of them. */
  limitOf(numbers, extras) {
    const values = {shown: numbers?.keys(0, Infinity).length, total: this.m.toLocaleString('en')};
    if (numbers && !numbers.weight && !extras?.ask) return fillText(this.say('view-heads-largest'), values);
    return Math.max(this.n, this.m) > ALL ? this.say('view-heads-map-zoom') : '';
  }

  /** The finest picture of what is in sight. */
  gridInSight(part) {
    const {numbers, extras, n, m} = this;
    this.grid ??= numbers?.weight ? wholeGrid(numbers.weight, n, m, numbers.floor) : numbers ? (numbers.pooled ?? sparseGrid(numbers.keys, n, m, numbers.floor)) : null;
    const finer = (extras?.parts ?? []).map(({grid}) => grid).filter((grid) => covers(grid, part));
    const known = [this.grid, ...finer, extras?.preview].filter(Boolean);
    const finest = known.reduce((best, grid) => (coarseness(grid) < coarseness(best) ? grid : best), known[0] ?? null);
    return gridAbove(finest, numbers?.floor);
  }

  paint() {
    if (!this.place) return;
    const {zoom, numbers, extras, place, n, m, k, theme} = this;
    const inSight = (this.sight = sight(zoom, place.room, n, m));
    const rows = [Math.floor(inSight.row), Math.min(n, Math.ceil(inSight.row + inSight.rows))];
    const columns = [Math.floor(inSight.column), Math.min(m, Math.ceil(inSight.column + inSight.columns))];
    const part = {rows, columns};
    const grid = this.gridInSight(part);
    const at = (query, key) => {
      const weight = numbers?.isExact ? weightAt(numbers, extras?.parts, query, key).weight : undefined;
      return weight === undefined || weight < (numbers.floor ?? 0) ? null : weight;
    };
    this.stop.classList.toggle('zoomed', !this.isWhole);
    const context = this.matrix.lay(placeOf(inSight, zoom.cell), {k});
    paintHeatmap(context, this.matrix.place, {sight: inSight, grid, seen: extras?.seen ?? null, isTaken: numbers?.isTaken, at, theme, k});
    this.sheet.dataset.coarse = String(Math.ceil(coarseness(grid)));
    this.mark();
    clearTimeout(this.asking);
    if (!extras?.ask || !numbers?.isExact) return;
    const wanted = around(inSight, n, m);
    const pixel = 1 / Math.max(1, window.devicePixelRatio || 1);
    const isBlurred = coarseness(grid) > 1 && zoom.cell * coarseness(grid) > 1.5 * pixel;
    const isNumbered = extras.parts.some((one) => one.weights && covers(one.grid, part));
    if (isBlurred || (cellsIn(wanted) <= EXACT_CELLS && !isNumbered))
      this.asking = setTimeout(guarded(this.stop, () => extras.ask(wanted.rows, wanted.columns)), ASK_MS);
  }

  isolate(focus, pinned) {
    this.focus = focus;
    this.pinned = pinned;
    this.isPointed = Boolean(focus) && !isSame(focus, pinned); // a row that only stays pinned leaves the rest as it is
    if (focus?.other !== undefined) this.cell = {query: focus.index, key: focus.other}; // a picked one too
    this.mark();
  }

  mark() {
    if (!this.sight) return;
    const {focus, zoom, k, drag} = this;
    const row = focus?.side === 'query' ? focus.index : null;
    const column = focus?.side === 'key' ? focus.index : (focus?.other ?? null);
    const isCell = row !== null && column !== null;
    const isThin = zoom.cell < SINGLE;
    const lines = isCell && !isThin ? [] : [{row, column: null}, {row: null, column}].filter((line) => line.row !== null || line.column !== null);
    /** @type {import('../kit/matrix.js').Outline[]} */
    const outlines = lines.map((line) => ({...line, wide: isThin ? 0.5 : 1.5, alpha: isThin ? 0.55 : 1}));
    if (isCell) outlines.push({row, column});
    const context = this.matrix.mark(outlines, this.isPointed && !isThin ? {row, column} : null);
    if (drag) paintDrag(context, drag, this.stop, k);
    this.name();
  }

  /** The names of rows and columns in sight, where their cells are now. */
  name() {
    const {place, zoom, sight: inSight, tokens, focus, pinned, isPointed, sheet, k} = this;
    sheet.classList.toggle('thinly', zoom.cell < place.gap);
    /** @type {Record<string, number[]>} */
    const marked = {query: [], key: []};
    if (focus) marked[focus.side].push(focus.index);
    if (focus?.other !== undefined) marked.key.push(focus.other);
    if (pinned) marked[pinned.side].push(pinned.index);
    const range = (start, count, n) => [Math.ceil(start - 0.5), Math.min(n, Math.floor(start + count + 0.5))];
    const show = (side, list, sightRange, style) => {
      const pinnedHere = pinned?.side === side ? pinned.index : null;
      this.names[side].show(namesIn(list, sightRange, zoom.cell, place.gap, marked[side]), style, {marked: marked[side], isPointed, pinned: pinnedHere});
    };
    show('query', tokens.queries, range(inSight.row, inSight.rows, this.n), (i) => ({top: `${place.top + (i + 0.5 - inSight.row) * zoom.cell}px`, width: `${place.left - place.band - 6 * k}px`}));
    show('key', tokens.keys, range(inSight.column, inSight.columns, this.m), (i) => ({left: `${place.left + (i + 0.5 - inSight.column) * zoom.cell}px`, top: `${place.top - place.band - 5 * k}px`, maxWidth: `${place.column}px`}));
    const edge = (start, from) => (i) => from + (i - start) * zoom.cell;
    this.bands.query.show(edge(inSight.row, place.top), place.left - place.band, [place.top, place.top + inSight.height]);
    this.bands.key.show(edge(inSight.column, place.left), place.top - place.band, [place.left, place.left + inSight.width]);
  }

  /** The focus an event is about. */
  under(event) {
    if (event.type === 'focusin') return event.target === this.stop ? this.cellFocus() : null;
    const label = event.target.closest('.rowname, .columnname');
    if (label) return {side: label.classList.contains('rowname') ? 'query' : 'key', index: Number(label.dataset.index)};
    if (!this.stop.contains(event.target) || this.drag || this.wasDragged) return null;
    const {query, key} = this.cellUnder(event);
    return {side: 'query', index: query, other: key};
  }

  cellFocus() {
    return {side: 'query', index: this.cell.query, other: this.cell.key};
  }

  point(event) {
    const box = this.stop.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
  }

  /** Where cells are smaller than a pixel, or stand for many, the largest known one under the pointer. */
  cellUnder(event) {
    const {x, y} = this.point(event);
    const {zoom, n, m, numbers} = this;
    const inside = (at, count) => clamp(at, 0, count - 1);
    const [query, key] = [inside(Math.floor(zoom.row + y / zoom.cell), n), inside(Math.floor(zoom.column + x / zoom.cell), m)];
    const reach = Math.ceil(0.5 / zoom.cell);
    if (reach <= 1 || !numbers) return {query, key};
    let best = {query, key, weight: -1};
    for (let row = inside(query - reach, n); row <= inside(query + reach, n); row++)
      for (const {index, weight} of numbers.keys(row, 32))
        if (Math.abs(index - key) <= reach && weight > best.weight) best = {query: row, key: index, weight};
    return best;
  }

  /** By keyboard: the cell goes to {query, key} and is spoken. */
  goTo(query, key) {
    this.cell = {query: clamp(query, 0, this.n - 1), key: clamp(key, 0, this.m - 1)};
    this.look(showing(this.zoom, {row: this.cell.query, column: this.cell.key}, ...this.bounds()));
    this.act.hover(this.cellFocus());
  }

  bounds() {
    return [this.place.room, this.n, this.m, this.largest];
  }

  /** −1, 0 (the whole) or 1. */
  step(direction) {
    const at = this.focus?.other === undefined ? null : {row: this.focus.index, column: this.focus.other};
    const whole = {cell: 0, row: 0, column: 0};
    this.look(direction ? stepped(this.zoom, direction, at, ...this.bounds()) : held(whole, ...this.bounds()));
  }

  zoomAt(factor, point) {
    this.look(zoomed(this.zoom, factor, point, ...this.bounds()));
  }

  frame(a, b) {
    this.look(framed(this.zoom, a, b, ...this.bounds()));
  }

  moveBy(dx, dy) {
    const {cell, row, column} = this.zoom;
    this.look(held({cell, row: row - dy / cell, column: column - dx / cell}, ...this.bounds()));
  }

  look(zoom) {
    this.zoom = zoom;
    this.isWhole = zoom.cell <= fit(this.place.room, this.n, this.m, this.largest) * 1.0001;
    cancelAnimationFrame(this.painting);
    this.painting = requestAnimationFrame(guarded(this.stop, () => this.paint()));
  }

  reveal(index, side) {
    const at = side === 'query' ? {row: index, column: this.zoom.column} : {row: this.zoom.row, column: index};
    if (!this.isWhole) this.look(showing(this.zoom, at, ...this.bounds()));
  }
}
