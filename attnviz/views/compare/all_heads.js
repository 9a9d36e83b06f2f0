// Behind two doors: how alike all heads are, as a matrix and as a map, and a line that reads the pair pointed at.

import {sequential} from '../kit/colour.js';
import {el} from '../kit/dom.js';
import {glyphNode} from '../kit/kind_glyph.js';
import {fmt} from '../kit/number.js';
import {takeMenu} from '../kit/export_menu.js';
import {matrixTable} from '../kit/spreadsheet.js';
import {fill, fillText} from '../kit/words.js';
import {Cloud} from './head_map.js';
import {AlikeMatrix} from './similarity_matrix.js';
import {bits} from './format.js';
import {LOOK} from './picked_in_link.js';
import {NOBODY} from './side_heads.js';

const LEAST = 180; // px of height of the matrix and of the map
const POOR = 0.2; // a stress from which a plane is poor (Kruskal 1964)

export class AllHeads {
  /** @type {CompareHeader} */
  header;
  /** @type {Arrays} */
  arrays;
  parts; heads; say; act; over;

  /** `act` is the view: pickPair({a, b}), move(side, dLayer, dHead), looked(), kindOf(side, number) and its look. */
  constructor(parts, {header, arrays, heads, say, signal, act}) {
    Object.assign(this, {parts, header, arrays, heads, say, act, hovered: null});
    this.t = (name) => say(`view-compare-${name}`);
    this.js = arrays.js.data;
    this.nearest = {a: arrays.nearest_a.data, b: arrays.nearest_b.data};
    this.partner = {a: arrays.partner_a.data, b: arrays.partner_b.data};
    const {a, b} = heads;
    const pairs = {hover: (pair) => this.hover(pair), pick: (pair) => act.pickPair(pair)};
    this.matrix = new AlikeMatrix(parts.alike, {js: this.js, a, b, say, signal, act: pairs});
    this.cloud = new Cloud(parts.cloud, {
      points: arrays.points.data,
      a,
      b,
      say,
      signal,
      act: {
        hover: (index) => this.hover(index === null ? null : this.loose(index)),
        pick: (index) => act.pickPair(this.withNearest(index)),
        step: (...step) => act.move('a', ...step),
      },
    });
    const {similarity} = header;
    const isMany = similarity.source === 'many';
    this.over = fillText(this.t(isMany ? 'apart-many' : 'apart-text'), {n: similarity.n});
    const over = [fillText(this.t(isMany ? 'over-many' : 'over-text'), {n: similarity.n})];
    if (similarity.skipped) over.push(fillText(this.t('skipped'), {n: similarity.skipped}));
    if (isMany && similarity.by_words && header.are_tokens) over.push(this.t('many-by-words'));
    parts.over.textContent = over.join(' · ');
    const corner = fillText(this.t('table-alike'), {a: header.a.name, b: header.b.name});
    const rows = () => matrixTable(corner, a.names, b.names, (row, column) => this.js[row * b.n + column]);
    parts.takeAlike.replaceChildren(...takeMenu({say, what: this.t('alike'), rows, file: () => 'attnviz-similarity', over: () => parts.over.textContent}));
    const points = () => [['head (from 1)', 'x', 'y'], ...Array.from({length: a.n + b.n}, (_, i) => [i < a.n ? a.fullName(i) : b.fullName(i - a.n), ...arrays.points.data.slice(2 * i, 2 * i + 2)])];
    parts.takeMap.replaceChildren(...takeMenu({say, what: this.t('map'), rows: points, file: () => 'attnviz-map', over: () => parts.over.textContent}));
    this.buildSwitches();
  }

  /** Who is near whom. */
  get near() {
    return {nearest: this.nearest, partner: this.partner, jsOf: (...args) => this.jsOf(...args)};
  }

  /** Bits between a head of one side and one of the other. */
  jsOf(side, ownHead, other) {
    return side === 'a' ? this.js[ownHead * this.heads.b.n + other] : this.js[other * this.heads.b.n + ownHead];
  }

  /** A point of the map as a pair of which one head is not chosen. */
  loose(index) {
    return index < this.heads.a.n ? {a: index, b: -1} : {a: -1, b: index - this.heads.a.n};
  }

  withNearest(index) {
    const {a, b} = this.loose(index);
    return a >= 0 ? {a, b: this.nearest.a[a]} : {a: this.nearest.b[b], b};
  }

  get canSame() {
    return this.heads.a.isLike(this.heads.b);
  }

  buildSwitches() {
    const {parts, say, act: {look}} = this;
    const one = (group, name) => el('button', {type: 'button', 'data-name': name, 'aria-pressed': look[group] === name, click: () => this.choose(group, name)}, say(`view-compare-${group}-${name}`));
    for (const [group, names] of Object.entries(LOOK)) parts[group].replaceChildren(...names.map((name) => one(group, name)));
    parts.colours.hidden = !this.header.kinds;
    parts.lines.hidden = !this.canSame;
    this.legend();
  }

  choose(group, name) {
    this.act.look[group] = name;
    this.buildSwitches();
    this.parts[group].querySelector(`[data-name=${name}]`).focus();
    this.act.looked();
  }

  get colouring() {
    return this.header.kinds ? this.act.look.colours : 'model';
  }

  get joining() {
    return this.canSame ? this.act.look.lines : 'partners';
  }

  legend() {
    const {header, t, parts} = this;
    const sign = (side, mark) => el('span', {class: `sign ${this.colouring === 'model' ? side : ''}`}, el('span', {'aria-hidden': 'true'}, mark), ` ${side.toUpperCase()}`);
    const used = new Set([...(this.arrays.kinds_a?.data ?? []), ...(this.arrays.kinds_b?.data ?? [])]);
    const kinds = this.colouring === 'kind' ? (header.kinds ?? []).filter((_, at) => used.has(at)).map((kind) => el('span', {class: 'kind'}, glyphNode(kind), kind.title)) : [];
    if (!header.similarity) return; // then there is no such picture
    const {stress} = header.similarity;
    parts.kinds.replaceChildren(sign('a', this.colouring === 'kind' ? '○' : '●'), sign('b', '◇'), ...kinds, el('span', {class: 'aside'}, this.say(`view-compare-line-${this.joining}`)), el('span', {class: 'aside', title: fillText(t('stress-says'), {stress: fmt(stress)})}, stress > POOR ? t('stress-poor') : t('stress')));
  }

  /** What lies behind the open door. */
  draw({door, width, height, k, theme, colours}) {
    const {parts} = this;
    parts.alikeScale.draw({width: 56, k, colourAt: (share) => sequential(share, theme), low: this.t('different'), high: this.t('same')});
    const tall = height ? Math.max(LEAST * k, height) : Math.min(width, 440 * k);
    if (door === 'alike') this.matrix.layout({width, height: tall, k, theme});
    if (door !== 'map') return;
    const sideOf = (index) => (index < this.heads.a.n ? 'a' : 'b');
    const kindOf = (index) => this.act.kindOf(sideOf(index), this.loose(index)[sideOf(index)]);
    const colourOf = (index) => colours[sideOf(index)];
    this.cloud.layout({width, height: tall, k, theme, colourOf, kindOf: this.colouring === 'kind' ? kindOf : null, lines: this.lines()});
  }

  lines() {
    const {a} = this.heads;
    const pairs = Array.from({length: a.n}, (_, i) => [i, this.joining === 'same' ? i : this.partner.a[i]]);
    return pairs.filter(([, to]) => to !== NOBODY).map(([from, to]) => [from, a.n + to]);
  }

  select(picked) {
    this.picked = picked;
    this.show();
  }

  hover(pair) {
    if (pair?.a === this.hovered?.a && pair?.b === this.hovered?.b) return;
    this.hovered = pair;
    this.show();
  }

  show() {
    this.matrix.select(this.picked, this.hovered);
    this.cloud.select(this.picked, this.hovered);
    this.read(this.hovered ?? this.picked);
  }

  /** The pair pointed at, else the picked one; of a single head its nearest and its partner. */
  read({a, b}) {
    const {heads, t, parts, over} = this;
    const name = (side, number) => {
      const kind = this.act.kindOf(side, number);
      const head = el('b', {class: `side ${side}`}, heads[side].fullName(number));
      return kind ? fill(document, t('head-kind'), {head, kind: kind.title}) : head;
    };
    if (a >= 0 && b >= 0) {
      const values = {a: name('a', a), b: name('b', b), js: el('b', {}, bits(this.jsOf('a', a, b))), over};
      return parts.reading.replaceChildren(fill(document, t('pair-line'), values));
    }
    const [side, other, index] = a >= 0 ? ['a', 'b', a] : ['b', 'a', b];
    const near = this.nearest[side][index];
    const values = {head: name(side, index), nearest: name(other, near), js: el('b', {}, bits(this.jsOf(side, index, near))), over};
    parts.reading.replaceChildren(fill(document, t('point-line'), values));
  }
}
