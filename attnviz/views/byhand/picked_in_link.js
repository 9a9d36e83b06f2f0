// A sheet as the link holds it: its sizes and switches, every number that is shown, its words, the cell that is picked,
// and whether the presenter's view is open.

import {written} from './arithmetic.js';
import {LAST_SEED, MOST_WORDS, WIDTHS, WORDS, begun, numberOf, numbersIn, sizeIn, withNumbers, wordOf} from './sheet.js';

/** The cell that is picked where nobody picked one. */
export const TELLING = {m: 'S', row: 1, column: 4};
const SWITCHES = {mask: 'isMasked', positions: 'hasPositions', out: 'hasOutput', undivided: 'isDivided'};
const PARTS = ['1', '2', 'out'];
const CELL = /^(E|P|X|W[QKVO]|[QKVSDAOCY])_([1-9])_([1-9])_(1|2|out)$/;

/**
 * The matrices of numbers that are shown, in order: of the words, of each head, of the output.
 * @returns {[string, number][]}
 */
function shownIn({count, hasPositions, hasOutput}) {
  const weights = Array.from({length: count}, (_, head) => ['WQ', 'WK', 'WV'].map((m) => [m, head])).flat();
  return /** @type {[string, number][]} */ ([['E', 0], ...(hasPositions ? [['P', 0]] : []), ...weights, ...(hasOutput ? [['WO', 0]] : [])]);
}

export function toLink({sheet, at, part, isPresented = false}) {
  const {n, d, count, seed} = sheet;
  const switched = Object.entries(SWITCHES).filter(([word, name]) => sheet[name] === (word !== 'undivided')).map(([word]) => word);
  const numbers = shownIn(sheet).map(([m, head]) => {
    const [rows, columns] = sizeIn(sheet, m);
    return Array.from({length: rows}, (_, row) => numbersIn(sheet, m, head)[m === 'WO' ? 4 * Math.floor(row / d) + (row % d) : row].slice(0, columns)).flat().map(short).join('_');
  });
  return {
    present: isPresented,
    hand: [`${n}x${d}`, `${count}`, `seed${seed}`, ...switched].join('_'),
    numbers: numbers.join('*'),
    named: sheet.words.slice(0, n).map((word) => word.replace(/[%|]/g, encodeURIComponent)).join('|'),
    pick: `${at.m}_${at.row + 1}_${at.column + 1}_${PARTS[part]}`,
  };
}

/** What an opened link says; what it says wrongly is left out. @param {Record<string, any>} link */
export function fromLink({present: isPresented = false, ...said}, header) {
  return {picked: {...sheetIn(said, header), isPresented}};
}

/** @param {Record<string, string>} link */
function sheetIn({hand = '', numbers = '', named = '', pick = ''}, header) {
  const words = header.sentences[0];
  const sizes = /^([2-6])x([2-4])_([12])_seed([0-9]{1,4})((?:_[a-z]{3,9}){0,4})$/.exec(hand);
  if (!sizes) return {};
  const [n, d, count, seed] = sizes.slice(1, 5).map(Number);
  if (!WORDS.includes(n) || !WIDTHS.includes(d) || seed < 1 || seed > LAST_SEED) return {};
  const said = sizes[5].split('_');
  const switches = Object.fromEntries(Object.entries(SWITCHES).map(([word, name]) => [name, said.includes(word) !== (word === 'undivided')]));
  const first = begun(namedIn(named, words, n), {n, d, count, seed, ...switches, hasOutput: switches.hasOutput || count > 1});
  const sheet = numbered(first, numbers);
  const cell = CELL.exec(pick);
  const at = cell ? {m: cell[1], row: Number(cell[2]) - 1, column: Number(cell[3]) - 1} : TELLING;
  return {sheet, at, part: cell ? PARTS.indexOf(cell[4]) : 0};
}

/** The sheet with the numbers of a link, all of them or none. */
function numbered(sheet, said) {
  const shown = shownIn(sheet);
  const groups = said.split('*').map((group) => group.split('_').map(numberOf));
  const isWhole = groups.length === shown.length && groups.every((numbers, at) => {
    const [rows, columns] = sizeIn(sheet, shown[at][0]);
    return numbers.length === rows * columns && !numbers.includes(null);
  });
  if (!isWhole) return sheet;
  return shown.reduce((made, [m, head], at) => {
    const [rows, columns] = sizeIn(sheet, m);
    const block = Array.from({length: rows}, (_, row) => groups[at].slice(row * columns, (row + 1) * columns));
    return withNumbers(made, m, head, 0, 0, block);
  }, sheet);
}

function namedIn(said, words, n) {
  const given = said.split('|').map((word) => wordOf(word.replace(/%25|%7C/g, decodeURIComponent)));
  return given.length === n && given.every(Boolean) ? [...given, ...words.slice(n)].slice(0, MOST_WORDS) : words;
}

const short = (x) => written(x, 2).replace('\u2212', '-').replace(/\.?0+$/, '');
