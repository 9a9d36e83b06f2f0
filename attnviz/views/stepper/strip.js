// The strip: the picked cell written out. Sums as terms with bars for their products, the rest as one line.

import {el} from '../kit/dom.js';
import {fmt, precise} from '../kit/number.js';
import {fillText} from '../kit/words.js';
import {lineOf} from './line.js';
import {nameNodes, roleClass} from './names.js';
import {listedTerms} from './terms.js';
import {cellName, headOf, strip as written} from './wording.js';

const TERM = 47; // px a term needs at least, at k = 1
const JUDGED = 285; // px of the column that names a wrong guess and the answer
const NARROW = 600; // px below which the strip takes two lines
const EXPONENT = 60; // px a term needs for a number with an exponent
const SHARES = ['s', '− max', 'exp']; // what a softmax row does to each score
const TALL = {mixed: [17, 11], positive: [28, 0]}; // px of the longest bar up and down

export class Strip {
  /** `heard(term)` is told which term is pointed at, null for none. */
  constructor(box, {say, signal, heard}) {
    Object.assign(this, {box, say, listed: []});
    const termAt = (event) => event.target.closest?.('.term');
    box.addEventListener('pointerover', (event) => this.point(termAt(event), heard), {signal});
    box.addEventListener('pointerleave', () => this.point(null, heard), {signal});
    box.addEventListener('focusin', (event) => this.point(termAt(event), heard), {signal});
    box.addEventListener('focusout', () => this.point(null, heard), {signal});
  }

  /** `shown` are the places of the inner axis that are drawn, null where all are. */
  show(step, cell, {i, j, k, shown, verdict = null, show = null}) {
    Object.assign(this, {step, cell});
    const head = headOf(step, cell, i, j, this.say);
    if (verdict) head.sub = '';
    const what = el(
      'div',
      {class: 'what'},
      el('div', {class: 'whose'}, ...head.nodes),
      el('div', {class: 'sub'}, head.sub),
    );
    if (verdict) what.append(...this.verdict(verdict, step, i, j, show));
    const isJudged = verdict !== null && !verdict.isRight; // two cells are then named: a wider column
    const isTerms = cell.form === 'sum' || cell.form === 'shares';
    const isNarrow = this.box.clientWidth < NARROW * k; // the terms then have a line of their own
    this.box.classList.toggle('narrow', isNarrow);
    if (isJudged && !isNarrow) sized(what, {width: JUDGED * k});
    const beside = (isNarrow ? 50 : isJudged ? 162 + JUDGED : 300) * k;
    const room = Math.max(3, Math.floor((this.box.clientWidth - beside) / (TERM * k)));
    const body = isTerms ? this.terms(step, cell, {k, shown, room}) : [lineOf(step, cell, this.say)];
    this.box.replaceChildren(what, ...body);
    const said = written(head, cell, step, this.say);
    return verdict ? `${this.judged(verdict, step)} ${said}` : said;
  }

  /** Whether the guess was right; of a wrong one, its arithmetic or that of the right cell. */
  verdict({guess, answer, isRight}, step, i, j, show) {
    const {say} = this;
    const line = el('div', {class: 'verdict'}, say(isRight ? 'view-stepper-guess-right' : 'view-stepper-guess-wrong'));
    if (isRight) return [line];
    const button = (id, [row, column]) => {
      const value = precise(step.result.at(row, column));
      const cell = cellName(step, row, column, say);
      const facts = {type: 'button', 'aria-pressed': row === i && column === j, click: () => show([row, column])};
      return el('button', facts, fillText(say(id), {cell, value}));
    };
    const yours = button('view-stepper-guess-yours', guess);
    return [line, el('div', {class: 'segments tall'}, yours, button('view-stepper-guess-answer', answer))];
  }

  /** The same for a screen reader: both cells by name, with their numbers. */
  judged({guess, answer, isRight}, step) {
    const {say} = this;
    if (isRight) return say('view-stepper-guess-right');
    const [guessed, answered] = [guess, answer].map(([i, j]) => precise(step.result.at(i, j)));
    const [yours, right] = [guess, answer].map(([i, j]) => cellName(step, i, j, say));
    const both = fillText(say('view-stepper-guess-said'), {guess: yours, guessed, answer: right, answered});
    return `${say('view-stepper-guess-wrong')} ${both}`;
  }

  /** A question instead of an answer. */
  ask(step, {text}) {
    const hint = this.say('view-stepper-guess-hint');
    this.box.replaceChildren(el('div', {class: 'question'}, el('p', {}, text), el('p', {class: 'sub'}, hint)));
    return `${text} ${hint}`;
  }

  terms(step, cell, {k, shown, room}) {
    const {list, rest} = listedTerms(cell, {shown, room});
    this.listed = list;
    const largest = Math.max(1e-12, ...list.map(({product}) => Math.abs(product)), Math.abs(rest?.product ?? 0));
    const isPositive = list.every(({product}) => product >= 0) && (rest?.product ?? 0) >= 0;
    const bars = {largest, isPositive, k, tall: isPositive ? TALL.positive : TALL.mixed};
    const digits = largest >= 100 ? 0 : largest < 0.1 && cell.form === 'sum' ? 3 : 2;
    const count = list.length + (rest ? 1 : 0);
    const isWide = (this.box.clientWidth - 420 * k) / count > EXPONENT * k; // else there is no room for 4.2×10⁻⁷
    const number = (x, places = 2) => {
      const fewer = Math.abs(x) >= 10 && count > 8 ? Math.min(places, 1) : places;
      return isWide ? precise(x, fewer) : fmt(x, fewer);
    };
    const nodes = list.map((term, at) => this.term(term, at, {bars, digits, number}));
    if (rest) nodes.push(this.rest(rest, {bars, digits, number}));
    const kind = `terms${isPositive ? ' positive' : ''}`;
    const [left, right, bottom] = this.signs(step, cell);
    return [
      el('div', {class: 'ops', 'aria-hidden': 'true'}, el('span'), left, right, el('span', {class: 'last'}, bottom)),
      sized(el('div', {class: kind}, ...nodes), {flexBasis: count * 66 * k}),
      el('div', {class: 'total'}, ...written.total(cell)),
    ];
  }

  /** What stands before the two rows of numbers: the names of the two operands. */
  signs(step, cell) {
    if (cell.form === 'shares') return [el('span', {}, SHARES[0]), el('span', {}, SHARES[1]), SHARES[2]];
    const [a, b] = [step.operands[0], step.operands[1] ?? step.operands[0]];
    const small = (matrix) => nameNodes(matrix.name.replace(/ᵀ$/, '').toLowerCase());
    return [el('span', {class: roleClass(a)}, ...small(a)), el('span', {class: roleClass(b)}, '× ', ...small(b)), ''];
  }

  term(term, at, {bars, digits, number}) {
    const [a, b] = this.step.operands;
    const isShares = this.cell.form === 'shares';
    const right = number(isShares ? term.left - term.right : term.right);
    return el(
      'div',
      {class: `term${term.isOwn ? ' hot' : ''}`, 'data-at': at},
      el('span', {class: 'place'}, written.place(term, this.say)),
      el('span', {class: roleClass(term.isBias ? b : a)}, number(term.left)),
      el('span', {class: isShares ? null : roleClass(b)}, term.isBias ? '' : right),
      el('span', {class: 'product'}, bar(term.product, bars), number(term.product, digits)),
    );
  }

  rest(rest, {bars, digits, number}) {
    const said = fillText(this.say('view-stepper-rest'), {n: rest.count});
    return el(
      'div',
      {class: 'term rest', title: said},
      el('span', {class: 'place'}, `+${rest.count}`),
      el('span', {}, '…'),
      el('span', {}, '…'),
      el('span', {class: 'product'}, bar(rest.product, bars), number(rest.product, digits)),
    );
  }

  point(node, heard) {
    const at = node?.dataset.at;
    const isShares = this.cell?.form === 'shares';
    for (const other of this.box.querySelectorAll('.term')) {
      other.classList.toggle('hot', node ? other === node : isShares && this.listed[other.dataset.at]?.isOwn === true);
    }
    heard(at === undefined ? null : this.listed[at]);
  }
}

/** A product as a bar from the line of zero. */
function bar(product, {largest, isPositive, k, tall}) {
  const share = Math.abs(product) / largest;
  const length = Math.max(1, share * tall[product < 0 ? 1 : 0] * k);
  const zero = (isPositive ? 17 : 30) * k;
  return sized(el('i', {class: product < 0 ? 'less' : 'more'}), {
    bottom: product < 0 ? zero - length : zero,
    height: length,
  });
}

/** Lengths in px, set one by one: a page that forbids inline styles allows that. */
function sized(node, lengths) {
  for (const [name, length] of Object.entries(lengths)) node.style[name] = `${length}px`;
  return node;
}
