// The line under the matrices: the picked cell written out, every number as it is printed in its matrix.

import {el} from '../kit/dom.js';
import {fill, fillText} from '../kit/words.js';
import {HUNDRED, isDivisionExact, rootOf, texts, unrounded, weightWrittenOut, written, writtenOut} from './arithmetic.js';
import {colourOfName, nameNodes} from './names.js';

const MADE = {Q: 'view-byhand-made-q', K: 'view-byhand-made-k', V: 'view-byhand-made-v'};
const FOLLOWS = {E: 'view-byhand-follows-x', P: 'view-byhand-follows-x', X: 'view-byhand-follows-x', WQ: 'view-byhand-follows-scores', WK: 'view-byhand-follows-scores', WV: 'view-byhand-follows-output', WO: 'view-byhand-follows-last'};
const MANY = 5; // columns, beyond which a room reads smaller digits
const LETTERS = {X: 'x', WQ: 'w', WK: 'w', WV: 'w', Q: 'q', KT: 'k', V: 'v', WO: 'w', C: 'z'};

/** @returns {{who: string | Node[], sub: (string | Node)[], terms: Node[], before: string, result: string, notes: string[], colour: string}} */
export function wordsOf({sheet, all, part, isTyped, say}, at) {
  const {m, row, column} = at;
  const filled = (id, values = {}) => fillText(say(id), values);
  const word = sheet.words[row];
  const n = String(column + 1);
  const head = Math.min(part, sheet.count - 1);
  if (isTyped) return typed({sheet, all, head, say, filled}, at);
  if (m === 'X') {
    const [left, right, result] = ['E', 'P', 'X'].map((name) => texts(name, all[name])[row][column]);
    return {who: filled('view-byhand-sum-of', {word, n}), sub: [say('view-byhand-sum-from')], terms: line(left, '+', right), before: '', result, notes: [say('view-byhand-exact')], colour: colourOfName(m)};
  }
  if (m === 'C') {
    const of = Math.floor(column / sheet.d);
    const result = texts('C', all.C)[row][column];
    return {who: filled('view-byhand-output-of', {word, n: (column % sheet.d) + 1}), sub: [filled('view-byhand-beside', {head: of + 1})], terms: [], before: '', result, notes: [], colour: colourOfName(m)};
  }
  if (m === 'D') return divided({sheet, all, head, say, filled}, at);
  if (m === 'A') return weight({sheet, all, head, say, filled}, at);
  const cell = writtenOut(all, head, at);
  const {left, right} = cell;
  const labels = m === 'O' || m === 'S' || m === 'C' ? sheet.words : null;
  const label = (name) => (name === 'A' ? say('view-byhand-weight-short') : LETTERS[name]);
  const terms = table(cell.terms, [label(left), `× ${label(right)}`, say('view-byhand-product')], m === 'O' ? labels : null, [colourOfName(left), colourOfName(right)]);
  const notes = [cell.isExact ? say('view-byhand-exact') : filled('view-byhand-rounded-from', {total: cell.total}), ...(m === 'O' || m === 'Y' ? [against(sheet, all, head, at, filled)] : [])];
  const matrix = el('span', {}, ...nameNodes(right, sheet, say));
  const from = {Q: 'view-byhand-made-from', K: 'view-byhand-made-from', V: 'view-byhand-made-from', S: 'view-byhand-score-from', O: 'view-byhand-output-from', Y: 'view-byhand-last-from'}[m];
  const who = MADE[m] ? filled(MADE[m], {word, n}) : m === 'S' ? filled('view-byhand-asks', {query: word, key: sheet.words[column]}) : m === 'O' ? filled('view-byhand-output-of', {word, n}) : filled('view-byhand-last-of', {word, n});
  return {who, sub: [fill(document, say(from), {word, n, matrix})], terms, before: '', result: cell.result, notes, colour: colourOfName(m)};
}

/** What the number would be with nothing rounded on the way, in as many decimals as show it. */
function against(sheet, all, head, {m, row, column}, filled) {
  const exact = unrounded(sheet, all);
  const value = m === 'Y' ? exact.Y[row][column] : exact.O[head][row][column];
  const printed = (m === 'Y' ? all.Y : all.heads[head].O)[row][column];
  if (Math.round(Math.abs(value) * HUNDRED) === Math.abs(printed)) return filled('view-byhand-same');
  return filled('view-byhand-unrounded', {value: (value < 0 ? '\u2212' : '') + Math.abs(value).toFixed(3)});
}

function divided({sheet, all, head, say, filled}, {m, row, column}) {
  const {S, D} = all.heads[head];
  const [query, key] = [sheet.words[row], sheet.words[column]];
  const who = filled('view-byhand-score-of', {query, key});
  const root = shortest(rootOf(sheet.d));
  const common = {who, colour: colourOfName(m), before: ''};
  if (D[row][column] === null) return {...common, sub: [say('view-byhand-masked')], terms: [], result: '\u2212∞', notes: [say('view-byhand-masked-weight')]};
  const score = texts('S', S)[row][column];
  const result = texts('D', D)[row][column];
  if (!sheet.isDivided) return {...common, sub: [say('view-byhand-goes-on')], terms: line(score), result, notes: [say('view-byhand-exact')]};
  const isRoot = rootOf(sheet.d) % HUNDRED === 0;
  const note = isDivisionExact(sheet, all.heads[head], {row, column}) ? say('view-byhand-exact') : say('view-byhand-rounded');
  return {...common, sub: [filled(isRoot ? 'view-byhand-divided-by' : 'view-byhand-divided-about', {d: sheet.d, root})], terms: line(score, '÷', root), result, notes: [note]};
}

function weight({sheet, all, head, say, filled}, at) {
  const {row, column} = at;
  const [query, key] = [sheet.words[row], sheet.words[column]];
  const cell = weightWrittenOut(all, head, at);
  const labels = [say('view-byhand-score-short'), `− ${cell.most.startsWith('\u2212') ? `(${cell.most})` : cell.most}`, say('view-byhand-power')];
  const terms = [...table(cell.terms, labels, sheet.words, ['var(--ink-2)', 'var(--ink-2)'], column), sign('='), el('div', {class: 'term'}, el('i', {}, say('view-byhand-sum')), el('span', {}), el('span', {}), el('b', {}, cell.sum))];
  const notes = cell.isMasked ? [say('view-byhand-masked')] : [cell.isWhole ? say('view-byhand-row-whole') : filled('view-byhand-row-total', {total: cell.total})];
  return {who: filled('view-byhand-reads', {query, key}), sub: [filled('view-byhand-reads-from', {most: cell.most})], terms, before: cell.isMasked ? '' : `${cell.power} ÷ ${cell.sum}`, result: cell.isMasked ? '0' : cell.result, notes, colour: colourOfName('A')};
}

function typed({sheet, all, head, say, filled}, {m, row, column}) {
  const here = {...all, ...all.heads[head]};
  const result = texts(m, here[m])[row][column];
  const name = el('span', {}, ...nameNodes(m, sheet, say));
  const word = sheet.words[row];
  const made = filled(FOLLOWS[m], {word, n: column + 1, letter: m[1] ?? '', row: row + 1});
  return {who: [fill(document, say('view-byhand-place'), {matrix: name, row: row + 1, column: column + 1})], sub: [say('view-byhand-yours')], terms: [el('p', {class: 'follows'}, made)], before: '', result, notes: [], colour: colourOfName(m)};
}

/** 2.00 as 2, 1.41 as it is. */
const shortest = (x) => written(x, x % HUNDRED === 0 ? 0 : 2);

/** One line: numbers that were read, and the signs between them. */
const line = (left, by = '', right = '') => [el('p', {class: 'line'}, el('span', {class: 'left'}, left), by && el('em', {}, by), right && el('span', {class: 'right'}, right))];

const sign = (text) => el('div', {class: 'term sign'}, el('i', {}), el('span', {}), el('span', {}), el('b', {}, text));

/** Factors over each other, a line, and their products, with the signs between them. */
function table(terms, labels, names, [left, right], own = -1) {
  const lead = el('div', {class: 'term lead'}, el('i', {}), ...labels.slice(0, 2).map((text) => el('span', {}, text)), el('b', {}, labels[2]));
  const columns = terms.flatMap((term, at) => {
    const numbers = [el('span', {class: 'left'}, term.left), el('span', {class: 'right'}, term.right)];
    numbers[0].style.color = left;
    numbers[1].style.color = right;
    const column = el('div', {class: at === own ? 'term own' : 'term'}, el('i', {}, names ? names[at] : String(at + 1)), ...numbers, el('b', {}, term.product));
    return at ? [sign('+'), column] : [column];
  });
  return [lead, ...columns];
}

/** Put it on the strip. */
export function showStrip(box, state, at) {
  const {who, sub, terms, before, result, notes, colour} = wordsOf(state, at);
  const name = el('b', {}, ...[who].flat());
  name.style.color = colour;
  const made = el('div', {class: 'made'}, el('p', {}, before && el('span', {class: 'before'}, before), el('em', {}, '='), el('strong', {}, result)), ...notes.map((note) => el('small', {}, note)));
  if (state.isTyped || at.m === 'C') made.querySelector('em').remove();
  const sum = el('div', {class: 'terms'}, ...terms);
  sum.classList.toggle('many', terms.length > 2 * MANY); // with the signs between them
  box.replaceChildren(el('div', {class: 'whose'}, name, el('span', {}, ...sub)), sum, made);
}

/** The sentence that is read aloud for a cell. */
export function spoken(state, at) {
  const {who, before, result, notes} = wordsOf(state, at);
  const name = [who].flat().map((part) => (typeof part === 'string' ? part : part.textContent)).join('');
  const value = `${before ? `${before} = ` : ''}${result}`;
  return name + state.say('view-byhand-colon') + [value, ...notes, ''].join(state.say('view-byhand-stop')).trim();
}
