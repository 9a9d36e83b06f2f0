// A weight as it is kept and as it is drawn: a small map that turns over its diagonal, once in a chain.

import {paintCells} from '../kit/cells.js';
import {colourOf} from '../kit/colour.js';
import {el, setLengths, sized} from '../kit/dom.js';
import {evenPlace} from '../kit/matrix.js';
import {arrow} from './rail.js';
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

/** `matrix` is read transposed; its rows and columns are those of the drawn one. */
export function transposed(matrix, {say, theme, k}) {
  const [out, inner] = [matrix.columns, matrix.rows];
  const {width, height} = sizeOf(out.n, inner.n);
  const [stored, over] = [0, 1].map(() => map(matrix, {width: width * k, height: height * k, theme, k}));
  over.classList.add('over');
  const drawn = setLengths(el('span', {class: 'turning'}, over), {width: height * k, height: width * k});
  const both = [named(stored, matrix.storedName, `${out.n} × ${inner.n}`, matrix), arrow(), named(drawn, matrix.name, `${inner.n} × ${out.n}`, matrix)];
  return el('figure', {class: 'turned'}, el('div', {class: 'both', 'aria-hidden': 'true'}, ...both), el('figcaption', {}, say('view-stepper-turned')));
}

/** The weight as it is kept, from its first row and column on. */
function map(matrix, {width, height, theme, k}) {
  const canvas = el('canvas');
  const [rows, columns] = [[matrix.columns, height], [matrix.rows, width]].map(([{count}, length]) => Math.min(count, Math.floor(length / (CELL * k))));
  const place = evenPlace({rows, columns, cw: width / columns, ch: height / rows});
  const colourAt = (row, column) => colourOf(matrix.kind, matrix.at(matrix.rows.start + column, matrix.columns.start + row), matrix.max, theme) ?? undefined;
  paintCells(sized(canvas, width, height), place, {rows: [0, rows], columns: [0, columns], colourAt, k: 1});
  return canvas;
}

const named = (map, name, shape, matrix) =>
  el(
    'span',
    {class: 'one'},
    el('span', {class: 'called'}, el('b', {class: roleClass(matrix)}, ...nameNodes(name)), ` ${shape}`),
    map,
  );
