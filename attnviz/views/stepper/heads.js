// Several heads at once: cut from a whole or joined to it, or their results beside each other. No DOM.

import {cellsOf, headroom, shown} from './windows.js';

const drawnOf = (axis) => axis.count + (axis.hidden > 0 ? 1 : 0); // with the cell of the rest
const MOST = 128; // features of all heads drawn side by side

/** Heads beside each other, and the whole they are cut from or joined to, in the same order under or above them. */
export function parts(facts) {
  const {step, room, lw} = facts;
  const {k} = room;
  const gap = 10 * k;
  const isSplit = step.rule === 'split';
  const [top, between] = [46 * k, 64 * k];
  const results =
    isSplit && step.siblings?.length
      ? step.siblings.map(({matrix, index}) => ({matrix, key: keyOf(step, index)}))
      : [{matrix: step.result, key: 'result'}];
  const lines = [step.operands.map((matrix, key) => ({matrix, key})), results];
  const most = Math.max(...lines.map((line) => line.length));
  const widest = Math.max(
    ...lines.map((line) =>
      line.reduce((total, {matrix}) => total + Math.min(drawnOf(matrix.columns), Math.floor(MOST / line.length)), 0),
    ),
  );
  const cw = Math.min(34 * k, (room.width - lw - 12 * k - gap * (most - 1)) / widest);
  const rows = shown(facts, step.result.rows, step.result.rows.n);
  const ch = Math.min(26 * k, (room.height - top - between - 8 * k) / (2 * cellsOf(rows)));
  const x0 = Math.max(0, (room.width - lw - widest * cw - gap * (most - 1) - 12 * k) / 2) + lw;
  const blocks = [];
  lines.forEach((line, down) => {
    let x = x0 + (line.length === 1 ? (gap * (most - 1)) / 2 : 0);
    const y = top + down * (cellsOf(rows) * ch + between);
    line.forEach(({matrix, key}, at) => {
      const columns = shown(facts, matrix.columns, Math.floor(MOST / line.length));
      blocks.push({
        key,
        matrix,
        x,
        y,
        cw,
        ch,
        rows,
        columns,
        labels: {rows: at === 0, columns: true},
        name: {x, y: y - 30 * k},
      });
      x += cellsOf(columns) * cw + gap;
    });
  });
  return {blocks, signs: [], height: top + between + 2 * cellsOf(rows) * ch + 8 * k};
}

/** The key of a step's result among those drawn: the step on the stage, or one of its siblings. */
const keyOf = (step, index) =>
  step.siblings.find(({matrix}) => matrix.id === step.result.id).index === index ? 'result' : `step:${index}`;

/** The results of all heads beside each other, in as many lines as make their cells largest. */
export function gallery(facts) {
  const {step, room, lw, least} = facts;
  const {k} = room;
  const [gap, top] = [22 * k, headroom(step.result.columns, facts.density, k) + 24 * k];
  const {rows: rowAxis, columns: columnAxis} = step.result;
  const count = step.siblings.length;
  const rows = shown(facts, rowAxis, rowAxis.n);
  const most =
    columnAxis.kind === 'token'
      ? columnAxis.n
      : Math.min(columnAxis.count, Math.max(4, Math.floor((room.width - lw) / count / (least.width * k))));
  const columns = shown(facts, columnAxis, most);
  const sizes = (lines) => {
    const across = Math.ceil(count / lines);
    const cw = Math.min(52 * k, (room.width - lw - 24 * k - gap * (across - 1)) / (across * cellsOf(columns)));
    const ch = Math.min(38 * k, cw * 1.6, (room.height - 8 * k) / lines / cellsOf(rows) - top / cellsOf(rows));
    return {lines, across, cw, ch, area: cw * ch};
  };
  const best = Array.from({length: count}, (_, at) => sizes(at + 1)).reduce((a, b) =>
    b.ch > 2 && b.area > a.area * 1.05 ? b : a,
  );
  const {across, cw, ch, lines} = best;
  const [wide, high] = [cellsOf(columns) * cw + gap, cellsOf(rows) * ch + top];
  const x0 = Math.max(0, (room.width - lw - across * wide + gap - 24 * k) / 2) + lw;
  const y0 = Math.max(0, (room.height - lines * high) / 2.4);
  const blocks = step.siblings.map(({matrix, index}, at) => {
    const [line, place] = [Math.floor(at / across), at % across];
    const [x, y] = [x0 + place * wide, y0 + line * high + top];
    const labels = {rows: place === 0, columns: true};
    return {
      key: keyOf(step, index),
      matrix,
      x,
      y,
      cw,
      ch,
      rows,
      columns: {...columns, axis: matrix.columns},
      labels,
      name: {x, y: y - top + 16 * k},
    };
  });
  return {blocks, signs: [], height: lines * high + 8 * k};
}
