// A matrix as a small picture: colours alone, and of a large one only the first rows and columns.

import {paintCells} from '../kit/cells.js';
import {colourOf} from '../kit/colour.js';
import {el, sized} from '../kit/dom.js';
import {evenPlace} from '../kit/matrix.js';

/** A canvas of width × height px; cells without a number are painted in `empty`, or left out where that is null. */
export function thumbnail(matrix, {rows, columns, width, height, theme, empty = null, k = 1}) {
  const canvas = el('canvas', {'aria-hidden': 'true'});
  const place = evenPlace({rows, columns, cw: width / columns, ch: height / rows});
  const colourAt = (row, column) => {
    const value = matrix.at(matrix.rows.start + row, matrix.columns.start + column);
    return colourOf(matrix.kind, value, matrix.max, theme) ?? (empty ? null : undefined);
  };
  paintCells(sized(canvas, width, height), place, {rows: [0, rows], columns: [0, columns], colourAt, k, hatch: empty});
  return canvas;
}
