// All heads as thumbnails: real buttons with one tab stop over one canvas a line. Of many heads only the lines that can
// be seen are there, and the line of the picked one.

import {tableOf} from '../kit/colour.js';
import {el, listen, setLengths, sized} from '../kit/dom.js';
import {drawGlyph} from '../kit/kind_glyph.js';
import {guarded} from '../kit/error_guard.js';
import {pictureOf} from '../kit/pixels.js';
import {gridPlace, linesIn} from './thumbnail_layout.js';
import {rowsOf, stepped} from './head_order.js';
import {headAt, headName} from './several_heads.js';

const ALL = 300; // heads up to which every button is there
const TALLEST = 3; // windows: a taller grid scrolls by itself where the page scrolls
const ENLARGED = 40; // px: the picked head, where all are too small to have their kind below
const hidden = {'aria-hidden': 'true'};

export class HeadGrid {
  holder; lines; buttons; maps; look; theme; k; layers; heads; place; height; order; isScrolling;
  /** @type {ReturnType<typeof rowsOf>} */
  all;
  /** @type {Map<number, number>} */
  rowOf;

  /** `chosen(layer, head, isMore)` is told of a click. */
  constructor(holder, {chosen, signal}) {
    Object.assign(this, {holder, lines: new Map(), buttons: new Map(), picked: 0, shown: [], frame: 0});
    this.rows = el('div', {class: 'rows'});
    this.loupe = el('canvas', {class: 'loupe', ...hidden});
    holder.replaceChildren(this.rows);
    listen(holder, 'click', (event) => {
      const index = Number(event.target.closest('button')?.dataset.index ?? -1);
      if (index >= 0) chosen(...headAt(index, this.heads), event.shiftKey);
    }, {signal});
    const fill = guarded(holder, () => this.fill());
    listen(holder, 'scroll', () => (this.frame ||= requestAnimationFrame(fill)), {signal, passive: true});
  }

  /**
   * Lay out and paint. `maps` is [L, H, rows, columns] of bytes, `order` null is by layer; `look` has
   * name(index), number(index), kind(index), share(index) and mark(index) from 0 to 1 or NaN, tint(index) of a share with a sign, and
   * isMeant(index).
   */
  draw({maps, order, look, theme, k, isSide, isZoomed, picked}) {
    if (!this.holder.clientWidth) return; // something else stands in its place
    const [layers, heads] = maps.shape;
    const [layer, head] = picked;
    Object.assign(this, {maps, look, theme, k, layers, heads, picked: layer * heads + head});
    const room = isSide ? this.holder.clientHeight : Infinity;
    const place = gridPlace({width: this.holder.clientWidth, height: room, layers, heads, isSorted: order !== null, isZoomed, k});
    const height = isSide ? room : Math.min(place.height, place.height > TALLEST * window.innerHeight ? 0.7 * window.innerHeight : Infinity);
    const laid = JSON.stringify([place, height, order, layers, heads, k]);
    const isOtherOrder = this.laid === undefined || JSON.stringify(order) !== JSON.stringify(this.order);
    Object.assign(this, {place, height, order, isScrolling: place.height > height + 1});
    this.holder.style.height = isSide ? '' : `${height}px`;
    this.holder.classList.toggle('scrolls', this.isScrolling);
    this.holder.classList.toggle('packed', Boolean(place.isPacked));
    this.rows.style.height = `${place.height}px`;
    const isSame = laid === this.laid;
    this.laid = laid;
    if (isSame) {
      for (const line of this.lines.values()) this.dress(line);
      this.enlarge();
    } else this.build(isOtherOrder);
  }

  build(isOtherOrder) {
    const active = this.holder.getRootNode().activeElement;
    const hadFocus = this.holder.contains(active) && active !== this.holder;
    const {columns, isNamed, isPacked, isAcross, left, column, size} = this.place;
    this.all = rowsOf({layers: this.layers, heads: this.heads, columns, order: this.order, isAcross});
    this.rowOf = new Map(this.all.flatMap(({items}, at) => items.map((index) => [index, at])));
    this.lines.clear();
    this.buttons.clear();
    const every = size < 16 * this.k ? 5 : 1; // a number that has no room stands for none
    const ticks = Array.from({length: isNamed ? 0 : columns}, (_, at) => {
      const tick = el('span', {class: 'tick', ...hidden}, (at + 1) % every ? '' : String(at + 1));
      return setLengths(tick, {left: left + at * column, width: size});
    });
    const axis = isPacked ? [el('span', {class: 'tick axis', ...hidden}, this.look.axis(isAcross))] : [];
    this.rows.replaceChildren(...axis, ...ticks);
    if (isOtherOrder) this.holder.scrollTop = 0;
    if (!isOtherOrder || !this.order) this.reveal(); // sorted, what was asked for stands first
    this.fill();
    if (hadFocus) this.buttons.get(this.picked)?.focus();
  }

  /** The lines that can be seen, and that of the picked head; all of them where heads are few. */
  fill() {
    this.frame = 0;
    const isAll = !this.isScrolling || this.layers * this.heads <= ALL;
    const [from, to] = isAll ? [0, this.all.length] : linesIn(this.place, this.holder.scrollTop, this.height);
    const kept = this.rowOf.get(this.picked);
    const wanted = [...this.all.keys()].filter((at) => (at >= from && at < to) || at === kept);
    for (const [at, line] of this.lines) if (!wanted.includes(at)) this.drop(at, line);
    for (const at of wanted) if (!this.lines.has(at)) this.add(at);
    this.enlarge();
  }

  /** The picked head of very many, large enough to be seen, over those around it. */
  enlarge() {
    const {loupe, place, rows, maps: {data, shape: [, , n, m]}, k, picked} = this;
    if (!place.isPacked || place.below) return loupe.remove();
    const at = this.rowOf.get(picked) ?? 0;
    const {x, y} = place.at(at, this.all[at].items.indexOf(picked));
    const size = ENLARGED * k;
    const inside = (middle, most) => Math.max(0, Math.min(most - size, middle - size / 2));
    const context = sized(loupe, size, size);
    const pixels = loupe.width;
    context.putImageData(pictureOf([pixels, pixels], {codes: data, rows: n, columns: m, offset: picked * n * m}, tableOf('weights', this.theme)), 0, 0);
    setLengths(loupe, {left: inside(x + place.size / 2, this.holder.clientWidth), top: inside(y + place.size / 2, place.height)});
    rows.append(loupe);
  }

  add(at) {
    const {size, below, left, column} = this.place;
    const {items, layer} = this.all[at];
    const canvas = el('canvas', hidden);
    const tick = layer === null ? null : el('span', {class: 'tick', ...hidden}, String(layer + 1));
    if (tick) setLengths(tick, {width: left - 8 * this.k, lineHeight: size});
    const buttons = items.map((index, i) => {
      const button = el('button', {type: 'button', class: 'thumb', 'data-index': index}, el('span', {class: 'under', ...hidden}));
      setLengths(button, {left: left + i * column, width: size, height: size + below});
      button.firstChild.style.marginTop = `${size + 8 * this.k}px`;
      this.buttons.set(index, button);
      return button;
    });
    const node = el('div', {class: 'line'}, canvas, tick, ...buttons);
    node.style.transform = `translateY(${this.place.at(at, 0).y}px)`;
    const line = {node, canvas, buttons, items};
    const next = [...this.lines.keys()].filter((other) => other > at).sort((a, b) => a - b)[0];
    this.rows.insertBefore(node, next === undefined ? null : this.lines.get(next).node);
    this.lines.set(at, line);
    this.dress(line);
  }

  drop(at, {node, items}) {
    node.remove();
    this.lines.delete(at);
    for (const index of items) this.buttons.delete(index);
  }

  /** Names, figures and pictures of one line. */
  dress(line) {
    const {look} = this;
    line.buttons.forEach((button, i) => {
      const index = line.items[i];
      const name = look.name(index);
      button.setAttribute('aria-label', name);
      button.title = name;
      button.classList.toggle('faded', !look.isMeant(index));
      button.firstChild.textContent = this.caption(index);
    });
    this.paint(line);
    this.state(line);
  }

  /** Beside the glyph: which head it is, where its place in the grid does not say so. */
  caption(index) {
    const at = headAt(index, this.heads);
    return this.place.hasNumbers ? `${headName(at)}\n${this.look.number(index)}` : this.order || this.place.isZoomed ? headName(at) : this.place.isNamed ? String(at[1] + 1) : '';
  }

  paint({canvas, items}) {
    const {size, below, left, column, isNamed, isPacked} = this.place;
    const context = sized(canvas, left + items.length * column, size + below);
    const scale = Math.max(1, window.devicePixelRatio || 1);
    const [, , rows, columns] = this.maps.shape;
    const pixels = Math.max(1, Math.round(size * scale));
    const picture = new ImageData(pixels, pixels);
    context.setTransform(1, 0, 0, 1, 0, 0);
    items.forEach((index, i) => {
      const x = Math.round((left + i * column) * scale);
      const cells = {codes: this.maps.data, rows, columns, offset: index * rows * columns};
      context.putImageData(pictureOf([pixels, pixels], cells, tableOf('weights', this.theme), picture), x, 0);
      if (!below) return;
      const under = (y) => Math.round((size + y * this.k) * scale);
      const kind = this.look.kind(index);
      const wide = kind ? drawGlyph(context, kind, {x, y: under(isPacked ? 6 : isNamed ? 10 : 4), scale: this.k * scale, theme: this.theme}) : 0;
      const bar = isPacked ? {x, y: under(3)} : isNamed ? {x, y: under(5)} : {x: x + wide + 5 * this.k * scale, y: under(4) + wide / 2};
      this.bar(context, index, {...bar, end: x + pixels, scale});
    });
  }

  /** The metric of a head beside its glyph, as a bar on a rail; `mark` is where the text on screen has it. */
  bar(context, index, {x, y, end, scale}) {
    const {look} = this;
    const [share, mark] = [look.share(index), look.mark(index)];
    if (Number.isNaN(share)) return;
    const height = Math.round(2.5 * this.k * scale);
    const style = getComputedStyle(this.holder);
    for (const [colour, part] of [[style.getPropertyValue('--line'), 1], [look.tint(index) || style.getPropertyValue('--ink-2'), share]]) {
      context.fillStyle = colour;
      context.fillRect(x, Math.round(y - height / 2), (end - x) * part, height);
    }
    if (Number.isNaN(mark)) return;
    context.fillStyle = style.getPropertyValue('--ink');
    context.fillRect(Math.round(x + (end - x) * mark), Math.round(y - 1.5 * height), Math.max(1, Math.round(scale)), 3 * height);
  }

  /** Which head has the tab stop; `hasFocus` moves the focus there. */
  select(layer, head, hasFocus) {
    const before = this.picked;
    this.picked = layer * this.heads + head;
    if (before !== this.picked) this.reveal();
    if (this.all) this.fill();
    if (hasFocus) this.buttons.get(this.picked)?.focus();
  }

  /** Every head that is shown, where there are several: [[layer, head], …], the first one picked in front. */
  mark(heads) {
    this.shown = heads;
    for (const line of this.lines.values()) this.state(line);
  }

  state({buttons, items}) {
    const shown = this.shown.map(([layer, head]) => layer * this.heads + head);
    buttons.forEach((button, i) => {
      const at = shown.indexOf(items[i]);
      button.setAttribute('aria-pressed', String(at >= 0));
      button.toggleAttribute('data-also', at > 0);
      button.tabIndex = items[i] === this.picked ? 0 : -1;
    });
  }

  /** Scroll as little as shows the picked head, where the grid scrolls by itself. */
  reveal() {
    const at = this.rowOf?.get(this.picked);
    if (at === undefined || !this.isScrolling) return;
    const {y} = this.place.at(at, 0);
    const top = this.holder.scrollTop;
    const room = this.height;
    const last = y + this.place.row - room;
    if (top > y - this.place.top || top < last) this.holder.scrollTop = top < last ? last : y - this.place.top;
  }

  /** The focus alone goes that many steps; the picked head stays. */
  walk(down, right) {
    const from = Number(this.holder.getRootNode().activeElement?.dataset.index ?? this.picked);
    const [layer, head] = this.stepped(...headAt(from, this.heads), down, right);
    const index = layer * this.heads + head;
    if (!this.buttons.has(index)) this.add(this.rowOf.get(index));
    this.buttons.get(index).focus({focusVisible: true});
  }

  /** The head that many steps away: [layer, head]. */
  stepped(layer, head, down, right) {
    const {columns, isAcross} = this.place;
    const shape = {layers: this.layers, heads: this.heads, columns, order: this.order};
    const way = isAcross ? [right, down] : [down, right];
    return headAt(stepped(layer * this.heads + head, ...way, shape), this.heads);
  }
}
