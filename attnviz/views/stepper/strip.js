// The strip: the picked cell written out. Sums as terms with bars for their products, the rest as one line.

import {contextOf, el, listen, setLengths} from '../kit/dom.js';
import {sum} from '../kit/number.js';
import {rounded} from '../kit/rounded.js';
import {fillText} from '../kit/words.js';
import {lineOf} from './arithmetic_line.js';
import {cut, nameNodes, roleClass} from './names.js';
import {digitsWidth, fittedTerms, restText} from './listed_terms.js';
import {cellName, headOf, sentenceOf, termPlace, totalPieces, valueDigits, writesText} from './cell_wording.js';

const JUDGED = 285; // px of the column that names a wrong guess and the answer
const NARROW = 600; // px below which the strip takes two lines
const WHAT = 150; // px of the column that names the cell
const TOLD = 215; // px of that column where it has more than one line beside its name and rule
const AROUND = 90; // px of the gaps and of what stands before the numbers
const TOTAL = 21; // px of the total's type
const PRESSED = 10; // characters of a token on a button
const PLACE = 20; // characters of a token over its numbers
const SHARES = ['s', '− max', 'exp']; // what a softmax row does to each score
const TALL = {mixed: [17, 11], positive: [28, 0]}; // px of the longest bar up and down

const FIGURES = '−0.1234567890';
const ruler = contextOf(document.createElement('canvas'));

/** By how much the figures of this font are wider than those of ours, which a file of its own does not carry. */
function widerThanOurs(box) {
  ruler.font = `600 12px ${getComputedStyle(box).fontFamily}`;
  return Math.max(1, ruler.measureText(FIGURES).width / digitsWidth(FIGURES));
}

export class Strip {
  box; say; step; cell;
  /** @type {number} */
  wider;

  /** `heard(term)` is told which term is pointed at, null for none. */
  constructor(box, {say, signal, heard}) {
    Object.assign(this, {box, say, listed: []});
    const termAt = (event) => event.target.closest?.('.term');
    for (const name of ['pointerover', 'focusin']) listen(box, name, (event) => this.point(termAt(event), heard), {signal});
    for (const name of ['pointerleave', 'focusout']) listen(box, name, () => this.point(null, heard), {signal});
  }

  /** `shown` are the places that are drawn of what a cell is made of, null where all are. */
  show(step, cell, {i, j, k, isPresented, shown, verdict, show}) {
    Object.assign(this, {step, cell});
    const head = headOf(step, cell, i, j, this.say);
    if (verdict) head.sub = '';
    const hidden = restText(step, i, shown, this.say);
    const {position = i} = cell.facts;
    const writes = position === i && !verdict ? writesText(step, i, this.say) : ''; // elsewhere it might write another
    const moved = position === i ? '' : fillText(this.say('view-stepper-moved'), {now: position, own: i});
    const was = step.before ? fillText(this.say('view-stepper-was'), {value: rounded(step.before.at(i, j), 3, valueDigits(step)).text}) : '';
    const what = el(
      'div',
      {class: 'what'},
      el('div', {class: 'whose'}, ...head.nodes),
      el('div', {class: 'sub'}, head.sub),
      hidden && el('div', {class: 'sub hidden-part'}, hidden),
      moved ? el('div', {class: 'sub'}, moved) : was && el('div', {class: 'sub'}, was),
      writes && el('div', {class: 'sub writes'}, writes),
    );
    const judged = verdict && this.judged(verdict, step, i, j, show);
    if (verdict) what.append(...judged.nodes);
    const isJudged = verdict !== null && !verdict.isRight; // two cells are then named: a wider column
    const column = isJudged ? JUDGED : isPresented ? WHAT : [hidden, was, writes].filter(Boolean).length > 1 ? TOLD : WHAT;
    const isTerms = cell.form === 'sum' || cell.form === 'shares';
    const isNarrow = !isPresented && this.box.clientWidth < NARROW * k; // the terms then have a line of their own
    this.box.classList.toggle('narrow', isNarrow);
    if (!isNarrow) setLengths(what, {width: column * k});
    this.wider = widerThanOurs(this.box);
    const width = (this.box.clientWidth / k - (isNarrow ? 50 : AROUND + column)) / this.wider;
    const {nodes: made, texts} = isTerms
      ? this.terms(step, cell, {k, shown, width, isNarrow, isCounted: hidden !== ''})
      : lineOf(step, cell, {k, width: isNarrow ? Infinity : width, isPresented, say: this.say});
    if (texts.isRounded) {
      head.sub = fillText(this.say('view-stepper-sub-rounded'), {sub: head.sub});
      what.querySelector('.sub').textContent = head.sub;
    }
    const nodes = judged?.why && verdict.guess[0] === i ? [el('p', {class: 'why'}, judged.why)] : made;
    this.box.replaceChildren(what, ...nodes);
    this.box.classList.toggle('full', !isNarrow && nodes.some((node) => node.classList.contains('folded')));
    const said = sentenceOf(head, cell, texts, [hidden, moved || was, writes], this.say);
    return verdict ? `${judged.text} ${said}` : said;
  }

  /**
   * Whether the guess was right; of a wrong one, a button each to its arithmetic and to that of the right cell, and where
   * the question tells it, what the guess took for true.
   */
  judged({guess, answer, isRight}, step, i, j, show) {
    const {say} = this;
    const verdict = say(isRight ? 'view-stepper-guess-right' : 'view-stepper-guess-wrong');
    const line = el('div', {class: 'verdict'}, verdict);
    if (isRight) return {nodes: [line], text: verdict, why: ''};
    const {wrong} = step.question;
    const why = wrong ? fillText(say(wrong), {token: step.result.rows.name(guess[0]), position: guess[0]}) : '';
    const named = ([row, column]) => ({
      value: rounded(step.result.at(row, column)).text,
      title: cellName(step, row, column, say),
    });
    const button = (id, [row, column]) => {
      const {value, title} = named([row, column]);
      const facts = {type: 'button', title, 'aria-pressed': row === i && column === j, click: () => show([row, column])};
      return el('button', facts, fillText(say(id), {cell: cellName(step, row, column, say, PRESSED), value}));
    };
    const buttons = [button('view-stepper-guess-yours', guess), button('view-stepper-guess-answer', answer)];
    const [yours, right] = [guess, answer].map(named);
    const both = {guess: yours.title, guessed: yours.value, answer: right.title, answered: right.value};
    const text = [verdict, why, fillText(say('view-stepper-guess-said'), both)].filter(Boolean).join(' ');
    return {nodes: [line, el('div', {class: 'segments tall'}, ...buttons)], text, why};
  }

  /** A question instead of an answer. */
  ask({text, hint = this.say('view-stepper-guess-hint')}) {
    this.box.replaceChildren(el('div', {class: 'question'}, el('p', {}, text), el('p', {class: 'sub'}, hint)));
    return `${text} ${hint}`;
  }

  /** `isCounted`: the line under the cell's name has told already how many are not drawn. */
  terms(step, cell, {k, shown, width, isNarrow, isCounted}) {
    const widthOf = ({text, size}) => digitsWidth(text, size * TOTAL) + 8;
    const beside = (texts) => (isNarrow ? 0 : sum(totalPieces(texts).map(widthOf)));
    const {list, rest, texts, widths, isOver} = fittedTerms(cell, {shown, width, beside, least: valueDigits(step)});
    this.listed = list;
    const largest = Math.max(1e-12, ...list.map(({product}) => Math.abs(product)), Math.abs(rest?.product ?? 0));
    const isPositive = list.every(({product}) => product >= 0) && (rest?.product ?? 0) >= 0;
    const bars = {largest, isPositive, k, tall: isPositive ? TALL.positive : TALL.mixed};
    const nodes = list.map((term, at) => this.term(term, at, {bars, printed: texts.terms[at]}));
    if (rest) nodes.push(this.rest(rest, {bars, printed: texts.rest, isCounted}));
    nodes.forEach((node, at) => (node.style.flexGrow = widths[at]));
    const kind = `terms${isPositive ? ' positive' : ''}`;
    const [left, right, bottom] = this.signs(step, cell);
    const parts = [
      el('div', {class: 'ops', 'aria-hidden': 'true'}, el('span'), left, right, el('span', {class: 'last'}, bottom)),
      setLengths(el('div', {class: kind}, ...nodes), {flexBasis: sum(widths.map((one) => one + 12)) * k * this.wider}),
      el('div', {class: `total${isOver ? ' folded' : ''}`}, ...totalPieces(texts).map(({tag, kind: of, text}) => el(tag, {class: of}, text))),
    ];
    return {nodes: parts, texts: {...texts, largest: this.largestOf(cell, list, texts)}};
  }

  /** The largest part of a sum as it is printed: {term, product}; null of a softmax row, and where not every part is here. */
  largestOf(cell, list, texts) {
    if (cell.form !== 'sum' || cell.rest) return null;
    const term = cell.terms.reduce((most, one) => (Math.abs(one.product) > Math.abs(most.product) ? one : most));
    const at = list.findIndex(({at: [place]}) => place === term.at[0]);
    return {term, product: at < 0 ? rounded(term.product).text : texts.terms[at].product};
  }

  /** What stands before the two rows of numbers: the names of the two operands. */
  signs(step, cell) {
    if (cell.form === 'shares') return [el('span', {}, SHARES[0]), el('span', {}, SHARES[1]), SHARES[2]];
    const [a, b] = [step.operands[0], step.operands[1] ?? step.operands[0]];
    const small = (matrix) => nameNodes(matrix.name.replace(/ᵀ$/, '').toLowerCase());
    return [el('span', {class: roleClass(a)}, ...small(a)), el('span', {class: roleClass(b)}, '× ', ...small(b)), ''];
  }

  term(term, at, {bars, printed}) {
    const [a, b] = this.step.operands;
    const isShares = this.cell.form === 'shares';
    const place = termPlace(term, this.say);
    return el(
      'div',
      {class: `term${term.isOwn ? ' hot' : ''}`, 'data-at': at},
      el('span', {class: 'place', title: place}, cut(place, PLACE)),
      el('span', {class: roleClass(term.isBias ? b : a)}, printed.left),
      el('span', {class: isShares ? null : roleClass(b)}, printed.right),
      el('span', {class: 'product'}, bar(term.product, bars), printed.product),
    );
  }

  rest(rest, {bars, printed, isCounted}) {
    const said = isCounted ? null : fillText(this.say('view-stepper-rest'), {n: rest.count});
    const others = fillText(this.say(isCounted ? 'view-stepper-others-all' : 'view-stepper-others'), {n: rest.count});
    return el(
      'div',
      {class: 'term rest', title: said},
      el('span', {class: 'place'}, others),
      el('span', {}, '…'),
      el('span', {}, '…'),
      el('span', {class: 'product'}, bar(rest.product, bars), printed),
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
  return setLengths(el('i', {class: product < 0 ? 'less' : 'more'}), {
    bottom: product < 0 ? zero - length : zero,
    height: length,
  });
}
