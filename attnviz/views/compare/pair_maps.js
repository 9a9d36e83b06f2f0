// The right side: A, B and A − B of one pair on one scale, with one cell that all three point at, and what is said of it.

import {scaleColour} from '../kit/colour.js';
import {el} from '../kit/dom.js';
import {glyphNode} from '../kit/kind_glyph.js';
import {Legend} from '../kit/legend.js';
import {lineHeadings, takeMenu} from '../kit/export_menu.js';
import {pct} from '../kit/number.js';
import {fillText, inRow, visible} from '../kit/words.js';
import {CellPanel} from './pair_panel.js';
import {PairMap} from './pair_map.js';
import {end, points} from './format.js';
import {MAPS} from './frame.js';
import {tableOf} from './pair_numbers.js';

const FEW = 3; // words that name a side

export class PairMaps {
  /** @type {CompareHeader} */
  header;
  parts; heads; say; act; numbers; k; theme; picked; near; seen;

  /** `act` is the view: pickCell({query, key}), pickPair({a, b}), kindOf(side, number). */
  constructor(parts, {header, heads, say, signal, act}) {
    Object.assign(this, {parts, header, heads, say, act, hovered: null, numbers: null});
    this.t = (name) => say(`view-compare-${name}`);
    const picks = {pickCell: (cell) => this.pick(cell), pickPair: (pair) => act.pickPair(pair)};
    this.panel = new CellPanel(parts.panel, parts.pair, {header, heads, say, isAlone: act.emit === null, act: picks});
    this.nextWords();
    this.scales = {a: new Legend(''), difference: new Legend('')};
    this.maps = Object.fromEntries(
      MAPS.map((side) => {
        const name = fillText(say(`view-compare-name-${side}`), {n: header.units.length});
        return [side, new PairMap(parts.maps[side].stage, {units: unitsOf(side, header), widestOf: header.units, swapped: header.swapped.map(([unit]) => unit), name, say, signal, act: {hover: (cell) => this.hover(cell), pick: (cell) => this.pick(cell, true)}})];
      }),
    );
  }

  draw({width, height, k, theme}) {
    Object.assign(this, {k, theme});
    for (const side of MAPS) this.maps[side].layout({width, height, k, theme});
    this.show();
  }

  /** Another pair, or numbers that have come. */
  set({numbers, picked, near, seen}) {
    Object.assign(this, {numbers, picked, near, seen});
    this.cell = {query: picked.query, key: picked.key};
    this.show();
  }

  get max() {
    return this.header.scale ?? (this.numbers?.largest || 1);
  }

  show() {
    if (!this.picked || !this.k) return;
    const {numbers, maps, max, seen} = this;
    maps.a.show({numbers, kind: 'weights', valueAt: numbers?.lookA, max: 1, seen: seen.a});
    maps.b.show({numbers, kind: 'weights', valueAt: numbers?.lookB, max: 1, seen: seen.b});
    maps.difference.show({numbers, kind: 'signed', valueAt: (i) => numbers.a[i] - numbers.b[i], max, seen: eitherSeen(seen)});
    this.headings();
    this.point();
    this.panel.pair({numbers, picked: this.picked, near: this.near});
  }

  /** The line above each map: whose it is, its scale, and the buttons that take it away. */
  headings() {
    const {parts, t, heads, picked} = this;
    for (const side of ['a', 'b']) {
      const kind = this.act.kindOf(side, picked[side]);
      const title = el('h2', {class: 'title small'}, el('span', {class: `side ${side}`}, side.toUpperCase()), ` ${heads[side].name(picked[side])}`);
      const whose = el('bdi', {class: 'caption whose'}, this.whose(side));
      parts.maps[side].head.replaceChildren(title, whose, kind ? el('span', {class: 'kind'}, glyphNode(kind), el('span', {}, kind.title)) : '', el('span', {class: 'space'}), side === 'a' ? this.scale('a', '0', '1') : '', el('span', {class: 'takes'}, ...this.takes(side, heads[side].fullName(picked[side]))));
      tighten(parts.maps[side].head);
    }
    const said = this.numbers ? end(this.max) : '';
    const title = el('h2', {class: 'title small', title: t(this.header.scale === null ? 'scale-own' : 'scale-fixed')}, el('span', {class: 'side a'}, 'A'), ' − ', el('span', {class: 'side b'}, 'B'));
    const sign = (side) => [el('span', {class: `side long ${side}`}, this.say(`view-compare-more-in-${side}`)), el('span', {class: `side brief ${side}`}, side.toUpperCase())];
    const ends = said ? [[...sign('b'), ` −${said}`], [`+${said} `, ...sign('a')]] : [sign('b'), sign('a')];
    const name = said ? `${t('more-in-b')} −${said} – +${said} ${t('more-in-a')}` : `${t('more-in-b')} – ${t('more-in-a')}`;
    const {head} = parts.maps.difference;
    head.replaceChildren(title, el('span', {class: 'space'}), this.scale('difference', ...ends, name), el('span', {class: 'takes'}, ...this.takes('difference', 'A − B')));
    tighten(head);
  }

  /** What tells this side apart: its words where two texts differ in some, else its name. */
  whose(side) {
    const {swapped} = this.header;
    const words = swapped.map(([, a, b]) => visible(side === 'a' ? a : b));
    return words.length && words.length <= FEW ? fillText(this.t('with-words'), {words: inRow(words)}) : this.header[side].name;
  }

  /** Over each map what its side holds for likeliest next, over the difference what that gains or loses. */
  nextWords() {
    const {parts, header: {next}} = this;
    for (const side of MAPS) parts.maps[side].next.hidden = !next;
    if (!next) return;
    const word = (text, said) => el('span', {class: 'nextword'}, el('bdi', {}, text.trim() || JSON.stringify(text)), ' ', el('b', {}, said));
    const line = (side, title, words) => parts.maps[side].next.replaceChildren(el('span', {class: 'caption'}, this.t(title)), ...words);
    const none = (side) => (next.untrained.includes(side) ? 'next-untrained' : 'next-none');
    for (const side of ['a', 'b']) line(side, next[side].length ? 'next' : none(side), next[side].map(([text, part]) => word(text, pct(part))));
    line('difference', next.both.length ? 'next-points' : 'next-none', next.both.map(([text, a, b]) => word(text, points(a - b))));
    if (!next.both.length) parts.maps.difference.next.replaceChildren();
  }

  scale(name, low, high, label = `${low} – ${high}`) {
    const {k, theme} = this;
    const kind = name === 'a' ? 'weights' : 'signed';
    this.scales[name].draw({width: 60, k, colourAt: (share) => scaleColour(kind, share, theme), low, high, label});
    return this.scales[name].node;
  }

  takes(side, what) {
    const {header, heads, say, t} = this;
    const one = (which) => fillText(t('table-head'), {name: header[which].name, head: heads[which].name(this.picked[which])});
    const corner = () => (side === 'difference' ? `${one('a')} − ${one('b')}` : one(side));
    const valueAt = (i) => (side === 'a' ? this.numbers.a[i] : side === 'b' ? this.numbers.b[i] : this.numbers.a[i] - this.numbers.b[i]);
    const rows = () => this.numbers && tableOf(this.numbers, header.units, valueAt, corner(), lineHeadings(say));
    return takeMenu({say, what, rows, file: () => `attnviz-compare-${side}`});
  }

  hover(cell) {
    if (cell?.query === this.hovered?.query && cell?.key === this.hovered?.key) return;
    this.hovered = cell;
    this.point();
  }

  pick(cell, isNews = false) {
    this.cell = cell;
    this.hovered = null;
    this.point(isNews);
    this.act.pickCell(cell);
  }

  point(isNews = false) {
    for (const side of MAPS) this.maps[side].select(this.cell, this.hovered);
    this.panel.cell(this.hovered ?? this.cell, this.numbers, this.seen, {isPicked: !this.hovered, isNews});
  }
}

/** Says less, or smaller, where it would be cut. */
function tighten(head) {
  head.classList.remove('tight');
  head.classList.toggle('tight', [head, ...head.querySelectorAll('.kind span, .whose')].some((node) => node.scrollWidth > node.clientWidth));
}

/** The rows and columns of one map: where a word is swapped, in A and B its own. */
function unitsOf(side, {units, swapped}) {
  const swappedText = new Map(side === 'difference' ? [] : swapped.map(([at, a, b]) => [at, side === 'a' ? a : b]));
  return units.map((unit, at) => (swappedText.has(at) ? {...unit, text: swappedText.get(at)} : unit));
}

/** A difference has a meaning where one of the two can attend. */
const eitherSeen = ({a, b}) => (a && b ? (index) => a(index) || b(index) : null);
