// The sheet of numbers that a person types: its sizes, what is switched, and where its first numbers come from. It is a
// frozen value, always as large as it can get, so that a row that was taken away comes back as it was. No DOM.

import {HUNDRED, computed} from './arithmetic.js';

export const WORDS = [2, 3, 4, 5, 6];
export const WIDTHS = [2, 3, 4];
export const MOST_WORDS = 6;
const [MOST_WIDTH, MOST_HEADS] = [4, 2];
export const LARGEST = 9; // of a number that is typed
export const LAST_SEED = 9999;
export const LONGEST = 12; // characters of a word
const FIRST_SEED = 3;
const TRIES = 4000; // of a seed, for numbers that show something

/** A sheet with numbers of a seed. @param {string[]} words six of them */
export const begun = (words, changes = {}) =>
  seeded({n: 5, d: 4, count: 1, seed: FIRST_SEED, isMasked: false, isDivided: true, hasPositions: false, hasOutput: false, words, ...changes});

/** The same sheet with the numbers of its seed. */
export const seeded = (sheet) => ({...sheet, ...numbersOf(sheet.seed)});

/** Whether a sheet has the numbers of its seed, none of them typed. */
export function isOfSeed(sheet) {
  const {X, P, heads, WO} = numbersOf(sheet.seed);
  return [[X, sheet.X], [P, sheet.P], [heads, sheet.heads], [WO, sheet.WO]].every(([first, now]) => JSON.stringify(first) === JSON.stringify(now));
}

/** A generator of whole numbers below `n` (mulberry32, Tommy Ettinger). */
function generator(seed) {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * n);
  };
}

/** Small whole numbers of a seed, tried until the weights of five words of width 4 are neither even nor all in one place. */
function numbersOf(seed) {
  const below = generator(seed);
  const matrix = (rows, from) => Array.from({length: rows}, () => Array.from({length: MOST_WIDTH}, () => HUNDRED * from[below(from.length)]));
  const weights = () => Object.fromEntries(['WQ', 'WK', 'WV'].map((name) => [name, matrix(MOST_WIDTH, [-1, 0, 0, 1, 1])]));
  const tried = (X, make) => {
    let made = make();
    for (let left = TRIES; left && !shows(made.X ?? X, made.weights); left--) made = make();
    return made;
  };
  const {X, weights: first} = tried(null, () => ({X: matrix(MOST_WORDS, [-1, 0, 0, 1, 1, 2]), weights: weights()}));
  const {weights: second} = tried(X, () => ({weights: weights()}));
  let P = matrix(MOST_WORDS, [-1, 0, 0, 1]);
  for (let left = TRIES; left && !tells(X, P); left--) P = matrix(MOST_WORDS, [-1, 0, 0, 1]);
  return {X, P, heads: [first, second], WO: matrix(MOST_WIDTH * MOST_HEADS, [-1, 0, 0, 1])};
}

/** Whether no row of X + P is empty, and no two are equal. */
function tells(X, P) {
  const rows = X.map((row, i) => row.map((x, j) => x + P[i][j]));
  return rows.every((row) => row.some((x) => x)) && new Set(rows.map(String)).size === rows.length;
}

function shows(X, weights) {
  const {heads: [{S, A, V}]} = computed({n: 5, d: 4, count: 1, X, P: X, heads: [weights], isDivided: true});
  const sizes = S.flat().map(Math.abs);
  const most = Math.max(...sizes);
  const favourites = new Set(A.map((row) => row.indexOf(Math.max(...row))));
  return most <= 800 && most >= 500 && favourites.size >= 3 && Math.max(...A.flat()) < 90 && Math.max(...V.flat().map(Math.abs)) <= 400 && sizes.filter((x) => x === 0).length < 7 && X.every((row) => row.some((x) => x));
}

/** The numbers of a matrix of the sheet as they lie in it. @param {number} head */
export const numbersIn = (sheet, m, head) => (m === 'E' ? sheet.X : m === 'P' || m === 'WO' ? sheet[m] : sheet.heads[head][m]);

/** Where a cell that is shown lies: of W_O the rows of the second head come after four of the first. */
const placeIn = ({d}, m, row) => (m === 'WO' ? 4 * Math.floor(row / d) + (row % d) : row);

/** The sheet with a block of numbers in place of its own, from a cell on. @param {number[][]} block of hundredths */
export function withNumbers(sheet, m, head, row, column, block) {
  const matrix = numbersIn(sheet, m, head).map((line) => [...line]);
  block.forEach((line, i) => line.forEach((x, j) => (matrix[placeIn(sheet, m, row + i)][column + j] = x)));
  if (m === 'E') return {...sheet, X: matrix};
  if (m === 'P' || m === 'WO') return {...sheet, [m]: matrix};
  return {...sheet, heads: sheet.heads.map((weights, at) => (at === head ? {...weights, [m]: matrix} : weights))};
}

/** A word that was typed or that a link brought: one line of what can be seen, not too long; '' for none. */
export const wordOf = (typed) => [...typed.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim()].slice(0, LONGEST).join('').trim();

/** The sheet with these words from one on, as far as it has any; an empty one is what it was at first. @param {string[]} first */
export function withWords(sheet, row, typed, first) {
  const words = [...sheet.words];
  typed.slice(0, sheet.n - row).forEach((word, at) => (words[row + at] = wordOf(word) || first[row + at]));
  return words.every((word, at) => word === sheet.words[at]) ? sheet : {...sheet, words};
}

/** How many rows and columns of a matrix are shown. */
export const sizeIn = ({n, d, count}, m) => (m === 'E' || m === 'P' ? [n, d] : m === 'WO' ? [count * d, d] : [d, d]);

const NUMBER = /^[-+]?(?:\d{1,3}(?:\.\d{0,6})?|\.\d{1,6})$/;

/** A number that was typed, in hundredths; null for what is none of ours: from −9 to 9, with at most two decimals. */
export function numberOf(typed) {
  const text = typed.normalize('NFKC').replace(/[\u2010-\u2015\u2212\ufe63]/g, '-').trim();
  if (!NUMBER.test(text)) return null;
  const hundredths = Number(text) * HUNDRED;
  const whole = Math.round(hundredths);
  return Math.abs(whole - hundredths) < 1e-6 && Math.abs(whole) <= LARGEST * HUNDRED ? whole || 0 : null;
}

/**
 * What was copied from a spreadsheet: {block} of hundredths; else what is wrong with it, by the name of its sentence.
 * @param {number} rows that there is room for, and `columns`
 */
export function pasted(text, rows, columns) {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '').split('\n');
  const isTabbed = text.includes('\t');
  const cells = lines.map((line) => (isTabbed ? line.split('\t') : line.trim().split(/[\s,;]+/)));
  const block = cells.map((line) => line.map(numberOf));
  const wrong = cells.flat().find((_, at) => block.flat()[at] === null);
  if (wrong !== undefined) return {refused: 'number', wrong: wrong.trim().slice(0, LONGEST)};
  const width = Math.max(...block.map((line) => line.length));
  if (block.some((line) => line.length !== width)) return {refused: 'ragged'};
  return block.length > rows || width > columns ? {refused: 'room', size: `${block.length} × ${width}`, room: `${rows} × ${columns}`} : {block};
}
