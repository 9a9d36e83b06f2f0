// What the comparison comes to: the sentence, the two texts where they are two, and the pairs that show it as small maps.

import {tableOf} from '../kit/colour.js';
import {el, sized} from '../kit/dom.js';
import {pct} from '../kit/number.js';
import {pictureOf} from '../kit/pixels.js';
import {fillText, visible} from '../kit/words.js';
import {bits} from './format.js';

const SIDE = 46; // px of a small map, at normal size, where there is room

export class VerdictPart {
  /** @type {CompareHeader} */
  header;
  /** @type {Arrays} */
  arrays;
  holder; heads; say; act;

  /** `act`: pickPair({a, b}). */
  constructor(holder, {header, arrays, heads, say, act}) {
    Object.assign(this, {holder, header, arrays, heads, say, act});
    const {verdict} = header;
    holder.hidden = !verdict;
    if (!verdict) return;
    this.pairs = verdict.pairs.map((pair, at) => this.pair(pair, at));
    const list = el('div', {class: 'shownpairs', role: 'group', 'aria-label': say('view-compare-shown-pairs')}, ...this.pairs.map(({button}) => button));
    this.room = this.pairs.length ? null : smallMaps();
    holder.classList.toggle('none', !this.pairs.length);
    holder.replaceChildren(el('h2', {class: 'verdictline'}, verdict.said), this.texts(), this.room ? emptyRoom(this.room, say('view-compare-shown-none')) : list);
  }

  /** The sentence with both words where one is swapped, and what has no place in it; nothing where there are no two texts. */
  texts() {
    const {swapped, units, left_out: leftOut} = this.header;
    const isOne = !swapped.length && !(this.header.text_b && leftOut.some((words) => words.length));
    if (isOne) return '';
    const at = new Map(swapped.map(([unit, before, other]) => [unit, [before, other]]));
    const word = (unit, index) => (at.has(index) ? el('span', {}, el('del', {}, visible(at.get(index)[0])), ' ', el('ins', {}, visible(at.get(index)[1]))) : el('span', {}, visible(unit.text)));
    return el('p', {class: 'texts', dir: 'auto'}, ...units.flatMap((unit, index) => [word(unit, index), ' ']), ...['A', 'B'].map((side, at) => this.onlyIn(side, leftOut[at])));
  }

  onlyIn(side, words) {
    return words.length ? el('span', {class: 'caption'}, `· ${fillText(this.say('view-compare-only-in'), {side, words: words.map(visible).join(' ')})} `) : null;
  }

  pair({a, b, value, unit}, at) {
    const numbers = {a: this.heads.a.number(a), b: this.heads.b.number(b)};
    const isSame = `${a}` === `${b}`;
    const name = isSame ? this.heads.a.name(numbers.a) : `${this.heads.a.name(numbers.a)} – ${this.heads.b.name(numbers.b)}`;
    const said = unit === 'bits' ? fillText(this.say('view-compare-shown-bits'), {bits: bits(value)}) : pct(value);
    const maps = smallMaps();
    const facts = {type: 'button', class: 'shownpair', 'aria-pressed': false, click: () => this.act.pickPair(numbers)};
    const button = el('button', facts, ...maps, el('span', {class: 'caption'}, el('b', {}, name), ` ${said}`));
    return {numbers, at, maps, button};
  }

  draw({k, theme}) {
    for (const map of this.room ?? []) sized(map, SIDE * k, SIDE * k);
    for (const {at, maps} of this.pairs ?? [])
      for (const [index, side] of ['a', 'b'].entries()) {
        const {data, shape: [, n]} = this.arrays[`small_${side}`];
        const canvas = maps[index];
        const context = sized(canvas, SIDE * k, SIDE * k);
        const cells = {codes: data, rows: n, columns: n, offset: at * n * n};
        context.putImageData(pictureOf([canvas.width, canvas.height], cells, tableOf('weights', theme)), 0, 0);
      }
  }

  select({a, b}) {
    for (const {numbers, button} of this.pairs ?? []) button.setAttribute('aria-pressed', String(numbers.a === a && numbers.b === b));
  }
}

const smallMaps = () => ['a', 'b'].map((side) => el('canvas', {class: `small ${side}`, 'aria-hidden': 'true'}));

/** As tall as a row of pairs, where there is none to show: what lies below keeps its place. */
const emptyRoom = (maps, hint) => el('div', {class: 'shownpairs'}, el('div', {class: 'pairroom', 'aria-hidden': 'true'}, ...maps, el('span', {class: 'caption'}, el('b', {}, '0'))), el('p', {class: 'caption hint'}, hint));
