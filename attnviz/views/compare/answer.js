// What the comparison opens with: its question, the short answer, what the row that is looked at does on both sides, and the
// two texts where they are two.

import {el} from '../kit/dom.js';
import {tokenInText} from '../kit/token.js';
import {fill, fillText, gapOf, headInWords, inRow, named, visible} from '../kit/words.js';
import {shareInText} from './format.js';
import {rowEnds} from './pair_numbers.js';

const LONG = 16; // characters of a word before it is cut
const LITTLE = 0.01; // of a row, that may be left out without a word

const inOne = (a, b, separator = ', ') => (a === b ? a : `A ${a}${separator}B ${b}`);

export class Answer {
  /** @type {CompareHeader} */
  header;
  holder; heads; say; t; act;

  /** `act`: pickPair({a, b}). */
  constructor(holder, {header, heads, say, act}) {
    Object.assign(this, {holder, header, heads, say, act, t: (name) => say(`view-compare-${name}`)});
    this.reading = el('span', {class: 'rowreading'});
    this.first = el('span', {class: 'first'});
    const answer = el('p', {class: 'answer'}, this.first, ' ', this.reading);
    holder.replaceChildren(el('div', {class: 'asked'}, el('h2', {class: 'question'}, header.asks), this.texts()), answer);
  }

  /** The sentence with both words where one is swapped, and what has no place in it; nothing where there are no two texts. */
  texts() {
    const {swapped, units, left_out: leftOut} = this.header;
    const isOne = !swapped.length && !(this.header.text_b && leftOut.some((words) => words.length));
    if (isOne) return '';
    const at = new Map(swapped.map(([unit, before, other]) => [unit, [before, other]]));
    const word = (unit, index) => {
      const [before, other] = at.get(index) ?? [];
      if (before === undefined || other === undefined) return el('span', {}, visible(unit.text));
      return el('span', {}, el('del', {}, visible(before)), gapOf(before, other), el('ins', {}, visible(other)));
    };
    return el('p', {class: 'texts', dir: 'auto'}, ...units.flatMap((unit, index) => [word(unit, index), index + 1 < units.length ? gapOf(unit.text, units[index + 1].text) : ' ']), ...['A', 'B'].map((side, at) => this.onlyIn(side, leftOut[at])));
  }

  onlyIn(side, words) {
    return words.length ? el('span', {class: 'caption'}, `· ${fillText(this.t('only-in'), {side, words: inRow(words.map(visible))})} `) : null;
  }

  /** The short answer while the pair that it names is drawn; of another one which it is, and the way back. */
  name({a, b}, head) {
    const {verdict} = this.header;
    const [first] = verdict?.pairs ?? [];
    const own = first && {a: this.heads.a.number(first.a), b: this.heads.b.number(first.b)};
    if (!verdict || !own || (own.a === a && own.b === b)) return this.first.replaceChildren(el('b', {}, verdict?.first ?? ''));
    const names = inOne(this.heads.a.name(own.a), this.heads.b.name(own.b));
    const said = fillText(this.t(first.unit === 'bits' ? 'show-alike' : 'show-differs'), {named_head: names});
    const back = el('button', {type: 'button', title: verdict.first, click: () => this.act.pickPair(own)}, said);
    this.first.replaceChildren(el('b', {}, fillText(this.t('drawn'), {named_head: head})), ' ', back);
  }

  /** Which word the row looks at more in A, and which in B. Of a text drawn in blocks there is no row to read. */
  read({a, b, query}, numbers) {
    const {heads, t, header: {units}} = this;
    const ends = numbers && rowEnds(numbers, query, this.header.sinks);
    const [headA, headB] = [heads.a.place(a), heads.b.place(b)].map((place) => headInWords(this.say, place));
    const head = inOne(headA, headB, this.say('view-kit-list-separator'));
    this.name({a, b}, head);
    const values = {named_head: head, query: units[query] ? tokenInText(units[query], LONG) : ''};
    if (!ends) return this.reading.replaceChildren();
    if (!ends.a) return this.reading.replaceChildren(fill(document, t('row-same'), values));
    const one = (end) => tokenInText(units[end.key], LONG);
    const {a: moreA, b: moreB} = ends;
    const left = [numbers.leftA[query], numbers.leftB[query]];
    const rest = Math.max(...left) < LITTLE ? '' : ` ${fillText(t('left-out'), {a: shareInText(left[0]), b: shareInText(left[1])})}`;
    this.reading.replaceChildren(fill(document, t('row-ends'), {...values, x: one(moreA), xa: shareInText(moreA.a), xb: shareInText(moreA.b), y: one(moreB), ya: shareInText(moreB.a), yb: shareInText(moreB.b)}), rest, this.noSink([moreA.key, moreB.key]));
  }

  /** What was left out of the words that are named, and why. */
  noSink(keys) {
    const {sinks, sink_share: share, units} = this.header;
    if (!sinks.length || keys.some((key) => sinks.includes(key))) return '';
    const words = inRow(sinks.map((at) => named(units[at])));
    return el('span', {class: 'caption'}, ` ${fillText(this.t('no-sink'), {words, share: shareInText(share)})}`);
  }
}
