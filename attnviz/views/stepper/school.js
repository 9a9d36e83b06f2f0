// The school layout of a product: A left, B above, the result in the corner; its rows are A's and its columns are B's.
// A look-up stands the same way: the ids left, the rows of the table above. No DOM.

import {cellsOf, headroom, productSlots, shown, shownOf} from './windows.js';

/** The blocks of a product or a look-up. */
export function school(facts) {
  const {step, room, least, lw} = facts;
  const {k} = room;
  const [a, b] = step.operands;
  const c = step.result;
  const [gx, gy, below] = [(room.width < 600 * k ? 18 : 34) * k, 34 * k, 8 * k];
  const top = headroom(c.columns, facts.density, k);
  const inside = {width: room.width - lw - gx - 24 * k, height: room.height - top - gy - below};
  const extra = step.bias ? 1 : 0;
  const across = Math.floor(inside.width / (least.width * k));
  const down = Math.floor(inside.height / (least.height * k));
  const isProduct = a.columns.id === b.rows.id;
  const slots = isProduct
    ? productSlots({rows: c.rows, inner: a.columns, columns: c.columns, extra, across, down, most: least.features})
    : {
        rows: c.rows.n,
        inner: b.rows.n,
        columns: Math.max(3, Math.min(c.columns.n, least.features, across - a.columns.n)),
      };
  const rows = shown(facts, c.rows, slots.rows);
  const columns = shown(facts, c.columns, slots.columns);
  const innerRows = shown(facts, b.rows, slots.inner);
  const innerColumns = isProduct ? innerRows : shown(facts, a.columns, a.columns.n);
  const [nRows, nColumns, nDown, nAcross] = [rows, columns, innerRows, innerColumns].map(cellsOf);
  const cw = Math.min(56 * k, inside.width / (nAcross + nColumns));
  const ch = Math.min(34 * k, cw * 1.6, inside.height / (nDown + extra * 1.3 + nRows));
  const wide = lw + nAcross * cw + gx + nColumns * cw;
  const high = top + (nDown + extra * 1.3) * ch + gy + nRows * ch;
  const ax = Math.max(0, (room.width - wide - 24 * k) / 2) + lw;
  const by = Math.max(2, (room.height - high - below) / 2.2) + top;
  const bx = ax + nAcross * cw + gx;
  const cy = by + (nDown + extra * 1.3) * ch + gy;
  const size = {cw, ch};
  /** @type {import('./layout.js').Block[]} */
  const blocks = [
    {
      key: 0,
      matrix: a,
      x: ax,
      y: cy,
      ...size,
      rows,
      columns: innerColumns,
      labels: {rows: true},
      name: {x: ax, y: cy - 11 * k},
    },
    {
      key: 1,
      matrix: b,
      x: bx,
      y: by,
      ...size,
      rows: innerRows,
      columns,
      labels: {rows: true, columns: true},
      name: {x: bx, y: by, isCorner: true},
    },
    {key: 'result', matrix: c, x: bx, y: cy, ...size, rows, columns, labels: {}, name: {x: bx, y: cy - 11 * k}},
  ];
  if (step.bias) {
    const y = by + (nDown + 0.3) * ch;
    const row = shownOf(step.bias.rows, 1);
    blocks.push({
      key: 'bias',
      matrix: step.bias,
      x: bx,
      y,
      ...size,
      rows: row,
      columns,
      labels: {own: true},
      name: null,
    });
  }
  return {blocks, signs: [], height: high + below};
}
