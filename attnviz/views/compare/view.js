// The compare view: a question, one head of A beside one of B with their difference, and behind doors what all heads say.
// State lives here; each part draws what it is told.

import {listen} from '../kit/dom.js';
import {listenToKeys, showKeys} from '../kit/keyboard.js';
import {show} from '../kit/shell.js';
import {SIDES} from '../kit/spreadsheet.js';
import {oneLine} from '../kit/words.js';
import {tellingCell} from './pair_numbers.js';
import {frame} from './frame.js';
import {Heads} from './side_heads.js';
import {KEYS, press} from './keys.js';
import {AllHeads} from './all_heads.js';
import {Answer} from './answer.js';
import {USUAL} from './picked_in_link.js';
import {Pairs, keepPair} from './pair_store.js';
import {PairMaps} from './pair_maps.js';
import {bringIntoSight} from '../kit/theme.js';
import {VerdictPart} from './verdict.js';

const LEAST = 560; // px of height beside each other; what has less scrolls
const GAP = 14; // px between pictures, as in the style sheet
const END = 8; // px under a map
const TWO = 640; // px of width from which two maps stand side by side
let shown = ''; // the pair last shown; a pair that a table leads to comes in a picture of its own

export function mount(element, payload, emit) {
  return show(CompareView, element, payload, emit);
}

class CompareView {
  shell; root; emit; look; signature; data; picked;
  /** @type {ReturnType<typeof frame>} */
  parts;
  /** @type {{a: Heads, b: Heads}} */
  heads;
  /** @type {Pairs} */
  pairs;
  /** @type {Answer} */
  answer;
  /** @type {VerdictPart} */
  verdict;
  /** @type {PairMaps} */
  right;
  /** @type {AllHeads | null} */
  left;
  isOwnCell = false; // whether the person picked it
  isGone = false; // whether the first pair became another one
  isCellOpen = false; // whether it is chosen once the numbers of the pair are here
  row = null; // in which row, where one was picked
  isFirst = false; // whether nobody chose another pair than the first that is shown: it goes where that goes
  static css = 'compare';
  static fills = true;

  constructor(shell) {
    Object.assign(this, {shell, root: shell.root, emit: shell.emit, look: {...USUAL}});
    listenToKeys(this.root, shell.signal, (event) => press(event, this));
    shell.hear('attnviz:pair', (detail) => this.receive(detail));
  }

  least(k) {
    return LEAST * k;
  }

  /**
   * New data, new words or a new theme. The selection is the person's own until the page brings another one.
   * @param {Payload<CompareHeader>} payload
   */
  take({header, arrays}) {
    const isNew = this.data?.header.revision !== header.revision;
    // another selection is drawn, not built
    const signature = JSON.stringify({...header, selection: null, picked: null, link: null, look: null, is_heard: null, arrays: null});
    const isOther = this.signature !== signature;
    Object.assign(this, {signature, data: {header, arrays}});
    this.heads = {a: new Heads(header.a.heads, 'A'), b: new Heads(header.b.heads, 'B')};
    this.pairs = new Pairs(this.data, this.heads.a, this.heads.b);
    Object.assign(this.look, header.look);
    const {a, b, query, key, row = null} = header.picked ?? header.selection;
    if (isNew || header.is_heard !== false) Object.assign(this, {picked: {a: this.heads.a.number(a), b: this.heads.b.number(b), query, key}, isOwnCell: row !== null, isCellOpen: row !== null, row});
    this.followFirst(header.verdict?.pairs[0], isNew);
    return isOther;
  }

  /** Once all heads are compared over sentences others are shown: the pair that nobody chose is the first of them again. */
  followFirst(first, isNew) {
    const numbers = first && {a: this.heads.a.number(first.a), b: this.heads.b.number(first.b)};
    const isShown = numbers?.a === this.picked.a && numbers?.b === this.picked.b;
    this.isGone = !isNew && this.isFirst && Boolean(numbers) && !isShown;
    if (this.isGone) Object.assign(this, {picked: {...this.picked, ...numbers}, isCellOpen: true});
    if (isNew) this.isFirst = isShown;
  }

  build(signal) {
    const {header} = this.data;
    const {say} = this.shell;
    const focus = this.focusedPart();
    const parts = (this.parts = frame(this.root, say, header));
    listen(parts.keysButton, 'click', () => this.listKeys());
    for (const [door, button] of Object.entries(parts.doors)) listen(button, 'click', () => this.open(door));
    const given = {...this.data, heads: this.heads, say, signal, act: this};
    this.left = header.similarity ? new AllHeads(parts, given) : null;
    this.answer = new Answer(parts.answer, given);
    this.verdict = new VerdictPart(parts.verdict, given);
    this.right = new PairMaps(parts, given);
    this.root.querySelectorAll('.stop')[focus]?.focus();
  }

  /** The kind of a head of one side; null where kinds were not measured. */
  kindOf(side, number) {
    const {header, arrays} = this.data;
    const kinds = arrays[`kinds_${side}`];
    return kinds ? header.kinds[kinds.data[number]] : null;
  }

  /** Which matrix has the focus; −1 for none. */
  focusedPart() {
    const active = this.root.getRootNode().activeElement;
    return active ? [...this.root.querySelectorAll('.stop')].indexOf(active) : -1;
  }

  about() {
    const {header} = this.data;
    const {a, b} = this.heads;
    return {title: '', place: [a.fullName(this.picked.a), b.fullName(this.picked.b)].join(SIDES), changes: [header.text_b && oneLine(header.text_b)]};
  }

  /** The door that is open, where this picture has it; '' for none. */
  get door() {
    return this.parts.rooms[this.look.door] ? this.look.door : '';
  }

  /** Open a door, or close it; the pictures make room beside it. */
  open(door) {
    this.look.door = this.door === door ? '' : door;
    this.looked();
  }

  showDoor() {
    const {parts, door} = this;
    this.root.dataset.door = door;
    parts.left.hidden = !door;
    for (const [name, room] of Object.entries(parts.rooms)) {
      room.hidden = name !== door;
      parts.doors[name].setAttribute('aria-expanded', String(name === door));
    }
    parts.reading.hidden = door !== 'alike' && door !== 'map';
  }

  listKeys() {
    showKeys(this.parts.dialog, this.shell.say, KEYS);
  }

  draw({k, theme, room: {width, height}}) {
    const {root, parts} = this;
    root.dataset.columns = height === null && width < TWO ? 'one' : 'two';
    const style = getComputedStyle(root);
    const colours = {a: style.getPropertyValue('--pos').trim(), b: style.getPropertyValue('--neg').trim()};
    this.showDoor();
    const {door} = this;
    if (door === 'heads') this.verdict.draw({k, theme});
    const stage = parts[door === 'map' ? 'cloud' : 'alike'];
    this.left?.draw({door, width: stage.clientWidth, height: height === null ? null : this.roomFor(parts, stage), k, theme, colours});
    const {figure, stage: drawn} = parts.maps.a;
    const above = figure.offsetHeight - drawn.offsetHeight; // the heading and the next words
    const inside = height === null ? null : heightInside(parts.right);
    const tall = inside === null ? null : door ? (inside - GAP * k) / 2 - above - END * k : inside - above - parts.panel.offsetHeight - GAP * k - END * k;
    this.right.draw({width: drawn.clientWidth, height: tall, k, theme});
    const before = shown;
    const isHere = this.show();
    if (this.isGone) this.tell(!isHere);
    this.isGone = false;
    const isBrought = before && before !== shown; // by a table below
    if (isBrought && parts.right.getBoundingClientRect().top < 0) bringIntoSight(parts.right);
  }

  /** What is left for a picture behind the open door. */
  roomFor(parts, stage) {
    const {left, rooms, reading} = parts;
    const {marginTop, marginBottom} = getComputedStyle(reading);
    const line = reading.hidden ? 0 : reading.offsetHeight + parseFloat(marginTop) + parseFloat(marginBottom);
    return heightInside(left) - line - (rooms[this.door]?.offsetHeight ?? 0) + stage.offsetHeight;
  }

  /** The pair and the cell, everywhere. */
  show() {
    const {root, heads, picked, left} = this;
    const place = {a: heads.a.place(picked.a), b: heads.b.place(picked.b)};
    const numbers = this.pairs.of(place.a, place.b);
    if (numbers && this.isCellOpen) {
      const {query, key} = tellingCell(numbers, this.data.header.units, this.row ?? this.data.header.next_row, this.data.header.sinks);
      Object.assign(picked, {query, key});
      Object.assign(this, {isCellOpen: false, row: null});
    }
    left?.select(picked);
    this.answer.read(picked, numbers);
    this.verdict.select(picked);
    this.right.set({numbers, picked, near: left?.near ?? null, seen: {a: this.pairs.seen('a', place.a[0]), b: this.pairs.seen('b', place.b[0])}});
    root.dataset.pair = shown = `${place.a.join('.')}-${place.b.join('.')}`;
    root.toggleAttribute('data-exact', Boolean(numbers));
    return Boolean(numbers);
  }

  /** Another pair; where `isCellOpen`, with the cell that tells most of it, once its numbers are here. */
  pickPair({a, b}, isCellOpen = !this.isOwnCell) {
    if (a === this.picked.a && b === this.picked.b) return;
    Object.assign(this, {picked: {...this.picked, a, b}, isCellOpen, isFirst: false});
    const isHere = this.show();
    this.tell(!isHere);
  }

  pickCell({query, key}) {
    Object.assign(this, {picked: {...this.picked, query, key}, isOwnCell: true, isCellOpen: false, isFirst: false});
    this.right.picked = this.picked;
    this.answer.read(this.picked, this.right.numbers);
    this.tell(false);
  }

  move(side, dLayer, dHead) {
    this.pickPair({...this.picked, [side]: this.heads[side].stepped(this.picked[side], dLayer, dHead)}, false);
  }

  /** Numbers of a pair arrived, from wherever the host gets them. */
  receive(detail) {
    if (detail.revision !== this.data?.header.revision) return;
    keepPair(detail);
    const {a, b} = this.selection();
    if (!this.root.hasAttribute('data-exact') && `${detail.a}` === `${a}` && `${detail.b}` === `${b}`) {
      const isCellOpen = this.isCellOpen;
      this.show();
      if (isCellOpen) this.tell(false);
    }
  }

  selection() {
    const {a, b, query, key} = this.picked;
    return {a: this.heads.a.place(a), b: this.heads.b.place(b), query, key, look: this.look};
  }

  looked() {
    this.shell.draw();
    this.tell(true);
  }

  tell(isUrgent) {
    this.shell.noted(this.selection());
    this.emit?.(this.selection(), isUrgent);
  }
}

/** The height inside the padding. */
function heightInside(node) {
  const {paddingTop, paddingBottom} = getComputedStyle(node);
  return node.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
}
