// A weight as it is kept and as it is drawn: a small map that turns over its diagonal, once in a chain.

import {paintCells} from '../kit/cells.js';
import {colourOf} from '../kit/colour.js';
import {el, setLengths, sized, svg} from '../kit/dom.js';
import {evenPlace} from '../kit/matrix.js';
import {nameNodes, roleClass} from './subscripts.js';

const [LONG, SHORT] = [88, 28]; // px at k = 1: the longer side of the map, and the least of the shorter one
const CELL = 4; // px a cell of the map at least; of a wide matrix the map holds a part

/** Width and height of a small map of so many rows and columns: their ratio, but never a thread. */
export function sizeOf(rows, columns) {
  const most = Math.max(rows, columns);
  return {
    width: Math.max(SHORT, (LONG * columns) / most),
    height: Math.max(SHORT, (LONG * rows) / most),
  };
}

/** The part of an axis that a side of so many px has room for, moved so that `index` is in it: {start, count}. */
export function partOf({start, count}, length, index = start) {
  const seen = Math.min(count, Math.floor(length / CELL));
  const inside = Math.max(start, Math.min(start + count - 1, index));
  return {start: Math.max(start, inside - seen + 1), count: seen};
}

export class Transposed {
  matrix; theme; height; width;

  /** `matrix` is read transposed; its rows and columns are those of the drawn one. */
  constructor(matrix, {say, theme, k}) {
    const [out, inner] = [matrix.columns, matrix.rows];
    const {width, height} = sizeOf(out.n, inner.n);
    Object.assign(this, {matrix, theme, height: height * k, width: width * k, rows: partOf(out, height)});
    this.columns = partOf(inner, width);
    this.maps = [this.map(), this.map()];
    const [stored, over] = this.maps.map(({box}) => box);
    over.classList.add('over');
    const drawn = el('span', {class: 'turning'}, over);
    setLengths(drawn, {width: this.height, height: this.width});
    this.node = el(
      'figure',
      {class: 'turned'},
      el(
        'div',
        {class: 'both', 'aria-hidden': 'true'},
        named(stored, matrix.storedName, `${out.n} × ${inner.n}`, matrix),
        svg('svg', {class: 'next', viewBox: '0 0 13 8'}, svg('path', {d: 'M0 4h11M8 1l3.2 3L8 7'})),
        named(drawn, matrix.name, `${inner.n} × ${out.n}`, matrix),
      ),
      el('figcaption', {}, say('view-stepper-turned')),
    );
    this.paint();
  }

  /** The weight as it is kept, with a mark on one of its rows. */
  map() {
    const [canvas, mark] = [el('canvas'), el('i')];
    const box = el('span', {class: 'map'}, canvas, mark);
    setLengths(box, {width: this.width, height: this.height});
    return {box, canvas, mark};
  }

  paint() {
    const {matrix, rows, columns, width, height, theme} = this;
    const place = evenPlace({rows: rows.count, columns: columns.count, cw: width / columns.count, ch: height / rows.count});
    const colourAt = (row, column) => colourOf(matrix.kind, matrix.at(columns.start + column, rows.start + row), matrix.max, theme) ?? undefined;
    for (const {canvas} of this.maps) {
      const context = sized(canvas, width, height);
      paintCells(context, place, {rows: [0, rows.count], columns: [0, columns.count], colourAt, k: 1});
    }
  }

  /** Mark the row that becomes the column `index`. */
  light(index) {
    const {start, count} = this.rows;
    if (index < start || index >= start + count) {
      this.rows = partOf(this.matrix.columns, this.height, index);
      this.paint();
    }
    const length = this.height / this.rows.count;
    for (const {mark} of this.maps) setLengths(mark, {top: (index - this.rows.start) * length, height: length});
  }
}

const named = (map, name, shape, matrix) =>
  el(
    'span',
    {class: 'one'},
    el('span', {class: 'called'}, el('b', {class: roleClass(matrix)}, ...nameNodes(name)), ` ${shape}`),
    map,
  );
