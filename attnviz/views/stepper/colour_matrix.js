// A matrix of many cells as colours alone: one canvas, drawn again whenever other cells matter.

import {paintCells} from '../kit/cells.js';
import {colourOf} from '../kit/colour.js';
import {el, setLengths, sized, svg} from '../kit/dom.js';
import {evenPlace} from '../kit/matrix.js';
import {restCells} from './number_matrix.js';

const FADED = [0.36, 0.72, 1]; // how strongly a cell is drawn at level 0, 1 and 2 while some cell is pointed at

export class ColourMatrix {
  block; k; level; isDimmed;

  /** `shareOf` as of NumberMatrix: what is not drawn of rows that have such a number is hatched. */
  constructor(block, {theme, k, shareOf}) {
    Object.assign(this, {block, k, level: null, until: null, isDimmed: false});
    this.canvas = el('canvas', {class: 'field'});
    this.group = svg('g', {}, ...(shareOf ? restCells(block, {font: null, shareOf: null, isBelow: false}) : []));
    const {rows, columns, cw, ch, matrix} = block;
    this.place = evenPlace({rows: rows.list.length, columns: columns.list.length, cw, ch});
    this.width = this.place.width + (columns.hidden ? cw : 0);
    this.height = this.place.height + (rows.hidden ? ch : 0);
    setLengths(this.canvas, {left: block.x, top: block.y});
    this.colours = rows.list.map((row) => columns.list.map((column) => colourOf(matrix.kind, matrix.at(row, column), matrix.max, theme)));
  }

  light(level, isDimmed) {
    Object.assign(this, {level, isDimmed});
    this.draw();
  }

  reveal(until) {
    this.until = until;
    this.draw();
  }

  draw() {
    const {block, place, until, k} = this;
    const {rows, columns, cw, ch} = block;
    const context = sized(this.canvas, this.width, this.height);
    const style = getComputedStyle(this.canvas);
    const [none, empty] = ['--line-2', '--sunken'].map((name) => style.getPropertyValue(name).trim());
    const shown = until === null ? place.rows : Math.min(until, place.rows);
    const levelAt = (row, column) => (this.level && this.isDimmed ? this.level(rows.list[row], columns.list[column]) : 2);
    const all = [0, place.columns];
    paintCells(context, place, {rows: [0, shown], columns: all, colourAt: (row, column) => this.colours[row][column], alphaAt: (row, column) => FADED[levelAt(row, column)], k, hatch: none});
    paintCells(context, place, {rows: [shown, place.rows], columns: all, colourAt: () => null, k, hatch: empty});
    context.fillStyle = none;
    if (columns.hidden) context.fillRect(place.width + 1, 0, Math.max(2, cw - 2), place.height);
    if (rows.hidden) context.fillRect(0, place.height + 1, place.width, Math.max(2, ch - 2));
  }
}
