// More than 64 tokens: the lines of one row to the 20 keys it looks at most, or of one column; labels are thinned out.

import {Bands} from '../kit/bands.js';
import {POSITIVE_MARK} from '../kit/colour.js';
import {SERIES} from '../kit/palette.js';
import {el, setLengths, sized} from '../kit/dom.js';
import {apart, spread, thinned} from '../kit/label_thinning.js';
import {clamp, pct} from '../kit/number.js';
import {fillText} from '../kit/words.js';
import {drawLine, pickedAlpha, rowGeometry} from './line_geometry.js';
import {keyColumn, levelOf, queryColumn} from './token_column.js';

const SHOWN = 20;
const LEAST = 0.0005; // below, the percentage would read 0
const THICKNESS = 40; // px a line of weight 1 is wide: rows are too thin to measure it by

export class RowLines {
  holder; tokens; place; k; theme; width;
  /** @type {number[]} */
  thinned;

  constructor(holder, tokens, say) {
    Object.assign(this, {holder, tokens, rest: {side: 'query', index: 0}});
    const total = tokens.keys.length; // no more than are shown where a long text is written over a short one
    this.limit = total <= SHOWN ? '' : fillText(say('view-heads-largest'), {shown: SHOWN, total});
    this.canvas = el('canvas', {class: 'layer picked'});
    this.pending = el('div', {class: 'pending hatched', 'aria-hidden': 'true'});
    this.queries = queryColumn(tokens.queries, say);
    this.keys = keyColumn(tokens.keys, say);
    this.sheet = el(
      'div',
      {class: 'sheet long isolated', role: 'group', 'aria-label': say('view-heads-lines')},
      ...this.keys.map(({bar}) => bar),
      this.canvas,
      this.pending,
      el('div', {class: 'queries'}, ...this.queries),
      el('div', {class: 'keycolumn'}, ...this.keys.map(({node}) => node)),
    );
    this.bands = {query: new Bands(this.sheet, 'row', tokens.queries, say), key: new Bands(this.sheet, 'row', tokens.keys, say, true)};
    holder.replaceChildren(this.sheet);
  }

  layout({k, widest, theme, height}) {
    const width = this.holder.clientWidth;
    const room = height ?? 560 * k;
    const place = rowGeometry({width, height: room, n: this.queries.length, nKeys: this.keys.length, k, widest});
    Object.assign(this, {place, k, theme, width});
    this.sheet.style.height = `${place.height}px`;
    this.sheet.style.setProperty('--row', `${place.gap}px`);
    this.sheet.style.setProperty('--font', `${place.font}px`);
    this.queries.forEach((node, i) => {
      setLengths(node, {top: place.y(i) - place.gap / 2, width: place.x1 + 6 * k});
    });
    const edge = (y) => (i) => y(i) - (y(1) - y(0)) / 2;
    this.bands.query.show(edge(place.y), 0);
    this.bands.key.show(edge(place.yKey), place.x2);
    this.context = sized(this.canvas, width, place.height);
    setLengths(this.pending, {left: place.x1 + 8 * k, width: place.x2 - place.x1 - 16 * k});
    this.rule = getComputedStyle(this.sheet).getPropertyValue('--line-2');
    for (const {node, bar} of this.keys) node.hidden = bar.hidden = true;
    for (const node of this.queries) node.classList.add('thinned');
    this.labelled = [];
    this.near = [];
    this.thinned = thinned(this.tokens.queries, place.near);
  }

  show(numbers) {
    this.numbers = numbers;
  }

  /** The query whose row lies at this height. */
  rowAt(y) {
    return clamp(Math.floor((y - this.place.pad) / this.place.row), 0, this.queries.length - 1);
  }

  /** focus, pinned: {side: 'query' | 'key', index}; without focus the first row is shown. */
  isolate(focus, pinned) {
    const {place, context} = this;
    const {side, index} = focus ?? pinned ?? {side: 'query', index: 0};
    const isColumn = side === 'key';
    const largest = this.numbers?.[isColumn ? 'queries' : 'keys']?.(index, SHOWN) ?? [];
    const others = largest.filter(({index: other, weight}) => this.isDrawn(...(isColumn ? [other, index] : [index, other]), weight));
    context.clearRect(0, 0, this.width, place.height);
    this.pending.hidden = Boolean(this.numbers);
    this.drawAxes();
    for (const {index: other} of others) isColumn ? this.lines(other, index) : this.lines(index, other);
    const shown = isColumn ? [{index, weight: null}] : [...others].sort((a, b) => a.index - b.index);
    const ends = shown.map((item) => place.yKey(item.index));
    const labels = spread(ends, place.gap, place.gap / 2, place.height - place.gap / 2);
    this.drawLeaders(shown, labels);
    for (const node of this.numbered ?? []) node.textContent = ''; // a long text has thousands of others
    this.numbered = isColumn ? others.map(({index: at, weight}) => Object.assign(this.queries[at].firstChild, {textContent: pct(weight)})) : [];
    if (isColumn) this.labelQueries(apart(others.map((item) => item.index), place.near), null, pinned);
    else this.labelQueries(this.labelsAround(index, pinned), index, pinned);
    this.labelKeys(shown, labels, pinned);
  }

  /** Whether this weight has a line, or where heads are overlaid that of one of them. */
  isDrawn(query, key, weight) {
    const {layers} = this.numbers;
    return layers ? layers.some((head) => head.weight(query, key) >= this.least) : weight >= this.least;
  }

  get least() {
    return Math.max(LEAST, this.numbers?.floor ?? 0);
  }

  /** One line, or where heads are overlaid one of each beside the others. */
  lines(query, key) {
    const {context, place, k, theme, numbers} = this;
    const heads = numbers.layers ?? [numbers];
    const thick = THICKNESS * k / heads.length;
    heads.forEach(({weight: of}, at) => {
      const weight = of ? of(query, key) : numbers.keys(query, SHOWN).find(({index}) => index === key).weight;
      if (weight < this.least) return;
      const apart = (at - (heads.length - 1) / 2) * thick * 0.25;
      context.fillStyle = heads.length > 1 ? SERIES[theme][at] : POSITIVE_MARK[theme];
      drawLine(context, {...place, row: thick}, place.y(query) + apart, place.yKey(key) + apart, weight, k, pickedAlpha(weight));
    });
  }

  /** The row that is read and the pinned one always, then as many others as there is room for. */
  labelsAround(read, pinned) {
    const {place, thinned} = this;
    const held = pinned?.side === 'query' ? pinned.index : read;
    const first = Math.abs(held - read) < place.near ? [read] : [read, held];
    return apart([...first, ...thinned], place.near);
  }

  /** A hairline beside each column says where the text runs when its labels are left out. */
  drawAxes() {
    const {context, place, k} = this;
    context.globalAlpha = 1;
    context.fillStyle = this.rule;
    for (const x of [place.x1 - k, place.x2]) context.fillRect(x, place.pad, k, place.row * this.queries.length);
  }

  drawLeaders(shown, labels) {
    const {context, place, k} = this;
    context.globalAlpha = 1;
    context.strokeStyle = this.rule;
    context.lineWidth = k;
    shown.forEach(({index}, i) => {
      context.beginPath();
      context.moveTo(place.x2 + 2 * k, place.yKey(index));
      context.lineTo(place.x2 + 14 * k, labels[i]);
      context.stroke();
    });
  }

  /** `read` is the row the lines start from; null where they all lead to one key. */
  labelQueries(labelled, read, pinned) {
    const held = pinned?.side === 'query' ? pinned.index : null;
    const stop = labelled.includes(held) ? held : (read ?? labelled[0]);
    for (const i of this.labelled) this.queries[i].classList.add('thinned');
    for (const i of labelled) {
      const node = this.queries[i];
      node.classList.remove('thinned');
      node.dataset.level = i === read ? 'strong' : read === null || i === held ? 'some' : 'faint';
      node.setAttribute('aria-pressed', String(i === held));
      node.tabIndex = i === stop ? 0 : -1;
    }
    this.labelled = labelled;
  }

  labelKeys(shown, labels, pinned) {
    const {place, k, width} = this;
    for (const index of this.near) this.keys[index].node.hidden = this.keys[index].bar.hidden = true;
    this.near = shown.map(({index}) => index);
    shown.forEach(({index, weight}, i) => {
      const {node, bar, percent} = this.keys[index];
      node.hidden = bar.hidden = false;
      node.dataset.level = weight === null ? 'strong' : levelOf(weight);
      node.setAttribute('aria-pressed', String(pinned?.side === 'key' && pinned.index === index));
      percent.textContent = weight === null ? '' : pct(weight);
      setLengths(node, {top: labels[i] - place.gap / 2, left: place.x2 + 8 * k});
      const [top, left, longest] = [labels[i] - place.gap * 0.4, place.x2 + 16 * k, width - place.x2 - 66 * k];
      setLengths(bar, {top, left, width: longest});
      bar.style.transform = `scaleX(${weight})`;
    });
  }
}
