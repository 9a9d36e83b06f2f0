// Where matrices stand whose rows are those of the result: in lines beside each other, or under each other where the rows
// are long. No DOM.

import {sum} from '../kit/number.js';
import {writesOf} from './names.js';
import {areRowsCut, cellsOf, cutRows, isTelephone, shown, shownOf} from './axis_windows.js';
import {headroom} from './column_labels.js';

const EASY_HEIGHT = 15; // px: below it, matrices under each other give way to matrices side by side
const TELEPHONE_HEIGHT = {plain: 18, writes: 24}; // px a cell with its number has at least; where rows write, labels have two lines
const SIGN = 0.7; // of the width of a matrix on a telephone: where the sign stands, beside the name
const MOST = 128; // features of all heads drawn side by side
const EDGES = {usual: 24, presented: 4}; // px left and right of all, at k = 1
const GROUP = {line: 24, apart: 1.2}; // px of the line that names groups of heads; of a gap, what more lies between two groups

/** How high a cell is at least: on a telephone a page of numbers may be longer than the window, elsewhere all has to fit. */
function heightOf({step: {result: {rows}}, room, density}) {
  if (!isTelephone(room) || density !== 'numbers') return 0;
  return TELEPHONE_HEIGHT[writesOf(rows, rows.start) === '' ? 'plain' : 'writes'] * room.k;
}

/** How many rows are drawn in so many px by matrices under each other: all, or of those that may be cut as many as fit. */
function rowsOf({step, density, least, room}, height, matrices) {
  const {n} = step.result.rows;
  if (!areRowsCut(step, room) || density !== 'numbers') return n;
  const single = matrices.filter(({rows}) => rows.n === 1).length;
  const fit = (height / (least.height * room.k) - single) / (matrices.length - single);
  return Math.min(n, Math.max(2, Math.floor(fit)));
}

/**
 * Lines of matrices, `gap` px between two of them and more between two groups of heads; `cellsFor(matrix, line)` is how many
 * columns of one are drawn at most.
 */
function inLines(facts, lines, gap, cellsFor) {
  const {step: {result}, room, lw, density} = facts;
  const {k} = room;
  const drawn = lines.map((line) => line.map((one) => ({...one, columns: shown(facts, one.matrix.columns, cellsFor(one.matrix, line))})));
  const across = Math.max(...drawn.map((line) => sum(line.map(({columns}) => cellsOf(columns)))));
  const gapBefore = (line, at) => (at === 0 ? 0 : isNewGroup(line, at) ? gap * (1 + GROUP.apart) : gap);
  const gaps = Math.max(...lines.map((line) => sum(line.map((_, at) => gapBefore(line, at)))));
  const edges = (room.isPresented ? EDGES.presented : EDGES.usual) * k;
  const cw = Math.min(52 * k, (room.width - lw - gaps - edges) / across);
  const isGrid = new Set(drawn.flat().map(({columns}) => columns.axis.id)).size === 1; // the first line's labels are for all
  const labelled = Math.max(...drawn.flat().map(({columns}) => headroom(columns, density, cw, room)));
  const groupLine = lines.map((line, down) => (isGroupNamed(line, lines[down - 1]) ? GROUP.line * k : 0));
  const above = drawn.map((_, down) => groupLine[down] + (down && isGrid ? 8 * k : labelled) + 28 * k); // for labels and names
  const rows = cutRows(facts, result.rows, rowsOf(facts, room.height - 12 * k - sum(above), lines.map(() => result)));
  const tallest = result.columns.kind === 'token' ? cw * (isTelephone(room) ? 2 : 1.6) : Infinity; // two lines beside it
  const free = Math.max(room.height - 12 * k - sum(above), heightOf(facts) * lines.length * cellsOf(rows));
  const ch = Math.min(38 * k, tallest, free / lines.length / cellsOf(rows));
  const spare = free - lines.length * cellsOf(rows) * ch;
  const left = Math.max(0, (room.width - lw - across * cw - gaps - edges) / 2) + lw;
  let y = Math.max(2, spare / 2.4);
  /** @type {import('./layout.js').Group[]} */
  const groups = [];
  const blocks = drawn.flatMap((line, down) => {
    let x = left;
    y += above[down];
    const placed = line.map(({key, matrix, columns}, at) => {
      const labels = {rows: at === 0, columns: down === 0 || !isGrid};
      x += gapBefore(line, at);
      const block = {key, matrix, x, y, cw, ch, rows, columns, labels, name: {x, y: y - above[down] + groupLine[down] + 17 * k}};
      x += cellsOf(columns) * cw;
      return block;
    });
    if (groupLine[down]) groups.push(...groupsOf(line, placed, y - above[down]));
    y += cellsOf(rows) * ch;
    return placed;
  });
  return {blocks, signs: [], groups, height: 12 * k + sum(above) + free - spare};
}

/** Whether another group of heads begins at a place of a line. */
const isNewGroup = (line, at) => line[at].keyGroup?.n !== line[at - 1].keyGroup?.n;

/** Whether the groups of a line are named over it: where it holds others than the end of the line before. */
const isGroupNamed = (line, before) => {
  const last = line.at(-1).keyGroup;
  return Boolean(last) && before?.at(-1).keyGroup?.n !== last.n;
};

/** From where to where each group of a line reaches: {keyGroup, x, y, width}. */
function groupsOf(line, placed, y) {
  const firsts = line.flatMap(({keyGroup}, at) => (keyGroup && (at === 0 || isNewGroup(line, at)) ? [at] : []));
  return firsts.map((from, at) => {
    const {x, cw, columns} = placed[(firsts[at + 1] ?? line.length) - 1];
    return {keyGroup: line[from].keyGroup, x: placed[from].x, y, width: x + cellsOf(columns) * cw - placed[from].x};
  });
}

/** The operands that are drawn as matrices: a mask is a small picture beside its plus sign. */
const drawnOperands = ({rule, operands}) =>
  operands.map((matrix, key) => ({matrix, key})).filter(({key}) => rule !== 'mask' || key === 0);

/** Side by side with what happens between them, which has `between` px at least. */
export function beside(facts, between = 0) {
  const {step, room, least, lw, density} = facts;
  const {k} = room;
  const drawn = [...drawnOperands(step), {matrix: step.result, key: 'result'}];
  if (isTelephone(room) && density === 'numbers') return below(facts, drawn);
  const gap = Math.max(between, (isTelephone(room) ? 44 : drawn.length > 2 ? 56 : room.isPresented ? 64 : 118) * k);
  const slots = Math.floor((room.width - lw - gap * (drawn.length - 1) - 24 * k) / drawn.length / (least.width * k));
  const cellsFor = ({columns}) => (columns.kind === 'token' ? columns.n : Math.max(3, Math.min(slots, least.features)));
  const plan = inLines(facts, [drawn], gap, cellsFor);
  const signs = plan.blocks.slice(0, -1).map(({x, y, cw, ch, rows, columns}, at) => {
    const isLast = at === drawn.length - 2;
    const middle = {x: x + cellsOf(columns) * cw + gap / 2, y: y + (cellsOf(rows) * ch) / 2};
    return {...middle, width: gap, isLast, aside: step.rule === 'mask' ? [1] : []};
  });
  return {...plan, signs};
}

/** The same matrices under each other, where the window is too narrow for the numbers of two. */
function below(facts, drawn) {
  const {room, least, lw} = facts;
  const slots = Math.floor((room.width - lw - 24 * room.k) / (least.width * room.k));
  const plan = inLines(facts, drawn.map((one) => [one]), 0, ({columns}) => (columns.kind === 'token' ? columns.n : slots));
  const signs = plan.blocks.slice(1).map(({x, cw, columns, name}, at) => (
    {x: x + cellsOf(columns) * cw * SIGN, y: name.y - 5 * room.k, isSmall: true, isLast: at === drawn.length - 2}));
  return {...plan, signs};
}

/** The result of a changed run beside that of the untouched one, and what lies between them where that is asked for. */
export function compared(facts) {
  const {step, room, comparing, lw} = facts;
  const hasOwnRows = writesOf(step.result.rows, step.result.rows.start) !== '' && !isTelephone(room); // they write other words
  const matrices = {before: step.before, result: step.result};
  if (comparing === 'difference') matrices.difference = step.difference;
  const keys = Object.keys(matrices);
  const [last, ...others] = Object.values(matrices).reverse();
  const {blocks, height} = beside({...facts, step: {...step, rule: 'compare', operands: others.reverse(), result: last}}, hasOwnRows ? lw + 12 * room.k : 0);
  blocks.forEach((block, at) => Object.assign(block, {key: keys[at], caption: keys[at]}));
  if (hasOwnRows) blocks[1].labels.rows = true;
  return {blocks, signs: [], height};
}

/** The results of a step's heads, the one on the stage as 'result'. */
const ofHeads = ({siblings, result}) =>
  siblings.map(({matrix, index}) => ({matrix, keyGroup: matrix.keyGroup, key: matrix.id === result.id ? 'result' : `step:${index}`}));

/** How many heads may stand in a line: any number, or of grouped heads whole groups or equal parts of one. No DOM. */
export function acrossOf(heads) {
  const all = heads.map((_, at) => Math.ceil(heads.length / (at + 1)));
  const group = heads.filter(({keyGroup}) => keyGroup?.n === heads[0].keyGroup?.n).length;
  return group === heads.length ? all : all.filter((across) => across % group === 0 || group % across === 0);
}

/**
 * Heads beside each other, and the whole they are cut from or joined to, in the same order under or above them. Of a whole
 * that is cut, the part is here that holds the head on the stage.
 */
export function parts({windows, ...others}) {
  const {step, room} = others;
  const from = step.rule === 'split' && {[step.operands[0].columns.id]: step.facts.first};
  const facts = {...others, windows: {...from, ...windows}};
  const operands = step.operands.map((matrix, key) => ({matrix, key, keyGroup: matrix.keyGroup}));
  const results = step.rule === 'split' && step.siblings.length ? ofHeads(step) : [{matrix: step.result, key: 'result'}];
  return inLines(facts, [operands, results], 10 * room.k, (_, line) => Math.floor(MOST / line.length));
}

/** The results of all heads beside each other, in as many lines as make their cells largest. */
export function gallery(facts) {
  const {step, room, lw, least} = facts;
  const heads = ofHeads(step);
  const {k} = room;
  const slots = Math.max(4, Math.floor((room.width - lw) / heads.length / (least.width * k)));
  const cellsFor = ({columns}) => (columns.kind === 'token' ? columns.n : Math.min(columns.count, slots));
  const plans = acrossOf(heads).map((across) => {
    const lines = heads.flatMap((_, first) => (first % across ? [] : [heads.slice(first, first + across)]));
    return inLines(facts, lines, 22 * k, cellsFor);
  });
  const areaOf = ({blocks: [{cw, ch}]}) => (ch > 2 ? cw * ch : 0);
  return plans.reduce((a, b) => (areaOf(b) > areaOf(a) * 1.05 ? b : a));
}

/** Under each other, for long rows: E + P = X. Side by side where that would make the cells too flat for numbers. */
export function stacked(facts) {
  const {step, room, least, lw, density} = facts;
  const {k} = room;
  const {mean, variance, square, gain, shift, frequency} = step.extras;
  const lines = Object.entries({gain, shift, frequency}).filter(([, matrix]) => matrix);
  const parts = [
    ...step.operands.map((matrix, key) => ({key, matrix})),
    ...lines.map(([key, matrix]) => ({key, matrix})),
    {key: 'result', matrix: step.result},
  ];
  const drawn = parts.map(({matrix}) => matrix);
  const beyond = Object.entries({mean, variance, square}).filter(([, matrix]) => matrix);
  const isNarrow = isTelephone(room);
  const apart = (isNarrow ? 20 : 10) * k; // room for "+81" and a name
  const right = (isNarrow ? 12 : 150) * k + beyond.length * (least.width * k + apart);
  const [gap, above] = [26, 22].map((px) => px * k);
  const top = above + (isNarrow ? 20 * k : beyond.length ? 8 * k : 0); // a power of ten stands over a name
  const gaps = parts.map(({key}) => (key === 'result' ? 0 : key === 'gain' && shift ? gap * 0.2 : gap));
  const between = sum(gaps);
  const rows = cutRows(facts, step.result.rows, rowsOf(facts, room.height - top - between - 8 * k, drawn));
  const nRows = drawn.map((matrix) => (matrix.rows.n === 1 ? 1 : cellsOf(rows)));
  const total = sum(nRows);
  const ch = Math.max(heightOf(facts), Math.min(24 * k, (room.height - top - between - 8 * k) / total));
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
          : {x: x + width + beyond.length * (cw + apart) + 18 * k, y: y + 15 * k},
    };
    y += nRows[at] * ch + gaps[at];
    if (at < drawn.length - 1 && !isRow) {
      const place = isNarrow ? {x: x + width * SIGN, y: y - 13 * k} : {x: x - lw / 2, y: y - gap / 2};
      signs.push({...place, isSmall: true, isLast: at === drawn.length - 2});
    }
    return block;
  });
  beyond.forEach(([key, matrix], at) => {
    const column = {x: x + width + apart + at * (cw + apart), y: blocks[0].y, cw, ch, rows};
    blocks.push({key, matrix, ...column, columns: shownOf(matrix.columns, 1), labels: {top: true}, name: null});
  });
  return {blocks, signs, height: high + 8 * k, hasMargin: true}; // names stand on the right, over free room
}
