// The matrices of a panel side by side, each with its cells, its names, and a line under it that reads one cell. Those with
// the same rows and columns share one place: pointing in one points in all of them.

import {hatching, paintCells} from '../kit/cells.js';
import {colourOf, scaleColour} from '../kit/colour.js';
import {el, setLengths} from '../kit/dom.js';
import {Legend} from '../kit/legend.js';
import {Matrix, evenPlace} from '../kit/matrix.js';
import {Names, namesIn} from '../kit/matrix_names.js';
import {cellDecimals, clamp, fmt, pct, precise} from '../kit/number.js';
import {takeMenu} from '../kit/export_menu.js';
import {matrixTable} from '../kit/spreadsheet.js';
import {fill, fillText, short, visible} from '../kit/words.js';
import {mapRoom, mapsAcross} from './block_layout.js';
import {heading} from './text_blocks.js';
import {figure} from './number_text.js';

export class MapsBlock {
  token = null;

  constructor({maps}, {arrays, say, signal, lead}, before) {
    this.lead = lead;
    this.maps = maps.map((map) => new MatrixMap(map, arrays[map.values], {say, signal, pointed: (at, how) => this.point(map, at, how)}));
    this.node = el('div', {class: 'maps'}, ...this.maps.map(({node}) => node));
    this.row = before?.row ?? null;
    this.start(before?.maps ?? []);
  }

  /** Begin where the reader was, else at what is pointed out, else at the largest cell of the first map of a shape. */
  start(before) {
    for (const map of this.maps) {
      const alike = this.maps.filter((other) => shape(other.map) === shape(map.map));
      const old = before.find((other) => shape(other.map) === shape(map.map));
      map.picked = old?.picked ?? alike.find(({marked}) => marked)?.marked ?? alike[0].largest();
    }
  }

  /** `row`, where one is given, is the row to read, `token` the column: each map goes to its largest cell there when it becomes another. */
  draw({width, k, theme, row = null, token = null}) {
    if (row !== null && row !== this.row) for (const map of this.maps) if (map.isWhole) map.picked = map.largest(row);
    const isOther = token !== null && token !== this.token;
    if (isOther) for (const map of this.maps) map.toToken(token);
    Object.assign(this, {row, token});
    const room = mapsAcross(this.maps.map(({map}) => map), width, k);
    this.node.style.gridTemplateColumns = `repeat(${room.n}, max-content)`;
    for (const map of this.maps) map.draw({width: room.width, k, theme});
    if (isOther) for (const map of this.maps) map.bringIntoSight();
  }

  /** `how` is 'hover', 'pick' or 'leave'. */
  point(from, at, how) {
    if (how === 'pick' && from.leads) this.lead?.(placeOf(from, at));
    for (const map of this.maps) if (shape(map.map) === shape(from)) map.show(at, how, map.map === from);
  }
}

const LONGEST = {row: 18, column: 12}; // characters of a name

/** Where a cell leads: to a head; or to the token whose stream it is, in the layer that it was passed last, before the first one in none. */
function placeOf({leads, first}, {row, column}) {
  if (leads === 'token') return [row ? row - 1 : null, null, '', first + column];
  return leads === 'across' ? [column, row] : [row, column];
}
const shape = ({rows, columns}) => JSON.stringify([rows, columns]);

class MatrixMap {
  map; data; say; pointed;
  /** @type {ReturnType<typeof mapRoom>} */
  room;

  /** `pointed(at, how)` hears where the reader points. */
  constructor(map, {data}, {say, signal, pointed}) {
    Object.assign(this, {map, data, say, pointed, hovered: null});
    this.kind = map.scale === 'share' ? 'weights' : 'signed';
    this.legend = new Legend();
    this.matrix = new Matrix({say, signal, label: map.title, act: {
      hover: (at) => pointed(at, at ? 'hover' : 'leave'),
      pick: (at) => pointed(at, 'pick'),
      step: (down, right) => this.step(down, right),
    }});
    this.sheet = el('div', {class: 'matrix'}, this.matrix.stop);
    this.names = {row: this.namesOf('row'), column: this.namesOf('column')};
    this.reading = el('p', {class: 'reading', 'aria-hidden': 'true'});
    this.spoken = el('p', {class: 'unseen', 'aria-live': 'polite'});
    const size = el('span', {class: 'size'}, `${map.size[0]} × ${map.size[1]}`);
    const head = heading(map.title, this.legend.node, takeMenu({say, what: map.title, rows: () => this.table()}));
    head.querySelector('.space').before(size);
    this.across = el('div', {class: 'across'}, this.sheet);
    const isOfWords = map.texts?.length > 0; // high: what is read stays in sight above it
    const parts = isOfWords ? [el('div', {class: 'over'}, this.axes(), this.reading), this.across] : [this.axes(), this.across, this.reading];
    this.node = el('figure', {class: 'map', 'data-picture': ''}, head, ...parts, this.spoken);
  }

  namesOf(side) {
    const texts = this.map[`${side}s`];
    const nameAt = (index) => el('span', {class: `${side}name`}, short(visible(texts[index]), LONGEST[side]));
    return {nodes: new Names(this.sheet, nameAt), tokens: texts.map((text) => ({text}))};
  }

  /** What rows and columns are, and how many of them are drawn where that is not all. */
  axes() {
    const {row_axis: rowAxis, column_axis: columnAxis, rows, columns, size} = this.map;
    const part = (names, n) => (names.length < n ? fillText(this.say('view-panel-part'), {shown: names.length, n}) : null);
    const one = (mark, ...words) => {
      const said = words.filter(Boolean).join(' · ');
      return said ? el('span', {}, `${mark} ${said}`) : null;
    };
    const both = [one('↓', rowAxis, part(rows, size[0])), one('→', columnAxis, part(columns, size[1]))];
    return both.some(Boolean) ? el('p', {class: 'axes'}, ...both) : null;
  }

  get marked() {
    const {marked} = this.map;
    return marked && {row: marked[0], column: marked[1]};
  }

  /** Whether all its rows are here. */
  get isWhole() {
    return this.map.rows.length === this.map.size[0];
  }

  /** The place of the largest cell, of all or of one row. */
  largest(row = null) {
    const n = this.map.columns.length;
    const size = (x) => (Number.isFinite(x) ? Math.abs(x) : -1);
    const cells = row === null ? this.data : this.data.subarray(row * n, (row + 1) * n);
    let best = 0;
    cells.forEach((x, at) => size(x) > size(cells[best]) && (best = at));
    return {row: row ?? Math.floor(best / n), column: best % n};
  }

  /** To the last row of a token's column, where it is drawn and not pointed at already. */
  toToken(token) {
    const column = token - this.map.first;
    if (column >= 0 && column < this.map.columns.length && column !== this.picked.column) this.picked = {row: this.map.rows.length - 1, column};
  }

  /** The column that is pointed at, where there are more than have room. */
  bringIntoSight() {
    this.across.scrollLeft = this.room.left + (this.picked.column + 0.5) * this.room.cw - this.across.clientWidth / 2;
  }

  at({row, column}) {
    return this.data[row * this.map.columns.length + column];
  }

  draw({width, k, theme}) {
    const {map, kind, sheet} = this;
    const {rows, columns, limit, texts} = map;
    const isOfWords = texts.length > 0;
    const room = (this.room = mapRoom(map, width, k));
    this.k = k;
    this.node.style.width = `${Math.max(Math.min(room.width, width), Math.min(width, 320 * k))}px`;
    this.across.classList.toggle('scrolls', room.width > width + 1);
    setLengths(sheet, {height: room.height, width: room.width});
    sheet.style.setProperty('--turn', room.isUpright ? '-90deg' : '0deg');
    sheet.classList.toggle('level', !room.isUpright);
    sheet.style.setProperty('--font', `${Math.max(9 * k, Math.min(12 * k, room.ch * 0.72))}px`);
    setLengths(this.matrix.stop, {left: room.left, top: room.top});
    const place = evenPlace({rows: rows.length, columns: columns.length, cw: room.cw, ch: room.ch});
    const context = this.matrix.lay(place, {k});
    const style = getComputedStyle(this.node);
    const decimals = cellDecimals({kind, max: limit});
    const valueAt = (row, column) => this.at({row, column});
    paintCells(context, place, {
      rows: [0, rows.length],
      columns: [0, columns.length],
      colourAt: (row, column) => colourOf(kind, kind === 'weights' ? valueAt(row, column) / (limit || 1) : valueAt(row, column), limit, theme),
      textAt: (row, column) => (isOfWords ? fitting(context, visible(texts[row][column].trim()), room.cw - 4 * k) : fmt(valueAt(row, column), decimals)),
      ...(isOfWords && {size: Math.min(12 * k, 0.78 * room.ch)}),
      k,
      hatch: hatching(context, style, k),
      ink: style.getPropertyValue('--ink'),
    });
    this.legend.draw({width: 64, k, colourAt: (share) => scaleColour(kind, share, theme), low: kind === 'weights' ? '0' : figure(-limit), high: figure(limit)});
    this.light();
  }

  step(down, right) {
    const {rows, columns} = this.map;
    const {row, column} = this.picked;
    this.pointed({row: clamp(row + down, 0, rows.length - 1), column: clamp(column + right, 0, columns.length - 1)}, 'pick');
  }

  /** The reader points at a cell, here or in a map that shares its places. */
  show(at, how, isHere) {
    this.hovered = how === 'hover' ? at : null;
    if (how === 'pick') this.picked = at;
    this.light();
    if (how === 'pick' && isHere) this.spoken.textContent = fillText(this.say('view-panel-cell'), this.words(String));
  }

  /** Outline the cell that is pointed at, name it, and read it. */
  light() {
    const {room, marked, matrix, k} = this;
    if (!room) return;
    const at = this.hovered ?? this.picked;
    matrix.mark([...(marked ? [{...marked, wide: 1.2, dash: [3, 2.5]}] : []), at]);
    const inRow = (row) => ({top: `${room.top + (row + 0.5) * room.ch}px`, width: `${room.left - 8 * k}px`});
    const overColumn = (column) => ({
      left: `${room.left + (column + 0.5) * room.cw}px`,
      top: `${room.top - 5 * k}px`,
      fontSize: `${11.5 * k}px`,
    });
    this.showNames('row', at.row, room.ch, room.rowGap, inRow);
    this.showNames('column', at.column, room.cw, room.columnGap, overColumn);
    const strong = (text) => el('b', {}, text);
    this.reading.replaceChildren(fill(document, this.say('view-panel-cell'), this.words(strong)));
  }

  showNames(side, marked, pitch, gap, place) {
    const {nodes, tokens} = this.names[side];
    nodes.show(namesIn(tokens, [0, tokens.length], pitch, gap, [marked]), place, {marked: [marked]});
  }

  words(strong) {
    const {rows, columns, row_axis: rowAxis, column_axis: columnAxis} = this.map;
    const {row, column} = this.hovered ?? this.picked;
    const {texts} = this.map;
    const share = this.at({row, column});
    const value = strong(texts.length ? `“${visible(texts[row][column])}” ${pct(share)}` : precise(share, 3));
    return {row: placeName(rows, row, rowAxis), column: placeName(columns, column, columnAxis), value};
  }

  table() {
    const {title, rows, columns, texts} = this.map;
    const value = (row, column) => this.at({row, column});
    return matrixTable(title, rows, columns, texts.length ? (row, column) => `${texts[row][column]} ${precise(value(row, column), 3)}` : value);
  }
}

/** As much of a word as a cell has room for. */
function fitting(context, word, width) {
  const signs = [...word];
  if (context.measureText(word).width <= width) return word;
  while (signs.length > 1 && context.measureText(`${signs.join('')}…`).width > width) signs.pop();
  return `${signs.join('')}…`;
}

/** A row or a column with what it is: "Key buy". */
const placeName = (names, index, axis) => `${axis} ${visible(names[index])}`.trim();
