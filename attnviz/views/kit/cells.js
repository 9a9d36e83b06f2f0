// The cells of a matrix on a canvas, one by one: colour or hatching, and a number where there is room.

import {css, textOn} from './colour.js';
import {sized} from './dom.js';

export const APART = 6; // px: from this size on cells stand apart; below, a matrix is painted as pixels
const ROUND = 12; // px: from this size on their corners are round
export const NUMBERED = {width: 27, height: 11.5}; // px: from this size on the digits in a cell can be read
const TILE = 5; // px from one line of the hatching to the next

/** @template T @typedef {((row: number, column: number) => T) | null} CellOf what each cell has, if anything */

/** Whether a cell of this size has its number in it. */
export const isNumbered = (width, height) => width >= NUMBERED.width - 0.01 && height >= NUMBERED.height;

/** How large the number in a cell is. */
export const numberSize = (width, height, k) => Math.min(12.5 * k, height * 0.7, width * 0.31);

/**
 * Paint the cells of `rows` and `columns`, [from, up to) each, where `place` has them.
 * `colourAt(row, column)` is [r, g, b], null for a hatched cell, undefined for none; `textAt` the number in it; `alphaAt`
 * how strongly it is drawn; `ground` the colour between cells that are there; `size` that of the text.
 * @param {any} context
 * @param {any} place
 * @param {{rows: number[], columns: number[], colourAt: (row: number, column: number) => any, k: number, textAt?: CellOf<string>, alphaAt?: CellOf<number>, hatch?: any, ink?: string, ground?: string | null, size?: number}} how
 */
export function paintCells(context, place, {rows, columns, colourAt, textAt = null, alphaAt = null, k, hatch = null, ink = '', ground = null, size = numberSize(place.cw, place.ch, k)}) {
  const {cw, ch, x, y} = place;
  const least = Math.min(cw, ch);
  const inset = least < APART ? 0 : 0.5;
  const radius = least < ROUND ? 0 : 1.5 * k;
  const [width, height] = [Math.max(0.5, cw - 2 * inset), Math.max(0.5, ch - 2 * inset)];
  const written = textAt !== null && isNumbered(cw, ch) ? textAt : null;
  if (written) {
    const font = `450 ${size}px ${getComputedStyle(context.canvas).fontFamily}`;
    Object.assign(context, {font, textAlign: 'center', textBaseline: 'middle'});
  }
  for (let row = rows[0]; row < rows[1]; row++)
    for (let column = columns[0]; column < columns[1]; column++) {
      const colour = colourAt(row, column);
      if (colour === undefined) continue;
      if (ground) {
        context.fillStyle = ground;
        context.fillRect(x(column), y(row), cw, ch);
      }
      if (alphaAt) context.globalAlpha = alphaAt(row, column);
      context.fillStyle = colour ? css(colour) : hatch;
      const [left, top] = [x(column) + inset, y(row) + inset];
      if (radius) {
        context.beginPath();
        context.roundRect(left, top, width, height, radius);
        context.fill();
      } else context.fillRect(left, top, width, height);
      const text = written?.(row, column);
      if (!text) continue;
      context.fillStyle = colour ? textOn(colour) : ink;
      context.fillText(text, x(column) + cw / 2, y(row) + ch / 2 + 0.5);
    }
  context.globalAlpha = 1;
}

/** The hatching of what has no number, as a pattern of a context: lines at 45° every five pixels. */
export function hatching(context, style, k) {
  const tile = document.createElement('canvas');
  const side = Math.round(TILE * k);
  const onTile = sized(tile, side, side);
  onTile.fillStyle = style.getPropertyValue('--sunken');
  onTile.fillRect(0, 0, side, side);
  Object.assign(onTile, {strokeStyle: style.getPropertyValue('--line-2'), lineWidth: 1});
  onTile.beginPath();
  for (const from of [-side, 0, side]) {
    onTile.moveTo(from, side);
    onTile.lineTo(from + side, 0);
  }
  onTile.stroke();
  const pattern = context.createPattern(tile, 'repeat');
  pattern.setTransform(new DOMMatrix().scale(side / tile.width));
  return pattern;
}
