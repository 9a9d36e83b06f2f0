// A matrix of many cells as colours alone: one canvas, drawn again whenever other cells matter.

import {css} from '../kit/colour.js';
import {sized} from '../kit/dom.js';
import {fillOf} from './paint.js';

const FADED = [0.36, 0.72, 1]; // how strongly a cell is drawn at level 0, 1 and 2 while some cell is pointed at

export class Field {
  constructor(block, {theme}) {
    Object.assign(this, {block, theme, level: null, until: null, isDimmed: false});
    this.canvas = document.createElement('canvas');
    this.canvas.className = 'field';
    const {rows, columns, cw, ch} = block;
    this.width = (columns.list.length + (columns.hidden ? 1 : 0)) * cw;
    this.height = (rows.list.length + (rows.hidden ? 1 : 0)) * ch;
    this.canvas.style.left = `${block.x}px`;
    this.canvas.style.top = `${block.y}px`;
    this.colours = rows.list.map((row) => columns.list.map((column) => this.colour(row, column)));
    this.draw();
  }

  colour(row, column) {
    const {matrix} = this.block;
    const fill = fillOf(matrix.kind, matrix.at(row, column), matrix.max, this.theme);
    return fill ? css(fill) : null;
  }

  light(level, isDimmed) {
    this.level = level;
    this.isDimmed = isDimmed;
    this.draw();
  }

  reveal(until) {
    this.until = until;
    this.draw();
  }

  draw() {
    const {rows, columns, cw, ch} = this.block;
    const context = sized(this.canvas, this.width, this.height);
    const style = getComputedStyle(this.canvas);
    const [none, empty] = [
      style.getPropertyValue('--line-2').trim() || '#cdcbc1',
      style.getPropertyValue('--sunken').trim() || '#f2f2ed',
    ];
    const gap = Math.min(cw, ch) >= 8 ? 1 : 0;
    this.colours.forEach((line, r) => {
      const [top, bottom] = [Math.round(r * ch), Math.round((r + 1) * ch)];
      line.forEach((colour, c) => {
        const [left, right] = [Math.round(c * cw), Math.round((c + 1) * cw)];
        const isHidden = this.until !== null && r >= this.until;
        const level = this.level && this.isDimmed ? this.level(rows.list[r], columns.list[c]) : 2;
        context.globalAlpha = isHidden ? 1 : FADED[level];
        context.fillStyle = isHidden ? empty : (colour ?? none);
        context.fillRect(left, top, Math.max(1, right - left - gap), Math.max(1, bottom - top - gap));
      });
    });
    context.globalAlpha = 1;
    context.fillStyle = none;
    if (columns.hidden) context.fillRect(columns.list.length * cw + 1, 0, Math.max(2, cw - 2), rows.list.length * ch);
    if (rows.hidden) context.fillRect(0, rows.list.length * ch + 1, columns.list.length * cw, Math.max(2, ch - 2));
  }
}
