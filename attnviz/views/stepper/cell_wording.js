// What the strip says about a cell, in words and in numbers: for the eye, and as one sentence for a screen reader.

import {el} from '../kit/dom.js';
import {pct} from '../kit/number.js';
import {fill, fillText} from '../kit/words.js';
import {cut, nameNodes, roleClass, writesOf} from './names.js';

const plain = (name) => name.replaceAll('_', '');

const NAME = 20; // characters of a token in the strip

/** The cell's two names and the sentence they stand in. */
function namesOf({result}, i, j) {
  const isPair = result.columns.kind === 'token' || result.columns.labels !== null;
  const id = isPair ? 'view-stepper-of-pair' : 'view-stepper-of-number';
  return {id, isPair, row: result.rows.name(i), column: result.columns.name(j)};
}

/** A cell by its names, each of so many characters at most: "want → not". */
export function cellName(step, i, j, say, most = Infinity) {
  const {id, row, column} = namesOf(step, i, j);
  return fillText(say(id), {name: plain(step.result.name), row: cut(row, most), column: cut(column, most)});
}

/** What the row of a cell writes next, in words; "" where it writes nothing. */
export function writesText({result: {rows}}, i, say) {
  const next = writesOf(rows, i, NAME);
  return next && fillText(say('view-stepper-writes'), {token: cut(rows.name(i), NAME), next});
}

const short = (name) => el('bdi', {title: name}, cut(name, NAME));

/** Whose number it is: {nodes, sub, text}. */
export function headOf(step, cell, i, j, say) {
  const {result} = step;
  const {id, isPair, row, column} = namesOf(step, i, j);
  const name = el('b', {class: roleClass(result)}, ...nameNodes(result.name));
  const values = {name, row: short(row), column: isPair ? short(column) : column};
  return {
    nodes: [fill(document, say(id), values)],
    text: cellName(step, i, j, say),
    sub: subOf(step, cell, say),
  };
}

export function subOf(step, cell, say) {
  const n = cell.terms.filter((term) => !term.isBias).length + (cell.rest?.count ?? 0);
  if (cell.form === 'sum') return fillText(say(step.bias ? 'view-stepper-sub-biased' : 'view-stepper-sub-sum'), {n});
  if (cell.form === 'shares') return say(cell.facts.isBlocked ? 'view-stepper-sub-blocked' : 'view-stepper-sub-shares');
  if (step.extras?.count) return leftOf(step, cell, say);
  if (cell.value === -Infinity) return say('view-stepper-sub-hidden');
  if (cell.facts?.pair !== undefined) return fillText(say('view-stepper-sub-rotate'), pairOf(cell));
  if (step.rule === 'scale') return scaleOf(step, say);
  return say(`view-stepper-sub-${SUBS[step.rule] ?? 'copied'}`);
}

/** What a cell was divided by, as its formula says it, or multiplied with. */
function scaleOf({factors}, say) {
  const symbols = Object.keys(factors);
  if (symbols.join() === '1') return say('view-stepper-sub-undivided');
  if (!symbols.every((symbol) => symbol.startsWith('1/'))) return say('view-stepper-sub-scale');
  const by = symbols.map((symbol) => symbol.slice(2).replace('d_k', 'dₖ')).join(' · ');
  return fillText(say('view-stepper-sub-divided'), {by});
}

/** Whether a word is left to be drawn from, and how many are in its row. */
function leftOf({extras}, cell, say) {
  const {row} = cell.terms[0].at[0];
  const [n, together] = [extras.count, extras.together].map((matrix) => matrix.at(row, 0));
  const id = cell.value === -Infinity ? 'view-stepper-sub-left-out' : 'view-stepper-sub-kept';
  return fillText(say(id), {n: n.toLocaleString('en'), share: pct(together)});
}

/** Which pair a rotated number is of, from 0 as in the formula, and the two numbers of it, from 1 as they are drawn. */
function pairOf({terms, facts: {pair}}) {
  const [first, second] = terms.map(({at: [{column}]}) => column + 1).sort((a, b) => a - b);
  return {pair, first, second};
}

const SUBS = {
  add: 'add',
  mask: 'mask',
  cap: 'cap',
  'norm row': 'norm',
  'rms row': 'rms',
  rotate: 'rotate',
  times: 'times',
  activation: 'activation',
  position: 'position',
  lookup: 'lookup',
};

/**
 * The sentence of a cell: what a sighted reader sees, read aloud, with the very numbers that are printed; `more` is what
 * else is said in words, such as what the part of the row that is not drawn holds.
 */
export function sentenceOf(head, cell, texts, more, say) {
  const value = cell.form === 'sum' ? texts.total : texts.value;
  const said = say(head.sub ? 'view-stepper-said-so' : 'view-stepper-said');
  const parts = [fillText(said, {cell: head.text, value, sub: head.sub})];
  if (texts.largest) {
    const {term, product} = texts.largest;
    parts.push(fillText(say('view-stepper-said-largest'), {place: termPlace(term, say), product}));
  }
  if (cell.form === 'shares' && !cell.facts.isBlocked) parts.push(fillText(say('view-stepper-said-share'), texts));
  for (const text of more.filter(Boolean)) parts.push(fillText(say('view-stepper-said-more'), {text}));
  return parts.join(' ');
}

/** Decimals that the result of a step has at least. */
export const valueDigits = (step) => (step.result.kind === 'weights' ? 3 : 2);

/** What a term is called: the token, the number of the feature, or that it is the bias. */
export function termPlace(term, say) {
  if (term.isBias) return say('view-stepper-bias');
  if (term.isSink) return say('view-stepper-sink');
  return term.axis ? term.axis.name(term.index) : '';
}

/** The sign before a result: another one where no digits make the printed numbers agree. */
export const equals = (isRounded) => (isRounded ? '≈' : '=');

/**
 * What the terms come to, as pieces: {tag, kind, text, size}; size is that of the type, of 1.
 * @param {{own?: string, total?: string, value?: string, isRounded?: boolean}} texts
 */
export function totalPieces({own, total, value, isRounded = false}) {
  const equal = equals(isRounded);
  if (value === undefined) return [piece('span', 'eq', equal), piece('b', null, total)];
  if (own === undefined) return [piece('span', 'eq', equal), piece('b', null, value)];
  return [piece('span', 'eq share', `${own} ÷ ${total} ${equal}`, 0.82), piece('b', null, value)];
}

const piece = (tag, kind, text, size = 1) => ({tag, kind, text, size});
