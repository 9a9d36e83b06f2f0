// With the three maps: the cell that is pointed at in both heads; behind a door where the two differ most, who is near them.

import {el} from '../kit/dom.js';
import {fmt} from '../kit/number.js';
import {fill, fillText, named} from '../kit/words.js';
import {tokenInText} from '../kit/token.js';
import {bits, points, share} from './format.js';
import {NOBODY} from './side_heads.js';

const LONG = 18; // characters of a word before it is cut

export class CellPanel {
  /** @type {CompareHeader} */
  header;
  heads; say; act; isAlone; units;

  /** `holder` of the cell, `ofPair` of the pair as a whole. `act`: pickCell({query, key}), pickPair({a, b}). */
  constructor(holder, ofPair, {header, heads, say, act, isAlone}) {
    Object.assign(this, {header, heads, say, act, isAlone, units: header.units});
    this.t = (name) => say(`view-compare-${name}`);
    this.title = el('h2', {class: 'title cellname'});
    this.bars = Object.fromEntries(['a', 'b'].map((side) => [side, barOf(side)]));
    this.points = el('p', {class: 'points'});
    this.left = el('p', {class: 'caption leftout', hidden: header.are_tokens ? '' : null});
    this.most = el('ol', {class: 'most'});
    this.numbers = el('p', {class: 'pairnumbers'});
    this.near = el('div', {class: 'near'});
    this.spoken = el('p', {class: 'unseen', 'aria-live': 'polite'});
    const heading = (text) => el('h3', {class: 'caption'}, text);
    const {source, n} = header.similarity ?? {};
    const nearest = header.similarity ? heading(fillText(this.t(source === 'many' ? 'near-many' : 'near-text'), {n})) : '';
    const bars = el('div', {class: 'bars'}, this.bars.a.row, this.bars.b.row);
    holder.replaceChildren(this.title, bars, el('div', {class: 'said'}, this.points, this.left), this.spoken);
    ofPair.replaceChildren(heading(this.t('largest')), this.most, nearest, this.near, this.numbers);
  }

  /** One cell: both shares and their difference. It can be read aloud where it is picked, and is where it just was (`isNews`). */
  cell({query, key}, numbers, seen, {isPicked, isNews}) {
    const [from, to] = [this.units[query], this.units[key]];
    this.title.replaceChildren(fill(document, this.t('cell'), {query: tokenInText(from, LONG), key: tokenInText(to, LONG)}));
    const index = numbers?.indexOf(query, key);
    const at = numbers ? {a: numbers.a[index], b: numbers.b[index]} : null;
    for (const side of ['a', 'b']) {
      const weight = at?.[side];
      this.bars[side].fill.style.width = `${100 * (weight ?? 0)}%`;
      this.bars[side].value.textContent = at ? this.shareOf(side, query, key, weight, seen) : '';
      this.bars[side].row.classList.toggle('hatched', !at);
    }
    const said = at ? points(at.a - at.b) : '';
    this.points.replaceChildren(...(at ? [fill(document, this.t('points'), {points: el('b', {}, said)})] : [this.missing()]));
    this.leftOut(query, numbers);
    if (!isPicked) return;
    const of = (side) => this.shareOf(side, query, key, at?.[side], seen);
    const text = at ? fillText(this.t('spoken'), {query: named(from), key: named(to), a: of('a'), b: of('b'), points: said}) : '';
    if (text !== this.spoken.textContent) Object.assign(this.spoken, {ariaLive: isNews ? 'polite' : 'off', textContent: text});
  }

  /** Why there are no numbers: they are on their way, or a file has those of another pair. */
  missing() {
    if (!this.isAlone) return this.t('waiting');
    const {header: {selection}, heads} = this;
    const name = (side) => heads[side].name(heads[side].number(selection[side]));
    return fillText(this.t('not-here'), {a: name('a'), b: name('b')});
  }

  /** A share in percent, or that a mask lets nothing be there. */
  shareOf(side, query, key, weight, seen) {
    const isHidden = seen[side] && !seen[side](query * this.units.length + key);
    return isHidden ? this.t('masked') : share(weight);
  }

  /** How much of this row lay on what the other side does not have. */
  leftOut(query, numbers) {
    const [a, b] = numbers ? [numbers.leftA[query], numbers.leftB[query]] : [0, 0];
    const isAny = a >= 0.0005 || b >= 0.0005;
    this.left.textContent = isAny ? fillText(this.t('left-out'), {a: share(a), b: share(b)}) : this.t('nothing-left-out');
  }

  /** What is said of the pair as a whole. */
  pair({numbers, picked, near}) {
    for (const node of [this.most, this.most.previousElementSibling]) node.hidden = !numbers;
    this.most.replaceChildren(...(numbers?.most ?? []).filter(({a, b}) => a !== b).map((cell) => el('li', {}, this.sentence(cell))));
    if (numbers && !numbers.largest) this.most.replaceChildren(el('li', {class: 'caption'}, this.t('no-difference')));
    const strong = (text) => el('b', {}, text);
    const said = (x, digits) => strong(Number.isFinite(x) ? fmt(x, digits) : '–');
    const values = numbers && {js: strong(bits(numbers.js)), cosine: said(numbers.cosine, 3), correlation: said(numbers.correlation, 3)};
    this.numbers.replaceChildren(values ? fill(document, this.t('numbers'), values) : '');
    if (near) this.near.replaceChildren(this.nearOf('a', picked, near), this.nearOf('b', picked, near));
  }

  sentence(cell) {
    const {query, key, a, b} = cell;
    const more = a > b ? 'a' : 'b';
    const values = {query: tokenInText(this.units[query], LONG), key: tokenInText(this.units[key], LONG)};
    const said = el('span', {class: 'said'}, fill(document, this.say(`view-compare-more-${more}`), values));
    const plain = {query: named(this.units[query]), key: named(this.units[key]), a: share(a), b: share(b), points: points(a - b)};
    const name = fillText(this.t('spoken'), plain);
    return el('button', {type: 'button', class: 'difference', 'aria-label': name, title: name, click: () => this.act.pickCell({query, key})}, said, el('span', {class: `size ${more}`}, points(a - b)));
  }

  /** The nearest of the other side, and the one it is paired with. */
  nearOf(side, picked, {nearest, partner, jsOf}) {
    const {heads} = this;
    const other = side === 'a' ? 'b' : 'a';
    const head = picked[side];
    const button = (to) => {
      const pair = {[side]: head, [other]: to};
      const facts = {type: 'button', class: 'headlink', 'aria-pressed': picked[other] === to, click: () => this.act.pickPair(pair)};
      return [el('button', facts, heads[other].fullName(to)), ` ${bits(jsOf(side, head, to))}`];
    };
    const paired = partner[side][head];
    const values = {
      head: el('b', {class: `side ${side}`}, heads[side].fullName(head)),
      nearest: button(nearest[side][head]),
      partner: paired === NOBODY ? this.t('no-partner') : button(paired),
    };
    return el('p', {}, fill(document, this.t('near'), values));
  }
}

function barOf(side) {
  const filled = el('span', {class: 'fill'});
  const value = el('span', {class: 'value'});
  return {row: el('div', {class: `bar ${side}`}, el('b', {class: `side ${side}`}, side.toUpperCase()), el('span', {class: 'track'}, filled), value), fill: filled, value};
}
