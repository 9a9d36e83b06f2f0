// The sheets of paper: a worksheet with empty cells and its answers, one A4 page each for a head and one for what comes of
// all heads. Lengths are px of a page of 794 × 1100: what is printed around it has the rest of A4.

import {el, setLengths} from '../kit/dom.js';
import {fillText} from '../kit/words.js';
import {HUNDRED, powersTable, rootOf, texts, written} from './arithmetic.js';
import {colourOfName, nameNodes, nameText} from './names.js';
import {isOfSeed} from './sheet.js';

const [WIDTH, TOP, FOOT] = [682, 158, 1028]; // of what is printed, where matrices begin and where they end at the latest
const [LEFT, GAP, LABEL, HIGHEST] = [56, 16, 22, 27];
const [NARROW, WIDE, TOTAL] = [36, 46, 52]; // of a cell: whole numbers, two decimals, sums
const [DIGIT, EM] = [14, 0.6]; // px of a digit at most, and how wide it is
const POWERS_LINE = 6; // powers of e beside each other
const POWERS_HEIGHT = 20;
const [NAME, SMALL] = [14, 12]; // px of a matrix's name and of what stands behind it

/**
 * Every page, the worksheets first. @param {{sheet: any, all: any, say: (id: string) => string, row: number | null}} state
 * `row` is the one that is asked for, null for all but the first.
 */
export function papersOf(state) {
  const {sheet} = state;
  const parts = [...Array.from({length: sheet.count}, (_, head) => head), ...(sheet.hasOutput ? [2] : [])];
  return [false, true].flatMap((isAnswers) => parts.map((part) => new Paper(state, part, isAnswers).page()));
}

/** How many px of a line words need at most. */
const wideOf = (words, size) => [...words].reduce((wide, sign) => wide + (/[\p{Script=Han}\uff00-\uffef]/u.test(sign) ? size : EM * size), 0);

class Paper {
  sheet; all; say; row; part; isAnswers;
  /** @type {number} */
  h;

  constructor(state, part, isAnswers) {
    Object.assign(this, state, {part, isAnswers});
    this.head = this.all.heads[Math.min(part, this.sheet.count - 1)];
    this.canvas = el('div', {class: 'canvas'});
    this.powers = part === 2 || this.isAnswers ? [] : powersTable(this.all, part);
  }

  filled(id, values = {}) {
    return fillText(this.say(id), values);
  }

  page() {
    const {say, isAnswers} = this;
    if (this.part === 2) this.output();
    else this.steps();
    const which = [say('view-byhand-title'), this.which()].filter(Boolean).join(' · ');
    const whole = [which, ...(isAnswers ? [say('view-byhand-paper-answers')] : [])].join(say('view-byhand-colon'));
    const head = el('header', {}, el('h2', {}, whole), el('span', {}, isAnswers ? this.numbersFrom() : `${say('view-byhand-paper-name')} ______________________`));
    const lead = el('p', {class: 'lead'}, ...this.lead().map((sentence) => el('span', {}, sentence)));
    const foot = el('footer', {}, el('span', {}, this.facts()), el('span', {}, isAnswers ? say('view-byhand-paper-answers') : ''));
    const powers = this.powers.length ? setLengths(el('p', {class: 'powers'}, ...this.powerTexts()), {bottom: 62}) : null;
    return el('article', {class: 'a4'}, head, lead, this.canvas, powers, foot);
  }

  /** The seed that gives these numbers; nothing where one was typed. */
  numbersFrom() {
    return isOfSeed(this.sheet) ? this.filled('view-byhand-paper-seed', {seed: this.sheet.seed}) : '';
  }

  lead() {
    const {sheet, row, isAnswers} = this;
    const root = written(rootOf(sheet.d), 2);
    const begin = isAnswers ? this.filled('view-byhand-paper-lead-answers') : row === null || this.part === 2 ? this.filled('view-byhand-paper-lead') : this.filled('view-byhand-paper-lead-one', {word: sheet.words[row]});
    return [begin, this.filled('view-byhand-paper-how'), this.part !== 2 && sheet.isDivided && sheet.d !== 4 ? this.filled('view-byhand-paper-root', {d: sheet.d, root}) : '', sheet.isMasked && this.part !== 2 ? this.filled('view-byhand-paper-hatched') : ''].filter(Boolean);
  }

  /** Which head it is, or what comes of all; nothing where there is one head alone. */
  which() {
    const {sheet, part} = this;
    if (part === 2) return this.say('view-byhand-part-output');
    return sheet.count > 1 || sheet.hasOutput ? this.filled('view-byhand-head', {n: part + 1}) : '';
  }

  facts() {
    const {sheet, say} = this;
    return ['AttnViz', this.which(), `${sheet.n} × ${sheet.d}`, this.isAnswers ? '' : this.numbersFrom(), sheet.isMasked ? say('view-byhand-mask-says') : '', sheet.isDivided ? '' : say('view-byhand-undivided')].filter(Boolean).join(' · ');
  }

  powerTexts() {
    const smallest = this.powers.filter(([, power]) => Number(power) === 0);
    const shown = this.powers.filter(([, power]) => Number(power) > 0);
    const each = (/** @type {string[]} */ [x, power]) => el('span', {}, 'e', el('sup', {}, x), ` = ${power}`);
    return [...shown.map(each), ...(smallest.length ? [el('span', {}, this.filled('view-byhand-paper-smaller', {least: smallest[0][0]}))] : [])];
  }

  /** Whether a number is printed, or left for the pupil. */
  isGiven(m, row, column) {
    const {isAnswers, sheet} = this;
    if (isAnswers || m === 'E' || m === 'P' || m[0] === 'W' || (m === 'X' && !sheet.hasPositions) || m === 'C') return true;
    const word = m === 'KT' ? column : row;
    return this.row === null || this.part === 2 ? word === 0 : ['X', 'Q', 'K', 'KT', 'V'].includes(m) || word !== this.row;
  }

  /** A matrix with its name; returns where it ends. @param {any[] | null} name */
  matrix(m, x, y, w, name = null) {
    const {sheet, all, head, h, canvas} = this;
    const source = {...all, ...head};
    const values = m === 'sums' ? source.sums.map((total) => [total]) : source[m];
    const printed = texts(m, values);
    const size = `${values.length} × ${values[0].length}`;
    const title = el('div', {class: 'name'}, ...(name ?? [el('b', {}, ...nameNodes(m, sheet, this.say)), el('small', {}, size)]));
    title.style.color = colourOfName(m);
    canvas.append(setLengths(title, {left: x, top: y - 19}));
    const isTyped = m === 'E' || m === 'P' || m[0] === 'W' || (m === 'X' && !sheet.hasPositions) || m === 'C';
    const longest = Math.max(...printed.flat().map((text) => text.length));
    const fontSize = Math.min(DIGIT, (w - 4) / (EM * longest), h - 3);
    printed.forEach((line, row) => line.forEach((text, column) => {
      const isOff = sheet.isMasked && column > row && ['D', 'powers', 'A'].includes(m);
      const isGiven = this.isGiven(m, row, column);
      const kind = isOff ? 'cell off' : isTyped || (isGiven && !this.isAnswers) ? 'cell given' : 'cell';
      canvas.append(setLengths(el('div', {class: kind}, isGiven && !isOff ? text : ''), {left: x + column * w, top: y + row * h, width: w + 1, height: h + 1, fontSize}));
    }));
    return x + values[0].length * w;
  }

  words(x, y) {
    this.sheet.words.slice(0, this.sheet.n).forEach((word, row) => this.canvas.append(setLengths(el('div', {class: 'word'}, word), {left: 0, width: x - 6, top: y + row * this.h, height: this.h, lineHeight: this.h})));
  }

  number(n, y) {
    this.canvas.append(setLengths(el('div', {class: 'step'}, String(n)), {left: -30, top: y - 19}));
  }

  sign(text, x, y) {
    this.canvas.append(setLengths(el('div', {class: 'sign'}, text), {left: x, width: GAP, top: y, height: this.sheet.n * this.h}));
  }

  /** How wide the cells of a matrix are: as its numbers and those that a pupil may write need. */
  cellWidth(m) {
    const longest = Math.max(...texts(m, {...this.all, ...this.head}[m]).flat().map((text) => text.length));
    return longest > 5 ? 8 * longest + 8 : longest > 3 ? WIDE : NARROW;
  }

  steps() {
    const {sheet} = this;
    const {n, d, hasPositions} = sheet;
    const room = FOOT - TOP - POWERS_HEIGHT * Math.ceil(this.powers.length / POWERS_LINE);
    const lines = 2 * d + 4 * n + (hasPositions ? n : 0);
    const between = 6 * LABEL + 38 + (hasPositions ? LABEL + GAP : 0);
    const h = Math.min(HIGHEST, Math.floor((room - between) / lines));
    this.h = h;
    const w = Math.min(Math.floor((WIDTH - LEFT - 3 * GAP) / (4 * d)), Math.max(...['X', 'WQ', 'WK', 'WV', 'Q', 'K', 'V'].map((m) => this.cellWidth(m))));
    let y = LABEL;
    let step = 1;
    if (hasPositions) {
      this.number(step++, y);
      this.words(LEFT, y);
      const x = this.matrix('E', LEFT, y, w);
      this.sign('+', x, y);
      const x2 = this.matrix('P', x + GAP, y, w);
      this.sign('=', x2, y);
      this.matrix('X', x2 + GAP, y, w);
      y += n * h + GAP + LABEL;
    }
    const yX = y + d * h + LABEL;
    this.number(step++, yX);
    this.words(LEFT, yX);
    let x = this.matrix('X', LEFT, yX, w) + GAP;
    for (const m of ['Q', 'K', 'V']) {
      this.matrix(`W${m}`, x, y, w);
      x = this.matrix(m, x, yX, w) + GAP;
    }
    y = yX + n * h + 18 + LABEL;
    const yS = y + d * h + LABEL;
    this.number(step++, yS);
    this.words(LEFT, yS);
    const widest = (WIDTH - LEFT - 2 * GAP - d * w) / n; // of a score before and after it is divided
    const [before, after] = [Math.max(this.cellWidth('S'), this.cellWidth('K')), Math.max(this.cellWidth('D'), d === 4 ? NARROW + 4 : WIDE)];
    const [wS, wD] = [before, after].map((width) => Math.floor(width * Math.min(1, widest / (before + after))));
    const xS = this.matrix('Q', LEFT, yS, w) + GAP;
    sheet.words.slice(0, n).forEach((word, at) => this.canvas.append(setLengths(el('div', {class: 'word above'}, word), {left: xS + at * wS, width: wS, top: y - 19, height: 18, lineHeight: 18})));
    this.matrix('KT', xS, y, wS, [' ']);
    const turned = el('div', {class: 'name turned'}, el('b', {}, ...nameNodes('KT', sheet, this.say)), el('small', {}, `${d} × ${n}`));
    turned.style.color = colourOfName('KT');
    this.canvas.append(setLengths(turned, {left: LEFT, width: xS - LEFT - 8, top: y + 4}));
    const xD = this.matrix('S', xS, yS, wS) + GAP;
    const root = rootOf(d) % HUNDRED ? written(rootOf(d), 2) : written(rootOf(d), 0);
    this.matrix('D', xD, yS, wD, [el('b', {}, sheet.isDivided ? `÷ ${root}` : nameText('D', sheet, this.say)), el('small', {}, sheet.isDivided ? `√${d} ${d === 4 ? '=' : '≈'} ${root}` : '')]);
    y = yS + n * h + 20 + LABEL;
    const yA = y + n * h + LABEL;
    this.number(step++, y);
    this.words(LEFT, y);
    const power = this.filled('view-byhand-paper-power');
    const xPowers = this.matrix('powers', LEFT, y, WIDE, [el('b', {}, 'e'), el('small', {}, power)]);
    const xSum = Math.max(xPowers, LEFT + NAME + wideOf(power, SMALL)) + 10; // a name is longer than few columns
    const xEnd = this.matrix('sums', xSum, y, TOTAL, [el('b', {}, this.filled('view-byhand-sum'))]);
    this.number(step, yA);
    this.words(LEFT, yA);
    this.matrix('A', LEFT, yA, WIDE, [el('b', {}, this.filled('view-byhand-weights')), el('small', {}, this.filled('view-byhand-paper-share'))]);
    const wO = Math.min(Math.floor((WIDTH - xEnd - GAP) / d), Math.max(TOTAL, this.cellWidth('O'), this.cellWidth('V')));
    const xO = Math.min(xEnd + GAP + 34, WIDTH - d * wO);
    this.matrix('V', xO, y, wO);
    this.matrix('O', xO, yA, wO, [el('b', {}, this.filled('view-byhand-result'))]);
  }

  /** The outputs of the heads side by side, times W_O. */
  output() {
    const {sheet} = this;
    const {d, count} = sheet;
    this.h = HIGHEST;
    const w = Math.max(WIDE, this.cellWidth('C'));
    const wY = Math.max(TOTAL, this.cellWidth('Y'));
    const y = LABEL + count * d * this.h + LABEL;
    this.number(1, y);
    this.words(LEFT, y);
    const x = this.matrix('C', LEFT, y, Math.min(w, Math.floor((WIDTH - LEFT - GAP - d * wY) / (count * d)))) + GAP;
    this.matrix('WO', x, LABEL, wY);
    this.matrix('Y', x, y, wY);
  }
}
