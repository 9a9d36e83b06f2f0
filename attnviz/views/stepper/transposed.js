// A weight as it is kept and as it is drawn: a small map that turns over its diagonal, once in a chain.

import {el, setLengths} from '../kit/dom.js';
import {arrow} from './rail.js';
import {nameNodes, roleClass} from './names.js';
import {thumbnail} from './thumbnail.js';

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

/** `matrix` is read transposed. */
export function transposed(matrix, {say, theme, k}) {
  const {stored} = matrix;
  const {rows, columns} = stored;
  const {width, height} = sizeOf(rows.n, columns.n);
  const cells = {
    rows: Math.min(rows.count, Math.floor(height / CELL)),
    columns: Math.min(columns.count, Math.floor(width / CELL)),
  };
  const map = () => thumbnail(stored, {...cells, width: width * k, height: height * k, theme});
  const over = map();
  over.classList.add('over');
  const turning = setLengths(el('span', {class: 'turning'}, over), {width: height * k, height: width * k});
  const both = [named(map(), stored), arrow(), named(turning, matrix)];
  return el(
    'figure',
    {class: 'turned'},
    el('div', {class: 'both', 'aria-hidden': 'true'}, ...both),
    el('figcaption', {}, say('view-stepper-turned')),
  );
}

function named(map, matrix) {
  const name = el('b', {class: roleClass(matrix)}, ...nameNodes(matrix.name));
  const shape = ` ${matrix.rows.n} × ${matrix.columns.n}`;
  return el('span', {class: 'one'}, el('span', {class: 'called'}, name, shape), map);
}
