// Steps cell by cell: side by side with the operator between, or under each other where the rows are long. No DOM.

import {cellsOf, headroom, shown, shownOf} from './windows.js';

const EASY_HEIGHT = 15; // px: below it, matrices under each other give way to matrices side by side

/** The operands that are drawn as matrices: a mask is a small picture beside its plus sign. */
const drawnOperands = ({rule, operands}) =>
  operands.map((matrix, key) => ({matrix, key})).filter(({key}) => rule !== 'mask' || key === 0);

/** Side by side with what happens between them; every matrix has the same rows. */
export function beside(facts) {
  const {step, room, least, lw} = facts;
  const {k} = room;
  const parts = [...drawnOperands(step), {matrix: step.result, key: 'result'}];
  const drawn = parts.map(({matrix}) => matrix);
  const isNarrow = room.width < 600 * k;
  const gx = (isNarrow ? 44 : drawn.length > 2 ? 56 : 118) * k;
  const top = headroom(step.result.columns, facts.density, k) + 24 * k;
  const inside = {width: room.width - lw - gx * (drawn.length - 1) - 24 * k, height: room.height - top - 12 * k};
  const slots = Math.floor(inside.width / drawn.length / (least.width * k));
  const columns = drawn.map((matrix) => {
    const cells = matrix.columns.kind === 'token' ? matrix.columns.n : Math.max(3, Math.min(slots, least.features));
    return shown(facts, matrix.columns, cells);
  });
  const rows = shown(facts, step.result.rows, step.result.rows.n);
  const across = columns.reduce((total, part) => total + cellsOf(part), 0);
  const cw = Math.min(52 * k, inside.width / across);
  const ch = Math.min(38 * k, cw * 1.6, inside.height / cellsOf(rows));
  const wide = lw + across * cw + gx * (drawn.length - 1);
  const high = top + cellsOf(rows) * ch;
  const y = Math.max(2, (room.height - high - 12 * k) / 2.4) + top;
  let x = Math.max(0, (room.width - wide - 24 * k) / 2) + lw;
  const signs = [];
  const blocks = drawn.map((matrix, at) => {
    const width = cellsOf(columns[at]) * cw;
    const block = {
      key: parts[at].key,
      matrix,
      x,
      y,
      cw,
      ch,
      rows,
      columns: columns[at],
      labels: {rows: at === 0, columns: true},
      name: {x, y: y - top + 12 * k},
    };
    if (at < drawn.length - 1) {
      const isLast = at === drawn.length - 2;
      signs.push({
        x: x + width + gx / 2,
        y: y + (cellsOf(rows) * ch) / 2,
        width: gx,
        isArrow: isLast,
        isLast,
        aside: step.rule === 'mask' ? [1] : [],
      });
    }
    x += width + gx;
    return block;
  });
  return {blocks, signs, height: high + 12 * k};
}

/** The result of a changed run beside that of the untouched one, and what lies between them where that is asked for. */
export function compared(facts) {
  const {step, comparing} = facts;
  const matrices = {before: step.before, result: step.result};
  if (comparing === 'difference') matrices.difference = step.difference;
  const keys = Object.keys(matrices);
  const [last, ...others] = Object.values(matrices).reverse();
  const {blocks, height} = beside({...facts, step: {...step, rule: 'compare', operands: others.reverse(), result: last}});
  blocks.forEach((block, at) => Object.assign(block, {key: keys[at], caption: keys[at]}));
  return {blocks, signs: [], height};
}

/** Under each other, for long rows: E + P = X. Side by side where that would make the cells too flat for numbers. */
export function stacked(facts) {
  const {step, room, least, lw, density} = facts;
  const {k} = room;
  const {mean, variance, gain, shift} = step.extras;
  const lines = Object.entries({gain, shift}).filter(([, matrix]) => matrix);
  const parts = [
    ...step.operands.map((matrix, key) => ({key, matrix})),
    ...lines.map(([key, matrix]) => ({key, matrix})),
    {key: 'result', matrix: step.result},
  ];
  const drawn = parts.map(({matrix}) => matrix);
  const beyond = Object.entries({mean, variance}).filter(([, matrix]) => matrix);
  const isNarrow = room.width < 600 * k;
  const right = (isNarrow ? 12 : 150) * k + beyond.length * (least.width + 10) * k;
  const [gap, above] = [26 * k, headroom(step.result.columns, density, k)];
  const top = above + (isNarrow ? 20 * k : 0);
  const rows = shown(facts, step.result.rows, step.result.rows.n);
  const nRows = drawn.map((matrix) => (matrix.rows.n === 1 ? 1 : cellsOf(rows)));
  const total = nRows.reduce((a, b) => a + b, 0);
  const gaps = parts.map(({key}) => (key === 'result' ? 0 : key === 'gain' ? gap * 0.2 : gap));
  const between = gaps.reduce((a, b) => a + b, 0);
  const ch = Math.min(24 * k, (room.height - top - between - 8 * k) / total);
  if (density === 'numbers' && ch < EASY_HEIGHT * k && !nRows.includes(1) && drawn.length > 2) return beside(facts);
  const slots = Math.floor((room.width - lw - right) / (least.width * k));
  const columns = shown(facts, step.result.columns, Math.min(least.features, slots));
  const cw = Math.min(48 * k, (room.width - lw - right) / cellsOf(columns));
  const width = cellsOf(columns) * cw;
  const high = top + total * ch + between;
  const x = Math.max(0, (room.width - lw - width - right) / 2) + lw;
  let y = Math.max(0, (room.height - high - 8 * k) / 2.4) + top;
  const signs = [];
  /** @type {import('./layout.js').Block[]} */
  const blocks = drawn.map((matrix, at) => {
    const isRow = matrix.rows.n === 1;
    const block = {
      key: parts[at].key,
      matrix,
      x,
      y,
      cw,
      ch,
      columns,
      rows: isRow ? shownOf(matrix.rows, 1) : rows,
      labels: isRow ? {own: true} : {rows: true, columns: at === 0},
      name: isRow
        ? null
        : isNarrow
          ? {x, y: y - (at === 0 ? above + 2 * k : 8 * k)}
          : {x: x + width + beyond.length * (cw + 10 * k) + 18 * k, y: y + 15 * k, isBeside: true},
    };
    y += nRows[at] * ch + gaps[at];
    if (at < drawn.length - 1 && !isRow)
      signs.push({
        x: x - lw / 2,
        y: y - gap / 2,
        width: gap,
        isSmall: true,
        isLast: at === drawn.length - 2,
        aside: [],
      });
    return block;
  });
  beyond.forEach(([key, matrix], at) => {
    const column = {x: x + width + 10 * k + at * (cw + 10 * k), y: blocks[0].y, cw, ch, rows};
    blocks.push({key, matrix, ...column, columns: shownOf(matrix.columns, 1), labels: {top: true}, name: null});
  });
  return {blocks, signs, height: high + 8 * k, hasMargin: true}; // names stand on the right, over free room
}
