// A matrix with its numbers in the cells: SVG, so that they can be read, copied and tested.

import {isNumbered, numberSize} from '../kit/cells.js';
import {colourOf, css, textOn} from '../kit/colour.js';
import {svg} from '../kit/dom.js';
import {cellDecimals, fmt, raised} from '../kit/number.js';

const LEVELS = ['', ' half', ' on'];
const LONG = 6; // characters of a number, −145.0, for which the type of a cell is made
const SMALL = 0.1; // the largest size up to which two decimals would leave coloured cells that read 0.00

/** Of a matrix of small numbers only: the power of ten that its cells are printed in, such as −3; 0 of all others. */
const powerOf = ({kind, max}) => (kind === 'signed' && max > 0 && max < SMALL ? Math.floor(Math.log10(max)) : 0);

/** That power as it stands beside the name of a matrix: "×10⁻³"; nothing where cells are printed as they are. */
export const factorOf = (matrix) => (powerOf(matrix) ? `×10${raised(powerOf(matrix))}` : '');

/** A number in a cell, in the power of ten of its matrix. */
export const cellText = (matrix, x) => fmt(x / 10 ** powerOf(matrix), cellDecimals(matrix));

/**
 * A cell at a row and a column of a block: {node, box, text}; `text` is null where there is no `number` in it.
 * @param {any} block
 * @param {number} r
 * @param {number} c
 * @param {{fill: any, ink: any, font: any, number?: string | null, kind?: string}} how
 */
function cellAt({x, y, cw, ch}, r, c, {fill, ink, font, number = null, kind = 'cell'}) {
  const place = {x: x + c * cw + 0.5, y: y + r * ch + 0.5, width: Math.max(0.5, cw - 1), height: Math.max(0.5, ch - 1)};
  const box = svg('rect', {...place, rx: 1.5, fill});
  const size = number && number.length > LONG ? (font * (LONG - 1)) / number.length : font; // 8.9×10⁵ fits too
  const at = {class: 'num', x: x + (c + 0.5) * cw, y: y + (r + 0.5) * ch + 0.5, 'font-size': size, fill: ink};
  const text = number === null ? null : svg('text', at, number);
  return {node: svg('g', {class: kind}, box, text), box, text};
}

/**
 * The cells of a block for what of its rows and columns is not drawn, hatched. `shareOf(row)` is the number of a row, null
 * where rows have none; `font` is the size in which numbers stand in cells, null where they do not.
 */
export function restCells(block, {font, shareOf, isBelow = true}) {
  const {rows, columns} = block;
  const numberOf = (row) => (shareOf ? fmt(shareOf(row), 2) : '…');
  const rest = (r, c, text) =>
    cellAt(block, r, c, {kind: 'cell rest', fill: 'url(#hatch)', ink: 'var(--ink-2)', font, number: font ? text : null}).node;
  return [
    ...(columns.hidden ? rows.list.map((row, r) => rest(r, columns.list.length, numberOf(row))) : []),
    ...(rows.hidden && isBelow ? columns.list.map((_, c) => rest(rows.list.length, c, '…')) : []),
  ];
}

export class NumberMatrix {
  block; theme;
  canvas = null; // as of ColourMatrix

  /**
   * `block` as layout.js places it; `shareOf` as of restCells.
   * @param {import('./layout.js').Block} block
   * @param {{theme: string, k: number, shareOf?: ((row: number) => number) | null}} look
   */
  constructor(block, {theme, k, shareOf = null}) {
    Object.assign(this, {block, theme});
    const {cw, ch} = block;
    this.font = numberSize(cw, ch, k);
    this.isPrinted = isNumbered(cw, ch);
    this.group = svg('g', {class: 'matrix', 'data-key': block.key});
    this.rows = block.rows.list.map((row, r) => block.columns.list.map((column, c) => this.cell(row, column, r, c)));
    this.rests = restCells(block, {font: this.isPrinted ? this.font : null, shareOf});
    this.group.append(...this.rows.flat().map(({node}) => node), ...this.rests);
  }

  cell(row, column, r, c) {
    const {matrix} = this.block;
    const value = matrix.at(row, column);
    const fill = colourOf(matrix.kind, value, matrix.max, this.theme);
    const paint = fill ? css(fill) : matrix.kind === 'count' ? 'none' : 'url(#hatch)';
    const ink = fill ? textOn(fill) : 'var(--ink-3)';
    const number = this.isPrinted ? cellText(matrix, value) : null;
    return {...cellAt(this.block, r, c, {fill: paint, ink, font: this.font, number}), paint, row, column, level: 0};
  }

  /** Show how far each cell matters now: level(row, column) is 0, 1 or 2. */
  light(level) {
    for (const cell of this.rows.flat()) {
      const now = level ? level(cell.row, cell.column) : 0;
      if (now === cell.level) continue;
      cell.level = now;
      cell.node.setAttribute('class', `cell${LEVELS[now]}`);
    }
  }

  /** Hide the rows from `until` on: not yet computed. `fresh` fades in, cell after cell; null shows all. */
  reveal(until, fresh) {
    const {axis, first} = this.block.rows;
    this.rows.forEach((cells, place) => {
      const r = place + first - axis.start;
      const isHidden = until !== null && r >= until;
      cells.forEach(({node, box, text, paint}, c) => {
        box.setAttribute('fill', isHidden ? 'var(--sunken)' : paint);
        if (text) text.style.visibility = isHidden ? 'hidden' : '';
        node.classList.toggle('fresh', r === fresh);
        node.style.animationDelay = r === fresh ? `${c * 14}ms` : '';
      });
    });
    const isPartly = until !== null && until < first - axis.start + this.rows.length;
    this.rests.forEach((node) => (node.style.visibility = isPartly ? 'hidden' : ''));
  }
}
