// A cell that is made from one or two numbers, as one line of arithmetic: 8.77 ÷ 5.66 = 1.55.

import {el, svg} from '../kit/dom.js';
import {fmt, precise, rounded} from '../kit/number.js';
import {agreeing} from './digits.js';
import {cut, nameNodes, roleClass} from './subscripts.js';
import {CURVES} from './cell_arithmetic.js';
import {digitsWidth} from './terms.js';
import {valueDigits} from './wording.js';

const TYPE = 19; // px of a line's type, at k = 1
const GAP = 10; // px between its parts
const PLACE = 20; // characters of a token
const op = (text) => el('span', {class: 'op'}, text);
const number = ({text}, matrix = null) => el('span', {class: roleClass(matrix)}, text);

/** A number after a sign: two signs do not meet. */
const next = ({text}, matrix = null) => number({text: text.startsWith('−') ? `(${text})` : text}, matrix);

/** The line of one cell, in `width` px at k = 1: {nodes, texts: {value}}. */
export function lineOf(step, cell, _say, {k, width}) {
  const {parts, result, input} = (LINES[cell.sign] ?? copied)(step, cell);
  const nodes = [...parts, el('b', {}, result.text)];
  const line = el('div', {class: 'line'}, ...nodes);
  const needed = nodes.reduce((all, {textContent}) => all + digitsWidth(textContent, TYPE) + GAP, 0);
  if (needed > width) line.style.fontSize = `${Math.max(0.6, width / needed) * TYPE * k}px`;
  const texts = {value: result.text};
  if (cell.sign !== 'activation') return {nodes: [line], texts};
  return {nodes: [el('div', {class: 'line wide'}, line, curve(cell, {input, result}))], texts};
}

/** The arithmetic of a line: the numbers that go in and what `f` makes of them, with digits that agree. */
const made = (step, cell, numbers, f) => agreeing(numbers, cell.value, f, valueDigits(step));
const before = (cell) => cell.terms[0].left;

function copied(step, cell) {
  const [{at, left}] = cell.terms;
  const from = step.operands[at[0].operand];
  const names = [from.rows.name(at[0].row), from.columns.name(at[0].column)];
  const place = (of) => `[${of.join(', ')}]`;
  const parts = [
    el('span', {class: roleClass(from)}, ...nameNodes(from.name)),
    el('bdi', {class: 'op', title: place(names)}, place(names.map((name) => cut(name, PLACE)))),
    op('='),
  ];
  return {parts, result: from.kind === 'count' ? {text: fmt(left, 0)} : rounded(left)};
}

function scaled(step, cell) {
  const factors = Object.entries(step.factors).map(([symbol, factor]) => {
    const isDivided = factor > 0 && factor < 1;
    return {isDivided, factor: isDivided ? 1 / factor : factor, symbol: isDivided ? inverse(symbol) : symbol};
  });
  const f = (x, ...by) => by.reduce((all, one, at) => (factors[at].isDivided ? all / one : all * one), x);
  const {inputs, result} = made(step, cell, [before(cell), ...factors.map(({factor}) => factor)], f);
  const parts = factors.flatMap(({isDivided, symbol}, at) => [
    op(isDivided ? '÷' : '×'),
    next(inputs[at + 1]),
    el('span', {class: 'symbol'}, symbol),
  ]);
  return {parts: [number(inputs[0], step.operands[0]), ...parts, op('=')], result};
}

/** 1/√Dh, turned round: √Dh. */
const inverse = (symbol) => (symbol.startsWith('1/') ? symbol.slice(2) : `1/${symbol}`);

function added(step, cell) {
  const sum = (...numbers) => numbers.reduce((all, one) => all + one, 0);
  const {inputs, result} = made(step, cell, cell.terms.map(({left}) => left), sum);
  const parts = inputs.flatMap((input, at) => (at ? [op('+'), next(input, step.operands[at])] : [number(input, step.operands[at])]));
  return {parts: [...parts, op('=')], result};
}

function capped(step, cell) {
  const {inputs, result} = made(step, cell, [before(cell), cell.facts.cap], (x, cap) => cap * Math.tanh(x / cap));
  const [x, cap] = [number(inputs[0], step.operands[0]), () => number(inputs[1])];
  return {parts: [cap(), op('· tanh('), x, op('÷'), cap(), op(')'), op('=')], result};
}

function normed(step, cell) {
  const {mean, variance, epsilon, gain, shift} = cell.facts;
  const f = (x, centre, spread, by, moved) => ((x - centre) / Math.sqrt(spread + epsilon)) * by + moved;
  const {inputs, result} = made(step, cell, [before(cell), mean, variance, gain, shift], f);
  const [x, centre, spread, by, moved] = inputs;
  const parts = [
    ...[op('('), number(x, step.operands[0]), op('−'), next(centre), op(')')],
    ...[op('÷'), el('span', {}, `√(${spread.text} + ${precise(epsilon)})`)],
    ...(step.extras.gain ? [op('×'), next(by)] : []),
    ...(step.extras.shift ? [op('+'), next(moved)] : []),
    op('='),
  ];
  return {parts, result};
}

/** Both ways to compute GELU have one name. */
const curveName = (curve) => curve.split('_')[0];

function activated(step, cell) {
  const {curve: name} = cell.facts;
  const {inputs, result} = made(step, cell, [before(cell)], CURVES[name]);
  const x = number(inputs[0], step.operands[0]);
  const called = name === 'relu' ? [op('max(0,')] : [el('span', {class: 'fn'}, curveName(name)), op('(')];
  return {parts: [...called, x, op(')'), op('=')], result, input: inputs[0]};
}

function positioned(step, cell) {
  const {place, rate, isCosine} = cell.facts;
  const {inputs, result} = made(step, cell, [rate], (by) => (isCosine ? Math.cos : Math.sin)(place * by));
  const name = isCosine ? 'cos' : 'sin';
  const wave = el('span', {class: 'fn'}, name);
  const of = [op('('), el('span', {}, String(place)), op('×'), number(inputs[0]), op(')')];
  return {parts: [wave, ...of, op('=')], result};
}

const replacedLine = (step, cell) => ({parts: [], result: rounded(cell.value, 3, valueDigits(step))});

const LINES = {
  replaced: replacedLine,
  scale: scaled,
  add: added,
  cap: capped,
  norm: normed,
  activation: activated,
  position: positioned,
};

/** The curve of the activation with the cell's place on it. */
function curve(cell, {input, result}) {
  const {curve: name} = cell.facts;
  const f = CURVES[name];
  const [width, height] = [150, 84];
  const x = (v) => ((Math.max(-4, Math.min(4, v)) + 4) / 8) * width;
  const y = (v) => height - 8 - ((Math.max(-1, Math.min(4, v)) + 1) / 5) * (height - 16);
  const points = Array.from({length: 81}, (_, n) => -4 + n / 10).map((v) => `${x(v).toFixed(1)} ${y(f(v)).toFixed(1)}`);
  const at = cell.terms[0].left;
  return svg(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      class: 'curve',
      role: 'img',
      'aria-label': `${curveName(name)}(${input.text}) = ${result.text}`,
    },
    svg('path', {d: `M0 ${y(0)}H${width}M${x(0)} 0V${height}`, class: 'axis'}),
    svg('path', {d: `M${points.join('L')}`, class: 'trace'}),
    svg('circle', {cx: x(at), cy: y(cell.value), r: 4, class: 'dot'}),
  );
}
