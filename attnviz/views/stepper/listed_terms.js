// Which terms of a long sum are listed: those whose numbers are drawn, or the largest; the others as one. And what of a
// row is not drawn. No DOM.

import {precise, sum} from '../kit/number.js';
import {fillText} from '../kit/words.js';
import {cellOf} from './cell_arithmetic.js';
import {shareTexts, sumTexts} from './digits.js';

const TERM = 47; // px a term needs at least, at k = 1
const REST = 80; // px of the words for what is not listed
const SPARE = 7; // px between two numbers
const WIDTHS = {'.': 3.6, '⁻': 4.8}; // px of a character at 12 px, where it is no full digit
const RAISED = /[⁰¹²³⁴⁵⁶⁷⁸⁹]/u;

/** How wide a number is, in px at k = 1. */
export const digitsWidth = (text, size = 12) =>
  ([...text].reduce((all, c) => all + (WIDTHS[c] ?? (RAISED.test(c) ? 4.8 : 7.4)), 0) * size) / 12;
const termWidth = (texts) => Math.max(TERM, ...Object.values(texts).map((text) => digitsWidth(text) + SPARE));

/**
 * The terms of a cell that fit with their numbers written out, in `width` px at k = 1.
 * Args: `beside(texts)`, px that what stands after them takes; `least`, decimals of the result.
 * Returns {list, rest, texts, widths, isOver}: `texts` as digits.js has them; `isOver` where even the fewest do not fit.
 */
export function fittedTerms(cell, {shown, width, least, beside}) {
  for (let room = Math.max(3, Math.floor(width / TERM)); ; room--) {
    const {list, rest} = listedTerms(cell, {shown, room});
    const texts = cell.form === 'sum' ? sumTexts(cell.value, list, rest) : shareTexts(cell, list, rest, least);
    const widths = [...texts.terms.map(termWidth), ...(rest ? [Math.max(REST, digitsWidth(texts.rest) + SPARE)] : [])];
    const isOver = sum(widths) + beside(texts) > width;
    if (!isOver || room <= 3) return {list, rest, texts, widths, isOver};
  }
}

/**
 * Args: `shown`, the places that are drawn (null where all are); `room`, how many terms fit.
 * Returns {list, rest}: terms in their own order, and {count, product} of all others, null where none is left out.
 */
export function listedTerms(cell, {shown, room}) {
  const ownTerm = cell.form === 'shares' ? cell.terms[cell.own] : null;
  const highest = ownTerm && cell.terms.find(({left, right}) => left === right); // from which all distances are taken
  const masked = ownTerm ? cell.terms.filter(({left}) => left === -Infinity) : []; // one alone is a word that somebody hid
  const isFixed = (term) => term.isBias || term.isSink || term === ownTerm || term === highest || (masked.length === 1 && term === masked[0]);
  let list = cell.terms.filter((term) => isFixed(term) || !shown || shown.includes(term.index));
  const needsRest = list.length < cell.terms.length || cell.rest;
  const most = needsRest || list.length > room ? room - 1 : room;
  if (list.length > most) {
    const free = list.filter((term) => !isFixed(term)).sort((a, b) => Math.abs(b.product) - Math.abs(a.product));
    const kept = new Set(free.slice(0, Math.max(1, most - list.filter(isFixed).length)));
    list = list.filter((term) => isFixed(term) || kept.has(term));
  }
  const listed = new Set(list);
  const others = cell.terms.filter((term) => !listed.has(term));
  const count = others.length + (cell.rest?.count ?? 0);
  const product = sum(others.map((term) => term.product)) + (cell.rest?.product ?? 0);
  return {list: list.map((term) => ({...term, isOwn: term === ownTerm})), rest: count ? {count, product} : null};
}

/**
 * What the columns of a row that are not drawn hold together: {count, share}; null where a step has no such number.
 * `drawn` are the columns that are, null where all of them are.
 */
export function restOf(step, row, drawn) {
  if (step.rule !== 'softmax row' || !drawn) return null;
  const {terms, rest, facts} = cellOf(step, row, step.result.columns.start);
  const others = terms.filter(({axis, index}) => axis && !drawn.includes(index));
  const product = (rest?.product ?? 0) + sum(others.map((term) => term.product));
  return {count: others.length + (rest?.count ?? 0), share: facts.total > 0 ? product / facts.total : 0};
}

/** The same in words: "31 not drawn: 0.18"; nothing where there is none. */
export function restText(step, row, drawn, say) {
  const rest = restOf(step, row, drawn);
  return rest ? fillText(say('view-stepper-rest-share'), {n: rest.count, value: precise(rest.share)}) : '';
}
