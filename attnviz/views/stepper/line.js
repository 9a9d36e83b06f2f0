// A cell that is made from one or two numbers, as one line of arithmetic: 8.77 ÷ 5.66 = 1.55.

import {el, svg} from '../kit/dom.js';
import {fmt, precise} from '../kit/number.js';
import {nameNodes, roleClass} from './names.js';
import {CURVES} from './rules.js';
import {valueDigits} from './wording.js';

const op = (text) => el('span', {class: 'op'}, text);
const num = (x, matrix = null, digits = 2) => el('span', {class: roleClass(matrix)}, bracketed(precise(x, digits)));
const bracketed = (text) => (text.startsWith('−∞') ? `(${text})` : text);

/** The line of one cell as nodes. */
export function lineOf(step, cell, say) {
  const line = el('div', {class: 'line'}, ...(LINES[cell.sign] ?? copied)(step, cell, say));
  if (cell.sign !== 'activation') return line;
  return el('div', {class: 'line wide'}, line, curve(cell.facts.curve, cell));
}

const result = (step, cell) => [op('='), el('b', {}, precise(cell.value, valueDigits(step)))];
const operand = (step, cell, at = 0) => num(cell.terms[at].left, step.operands[at]);

function copied(step, cell) {
  const [{at, left}] = cell.terms;
  const from = step.operands[at[0].operand];
  const place = `[${from.rows.name(at[0].row)}, ${from.columns.name(at[0].column)}]`;
  return [
    el('span', {class: roleClass(from)}, ...nameNodes(from.name)),
    el('bdi', {class: 'op'}, place),
    op('='),
    el('b', {}, precise(left)),
  ];
}

function scaled(step, cell) {
  const factors = Object.entries(step.factors).flatMap(([symbol, factor]) => {
    const isDivided = factor > 0 && factor < 1;
    return [
      op(isDivided ? '÷' : '×'),
      num(isDivided ? 1 / factor : factor),
      el('span', {class: 'symbol'}, isDivided ? inverse(symbol) : symbol),
    ];
  });
  return [operand(step, cell), ...factors, ...result(step, cell)];
}

/** 1/√Dh, turned round: √Dh. */
const inverse = (symbol) => (symbol.startsWith('1/') ? symbol.slice(2) : `1/${symbol}`);

function added(step, cell) {
  const numbers = cell.terms.flatMap((term, at) => [...(at ? [op('+')] : []), num(term.left, step.operands[at])]);
  return [...numbers, ...result(step, cell)];
}

function capped(step, cell) {
  const c = num(cell.facts.cap);
  return [c, op('· tanh('), operand(step, cell), op('÷'), c.cloneNode(true), op(')'), ...result(step, cell)];
}

function normed(step, cell) {
  const {mean, variance, epsilon, gain, shift} = cell.facts;
  const centred = [op('('), operand(step, cell), op('−'), num(mean), op(')')];
  const tail = step.extras.shift ? [op('+'), num(shift)] : [];
  return [
    ...centred,
    op('÷'),
    el('span', {}, `√(${precise(variance)} + ${epsilonText(epsilon)})`),
    ...(step.extras.gain ? [op('×'), num(gain)] : []),
    ...tail,
    ...result(step, cell),
  ];
}

const epsilonText = (epsilon) => precise(epsilon, 2);

/** Both ways to compute GELU have one name. */
const curveName = (curve) => curve.split('_')[0];

function activated(step, cell) {
  const name = el('span', {class: 'fn'}, curveName(cell.facts.curve));
  if (cell.facts.curve === 'relu') return [op('max(0,'), operand(step, cell), op(')'), ...result(step, cell)];
  return [name, op('('), operand(step, cell), op(')'), ...result(step, cell)];
}

function positioned(step, cell) {
  const {place, rate, isCosine} = cell.facts;
  const name = isCosine ? 'cos' : 'sin';
  const wave = el('span', {class: 'fn'}, name);
  return [wave, op('('), el('span', {}, String(place)), op('×'), num(rate, null, 4), op(')'), ...result(step, cell)];
}

const replacedLine = (step, cell) => [el('b', {}, precise(cell.value, valueDigits(step)))];

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
function curve(name, cell) {
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
      'aria-label': `${name}(${fmt(at)}) = ${fmt(cell.value)}`,
    },
    svg('path', {d: `M0 ${y(0)}H${width}M${x(0)} 0V${height}`, class: 'axis'}),
    svg('path', {d: `M${points.join('L')}`, class: 'trace'}),
    svg('circle', {cx: x(at), cy: y(cell.value), r: 4, class: 'dot'}),
  );
}
