// The compare view: all heads of A beside all of B on the left, two of them laid over each other on the right.
// State lives here; each part draws what it is told.

import {watchRoom} from '../kit/fit.js';
import {themeOf} from '../kit/theme.js';
import {frame} from './frame.js';
import {Heads} from './heads.js';
import {NotMeasured} from './absent.js';
import {listenToKeys, showKeys} from './keys.js';
import {AllHeads} from './left.js';
import {Pairs, keepPair} from './pairs.js';
import {PairMaps} from './right.js';

const LEAST = 640; // px of height beside each other; what has less scrolls
const TWO = 640; // px of width from which two maps stand side by side

/** Show a payload in `element`. `emit(selection)` is told what the person picks; null where nobody listens. */
export function mount(element, payload, emit) {
  const view = new CompareView(element, emit);
  view.update(payload);
  return view;
}

class CompareView {
  constructor(element, emit) {
    this.root = element;
    this.emit = emit;
    this.root.classList.add('attnviz', 'compare');
    this.end = new AbortController();
    this.look = {colours: 'kind', lines: 'partners'};
    const {signal} = this.end;
    listenToKeys(this.root, signal, {
      move: (side, dLayer, dHead) => this.move(side, dLayer, dHead),
      list: () => showKeys(this.parts.dialog, this.say),
    });
    document.addEventListener('attnviz:pair', ({detail}) => this.receive(detail), {signal});
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', () => this.data && this.draw(), {signal});
    document.fonts?.ready.then(() => this.data && !signal.aborted && this.draw());
  }

  /** New data, new words or a new theme. The selection is the person's own until the page brings another one. */
  update({header, arrays}) {
    const isNew = this.data?.header.revision !== header.revision;
    const signature = JSON.stringify({...header, selection: null, picked: null, link: null, is_heard: null, arrays: null}); // another selection is drawn, not built
    const isSame = this.signature === signature;
    this.signature = signature;
    delete this.root.dataset.ready;
    this.data = {header, arrays};
    this.say = (id) => header.strings[id] ?? '';
    this.heads = {a: new Heads(header.a.heads), b: new Heads(header.b.heads)};
    this.pairs = new Pairs(this.data, this.heads.a, this.heads.b);
    const {a, b, query, key} = header.picked ?? header.selection;
    if (isNew || header.is_heard !== false) this.picked = {a: this.heads.a.number(a), b: this.heads.b.number(b), query, key};
    if (!isSame || !this.parts) this.build();
    this.draw();
  }

  destroy() {
    this.end.abort();
    this.root.replaceChildren();
  }

  /** The parts that depend on the words and the models, not on the size. */
  build() {
    const {header, arrays} = this.data;
    const {heads, say} = this;
    this.root.lang = header.lang;
    this.perBuild?.abort();
    this.perBuild = new AbortController();
    const {signal} = this.perBuild;
    this.end.signal.addEventListener('abort', () => this.perBuild.abort(), {signal});
    const focus = this.focusedPart();
    this.parts = frame(this.root, say, header);
    this.parts.keysButton.addEventListener('click', () => showKeys(this.parts.dialog, say), {signal});
    const pick = (pair) => this.pickPair(pair);
    const All = header.similarity ? AllHeads : NotMeasured;
    this.left = new All(this.parts, {header, arrays, heads, say, look: this.look, act: {pick, step: (...step) => this.move('a', ...step), looked: () => this.draw()}});
    this.right = new PairMaps(this.parts, {header, heads, say, kindOf: (side, number) => this.left.kindOf(side, number), isAlone: this.emit === null, act: {pickCell: (cell) => this.pickCell(cell), pickPair: pick}});
    this.root.querySelectorAll('.stop')[focus]?.focus();
    this.room = null;
    this.roomWatch = watchRoom(this.root, signal, (room) => {
      this.room = room;
      if (this.isDrawn) this.draw();
    });
  }

  /** Which matrix has the focus; −1 for none. */
  focusedPart() {
    const active = this.root.getRootNode().activeElement;
    return active ? [...this.root.querySelectorAll('.stop')].indexOf(active) : -1;
  }

  /** Everything, at the size there is. */
  draw() {
    const {header} = this.data;
    const {root, parts} = this;
    const room = this.room ?? {width: root.clientWidth, height: null, isSide: false};
    const k = header.size === 'projector' ? 1.25 : 1;
    const theme = themeOf(root);
    const isSide = room.isSide && room.height !== null;
    Object.assign(root.dataset, {theme, layout: isSide ? 'side' : 'stacked', columns: !isSide && room.width < TWO ? 'one' : 'two'});
    root.style.setProperty('--k', `${k}px`);
    const height = isSide ? Math.max(room.height, LEAST * k) : null;
    root.style.height = height === null ? '' : `${height}px`;
    const inner = (node) => node.clientWidth - parseFloat(getComputedStyle(node).paddingLeft) - parseFloat(getComputedStyle(node).paddingRight);
    const {left} = parts;
    const style = getComputedStyle(root);
    const colours = {a: style.getPropertyValue('--a').trim(), b: style.getPropertyValue('--b').trim()};
    this.left.draw({width: inner(left), height: height === null ? null : this.roomFor(left), k, theme, colours});
    const {stage} = parts.maps.a;
    const rows = height === null ? null : (heightInside(parts.right) - 2 * parts.maps.a.head.offsetHeight - 22 * k) / 2;
    this.right.draw({width: stage.clientWidth, height: rows, k, theme});
    this.isDrawn = true;
    this.show();
  }

  /** What is left of the left side for the matrix and the map. */
  roomFor(left) {
    const fixed = [...left.children].filter((node) => node !== this.parts.alike && node !== this.parts.cloud);
    const margins = (node) => parseFloat(getComputedStyle(node).marginTop) + parseFloat(getComputedStyle(node).marginBottom);
    return heightInside(left) - fixed.reduce((sum, node) => sum + node.offsetHeight + margins(node), 0);
  }

  /** The pair and the cell, everywhere. */
  show() {
    const {root, heads, picked, left} = this;
    const place = {a: heads.a.place(picked.a), b: heads.b.place(picked.b)};
    const numbers = this.pairs.of(place.a, place.b);
    left.select(picked);
    this.right.set({numbers, picked, near: left.near, seen: {a: this.pairs.seen('a', place.a[0]), b: this.pairs.seen('b', place.b[0])}});
    root.dataset.pair = `${place.a.join('.')}-${place.b.join('.')}`;
    root.toggleAttribute('data-exact', Boolean(numbers));
    requestAnimationFrame(() => (root.dataset.ready = this.data.header.revision));
    return Boolean(numbers);
  }

  pickPair({a, b}) {
    if (a === this.picked.a && b === this.picked.b) return;
    this.picked = {...this.picked, a, b};
    const isHere = this.show();
    this.tell(!isHere);
  }

  pickCell({query, key}) {
    this.picked = {...this.picked, query, key};
    this.right.picked = this.picked;
    this.tell(false);
  }

  move(side, dLayer, dHead) {
    this.pickPair({...this.picked, [side]: this.heads[side].stepped(this.picked[side], dLayer, dHead)});
  }

  /** Numbers of a pair arrived, from wherever the host gets them. */
  receive(detail) {
    if (detail.group !== this.data?.header.revision) return;
    keepPair(detail);
    const {a, b} = this.selection();
    if (!this.root.hasAttribute('data-exact') && `${detail.a}` === `${a}` && `${detail.b}` === `${b}`) this.show();
  }

  selection() {
    const {a, b, query, key} = this.picked;
    return {a: this.heads.a.place(a), b: this.heads.b.place(b), query, key};
  }

  tell(isUrgent) {
    if (!this.emit) return;
    this.emit(this.selection(), isUrgent);
  }
}

/** The height inside the padding. */
function heightInside(node) {
  const style = getComputedStyle(node);
  return node.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
}
