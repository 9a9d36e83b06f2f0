// How many digits the numbers of one sum need, so that whoever types them into a calculator gets what is printed. No DOM.

import {fmt, rounded} from '../kit/number.js';

const LEAST = 3; // significant digits
const MOST = 9; // of a float32

/** Whether a result is what is printed, or one off in the last digit. */
const isNear = (x, {value, unit}) => x === value || Math.abs(x - value) <= unit * (1 + 1e-6);

const sum = (numbers) => numbers.reduce((total, x) => total + x, 0);
const exponentOf = (x) => (x === 0 ? -Infinity : Math.floor(Math.log10(Math.abs(x))));

/** The numbers that go in, with the fewest digits from which `f` makes what is printed. */
function inputsFor(numbers, printed, f) {
  for (let n = LEAST; n < MOST; n++) {
    const inputs = numbers.map((x) => rounded(x, n));
    if (isNear(f(...inputs.map(({value}) => value)), printed)) return inputs;
  }
  return numbers.map((x) => rounded(x, MOST));
}

/** {inputs, result}, all printed: f(…inputs) is the result. `least` decimals at least in the result. */
export function agreeing(numbers, value, f, least = 2) {
  const result = rounded(value, LEAST, least);
  return {inputs: inputsFor(numbers, result, f), result};
}

/** What a sum comes to; where its parts cancel out, with no more digits than four of the largest part. */
function totalOf(value, largest) {
  const finest = 10 ** (exponentOf(largest) - 3);
  const tried = [LEAST, 2, 1].map((n) => rounded(value, n, 2));
  return tried.find(({unit}) => unit >= finest * (1 - 1e-9)) ?? tried.at(-1);
}

/** A part of a sum with so many decimals; one that would keep only a digit of itself there has its own digits. */
function aligned(x, decimals, own = LEAST) {
  const n = exponentOf(x) + 1 + decimals;
  if (n < 2 || !Number.isFinite(x)) return rounded(x, own);
  return rounded(x, Math.abs(x) < 1e-3 ? n + 1 : n, decimals);
}

/** The parts of a sum as `print(part, decimals)` has them, with as many decimals as give the printed total. */
function partsOf(numbers, total, print) {
  const first = Math.max(0, Math.round(-Math.log10(total.unit)));
  for (let decimals = first; decimals < first + 4; decimals++) {
    const parts = numbers.map((x, at) => print(x, decimals, at));
    if (decimals === first + 3 || isNear(sum(parts.map(({value}) => value)), total)) return parts;
  }
}

/** A sum of products, printed: {terms: [{left, right, product}], rest, total}. */
export function sumTexts(value, list, rest) {
  const numbers = [...list, ...(rest ? [rest] : [])].map(({product}) => product);
  const total = totalOf(value, Math.max(...numbers.map(Math.abs)));
  const parts = partsOf(numbers, total, (x, decimals) => aligned(x, decimals));
  const terms = list.map(({left, right, isBias}, at) => {
    const product = parts[at];
    if (isBias) return {left: product.text, right: '', product: product.text};
    const [a, b] = inputsFor([left, right], product, (x, y) => x * y);
    return {left: a.text, right: b.text, product: product.text};
  });
  return {terms, rest: rest && parts.at(-1).text, total: total.text};
}

/** The scores of a row and their distances to the largest, with the decimals from which exp makes what is printed. */
function scoresFor(list, parts) {
  for (let decimals = 2; ; decimals++) {
    const print = (x) => (x === 0 ? rounded(0) : fixed(x, decimals));
    const distances = list.map(({left, right}) => print(left - right));
    const isTrue = distances.every(({value}, at) => !Number.isFinite(value) || isNear(Math.exp(value), parts[at]));
    if (isTrue || decimals === 7) return list.map(({left}, at) => [print(left), distances[at]]);
  }
}

/** The same in little room: two digits of its own, and no exponent. */
const tight = (x, decimals) => (Math.abs(x) < 1e-3 ? fixed(x, decimals) : aligned(x, decimals, 2));

/** With exactly so many decimals. */
function fixed(x, decimals) {
  const n = exponentOf(x) + 1 + decimals;
  if (Number.isFinite(x) && n < 1) return {text: fmt(x, decimals), value: 0, unit: 10 ** -decimals};
  return rounded(x, Math.abs(x) < 1e-3 ? n + 1 : n, decimals);
}

/**
 * A row of softmax, printed: {terms: [{left, right, product}], rest, own, total, value}; right is the distance to the
 * largest score. `isTight` gives the small shares no exponent, except the one that is divided.
 */
export function shareTexts(cell, list, rest, {least, isTight}) {
  const {isBlocked} = cell.facts;
  const own = cell.terms[cell.own].product;
  const {inputs, result} = agreeing([own, cell.facts.total], cell.value, (a, b) => a / b, least);
  const [ownText, total] = isBlocked ? [rounded(0), rounded(0)] : inputs;
  const print = (x, decimals, at) => (list[at]?.isOwn ? ownText : isTight ? tight(x, decimals) : aligned(x, decimals));
  const numbers = [...list, ...(rest ? [rest] : [])].map(({product}) => product);
  const parts = partsOf(numbers, total, print);
  const terms = scoresFor(list, parts).map(([score, distance], at) => ({
    left: score.text,
    right: distance.text,
    product: parts[at].text,
  }));
  const others = rest && parts.at(-1).text;
  if (isBlocked) return {terms, rest: others, value: '0'};
  return {terms, rest: others, own: ownText.text, total: total.text, value: result.text};
}
