// How one cell of each kind of step is made, from the numbers that travelled: the one place where the browser computes.
// Everything is recomputed in float64, so that `again` can be held against the value the model had. No DOM.

import {sum} from '../kit/number.js';

/** @typedef {{axis?: any, index?: number, left: number, right: number, product: number, at: {operand: number | string, row: number, column: number}[], isBias?: boolean, isSink?: boolean, isOwn?: boolean}} Term */

/**
 * One cell written out.
 * Returns {form, value, again, terms, rest, facts}: `form` says how it is shown (sum, shares, line, copy), a term is
 * {axis, index, left, right, product, at: [{operand, row, column}, …]}, `rest` what the hidden part of a sum adds.
 * A rotated cell may be asked for as at another position than its row's; its value is then what that comes to.
 */
export function cellOf(step, i, j, position = i) {
  const rule = RULES[step.rule];
  if (!rule) throw new Error(`no rule ${step.rule}`);
  const isReplaced = step.operands.length === 0 && step.rule !== 'position';
  const made = (isReplaced ? replaced : rule)(step, i, j, position);
  return {value: position === i ? step.result.at(i, j) : made.again, terms: [], rest: null, facts: {}, ...made};
}

/** A number that no arithmetic of this chain makes: an edit put it there. */
const replaced = (step, i, j) => line([], 'replaced', step.result.at(i, j));

const place = (operand, row, column) => ({operand, row, column});

function product(step, i, j) {
  const [a, b] = step.operands;
  /** @type {Term[]} */
  const terms = a.columns.places.map((k) => {
    const [left, right] = [a.at(i, k), b.at(k, j)];
    return {axis: a.columns, index: k, left, right, product: left * right, at: [place(0, i, k), place(1, k, j)]};
  });
  if (step.bias) {
    const bias = step.bias.at(0, j);
    terms.push({isBias: true, left: bias, right: 1, product: bias, at: [place('bias', 0, j)]});
  }
  const rest = step.rest ? {count: a.columns.hidden, product: step.rest.at(i, j)} : null;
  return {form: 'sum', terms, rest, again: sum(terms.map((term) => term.product)) + (rest?.product ?? 0)};
}

const line = (terms, sign, again) => ({form: 'line', sign, terms, again});
const number = (value, operand, row, column) => ({
  left: value,
  right: 1,
  product: value,
  at: [place(operand, row, column)],
});

function scale(step, i, j) {
  const before = step.operands[0].at(i, j);
  const factor = Object.values(step.factors).reduce((all, one) => all * one, 1);
  return line([number(before, 0, i, j)], 'scale', before * factor);
}

function add(step, i, j) {
  const terms = step.operands.map((operand, at) => {
    const row = operand.rows.n === 1 ? 0 : i;
    return number(operand.at(row, j), at, row, j);
  });
  return line(terms, 'add', sum(terms.map((term) => term.product)));
}

function cap(step, i, j) {
  const before = step.operands[0].at(i, j);
  const {cap: c} = step.facts;
  return {...line([number(before, 0, i, j)], 'cap', c * Math.tanh(before / c)), facts: {cap: c}};
}

/** exp(x − row maximum) over the sum of the row; the maximum and the sum run over all keys, also the hidden ones. */
function softmaxRow(step, i, j) {
  const [a] = step.operands;
  const keys = a.columns.places;
  const numbers = keys.map((key) => a.at(i, key));
  const sink = step.facts.sink ?? -Infinity;
  const highest = step.extras.highest ? step.extras.highest.at(i, 0) : Math.max(sink, ...numbers);
  const share = (x) => (x === -Infinity ? 0 : Math.exp(x - highest));
  /** @type {Term[]} */
  const terms = keys.map((key, at) => {
    const x = numbers[at];
    return {axis: a.columns, index: key, left: x, right: highest, product: share(x), at: [place(0, i, key)]};
  });
  if (sink !== -Infinity) terms.push({isSink: true, left: sink, right: highest, product: share(sink), at: []});
  const seen = sum(terms.map((term) => term.product));
  const hidden = step.rest ? step.rest.at(i, 0) : 0; // what the hidden keys add to the sum
  const total = seen + hidden;
  const rest = step.rest ? {count: a.columns.hidden, product: hidden} : null;
  const ownTerm = keys.indexOf(j);
  const isBlocked = !(total > 0) || highest === -Infinity;
  const again = isBlocked ? 0 : terms[ownTerm].product / total;
  return {form: 'shares', terms, rest, own: ownTerm, again, facts: {highest, total, isBlocked}};
}

/** (x − mean) ÷ √(variance + ε) · gain + shift; mean and variance are of the whole row, also what is not drawn. */
function normRow(step, i, j) {
  const [x] = step.operands;
  const [mean, variance] = [step.extras.mean.at(i, 0), step.extras.variance.at(i, 0)];
  const gain = step.extras.gain ? step.extras.gain.at(0, j) : 1;
  const shift = step.extras.shift ? step.extras.shift.at(0, j) : 0;
  const {epsilon} = step.facts;
  const normalised = (x.at(i, j) - mean) / Math.sqrt(variance + epsilon);
  const facts = {mean, variance, epsilon, gain, shift};
  return {...line([number(x.at(i, j), 0, i, j)], 'norm', normalised * gain + shift), facts};
}

/** x ÷ √(mean square + ε) · gain; the mean square is of the whole row, also what is not drawn. */
function rmsRow(step, i, j) {
  const x = step.operands[0].at(i, j);
  const [square, gain] = [step.extras.square.at(i, 0), step.extras.gain.at(0, j)];
  const {epsilon} = step.facts;
  const again = (x / Math.sqrt(square + epsilon)) * gain;
  return {...line([number(x, 0, i, j)], 'rms', again), facts: {square, epsilon, gain}};
}

/** A column's pair, the other number of it and the sign of its sine; null where a column is not rotated. */
export function rotatedWith({width, pairs}, j) {
  if (j >= width) return null;
  if (pairs === 'neighbours') return {pair: Math.floor(j / 2), ...(j % 2 ? {partner: j - 1, sign: 1} : {partner: j + 1, sign: -1})};
  const half = width / 2;
  return j < half ? {pair: j, partner: j + half, sign: -1} : {pair: j - half, partner: j - half, sign: 1};
}

/** x · cos(angle) ∓ partner · sin(angle); angle = position · frequency, in float32 as models compute it. */
function rotate(step, i, j, position) {
  const rotated = rotatedWith(step.facts, j);
  if (!rotated) return copied(step, 0, i, j);
  const {magnitude} = step.facts;
  const {pair, partner, sign} = rotated;
  const frequency = step.extras.frequency.at(0, j);
  const angle = Math.fround(position * frequency);
  const [first, other] = [number(step.operands[0].at(i, j), 0, i, j), number(step.operands[0].at(i, partner), 0, i, partner)];
  const [cos, sin] = [magnitude * Math.cos(angle), sign * magnitude * Math.sin(angle)];
  const terms = [
    {...first, right: cos, product: first.left * cos},
    {...other, right: sin, product: other.left * sin},
  ];
  const again = terms[0].product + terms[1].product;
  return {...line(terms, 'rotate', again), facts: {pair, position, frequency, angle, sign, magnitude}};
}

/** Two numbers in the same place, multiplied. */
function times(step, i, j) {
  const [a, b] = step.operands.map((operand) => operand.at(i, j));
  const term = {left: a, right: b, product: a * b, at: [place(0, i, j), place(1, i, j)]};
  return line([term], 'times', a * b);
}

const erf = (x) => {
  // Abramowitz and Stegun 7.1.26 is good to 1.5e-7 only; this series and continued fraction give float64.
  const size = Math.abs(x);
  if (size < 2.5) {
    let [term, total] = [size, size];
    for (let n = 1; n < 100 && Math.abs(term) > 1e-18; n++) {
      term *= (-size * size) / n;
      total += term / (2 * n + 1);
    }
    return (Math.sign(x) * 2 * total) / Math.sqrt(Math.PI);
  }
  let fraction = 0;
  for (let n = 60; n > 0; n--) fraction = n / 2 / (size + fraction);
  return Math.sign(x) * (1 - Math.exp(-size * size) / ((size + fraction) * Math.sqrt(Math.PI)));
};

export const CURVES = {
  relu: (x) => Math.max(0, x),
  gelu: (x) => (x / 2) * (1 + erf(x / Math.SQRT2)),
  silu: (x) => x / (1 + Math.exp(-x)),
  gelu_tanh: (x) => (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
};

function activation(step, i, j) {
  const x = step.operands[0].at(i, j);
  const {curve} = step.facts;
  return {...line([number(x, 0, i, j)], 'activation', CURVES[curve](x)), facts: {curve}};
}

/** A number copied from another place. */
function copied(step, operand, row, column) {
  const value = step.operands[operand].at(row, column);
  return {form: 'copy', terms: [number(value, operand, row, column)], again: value};
}

function lookup(step, i, j) {
  const id = step.operands[0].at(i, 0);
  const row = step.operands[1].rows.start + step.ids.indexOf(id);
  return {...copied(step, 1, row, j), facts: {row}};
}

/** The sine (even columns) or cosine (odd ones) of the place over a wavelength that grows along the row. */
function position(step, i, j) {
  const {base, width} = step.facts;
  const rate = Math.exp((-Math.log(base) * (j - (j % 2))) / width);
  const again = j % 2 ? Math.cos(i * rate) : Math.sin(i * rate);
  return {...line([], 'position', again), facts: {place: i, rate, isCosine: j % 2 === 1}};
}

const split = (step, i, j) => copied(step, 0, i, (step.facts.first ?? 0) + j);

function concat(step, i, j) {
  let operand = 0;
  let first = 0;
  while (j >= first + step.operands[operand].columns.n) first += step.operands[operand++].columns.n;
  return copied(step, operand, i, j - first);
}

const RULES = {
  product,
  scale,
  add,
  mask: add,
  cap,
  'softmax row': softmaxRow,
  'norm row': normRow,
  'rms row': rmsRow,
  rotate,
  times,
  activation,
  lookup,
  position,
  split,
  concat,
};
