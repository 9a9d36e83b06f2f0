// How much all heads differ: the sentence, and the pairs that show it as small maps.

import {tableOf} from '../kit/colour.js';
import {el, sized} from '../kit/dom.js';
import {pct} from '../kit/number.js';
import {pictureOf} from '../kit/pixels.js';
import {fillText} from '../kit/words.js';
import {bits} from './format.js';

const SIDE = 74; // px of a small map, at normal size, where there is room

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
    if (!verdict?.pairs.length) return; // then nothing leads here
    this.pairs = verdict.pairs.map((pair, at) => this.pair(pair, at));
    const list = el('div', {class: 'shownpairs', role: 'group', 'aria-label': say('view-compare-shown-pairs')}, ...this.pairs.map(({button}) => button));
    holder.replaceChildren(el('p', {class: 'verdictline'}, verdict.said), list);
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
