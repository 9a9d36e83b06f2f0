// The names beside rows and above columns: thinned where they would touch, the picked one always shown.

import {BAND, areGrouped, groupRuns} from '../kit/bands.js';
import {isNumbered} from '../kit/cells.js';
import {svg} from '../kit/dom.js';
import {groupColour, groupName, meaningOf, tokenName, wordName} from '../kit/token.js';
import {fillText, lowered, widthOf} from '../kit/words.js';
import {columnLabel, isUpright, readable, touches, uprightSize} from './column_labels.js';
import {labelOf, nameSpans, writesOf} from './names.js';
import {factorOf} from './number_matrix.js';
import {NUMBERED} from './axis_windows.js';

const SMALL = 10.5; // px of a power of ten and of how much is not drawn, at k = 1
const LONGEST = {wide: 16, narrow: 11}; // characters of a row's label, by the room there is
const WRITES = 8; // characters of what a row writes
const ARROW = '→ ';
const TWO_LINES = 20; // px: a row that has room for its token and, below it, what it writes
const NEAR = 12; // px from one label to the next, at k = 1
const NARROWEST = 40; // px of a matrix that has room for “+51” beside another label, at k = 1
const HAN = /^[\p{Script=Han}\p{P}₀-₉]+$/u; // written from the top down where there is no room beside each other

/** The labels of one block: {group, light(row, column)}. */
export class Labels {
  say; longest; isPresented;

  constructor(block, {k, density, say, isNarrow = false, isPresented = false}) {
    Object.assign(this, {say, isPresented, longest: isNarrow ? LONGEST.narrow : LONGEST.wide});
    this.group = svg('g', {class: 'labels'});
    this.rows = new Map();
    this.columns = new Map();
    this.every = {rows: 1, columns: 1};
    if (block.labels.rows) this.addRows(block, k);
    if (block.labels.columns) this.addColumns(block, k, density);
    if (block.labels.own) this.addOwn(block, k);
    if (block.labels.top) this.addTop(block, k);
  }

  /** px of a label at least, and of what stands beside labels, at k = 1. */
  get least() {
    return readable(this.isPresented);
  }

  get small() {
    return Math.max(SMALL, this.isPresented ? this.least : 0);
  }

  addRows(block, k) {
    const {rows, y, ch} = block;
    const x = block.x - (areGrouped(tokensOf(rows)) ? (BAND + 1) * k : 0);
    const every = everyOf(rows.list.length, ch, k);
    const hasWrites = block.labels.writes && writesOf(rows.axis, rows.list[0]) !== '';
    const isBelow = hasWrites && block.labels.writes === 'below';
    const isTwoLines = isBelow && ch >= TWO_LINES * k;
    const largest = Math.max(Math.min(this.least * k, every * ch * 0.95), Math.min(12.5 * k, ch * 0.72));
    const size = isTwoLines ? Math.min(11 * k, ch * 0.42) : largest;
    const free = rows.list.length - (rows.hidden ? every - 1 : 0); // the last give way to "+81"
    this.every.rows = isBelow && !isTwoLines ? Math.max(2, every) : every; // the neighbours of a picked row make room for it
    rows.list.forEach((row, r) => {
      const middle = y + (r + 0.5) * ch - (isTwoLines ? size * 0.55 : 0);
      const at = {class: 'lb', x: x - 8 * k, y: middle, 'text-anchor': 'end', 'font-size': size};
      const label = this.label(at, labelOf(rows.axis, row, this.longest), r % every === 0 && r < free);
      if (hasWrites) this.addWrites(label, rows.axis, row, block.key === 'before' ? 'wrote' : 'writes', isBelow);
      label.classList.toggle('short', isBelow && !isTwoLines);
      this.rows.set(row, label);
    });
    this.addBands(rows, ({run: [first, last], group}) => {
      const place = {x: block.x - (BAND + 4) * k, y: y + first * ch + 1, height: (last + 1 - first) * ch - 2};
      return bandNamed(groupName(group, this.say), groupColour(group), place, k);
    });
    const isHeaded = block.labels.columns || block.key === 0;
    if (isHeaded && hasWrites) {
      const at = {class: 'lb ix', x: x - 8 * k, y: y - 10 * k, 'text-anchor': 'end', 'font-size': this.small * k};
      this.group.append(svg('text', at, this.say('view-stepper-read-writes')));
    }
    if (rows.hidden)
      this.rest(rows, {
        x: x - 8 * k,
        y: y + Math.max((rows.list.length + 0.5) * ch, (rows.list.length - 0.5) * ch + NEAR * k), // never on the last
        'text-anchor': 'end',
        'font-size': Math.min(size, this.small * k),
      });
  }

  addColumns(block, k, density) {
    const {columns, x, y, cw} = block;
    const isTurned = isUpright(columns, density, cw, {k, isPresented: this.isPresented});
    const every = isTurned
      ? Math.max(1, Math.ceil((NEAR * k) / cw))
      : Math.max(1, Math.ceil(((columns.axis.n > 9 ? 22 : 14) * k) / cw));
    const texts = columns.list.map((column) => columnLabel(columns.axis, column));
    const wide = Math.max(...texts.map(({text}) => widthOf(text)));
    const size = isTurned
      ? uprightSize(cw, {k, isPresented: this.isPresented})
      : Math.max(this.least * k, Math.min(12.5 * k, (cw * 0.98) / wide));
    const beforeRest = columns.hidden && !isTurned ? Math.ceil((22 * k) / cw) - 1 : 0; // the last give way to "+81"
    const free = columns.list.length - beforeRest;
    this.every.columns = every;
    columns.list.forEach((column, c) => {
      const [cx, cy] = [x + (c + 0.5) * cw, y - (isTurned ? 6 : 10) * k];
      const turned = {transform: `rotate(-90 ${cx} ${cy})`, 'text-anchor': 'start'};
      const turn = !isTurned ? {'text-anchor': 'middle'} : HAN.test(texts[c].text) ? {class: 'lb down', 'text-anchor': 'end'} : turned;
      const at = {class: 'lb', x: cx, y: cy, 'font-size': size, ...turn};
      const isCut = !isTurned && touches(texts, c, cw / size);
      const text = isCut ? labelOf(columns.axis, column, Math.max(3, Math.floor(cw / size / widthOf('m')))) : texts[c];
      this.columns.set(column, this.label(at, text, c % every === 0 && c < free));
    });
    this.addBands(columns, ({run: [first, last], group}) =>
      [svg('rect', {x: x + first * cw + 1, y: y - 5 * k, width: (last + 1 - first) * cw - 2, height: 3 * k, fill: groupColour(group)})]);
    const end = x + columns.list.length * cw;
    const beside = isTurned ? {x: end + 2 * k, 'text-anchor': 'start'} : {x: end + cw / 2, 'text-anchor': 'middle'};
    if (!columns.hidden || end - x < NARROWEST * k) return;
    this.columnRest = this.rest(columns, {...beside, y: y - 10 * k, 'font-size': Math.min(size, this.small * k)});
    this.nearRest = columns.list.slice(Math.max(0, free));
  }

  /** A row that stands by itself, such as a bias: its name instead of a token. */
  addOwn({matrix, x, y, cw, ch}, k) {
    const at = {
      class: 'lb own',
      x: x - 8 * k,
      y: y + 0.5 * ch,
      'text-anchor': 'end',
      'font-size': Math.min(12.5 * k, ch * 0.72),
    };
    const factor = isNumbered(cw, ch) ? factorOf(matrix) : '';
    const before = factor ? svg('tspan', {class: 'ix factor', 'font-size': this.small * k}, factor) : null;
    const node = svg('text', at, before, ...nameSpans(matrix.name, factor ? 5 * k : 0));
    this.rows.set(0, node);
    this.group.append(node);
  }

  /**
   * A column that stands by itself, such as the mean of each row. A name wider than that begins where the column does, clear
   * of what stands before it; where two names would touch, the last stands higher and ends where its column does.
   */
  addTop({key, matrix, x, y, cw, ch}, k) {
    const wide = (cw + 10 * k) / widthOf(matrix.name);
    const isWide = wide < this.least * k;
    const isHigh = isWide && key === 'variance';
    const [at0, anchor] = isHigh ? [x + cw, 'end'] : isWide ? [x, 'start'] : [x + cw / 2, 'middle'];
    const at = {
      class: 'lb own',
      x: at0,
      y: y - (isHigh ? 24 : 10) * k,
      'text-anchor': anchor,
      'font-size': Math.max(this.least * k, Math.min(11.5 * k, wide)),
    };
    const node = svg('text', at, ...nameSpans(matrix.name));
    this.columns.set(0, node);
    this.group.append(node);
    const factor = isNumbered(cw, ch) ? factorOf(matrix) : '';
    if (factor) this.group.append(svg('text', {...at, class: 'lb ix factor', y: at.y - 12 * k, 'font-size': this.small * k}, factor));
  }

  /** Beside or below the token that was read, what its row writes; the tooltip says it in words. */
  addWrites(label, axis, row, when, isBelow) {
    const writes = writesOf(axis, row, WRITES, when);
    if (!writes) return;
    const place = isBelow ? {x: label.getAttribute('x'), dy: '1.1em'} : {};
    const [token, next] = [axis.name(row), writesOf(axis, row, Infinity, when)].map((text) => wordName(text, this.say));
    const read = axis.token(row);
    const said = read.unknown ? tokenName({...read, writes: next}, this.say) : fillText(this.say('view-stepper-writes'), {token, next});
    label.querySelector('title')?.remove();
    label.append(svg('tspan', {class: 'writes', ...place}, (isBelow ? '' : ' ') + ARROW + writes), svg('title', {}, said));
  }

  label(attributes, {text, number, isNumber, token = null}, isAlways) {
    const node = svg('text', attributes, text + (number ? lowered(number) : ''));
    node.classList.toggle('ix', Boolean(isNumber));
    node.classList.toggle('thin', !isAlways);
    const means = token ? tokenName(token, this.say) : meaningOf(text, this.say);
    if (means) node.append(svg('title', {}, means));
    this.group.append(node);
    return node;
  }

  /** Of two texts or of a chat: which neighbours belong together. `drawn(run)` are the elements of one band. */
  addBands(axis, drawn) {
    this.group.append(...groupRuns(tokensOf(axis)).flatMap(drawn));
  }

  rest({hidden}, attributes) {
    const node = svg('text', {class: 'lb ix', ...attributes}, `+${hidden}`);
    this.group.append(node);
    return node;
  }

  /** Make the labels of one row and one column stand out; null for none. */
  light(row, column) {
    lit(this.rows, row, this.every.rows);
    lit(this.columns, column, this.every.columns);
    this.columnRest?.classList.toggle('yields', this.nearRest.includes(column));
  }
}

const tokensOf = ({axis, list}) => list.map((index) => axis.token(index));

/** The band beside rows, with its name where there is room for it. */
function bandNamed(name, colour, {x, y, height}, k) {
  const box = {x, y, height};
  const [middle, center] = [x + (BAND / 2 + 1) * k, y + height / 2];
  const turned = {x: middle, y: center, class: 'bandname', fill: colour, 'text-anchor': 'middle', 'font-size': 11.5 * k, transform: `rotate(90 ${middle} ${center})`};
  return [
    svg('rect', {...box, width: BAND * k, fill: colour, opacity: 0.1}, svg('title', {}, name)),
    svg('rect', {...box, width: 3 * k, fill: colour}),
    ...(widthOf(name) * 11.5 * k <= height ? [svg('text', turned, name)] : []),
  ];
}

/** Every how many-th row has its label: all of few rows, of more as many as do not touch. */
export const everyOf = (rows, height, k) => (rows <= NUMBERED ? 1 : Math.max(1, Math.ceil((NEAR * k) / height)));

/** The picked label stands out; its neighbours make room for it. */
function lit(labels, picked, every) {
  for (const [index, node] of labels) {
    node.classList.toggle('on', index === picked);
    node.classList.toggle('yields', picked !== null && index !== picked && Math.abs(index - picked) < every);
  }
}

/** How much room the row labels of these axes need, in px. */
export function labelRoom(axes, k, isNarrow, hasWrites = true) {
  const linesOf = (axis, index) => {
    const {text, number} = labelOf(axis, index, isNarrow ? LONGEST.narrow : LONGEST.wide);
    const read = text + (number ? lowered(number) : '');
    const writes = hasWrites && writesOf(axis, index, WRITES);
    return !writes ? [read] : isNarrow ? [read, ARROW + writes] : [`${read} ${ARROW}${writes}`];
  };
  const texts = axes.flatMap((axis) => axis.places.flatMap((index) => linesOf(axis, index)));
  const widest = Math.max(2, ...texts.map(widthOf));
  const beside = axes.some((axis) => axis.tokens && areGrouped(axis.tokens)) ? BAND + 1 : 0;
  return (Math.min(isNarrow ? 72 : 180, widest * 12.5 + 16) + beside) * k;
}
