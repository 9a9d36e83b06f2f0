// A cell that is made from one or two numbers: its line of arithmetic, 8.77 ÷ 5.66 = 1.55, and that line drawn. Under an
// activation stands its curve with the cell's place on it, under a cut its words; a rotation has two lines of its own.

import {axis, pathThrough} from '../kit/axis.js';
import {el, svg} from '../kit/dom.js';
import {fmt, precise, sum} from '../kit/number.js';
import {rounded} from '../kit/rounded.js';
import {CURVES} from './cell_arithmetic.js';
import {agreeing, agreeingSum} from './digits.js';
import {curveName, cut, nameNodes, roleClass} from './names.js';
import {rotatedLine} from './rotated_pair.js';
import {cutBars} from './cut_bars.js';
import {digitsWidth} from './listed_terms.js';
import {equals, valueDigits} from './cell_wording.js';

const TYPE = 19; // px of a line's type, at k = 1
const GAP = 10; // px between its parts
const PLACE = 20; // characters of a token

/** @typedef {{text: string, kind: 'number' | 'sign' | 'symbol' | 'function' | 'matrix' | 'place', matrix?: any}} Piece */

const sign = (text) => ({text, kind: 'sign'});
const named = ({name}) => ({text: name, kind: 'function'});
const number = ({text}, matrix = null) => ({text, kind: 'number', matrix});

/** A number after a sign: two signs do not meet. */
const next = ({text}, matrix = null) => number({text: text.startsWith('−') ? `(${text})` : text}, matrix);

/** The line of one cell: {pieces, result, isRounded}; the pieces stand before "=" and the result. */
export const arithmeticOf = (step, cell) => (LINES[cell.sign] ?? copied)(step, cell);

/** The arithmetic of a line: the numbers that go in and what `f` makes of them, with digits that agree. */
const made = (step, cell, numbers, f) => agreeing(numbers, cell.value, f, valueDigits(step));
const before = (cell) => cell.terms[0].left;

function copied(step, cell) {
  const [{at, left}] = cell.terms;
  const from = step.operands[at[0].operand];
  const names = [from.rows.name(at[0].row), from.columns.name(at[0].column)];
  const pieces = [{text: from.name, kind: 'matrix', matrix: from}, {text: names, kind: 'place'}];
  return {pieces, result: from.kind === 'count' ? {text: fmt(left, 0)} : rounded(left)};
}

function scaled(step, cell) {
  const written = Object.entries(step.factors).filter(([symbol]) => symbol !== '1'); // that is no arithmetic
  const factors = written.map(([symbol, factor]) => {
    const isDivided = factor > 0 && factor < 1;
    return {isDivided, factor: isDivided ? 1 / factor : factor, symbol: isDivided ? inverse(symbol) : symbol};
  });
  const isWhole = factors.map(({factor}) => Number.isInteger(factor)); // printed as it is, whatever the digits
  const f = (x, ...by) =>
    by.reduce((all, one, at) => {
      const factor = isWhole[at] ? factors[at].factor : one;
      return factors[at].isDivided ? all / factor : all * factor;
    }, x);
  const {inputs, ...rest} = made(step, cell, [before(cell), ...factors.map(({factor}) => factor)], f);
  const by = factors.flatMap(({isDivided, factor, symbol}, at) => {
    const text = isWhole[at] ? {text: fmt(factor, 0)} : inputs[at + 1];
    return [sign(isDivided ? '÷' : '×'), next(text), ...(symbol === text.text ? [] : [{text: symbol, kind: 'symbol'}])];
  });
  return {pieces: [number(inputs[0], step.operands[0]), ...by], ...rest};
}

/** 1/√d_k, turned round: √d_k. */
const inverse = (symbol) => (symbol.startsWith('1/') ? symbol.slice(2) : `1/${symbol}`);

function added(step, cell) {
  const {inputs, ...rest} = agreeingSum(cell.terms.map(({left}) => left), cell.value, valueDigits(step));
  const pieces = inputs.flatMap((input, at) =>
    at ? [sign('+'), next(input, step.operands[at])] : [number(input, step.operands[at])],
  );
  return {pieces, ...rest};
}

function capped(step, cell) {
  const {inputs, ...rest} = made(step, cell, [before(cell), cell.facts.cap], (x, cap) => cap * Math.tanh(x / cap));
  const [x, cap] = [number(inputs[0], step.operands[0]), number(inputs[1])];
  return {pieces: [cap, sign('·'), named(Math.tanh), sign('('), x, sign('÷'), cap, sign(')')], ...rest};
}

function normed(step, cell) {
  const {mean, variance, epsilon, gain, shift} = cell.facts;
  const f = (x, centre, spread, by, moved) => ((x - centre) / Math.sqrt(spread + epsilon)) * by + moved;
  const {inputs, ...rest} = made(step, cell, [before(cell), mean, variance, gain, shift], f);
  const [x, centre, spread, by, moved] = inputs;
  const pieces = [
    ...[sign('('), number(x, step.operands[0]), sign('−'), next(centre), sign(')'), sign('÷')],
    {text: `√(${spread.text} + ${precise(epsilon)})`, kind: 'number'},
    ...(step.extras.gain ? [sign('×'), next(by)] : []),
    ...(step.extras.shift ? [sign('+'), next(moved)] : []),
  ];
  return {pieces, ...rest};
}

function rmsNormed(step, cell) {
  const {square, epsilon, gain} = cell.facts;
  const f = (x, mean, by) => (x / Math.sqrt(mean + epsilon)) * by;
  const {inputs, ...rest} = made(step, cell, [before(cell), square, gain], f);
  const [x, mean, by] = inputs;
  const root = {text: `√(${mean.text} + ${precise(epsilon)})`, kind: 'number'};
  return {pieces: [number(x, step.operands[0]), sign('÷'), root, sign('×'), next(by)], ...rest};
}

function multiplied(step, cell) {
  const [{left, right}] = cell.terms;
  const {inputs, ...rest} = made(step, cell, [left, right], (a, b) => a * b);
  return {pieces: [number(inputs[0], step.operands[0]), sign('×'), next(inputs[1], step.operands[1])], ...rest};
}

const opposite = ({text}) => ({text: text.startsWith('−') ? text.slice(1) : `−${text}`});
/** What an activation is made of, where that is more than its name. */
const WRITTEN_OUT = {
  silu: (x, input) => [sign('='), x, sign('÷ (1 + exp('), number(opposite(input)), sign('))')],
  gelu: (x) => [sign('='), x, sign('× Φ('), x, sign(')')],
};

function activated(step, cell) {
  const {curve: name} = cell.facts;
  const {inputs, ...rest} = made(step, cell, [before(cell)], CURVES[name]);
  const x = number(inputs[0], step.operands[0]);
  const called = name === 'relu' ? [sign('max(0,')] : [named({name: curveName(name)}), sign('(')];
  return {pieces: [...called, x, sign(')'), ...(WRITTEN_OUT[name]?.(x, inputs[0]) ?? [])], ...rest, input: inputs[0]};
}

function positioned(step, cell) {
  const {place, rate, isCosine} = cell.facts;
  const {inputs, ...rest} = made(step, cell, [rate], (by) => (isCosine ? Math.cos : Math.sin)(place * by));
  const wave = named(isCosine ? Math.cos : Math.sin);
  const of = [sign('('), number({text: String(place)}), sign('×'), number(inputs[0]), sign(')')];
  return {pieces: [wave, ...of], ...rest};
}

const replaced = (step, cell) => ({pieces: [], result: rounded(cell.value, 3, valueDigits(step))});

const LINES = {
  replaced,
  scale: scaled,
  add: added,
  cap: capped,
  norm: normed,
  rms: rmsNormed,
  times: multiplied,
  activation: activated,
  position: positioned,
};

const placeOf = (names) => `[${names.join(', ')}]`;
const DRAWN = {
  number: ({text, matrix}) => el('span', {class: roleClass(matrix)}, text),
  sign: ({text}) => el('span', {class: 'op'}, text),
  symbol: ({text}) => el('span', {class: 'symbol'}, ...nameNodes(text)),
  function: ({text}) => el('span', {class: 'fn'}, text),
  matrix: ({text, matrix}) => el('span', {class: roleClass(matrix)}, ...nameNodes(text)),
  place: ({text}) => el('bdi', {class: 'op', title: placeOf(text)}, placeOf(text.map((name) => cut(name, PLACE)))),
};

/** The line of one cell, in `width` px at k = 1: {nodes, texts: {value, isRounded}}. */
export function lineOf(step, cell, {k, width, isPresented = false, say}) {
  if (cell.sign === 'rotate') return rotatedLine(step, cell, say);
  const {pieces, result, input, isRounded = false} = arithmeticOf(step, cell);
  const drawn = pieces.map((piece) => DRAWN[piece.kind](piece));
  const equal = pieces.length ? [DRAWN.sign({text: equals(isRounded)})] : [];
  const nodes = [...drawn, ...equal, el('b', {}, result.text)];
  const line = el('div', {class: 'line'}, ...nodes);
  const needed = sum(nodes.map(({textContent}) => digitsWidth(textContent, TYPE) + GAP));
  if (needed > width) line.style.fontSize = `${Math.max(0.6, width / needed) * TYPE * k}px`;
  const texts = {value: result.text, isRounded};
  const isNarrow = width === Infinity;
  const under = step.extras?.count ? cutBars(step, cell.terms[0].at[0].row, {isNarrow, isPresented}) : null;
  if (under) return {nodes: [el('div', {class: 'with-picture'}, line, under)], texts};
  if (cell.sign !== 'activation') return {nodes: [line], texts};
  return {nodes: [el('div', {class: 'line wide'}, line, curve(cell, {input, result}))], texts};
}

/** The curve of the activation with the cell's place on it. */
function curve(cell, {input, result}) {
  const {curve: name} = cell.facts;
  const f = CURVES[name];
  const [width, height] = [150, 84];
  const x = axis({low: -4, high: 4, from: 0, to: width});
  const y = axis({low: -1, high: 4, from: height - 8, to: 8});
  const points = Array.from({length: 81}, (_, n) => -4 + n / 10).map((at) => [at, f(at)]);
  return svg(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      class: 'curve',
      role: 'img',
      'aria-label': `${curveName(name)}(${input.text}) = ${result.text}`,
    },
    svg('path', {d: `M0 ${y(0)}H${width}M${x(0)} 0V${height}`, class: 'axis'}),
    svg('path', {d: pathThrough(points, x, y), class: 'trace'}),
    svg('circle', {cx: x(before(cell)), cy: y(cell.value), r: 4, class: 'dot'}),
  );
}
