// One matrix as colour: a canvas for its cells, SVG for names and numbers, a line under it that reads one cell.

import {css, textOn} from '../kit/colour.js';
import {el, sized, svg} from '../kit/dom.js';
import {fmt, precise} from '../kit/number.js';
import {fill, fillText, visible} from '../kit/words.js';
import {digitsOf, fillOf, legendColour} from '../stepper/paint.js';
import {cellAt, mapRoom} from './layout.js';
import {copyButton, heading} from './plain.js';
import {figure, label, tableOf} from './text.js';

const STEPS = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
const FAR = 1e6; // cells: to the first or last of a row

export class MatrixMap {
  /** `pointed(at, how)` hears where the reader points. */
  constructor(map, {data}, say, pointed) {
    Object.assign(this, {map, data, say, pointed, hovered: null});
    this.kind = map.scale === 'share' ? 'weights' : 'signed';
    this.legend = el('span', {class: 'legend', 'aria-hidden': 'true'});
    const surface = {
      class: 'surface',
      tabindex: 0,
      role: 'application',
      'aria-roledescription': say('view-panel-matrix'),
      'aria-label': map.title,
    };
    this.surface = el('div', surface);
    this.reading = el('p', {class: 'reading', 'aria-hidden': 'true'});
    this.spoken = el('p', {class: 'unseen', 'aria-live': 'polite'});
    const size = el('span', {class: 'size'}, `${map.size[0]} × ${map.size[1]}`);
    const copy = copyButton(() => this.asTable(), say);
    const head = heading(map.title, this.legend, copy);
    head.querySelector('.space').before(size);
    this.node = el('figure', {class: 'map'}, head, this.axes(), this.surface, this.reading, this.spoken);
    this.listen();
  }

  /** What rows and columns are, and how many of them are drawn where that is not all. */
  axes() {
    const {rowAxis, columnAxis, rows, columns, size} = this.map;
    const part = (names, n) =>
      names.length < n ? fillText(this.say('view-panel-part'), {shown: names.length, n}) : null;
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

  largest() {
    const size = (x) => (Number.isFinite(x) ? Math.abs(x) : -1);
    let best = 0;
    this.data.forEach((x, at) => size(x) > size(this.data[best]) && (best = at));
    const n = this.map.columns.length;
    return {row: Math.floor(best / n), column: best % n};
  }

  at({row, column}) {
    return this.data[row * this.map.columns.length + column];
  }

  draw({width, k, theme}) {
    const {map} = this;
    const room = (this.room = mapRoom(map, width, k));
    Object.assign(this, {k, theme});
    this.node.style.width = `${Math.max(room.width, Math.min(width, 320 * k))}px`;
    this.surface.style.height = `${room.height}px`;
    this.surface.style.width = `${room.width}px`;
    const canvas = el('canvas', {class: 'cells'});
    const sheet = svg('svg', {width: room.width, height: room.height, 'aria-hidden': 'true'});
    this.labels = {rows: [], columns: []};
    sheet.append(...this.names(room), ...this.paint(canvas, room));
    this.mark = svg('rect', {class: 'mark'});
    this.aim = svg('rect', {class: 'aim'});
    if (map.marked) sheet.append(box(this.mark, this.marked, room));
    sheet.append(this.aim);
    Object.assign(canvas.style, {left: `${room.left}px`, top: `${room.top}px`});
    this.surface.replaceChildren(canvas, sheet);
    this.drawLegend();
    this.light();
  }

  /** Colours onto the canvas; the numbers, where they have room, as nodes. */
  paint(canvas, {left, top, cw, ch, k, isPrinted}) {
    const {map, kind, theme} = this;
    const {rows, columns, limit} = map;
    const context = sized(canvas, columns.length * cw, rows.length * ch);
    const inset = Math.min(cw, ch) >= 8 ? 0.5 : 0;
    const none = hatching(context, getComputedStyle(this.node));
    const digits = digitsOf({kind, max: limit});
    const font = Math.min(12.5 * k, ch * 0.62, cw * 0.31);
    const numbers = [];
    rows.forEach((_, row) =>
      columns.forEach((__, column) => {
        const value = this.at({row, column});
        const colour = fillOf(kind, kind === 'weights' ? value / (limit || 1) : value, limit, theme);
        context.fillStyle = colour ? css(colour) : none;
        context.beginPath();
        context.roundRect(column * cw + inset, row * ch + inset, cw - 2 * inset, ch - 2 * inset, inset ? 1.5 : 0);
        context.fill();
        if (!isPrinted) return;
        const at = {class: 'num', x: left + (column + 0.5) * cw, y: top + (row + 0.5) * ch + 0.5, 'font-size': font};
        const node = svg('text', {...at, fill: colour ? textOn(colour) : 'var(--ink)'});
        node.textContent = fmt(value, digits);
        numbers.push(node);
      }),
    );
    return numbers;
  }

  names({left, top, cw, ch, k, isUpright, everyRow, everyColumn}) {
    const {rows, columns} = this.map;
    const name = (side, index, every, text, attributes) => {
      const node = svg('text', {class: `lb${index % every ? ' thin' : ''}`, ...attributes});
      node.textContent = label(text);
      this.labels[side].push(node);
      return node;
    };
    const size = Math.max(9 * k, Math.min(12.5 * k, ch * 0.72));
    const beside = rows.map((text, r) => {
      const at = {x: left - 8 * k, y: top + (r + 0.5) * ch, 'text-anchor': 'end', 'font-size': size};
      return name('rows', r, everyRow, text, at);
    });
    const above = columns.map((text, c) => {
      const [x, y] = [left + (c + 0.5) * cw, top - (isUpright ? 6 : 11) * k];
      const turn = isUpright
        ? {transform: `rotate(-90 ${x} ${y})`, 'text-anchor': 'start'}
        : {'text-anchor': 'middle'};
      return name('columns', c, everyColumn, text, {x, y, 'font-size': (isUpright ? 11 : 11.5) * k, ...turn});
    });
    return [...beside, ...above];
  }

  drawLegend() {
    const {k, kind, theme, map} = this;
    const canvas = el('canvas');
    const [width, height] = [64 * k, 8 * k];
    const context = sized(canvas, width, height);
    for (let x = 0; x < width; x++) {
      context.fillStyle = css(legendColour(kind, x / (width - 1), theme));
      context.fillRect(x, 0, 1.5, height);
    }
    const low = kind === 'weights' ? '0' : figure(-map.limit);
    this.legend.replaceChildren(el('span', {}, low), canvas, el('span', {}, figure(map.limit)));
  }

  listen() {
    const {surface} = this;
    const under = (event) => {
      const {left, top} = surface.getBoundingClientRect();
      return cellAt(this.room, this.map, event.clientX - left, event.clientY - top);
    };
    const point = (event, how) => {
      const at = under(event);
      this.pointed(at, at ? how : 'leave');
    };
    surface.addEventListener('pointermove', (event) => event.pointerType !== 'touch' && point(event, 'hover'));
    surface.addEventListener('pointerleave', () => this.pointed(null, 'leave'));
    surface.addEventListener('click', (event) => under(event) && point(event, 'pick'));
    surface.addEventListener('keydown', (event) => {
      const [down, right] = STEPS[event.key] ?? (event.key === 'Home' ? [0, -FAR] : event.key === 'End' ? [0, FAR] : []);
      if (down === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      const within = (x, names) => Math.max(0, Math.min(names.length - 1, x));
      const row = within(this.picked.row + down, this.map.rows);
      this.pointed({row, column: within(this.picked.column + right, this.map.columns)}, 'pick');
    });
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
    const at = this.hovered ?? this.picked;
    if (!this.room) return;
    box(this.aim, at, this.room);
    this.name('rows', at.row, this.room.everyRow);
    this.name('columns', at.column, this.room.everyColumn);
    const strong = (text) => el('b', {}, text);
    this.reading.replaceChildren(fill(document, this.say('view-panel-cell'), this.words(strong)));
  }

  /** Light the name of one row or column; where not every name has room, its neighbours give way. */
  name(side, index, every) {
    this.labels[side].forEach((node, i) => {
      node.classList.toggle('on', i === index);
      node.classList.toggle('away', i !== index && Math.abs(i - index) < every);
    });
  }

  words(strong) {
    const {rows, columns, rowAxis, columnAxis} = this.map;
    const {row, column} = this.hovered ?? this.picked;
    const value = strong(precise(this.at({row, column}), 3));
    return {row: placeName(rows, row, rowAxis), column: placeName(columns, column, columnAxis), value};
  }

  asTable() {
    const {title, rows, columns} = this.map;
    const lines = rows.map((name, row) => [name, ...columns.map((_, column) => this.at({row, column}))]);
    return tableOf([[title, ...columns], ...lines]);
  }
}

/** The pattern of cells that hold no number: −∞, or not a number. */
function hatching(context, style) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const ink = tile.getContext('2d');
  const colour = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
  ink.fillStyle = colour('--sunken', '#f2f2ed');
  ink.fillRect(0, 0, 6, 6);
  ink.strokeStyle = colour('--line-2', '#cdcbc1');
  for (const shift of [-6, 0, 6]) {
    ink.moveTo(shift, 6);
    ink.lineTo(shift + 6, 0);
  }
  ink.stroke();
  return context.createPattern(tile, 'repeat');
}

/** A number alone says little: it is named with its axis. */
function placeName(names, index, axis) {
  const isNumbered = names.every((name) => /^\d+$/.test(name));
  return isNumbered && axis ? `${axis} ${names[index]}` : visible(names[index]);
}

/** Put a frame around a cell. */
function box(node, {row, column}, {left, top, cw, ch}) {
  const at = {x: left + column * cw + 0.5, y: top + row * ch + 0.5, width: Math.max(3, cw - 1), height: Math.max(3, ch - 1)};
  for (const [name, value] of Object.entries({...at, rx: 2})) node.setAttribute(name, value);
  return node;
}
