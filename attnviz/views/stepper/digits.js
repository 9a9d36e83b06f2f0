// How many digits printed numbers need, so that whoever types them into a calculator gets what is printed. No DOM.

import {sum} from '../kit/number.js';
import {rounded} from '../kit/rounded.js';

const LEAST = 3; // significant digits
const MOST = 9; // of a float32
// Decimals of the two factors of all parts of a sum, those of fewest digits first.
const DECIMALS = [4, 5, 6, 7, 8].flatMap((both) => [2, 3, 4].map((left) => [left, both - left])).filter(([, right]) => right > 1 && right < 5);
const FINER = 3; // how often a result is tried with another digit: one that lies between two roundings is then clear

/** Whether a calculator's number, rounded as a result is printed, is that result; a tie could go either way and is none. */
const gives = (x, {value, unit}) => x === value || Math.abs(x - value) < (unit / 2) * (1 - 1e-9);

const exponentOf = (x) => (x === 0 ? -Infinity : Math.floor(Math.log10(Math.abs(x))));

/** What `make(0)`, `make(1)` … first comes to; null where each of `n` gives null. */
function firstOf(n, make) {
  for (let at = 0; at < n; at++) {
    const made = make(at);
    if (made) return made;
  }
  return null;
}

/** Whether each `f` makes its printed result of printed numbers. */
const makes = (inputs, results, fs) => results.every((one, at) => gives(fs[at](...inputs.map(({value}) => value)), one));

/**
 * The numbers that go in, with the fewest digits from which each `f` makes its printed result; null where none do.
 * @param {number[]} numbers
 * @param {{value: number, unit: number} | {value: number, unit: number}[]} printed
 * @param {((...numbers: number[]) => number)[]} fs
 */
const inputsFor = (numbers, printed, ...fs) =>
  firstOf(MOST - LEAST + 1, (more) => {
    const inputs = numbers.map((x) => rounded(x, LEAST + more));
    return makes(inputs, [printed].flat(), fs) ? inputs : null;
  });

/** The parts of a sum with `more` decimals than its printed total; null where they do not give it. */
function partsFor(numbers, total, more, /** @type {Function} */ print = aligned) {
  const decimals = Math.max(0, Math.round(-Math.log10(total.unit))) + more;
  const parts = numbers.map((x, at) => print(x, decimals, at));
  return gives(sum(parts.map(({value}) => value)), total) ? parts : null;
}

/** How many more digits a total and its parts have: [total, parts over the total], those of fewest decimals first. */
const DEPTHS = [0, 1, 2, 3, 4, 5].flatMap((depth) =>
  Array.from({length: Math.min(FINER, depth + 1)}, (_, finer) => [finer, depth - finer]),
);

/**
 * {inputs, result, isRounded}, all printed: f(…inputs), rounded as the result is, is the result. `isRounded` where no
 * digits give that; `least` decimals at least in the result, `find(numbers, result, f)` the way to print what goes in.
 */
export function agreeing(numbers, value, f, least = 2, /** @type {any} */ find = inputsFor) {
  const agreed = firstOf(FINER, (more) => {
    const result = rounded(value, LEAST + more, least + more);
    const inputs = find(numbers, result, f);
    return inputs && {inputs, result, isRounded: false};
  });
  return agreed ?? {inputs: numbers.map((x) => rounded(x)), result: rounded(value, LEAST, least), isRounded: true};
}

/** How many more digits a cosine and a sine have, and what they are multiplied with: the fewest of both first. */
const WAVES = [...Array(2 * (MOST - LEAST) + 1).keys()].flatMap((both) => [...Array(both + 1).keys()].map((waves) => [waves, both - waves]));

/**
 * A pair [x, y] turned by position × frequency, printed so that each of its four lines is what a calculator gives:
 * {angle, frequency, cos, sin, pair, turned, size, isRounded}.
 * @param {{pair: number[], turned: number[], position: number, frequency: number, angle: number, magnitude: number}} facts
 */
export function turnedTexts({pair, turned, position, frequency, angle, magnitude}, least) {
  const fs = [(c, s, x, y, size = 1) => size * (c * x - s * y), (c, s, x, y, size = 1) => size * (s * x + c * y)];
  const numbers = [Math.cos(angle), Math.sin(angle), ...pair, ...(magnitude === 1 ? [] : [magnitude])];
  const agreed = firstOf(FINER, (more) => {
    const results = turned.map((x) => rounded(x, LEAST + more, least + more));
    return firstOf(WAVES.length, (at) => {
      const inputs = numbers.map((x, n) => rounded(x, LEAST + WAVES[at][n < 2 ? 0 : 1]));
      if (!makes(inputs, results, fs)) return null;
      const by = inputsFor([angle], inputs.slice(0, 2), Math.cos, Math.sin);
      const often = by && inputsFor([frequency], by[0], (x) => position * x);
      return often && {inputs, results, by: by[0], often: often[0]};
    });
  });
  const printed = agreed ?? {inputs: numbers.map((x) => rounded(x)), results: turned.map((x) => rounded(x, LEAST, least)), by: rounded(angle), often: rounded(frequency)};
  const [cos, sin, x, y, size] = printed.inputs;
  return {angle: printed.by, frequency: printed.often, cos, sin, pair: [x, y], turned: printed.results, size, isRounded: !agreed};
}

/** The same for a sum, whose parts have their decimals under each other. */
export const agreeingSum = (numbers, value, least) =>
  agreeing(numbers, value, null, least, (parts, result) => firstOf(4, (more) => partsFor(parts, result, more)));

/** What a sum may be printed as: where its parts cancel out, with no more digits than four of the largest part. */
function totalsOf(value, largest) {
  const finest = 10 ** (exponentOf(largest) - 3) * (1 - 1e-9);
  const digits = [LEAST, 2, 1].find((n) => rounded(value, n, 2).unit >= finest) ?? 1;
  return Array.from({length: FINER}, (_, more) => rounded(value, digits + more, 2 + more));
}

/** A part of a sum with so many decimals; one that would keep only a digit of itself there has its own digits. */
function aligned(x, decimals) {
  const n = exponentOf(x) + 1 + decimals;
  if (n < 2 || !Number.isFinite(x)) return rounded(x, LEAST);
  return rounded(x, Math.abs(x) < 1e-3 ? n + 1 : n, decimals);
}

const times = (x, y) => x * y;

/** The factors of each part of a sum, printed with one number of decimals for each operand; null where none give the parts. */
const alignedFactors = (list, parts) =>
  firstOf(DECIMALS.length, (at) => {
    const factors = list.map(({left, right, isBias}, row) =>
      isBias ? [parts[row]] : [left, right].map((x, side) => fixed(x, DECIMALS[at][side])),
    );
    const isTrue = ([left, right], row) => !right || (left.value && right.value && gives(left.value * right.value, parts[row]));
    return factors.every(isTrue) ? factors : null;
  });

/** The same with the fewest digits in each; null where those of one do not give the part. */
function factorsFor(list, parts) {
  const factors = list.map(({left, right, isBias}, at) => (isBias ? [parts[at]] : inputsFor([left, right], parts[at], times)));
  return factors.every(Boolean) ? factors : null;
}

/** A sum of products, printed: {terms: [{left, right, product}], rest, total, isRounded}. */
export function sumTexts(value, list, rest) {
  const numbers = [...list, ...(rest ? [rest] : [])].map(({product}) => product);
  const totals = totalsOf(value, Math.max(...numbers.map(Math.abs)));
  const agreed = firstOf(DEPTHS.length, (at) => {
    const [finer, more] = DEPTHS[at];
    const total = totals[finer];
    const parts = partsFor(numbers, total, more);
    const factors = parts && (alignedFactors(list, parts) ?? factorsFor(list, parts));
    return factors && {total, parts, factors, isRounded: false};
  });
  const {total, parts, factors, isRounded} = agreed ?? roundedSum(totals[0], numbers, list);
  const terms = factors.map(([left, right], at) => ({left: left.text, right: right?.text ?? '', product: parts[at].text}));
  return {terms, rest: rest && parts.at(-1).text, total: total.text, isRounded};
}

function roundedSum(total, numbers, list) {
  const factors = list.map(({left, right, isBias}) => (isBias ? [left] : [left, right]).map((x) => rounded(x)));
  return {total, parts: numbers.map((x) => rounded(x)), factors, isRounded: true};
}

/** With exactly so many decimals, whatever the size. */
function fixed(x, decimals) {
  if (!Number.isFinite(x) || x === 0) return rounded(x);
  const value = Number(x.toFixed(decimals));
  const n = Math.max(1, exponentOf(value) + 1 + decimals);
  return {...rounded(value, Math.abs(value) < 1e-3 ? n + 1 : n, decimals), value};
}

/**
 * The scores of a row and their distances to the largest, [score, distance] each: the printed scores less the printed
 * largest one, with the decimals from which exp makes the printed shares; null where none do.
 */
const scoresFor = (list, shares) =>
  firstOf(7, (more) => {
    const decimals = 2 + more;
    const rows = list.map(({left, right}) => {
      const [score, highest] = [fixed(left, decimals), fixed(right, decimals)];
      return [score, fixed(left === right ? 0 : score.value - highest.value, decimals)];
    });
    const isTrue = rows.every(([, distance], at) => gives(Math.exp(distance.value), shares[at]));
    return isTrue ? rows : null;
  });

/**
 * A row of softmax, printed: {terms: [{left, right, product}], rest, own, total, value, isRounded}; right is the
 * distance to the largest score. `least` decimals at least in the value.
 */
export function shareTexts(cell, list, rest, least) {
  if (cell.facts.isBlocked) {
    const text = (x) => rounded(Number.isNaN(x) ? -Infinity : x).text;
    const terms = list.map(({left, right, product}) => ({left: text(left), right: text(left - right || 0), product: text(product)}));
    return {terms, rest: rest && '0', value: '0', isRounded: false};
  }
  const numbers = [...list, ...(rest ? [rest] : [])].map(({product}) => product);
  const [ownProduct, total] = [cell.terms[cell.own].product, cell.facts.total];
  const agreed = firstOf(FINER * (MOST - LEAST), (at) => {
    const [more, finer] = [Math.floor(at / FINER), at % FINER];
    const value = rounded(cell.value, LEAST + finer, least + finer);
    const [share, all] = [ownProduct, total].map((x) => rounded(x, LEAST + more));
    if (!gives(share.value / all.value, value)) return null;
    const print = (x, decimals, index) => (list[index]?.isOwn ? share : aligned(x, decimals));
    const parts = firstOf(3, (deeper) => partsFor(numbers, all, deeper, print));
    const scores = parts && scoresFor(list, parts);
    return scores && {value, share, all, parts, scores, isRounded: share.value > 0 && value.value === 0}; // float32 has no number so small
  });
  const {value, share, all, parts, scores, isRounded} = agreed ?? roundedShares(cell, list, numbers, least);
  const terms = scores.map(([score, distance], at) => ({left: score.text, right: distance.text, product: parts[at].text}));
  return {terms, rest: rest && parts.at(-1).text, own: share.text, total: all.text, value: value.text, isRounded};
}

function roundedShares(cell, list, numbers, least) {
  const [share, all] = [cell.terms[cell.own].product, cell.facts.total].map((x) => rounded(x));
  const scores = list.map(({left, right}) => [left, left - right].map((x) => rounded(x)));
  const parts = numbers.map((x) => rounded(x));
  return {value: rounded(cell.value, LEAST, least), share, all, parts, scores, isRounded: true};
}
