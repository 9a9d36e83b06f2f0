// A matrix that can be pointed at: one canvas for its cells, one above it for what is marked, one tab stop, a cell that
// pointer and keys move. What the cells show, and which of them are meant, is its owner's.

import {el, isOnPaper, listen, setLengths, sized} from './dom.js';
import {fadeOver} from './fade.js';
import {listenToOwnKeys, stepOf} from './keyboard.js';

const FADED = 0.64; // of the surface over what is not pointed at
const LEAST = 9; // px: a frame around a dot is a frame still
const EDGE = 3; // px that a frame may lie beyond the cells

/** Where cells of one size lie: {rows, columns, cw, ch, left, top, x(column), y(row), width, height, at(x, y)}. No DOM. */
export function evenPlace({rows, columns, cw, ch, left = 0, top = 0}) {
  const at = (px, py) => {
    const [row, column] = [Math.floor((py - top) / ch), Math.floor((px - left) / cw)];
    return row >= 0 && column >= 0 && row < rows && column < columns ? {row, column} : null;
  };
  return {rows, columns, cw, ch, left, top, x: (column) => left + column * cw, y: (row) => top + row * ch, width: cw * columns, height: ch * rows, at};
}

/** A cell that is framed; null for a whole row or column.
 * @typedef {{row: number | null, column: number | null, colour?: string, ground?: string | null, wide?: number, dash?: number[] | null, alpha?: number, isInside?: boolean}} Outline */

export class Matrix {
  place; k; width; height;
  /** The cells before these, while they fade. @type {HTMLCanvasElement | null | undefined} */
  before;

  /**
   * `act` may have hover(cell or null) and pick(cell), and has step(down, right): cells are {row, column} of the place.
   * `label` names the matrix, `role` says what it is, `own(event)` the step of a key.
   */
  constructor({say, label, role = say('view-kit-matrix'), act, signal, own = stepOf}) {
    this.cells = el('canvas', {'aria-hidden': 'true'});
    this.marks = el('canvas', {class: 'marks', 'aria-hidden': 'true'});
    this.stop = el('div', {class: 'stop', role: 'application', tabindex: 0, 'aria-roledescription': role, 'aria-label': label}, this.cells, this.marks);
    listen(this.stop, 'pointermove', (event) => event.pointerType !== 'touch' && act.hover?.(this.under(event)));
    listen(this.stop, 'pointerleave', () => act.hover?.(null));
    listen(this.stop, 'click', (event) => {
      const cell = this.under(event);
      if (cell) act.pick?.(cell);
    });
    listenToOwnKeys(this.stop, signal, (event) => {
      const step = own(event);
      if (step) act.step(...step);
      return step !== null;
    });
  }

  /** The cell under a pointer; null beside the cells. */
  under(event) {
    const box = this.stop.getBoundingClientRect();
    return this.place?.at(event.clientX - box.left, event.clientY - box.top) ?? null;
  }

  /** Take the room that a place needs, `width` × `height` where names lie in it too; returns the context of the cells. */
  lay(place, {k, width = place.width, height = place.height}) {
    if (width !== this.width || height !== this.height) this.before?.remove();
    Object.assign(this, {place, k, width, height});
    setLengths(this.stop, {width, height});
    return this.clear();
  }

  /** Other cells come into the same place. */
  fade() {
    if (this.place) this.before = fadeOver(this.cells, this, this.before);
  }

  /** The context of the cells, empty. */
  clear() {
    if (isOnPaper()) this.before?.remove();
    return sized(this.cells, this.width, this.height);
  }

  /**
   * Frame some cells. Where `kept` is a cell, all but its row and its column step back. Returns the context.
   * @param {Outline[]} outlines
   * @param {{row: number | null, column: number | null} | null} kept
   */
  mark(outlines, kept = null) {
    const {place, k, width, height} = this;
    if (!place) return null;
    const edge = EDGE * k;
    const context = sized(this.marks, width + 2 * edge, height + 2 * edge);
    context.translate(edge, edge);
    setLengths(this.marks, {left: -edge, top: -edge});
    const style = getComputedStyle(this.stop);
    const [ink, surface] = [style.getPropertyValue('--ink'), style.getPropertyValue('--surface')];
    if (kept) {
      const {left, top} = place;
      Object.assign(context, {globalAlpha: FADED, fillStyle: surface});
      context.fillRect(left, top, place.width, place.height);
      context.globalAlpha = 1;
      if (kept.row !== null) context.clearRect(left, place.y(kept.row), place.width, Math.max(2, place.ch));
      if (kept.column !== null) context.clearRect(place.x(kept.column), top, Math.max(2, place.cw), place.height);
    }
    for (const outline of outlines) this.frame(context, {colour: ink, ground: surface, ...outline});
    return context;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Outline} outline
   */
  frame(context, {row, column, colour, ground, wide = 2, dash = null, alpha = 1, isInside = false}) {
    const {place, k} = this;
    const least = row === null || column === null || isInside ? 0 : LEAST * k;
    const span = (index, at, cell, all, start) => {
      if (index === null) return [start + (wide * k) / 2, Math.max(0, all - wide * k)]; // on paper a part may have no room
      const size = Math.max(cell, least, 2 * k);
      const inset = isInside ? (wide * k) / 2 + 0.5 : 0;
      return [at(index) + (cell - size) / 2 + inset, Math.max(0, size - 2 * inset)];
    };
    const [x, w] = span(column, place.x, place.cw, place.width, place.left);
    const [y, h] = span(row, place.y, place.ch, place.height, place.top);
    context.globalAlpha = alpha;
    context.setLineDash(dash?.map((length) => length * k) ?? []);
    const isCell = row !== null && column !== null && dash === null && ground;
    for (const [stroke, line] of [...(isCell ? [[ground, (wide + 2) * k]] : []), [colour, wide * k]]) {
      Object.assign(context, {strokeStyle: stroke, lineWidth: line});
      context.beginPath();
      context.roundRect(x, y, w, h, Math.min(2 * k, w / 2, h / 2));
      context.stroke();
    }
    context.globalAlpha = 1;
    context.setLineDash([]);
  }
}
