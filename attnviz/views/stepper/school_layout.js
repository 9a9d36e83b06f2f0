// The school layout of a product: A left, B above, the result in the corner; its rows are A's and its columns are B's.
// A look-up stands the same way: the ids left, the rows of the table above. No DOM.

import {areRowsCut, cellsOf, cutRows, isTelephone, productSlots, shown, shownOf} from './axis_windows.js';
import {headroom} from './column_labels.js';
import {labelRoom} from './labels.js';

/** The blocks of a product or a look-up; `top` px over them for the labels of columns, more where those need it. */
export function school(facts, top = 22 * facts.room.k) {
  const {step, room, least, lw} = facts;
  const {k} = room;
  const [a, b] = step.operands;
  const c = step.result;
  const isNarrow = isTelephone(room);
  const isMixed = a.columns.kind === 'token' && !isNarrow; // the columns of A have labels, left of those of B's rows
  const beside = isMixed ? labelRoom([b.rows], k, false, false) : 0;
  const [gx, gy, below] = [Math.max(beside, (isNarrow ? 18 : 34) * k), 26 * k, 6 * k];
  const inside = {width: room.width - lw - gx - 24 * k, height: room.height - top - gy - below};
  const extra = step.bias ? 1 : 0;
  const across = Math.floor(inside.width / (least.width * k));
  const down = Math.floor(inside.height / (least.height * k) - 0.3 * extra); // which stands apart
  const isProduct = a.columns.id === b.rows.id;
  const slots = isProduct
    ? productSlots({rows: c.rows, inner: a.columns, columns: c.columns, extra, across, down, most: least.features, isCut: areRowsCut(step, room) && facts.density === 'numbers'})
    : {
        rows: c.rows.n,
        inner: b.rows.n,
        columns: Math.max(3, Math.min(c.columns.n, least.features, across - a.columns.n)),
      };
  const rows = areRowsCut(step, room) ? cutRows(facts, c.rows, slots.rows) : shown(facts, c.rows, slots.rows);
  const columns = shown(facts, c.columns, slots.columns);
  const innerRows = shown(facts, b.rows, slots.inner);
  const innerColumns = isProduct ? innerRows : shown(facts, a.columns, a.columns.n);
  const [nRows, nColumns, nDown, nAcross] = [rows, columns, innerRows, innerColumns].map(cellsOf);
  const cw = Math.min(56 * k, inside.width / (nAcross + nColumns));
  const needed = headroom(columns, facts.density, cw, room);
  if (needed > top) return school(facts, needed);
  const ch = Math.min(34 * k, cw * 1.6, inside.height / (nDown + extra * 1.3 + nRows));
  const wide = lw + nAcross * cw + gx + nColumns * cw;
  const high = top + (nDown + extra * 1.3) * ch + gy + nRows * ch;
  const ax = Math.max(0, (room.width - wide - 24 * k) / 2) + lw;
  const by = Math.max(2, (room.height - high - below) / 2.2) + top;
  const bx = ax + nAcross * cw + gx;
  const cy = by + (nDown + extra * 1.3) * ch + gy;
  /** @type {(key: any, matrix: any, place: any, labels: any, name: any) => import('./layout.js').Block} */
  const block = (key, matrix, place, labels, name) => ({key, matrix, ...place, cw, ch, labels, name});
  const above = (x, room = 8 * k) => ({x, y: cy - room - 3 * k});
  const labelled = isMixed ? headroom(innerColumns, facts.density, cw, room) : undefined;
  const blocks = [
    block(0, a, {x: ax, y: cy, rows, columns: innerColumns}, {rows: true, columns: isMixed}, above(ax, labelled)),
    block(1, b, {x: bx, y: by, rows: innerRows, columns}, {rows: true, columns: true}, {x: bx, y: by, isCorner: true}),
    block('result', c, {x: bx, y: cy, rows, columns}, {}, above(bx)),
  ];
  if (step.bias) {
    const place = {x: bx, y: by + (nDown + 0.3) * ch, rows: shownOf(step.bias.rows, 1), columns};
    blocks.push(block('bias', step.bias, place, {own: true}, null));
  }
  return {blocks, signs: [], height: high + below};
}
