// A rotation on the stage: each pair of a token's numbers as an arrow before and after, fast pairs first.

import {arrowFrom} from '../kit/arrow.js';
import {el, setText, svg} from '../kit/dom.js';
import {clamp, fmt} from '../kit/number.js';
import {fillText} from '../kit/words.js';
import {cellOf} from './cell_arithmetic.js';
import {cut, roleClass} from './names.js';

const [WIDEST, FOOT] = [150, 20]; // px of a pair, and of the line under it
const [LEAST, RIM] = [3, 7]; // px of an arrow's length at least, and around the longest
const [GROUP, MARGIN] = [24, 24]; // px of the line that says which group of heads it is of, and right of it
const NARROW = 60; // px of a pair at least
const PRESENTED = 84; // px of a pair whose number a room reads
const UNEVEN = 0.85; // what pairs are worth of whose lines the last is not full
const EDGE = 8; // px below and right of all
const SEEN = 0.06; // radians from which the arc between two arrows can be seen
const TURN = 2 * Math.PI;
const POSITIONS = 64; // that an arrow can be turned to, at least
const [NAME, NAMES] = [12, 60]; // characters of a token on its button, and of all of them

/** Whether a step rotates pairs of its numbers, of which one at least travelled whole. No DOM. */
export const isRotation = (step) => step.rule === 'rotate' && step.operands.length > 0 && placesOf(step).length > 0;

/** The pairs that travelled: {pair, columns}, the two columns of each. */
function placesOf({facts: {width, pairs}, operands: [x], result}) {
  const columnsOf = (pair) => (pairs === 'neighbours' ? [2 * pair, 2 * pair + 1] : [pair, pair + width / 2]);
  const isHere = (column) => x.columns.holds(column) && result.columns.holds(column);
  return Array.from({length: width / 2}, (_, pair) => ({pair, columns: columnsOf(pair)})).filter(({columns}) => columns.every(isHere));
}

/** How many positions a row can be turned to. */
export const positionsOf = ({result}) => Math.max(POSITIONS, result.rows.n);

/** The pairs of a row, turned as at `position`: {pair, columns, before, after, angle}, each arrow as its two numbers. No DOM. */
export const pairsOf = (step, row, position = row) =>
  placesOf(step).map(({pair, columns}) => ({
    pair,
    columns,
    before: columns.map((column) => step.operands[0].at(row, column)),
    after: columns.map((column) => cellOf(step, row, column, position).value),
    angle: Math.fround(position * step.extras.frequency.at(0, columns[0])),
  }));

/** How far a pair turned, as it is read: 1.9 turns, 229°, 11.2°, 0.05°, <0.01°. */
export function angleText(angle, say) {
  if (angle > TURN) return fillText(say('view-stepper-turns'), {n: fmt(angle / TURN, 1)});
  const degrees = (angle * 180) / Math.PI;
  if (degrees > 0 && degrees < 0.005) return '<0.01°';
  return `${fmt(degrees, degrees >= 20 ? 0 : degrees >= 1 ? 1 : 2)}°`;
}

/** The only block of the stage: a place for each pair, as large as they fit; a presenter's has the fastest whose numbers a room reads. No DOM. */
export function arrows({step, room: {width, height, k, isPresented = false}}) {
  const {rows, columns, keyGroup} = step.result;
  const top = keyGroup ? GROUP * k : 0;
  const room = {width: width - EDGE * k, height: height - EDGE * k - top, k};
  const [least, tallest] = [PRESENTED * k, (PRESENTED + FOOT) * k];
  const seen = isPresented ? Math.floor(room.width / least) * Math.max(1, Math.floor(room.height / tallest)) : Infinity;
  const places = placesOf(step).map((pair) => pair.columns).slice(0, seen);
  const n = places.length;
  const sizeOf = (across) => Math.min(room.width / across, room.height / Math.ceil(n / across) - FOOT * room.k);
  const worth = (across) => sizeOf(across) * (n % across ? UNEVEN : 1);
  const fitting = Array.from({length: n}, (_, at) => at + 1).reduce((best, one) => (worth(one) > worth(best) + 1e-9 ? one : best), 1);
  const most = Math.max(1, Math.floor(room.width / (NARROW * k))); // a telephone has more lines than fit
  const across = Math.min(fitting, most);
  const down = Math.ceil(n / across);
  const cw = Math.min(room.width / across, WIDEST * k);
  const ch = fitting > most ? cw + FOOT * k : Math.min(room.height / down, cw + FOOT * k);
  const whole = (axis) => ({axis, list: axis.places, hidden: 0, first: axis.start, count: axis.count});
  const [x, y] = [(room.width - cw * across) / 2, top + Math.max(0, (room.height - ch * down) / 2)];
  const groups = keyGroup ? [{keyGroup, x: 0, y: 0, width: width - MARGIN * k}] : [];
  const block = {key: 'result', matrix: step.result, x, y, cw, ch, rows: whole(rows), columns: whole(columns), labels: {}, name: null};
  return {blocks: [{...block, across, row: rows.start, places}], signs: [], groups, height: y + ch * down};
}

/** How a block of pairs is drawn; `show` draws a row of it. */
export class PairArrows {
  block; step; k; say;
  isPrinted = true;
  canvas = null;

  constructor(block, {step, k, say}) {
    Object.assign(this, {block, step, k, say});
    this.group = svg('g', {class: 'arrows', 'data-key': block.key});
    const [x] = step.operands;
    const lengths = x.rows.places.map((row) => block.places.map((columns) => Math.hypot(...columns.map((column) => x.at(row, column)))));
    this.longest = Math.max(...lengths.flat());
  }

  /** The pairs of a row, turned as at a position; the one that holds the column stands out. */
  show(row, column, position) {
    const {block, step, k} = this;
    this.block.row = row;
    const {x, y, cw, ch, across} = block;
    const room = Math.min(cw, ch - FOOT * k) / 2 - RIM * k;
    const nodes = pairsOf(step, row, position ?? row).map(({pair, columns, before, after, angle}, at) => {
      const [cx, cy] = [x + ((at % across) + 0.5) * cw, y + Math.floor(at / across) * ch + (ch - FOOT * k) / 2];
      const length = Math.hypot(...before);
      const radius = Math.max(LEAST * k, room * Math.cbrt(length / (this.longest || 1)));
      const size = Math.min(12 * k, cw / 7);
      const drawn = Object.entries({before, after}).map(([kind, pair]) => this.arrow(pair, [cx, cy], radius, kind));
      return svg(
        'g',
        {class: columns.includes(column) ? 'pair here' : 'pair'},
        svg('circle', {cx, cy, r: radius}),
        length > 0 && angle > SEEN ? svg('path', {class: 'arc', d: arc([cx, cy], before, angle, radius * 0.42)}) : null,
        ...drawn,
        svg('text', {x: cx, y: y + (Math.floor(at / across) + 1) * ch - 6 * k, 'font-size': size}, svg('tspan', {class: 'number'}, String(pair)), ` ${angleText(angle, this.say)}`),
      );
    });
    this.group.replaceChildren(...nodes);
    this.group.setAttribute('class', `arrows ${roleClass(step.result) ?? ''}`);
  }

  /**
   * @param {number[]} pair
   * @param {number[]} middle
   */
  arrow([a, b], middle, radius, kind) {
    const length = Math.hypot(a, b);
    return length > 0 ? svg('path', {class: kind, d: arrowFrom(middle, [a / length, b / length], radius, kind === 'after')}) : null;
  }

  light() {}
  reveal() {}
}

/**
 * The way from an arrow to where it is turned, once round at most: against the clock.
 * @param {number[]} middle
 * @param {number[]} arrow
 */
function arc([x, y], [a, b], angle, radius) {
  const from = Math.atan2(b, a);
  const at = (by) => `${x + radius * Math.cos(from + by)} ${y - radius * Math.sin(from + by)}`;
  const end = Math.min(angle, TURN);
  return `M${at(0)}A${radius} ${radius} 0 0 0 ${at(end / 2)}A${radius} ${radius} 0 0 0 ${at(end)}`;
}

/** Over the arrows: whose they are, and as at which position they are turned. */
export class PairBar {
  step; say;

  /** `looks` are the closer looks that the host offers: that at two tokens stands here too. */
  constructor({step, say, chosen, turned, looks, looked}) {
    Object.assign(this, {step, say});
    const {rows} = step.result;
    const names = rows.places.map((row) => rows.name(row));
    const isFew = names.reduce((n, name) => n + Math.min(NAME, name.length) + 2, 0) <= NAMES;
    const button = (row) => el('button', {type: 'button', 'data-row': row, click: () => chosen(row)}, cut(rows.name(row), NAME));
    const option = (row) => el('option', {value: row}, `${row + 1} ${cut(rows.name(row), 24)}`);
    const label = say('view-stepper-arrows-token');
    this.tokens = isFew
      ? el('div', {class: 'segments', role: 'group', 'aria-label': label}, ...rows.places.map(button))
      : el('select', {'aria-label': label, change: ({target}) => chosen(Number(target.value))}, ...rows.places.map(option));
    this.range = el('input', {type: 'range', min: 0, max: positionsOf(step) - 1, step: 1, input: () => turned(Number(this.range.value))});
    this.output = el('output', {});
    const key = (kind, id) => el('span', {class: 'arrow-key'}, svg('svg', {width: 22, height: 8, class: `arrows ${roleClass(step.result) ?? ''}`, 'aria-hidden': 'true'}, svg('path', {class: kind, d: 'M0 4H22'})), say(id));
    this.nodes = [
      this.tokens,
      el('label', {class: 'range'}, el('span', {}, say('view-stepper-position')), this.range, this.output),
      key('before', 'view-stepper-arrows-before'),
      key('after', 'view-stepper-arrows-after'),
      el('span', {class: 'caption'}, say('view-stepper-arrows-order')),
      ...looks.filter(({key}) => key === 'distance').map(({key, name}) => el('button', {type: 'button', class: 'button quiet', click: () => looked(key)}, name)),
    ];
  }

  show(row, position) {
    const at = clamp(position ?? row, 0, positionsOf(this.step) - 1);
    for (const button of this.tokens.querySelectorAll('button')) button.setAttribute('aria-pressed', String(Number(button.dataset.row) === row));
    if (this.tokens.tagName === 'SELECT') this.tokens.value = String(row);
    this.range.value = String(at);
    setText(this.output, String(at));
  }
}
