// The small picture of a kind: 5 rows of 5 cells in a frame, in the kind's colour.

import {svg} from './dom.js';

const CELL = 2;
const EDGE = 1; // the frame
export const GLYPH = 5 * CELL + 2 * EDGE; // px at normal size

/** [{x, y}] of the cells that are filled. */
export const cellsOf = (glyph) => glyph.flatMap((row, y) => [...row].flatMap((cell, x) => (cell === '#' ? [{x, y}] : [])));

export function glyphNode({glyph, light, dark}) {
  const box = {x: 0.5, y: 0.5, width: GLYPH - 1, height: GLYPH - 1, rx: 3, class: 'box'};
  const cells = cellsOf(glyph).map(({x, y}) => svg('rect', {x: EDGE + x * CELL, y: EDGE + y * CELL, width: CELL, height: CELL}));
  const colours = `--kind-light: ${light}; --kind-dark: ${dark}`;
  const node = svg('svg', {viewBox: `0 0 ${GLYPH} ${GLYPH}`, class: 'glyph', 'aria-hidden': 'true'}, svg('rect', box), ...cells);
  node.style.cssText = colours; // by the style object: a page that forbids inline styles allows it
  return node;
}

/** The same on a canvas, in whole device pixels, so that every cell is as wide as the others. Returns how wide it is. */
export function drawGlyph(context, kind, {x, y, scale, theme}) {
  const cell = Math.max(1, Math.round(CELL * scale));
  const edge = Math.max(1, Math.round(EDGE * scale));
  const line = Math.max(1, Math.round(scale));
  const size = 5 * cell + 2 * edge;
  context.fillStyle = context.strokeStyle = kind[theme];
  context.lineWidth = line;
  context.beginPath();
  context.roundRect(x + line / 2, y + line / 2, size - line, size - line, 2.5 * scale);
  context.globalAlpha = 0.3;
  context.stroke();
  context.globalAlpha = 0.75;
  for (const at of cellsOf(kind.glyph)) context.fillRect(x + edge + at.x * cell, y + edge + at.y * cell, cell, cell);
  context.globalAlpha = 1;
  return size;
}
