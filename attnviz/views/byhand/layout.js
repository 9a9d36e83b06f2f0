// Where each matrix stands. A product is drawn as at school: what is read by rows on the left, by columns above, its result
// in the corner. One size of digits for all, the largest with which they fit. No DOM.

/**
 * @typedef {object} Placed a matrix on the stage
 * @property {string} id its own, where one matrix stands in two places
 * @property {string} m which matrix
 * @property {number} x
 * @property {number} y of its first cell
 * @property {number} w of a cell
 * @property {number} rows
 * @property {number} columns
 * @property {'left' | 'right' | 'above' | ''} words on which side the words are
 * @property {number} f px of a digit
 * @property {number} h of a cell
 * @property {number} label of the line above it
 */

const [LARGEST, PRESENTED, SMALLEST, ON_A_PHONE] = [30, 48, 11, 17]; // px of digits

/** The steps of a head that a presenter shows one by one, and in which one a cell is made. */
export const STEPS = ['sum', 'products', 'scores', 'weights', 'output'];
const MADE_IN = {S: 2, D: 2, A: 3, O: 4};
export const stepOf = (m, {hasPositions}) => (hasPositions && 'EPX'.includes(m) ? 0 : (MADE_IN[m] ?? 1));
/** Those that a sheet has: where there are no positions, nothing is added to X. */
export const stepsOf = ({hasPositions}) => STEPS.map((_, step) => step).slice(hasPositions ? 0 : 1);
const [PAD, TIGHT] = [0.72, 0.5]; // ems beside the digits of a cell; the second where a room has to read many columns
const [NOTED, NAMED] = [13, 2.65]; // ems, where a room reads them: of a note at least, of a word over its column at most
const SIGN = {'.': 0.29, '\u221e': 0.9};
const emsOf = (text) => [...text].reduce((ems, sign) => ems + (SIGN[sign] ?? 0.63), 0);
/** About how wide a text is, in ems of its letters. */
export const letterEms = (text) => [...text].reduce((ems, sign) => ems + (/\p{Script=Han}/u.test(sign) ? 1.02 : 0.58), 0);

/** Of each matrix the width of a cell, in ems of its digits; what it may come to while it is typed in has room already. */
const LEAST = {D: '\u22123.5', A: '0.25', O: '\u22121.25', C: '\u22121.25', Y: '\u22121.25'};
const cellEms = (name, texts, pad) => Math.max(emsOf(LEAST[name] ?? '\u221212'), ...texts.flat().map(emsOf)) + pad;

/**
 * @param {Record<string, string[][]>} texts of every matrix, as printed
 * @param {number | null} step the only one of a head that is shown, null for all
 */
export function plan(sheet, texts, part, {width, height}, isNarrow, step = null) {
  const make = isNarrow ? stacked : part === 2 ? projected : step === null ? side : MADE[step];
  let f = isNarrow ? ON_A_PHONE : step === null ? LARGEST : PRESENTED;
  let made = make(sheet, texts, f, part, width);
  while ((made.width > width || made.height > height) && f > SMALLEST) {
    f -= 0.5;
    made = make(sheet, texts, f, part, width);
  }
  return made;
}

function measures(f, {words}) {
  const isHan = words.some((word) => /\p{Script=Han}/u.test(word));
  return {f, h: f < 20 ? Math.round(f * 1.36 + 4) : Math.max(30, Math.round(f * 1.3)), label: Math.round(f * 1.15 + 6), gap: Math.round(f * 1.75), left: Math.round(f * (isHan ? 2.7 : 3.3))};
}

const sizeOf = (texts, m) => ({rows: texts[m].length, columns: texts[m][0].length});

/** One head: X and what is made of it, below that the scores, the weights and the output. */
function side(sheet, texts, f) {
  const drawn = new Drawing(sheet, texts, f);
  const {n, d, hasPositions} = sheet;
  const {label, gap} = drawn.at;
  const {yX, x: right, xX} = drawn.products();
  const y = yX + drawn.rows(n) + Math.round(f * 0.9) + label + drawn.rows(Math.max(n, d)) + label;
  drawn.output(drawn.weights(drawn.scores(y), y), y);
  const free = hasPositions ? {x: 0, y: 0, width: xX, height: yX - label} : {x: right + gap * 1.5, y: 0, height: y - label - drawn.rows(n) - label};
  return drawn.done(free);
}

/** One step of a head alone, by its number. */
const MADE = [
  (sheet, texts, f) => {
    const drawn = new Drawing(sheet, texts, f, PAD, true);
    drawn.sum(drawn.at.left, drawn.at.label);
    return drawn.done(null);
  },
  (sheet, texts, f) => {
    const drawn = new Drawing(sheet, texts, f, sheet.d > 3 ? TIGHT : PAD, true);
    drawn.products(false);
    return drawn.done(null);
  },
  ...STEPS.slice(2).map((step) => (sheet, texts, f) => {
    const drawn = new Drawing(sheet, texts, f, step === 'scores' && sheet.n > 5 ? TIGHT : PAD, true);
    const y = 2 * drawn.at.label + drawn.rows({scores: sheet.d, weights: Math.max(4, sheet.d), output: sheet.n}[step]); // a note has room
    if (step === 'scores') drawn.scores(y);
    else drawn[step](drawn.read(step === 'weights' ? 'D' : 'A', y), y);
    return drawn.done(null);
  }),
];

/** The matrices of a head as they are put on the stage, step by step, each from where the one before ended. */
class Drawing {
  /** @type {Placed[]} */
  placed = [];
  signs = [];
  notes = [];
  sheet; texts; f; at; w; isPresented;

  constructor(sheet, texts, f, pad = PAD, isPresented = false) {
    const w = Object.fromEntries(Object.keys(texts).map((m) => [m, Math.ceil(cellEms(m, texts[m], pad) * f)]));
    for (const m of ['Q', 'K', 'V']) w[m] = w[`W${m}`] = Math.max(w[m], w[`W${m}`], w.X);
    const at = measures(f, sheet);
    Object.assign(this, {sheet, texts, f, w, isPresented, at: {...at, ...(pad === TIGHT && {gap: Math.round(f * 1.15), left: Math.min(at.left, f * 3)})}});
  }

  rows(count) {
    return count * this.at.h;
  }

  /** @param {Placed['words']} words */
  put(id, m, x, y, w, words = '') {
    const {f, at: {h, label}} = this;
    const size = sizeOf(this.texts, m);
    this.placed.push({id, m, x, y, w, ...size, words, f, h, label});
    return x + size.columns * w;
  }

  sign(sign, x, y) {
    const {gap} = this.at;
    this.signs.push({x: x - gap, y, width: gap, height: this.rows(this.sheet.n), sign});
  }

  /** The words and their positions, and X, which they add up to. */
  sum(x, y) {
    const {w, at: {gap}} = this;
    for (const [m, sign] of [['E', '+'], ['P', '=']]) {
      x = this.put(m, m, x, y, w.X, m === 'E' ? 'left' : '') + gap;
      this.sign(sign, x, y);
    }
    return this.put('X', 'X', x, y, w.X);
  }

  /** X, and Q, K and V under their weights. */
  products(isFromPositions = this.sheet.hasPositions) {
    const {w, sheet: {d}, at: {label, gap, left}} = this;
    const yX = label + this.rows(d) + label;
    const xX = isFromPositions ? this.sum(left, yX) : this.put('X', 'X', left, yX, w.X, 'left');
    let x = xX;
    for (const m of ['Q', 'K', 'V']) {
      this.put(`W${m}`, `W${m}`, x + gap, label, w[m]);
      x = this.put(m, m, x + gap, yX, w[m]);
    }
    return {yX, xX, x};
  }

  scores(y) {
    const {w, f, sheet: {n, d, words}, at: {label, gap, left}} = this;
    const named = this.isPresented ? Math.min(NAMED, Math.max(...words.slice(0, n).map(letterEms))) * f : 0;
    const width = Math.ceil(Math.max(w.K, w.S, named));
    const x = this.put('Q2', 'Q', left, y, w.Q, 'left') + gap;
    this.put('KT', 'KT', x, y - label - this.rows(d), width, 'above');
    const xD = this.put('S', 'S', x, y, width) + gap;
    this.sign('→', xD, y);
    this.note('root', xD, n * w.D, y);
    return this.put('D', 'D', xD, y, w.D);
  }

  /** What is said over a matrix; in a room it may be wider than that. */
  note(id, x, width, y) {
    this.notes.push({id, x, width: this.isPresented ? Math.max(width, NOTED * this.f) : width, bottom: y - this.at.label - 4});
  }

  /** What another step made, at the left. */
  read(m, y) {
    return this.put(m, m, this.at.left, y, this.w[m], 'left');
  }

  weights(x, y) {
    const {w, sheet: {n}, at: {gap}} = this;
    this.sign('→', x + gap, y);
    this.note('softmax', x + gap, n * w.A, y);
    return this.put('A', 'A', x + gap, y, w.A);
  }

  output(x, y) {
    const {w, sheet: {n}, at: {label, gap, left}} = this;
    const width = Math.max(w.V, w.O);
    const xO = x + Math.max(gap, left);
    this.put('V2', 'V', xO, y - label - this.rows(n), width, 'left');
    this.put('O', 'O', xO, y, width);
  }

  done(free) {
    const ends = this.placed.map(({x, y, w, h, rows, columns}) => [x + columns * w, y + rows * h]);
    const noted = this.isPresented ? this.notes.map(({x, width: wide}) => [x + wide, 0]) : [];
    const [width, height] = [0, 1].map((axis) => Math.max(...[...ends, ...noted].map((end) => end[axis])));
    return {...this.at, placed: this.placed, signs: this.signs, notes: this.notes, width, height, free};
  }
}

/** The outputs of all heads side by side, times W_O. */
function projected(sheet, texts, f) {
  const {n, d, count} = sheet;
  const at = measures(f, sheet);
  const {h, label, gap, left} = at;
  const [wC, wY] = [Math.ceil(cellEms('C', texts.C, PAD) * f), Math.ceil(Math.max(cellEms('Y', texts.Y, PAD), cellEms('WO', texts.WO, PAD)) * f)];
  const y = label + count * d * h + label;
  const x = left + count * d * wC + gap;
  const common = {f, h, label};
  return {
    ...at,
    placed: [
      {id: 'C', m: 'C', x: left, y, w: wC, ...sizeOf(texts, 'C'), words: 'left', ...common},
      {id: 'WO', m: 'WO', x, y: label, w: wY, ...sizeOf(texts, 'WO'), words: '', ...common},
      {id: 'Y', m: 'Y', x, y, w: wY, ...sizeOf(texts, 'Y'), words: '', ...common},
    ],
    signs: [], notes: [], width: x + d * wY, height: y + n * h, free: {x: x + d * wY + gap * 1.5, y: 0, height: y + n * h},
  };
}

/** On a phone one product under another, each with digits as large as it allows. */
function stacked(sheet, texts, _f, part, room) {
  const {d, hasPositions} = sheet;
  const placed = [];
  let y = 0;
  const fit = (make) => {
    let f = ON_A_PHONE;
    let made = make(f);
    while (made.width > room && f > 9) made = make((f -= 0.25));
    for (const one of made.placed) placed.push({...one, y: one.y + y});
    y += made.height + Math.round(f * 1.5);
  };
  const school = (left, above, result, ids = [left, above, result]) => (f) => {
    const {h, label, left: names} = {...measures(f, sheet), h: Math.max(28, Math.round(f * 1.36 + 6)), label: Math.round(f * 1.15 + 9), left: Math.round(f * 2.9)};
    const wide = left === 'A';
    const wL = Math.ceil(cellEms(left, texts[left], wide ? 0.25 : 0.45) * f);
    const wR = Math.ceil(Math.max(cellEms(above, texts[above], wide ? 0.25 : 0.45), cellEms(result, texts[result], wide ? 0.25 : 0.45)) * f);
    const common = {f, h, label};
    const x = names + texts[left][0].length * wL + Math.round(f * 0.7);
    const yR = label * 2 + texts[above].length * h;
    return {
      placed: [
        {id: ids[1], m: above, x, y: label, w: wR, ...sizeOf(texts, above), words: above === 'KT' ? 'above' : '', ...common},
        {id: ids[0], m: left, x: names, y: yR, w: wL, ...sizeOf(texts, left), words: 'left', ...common},
        {id: ids[2], m: result, x, y: yR, w: wR, ...sizeOf(texts, result), words: '', ...common},
      ],
      width: x + texts[result][0].length * wR, height: yR + texts[left].length * h,
    };
  };
  const alone = (m) => (f) => {
    const {h, label, left} = {...measures(f, sheet), h: Math.max(28, Math.round(f * 1.36 + 6)), label: Math.round(f * 1.15 + 9), left: Math.round(f * 2.9)};
    const least = Math.ceil(cellEms(m, texts[m], m === 'C' ? 0.25 : 0.5) * f);
    const w = Math.max(least, Math.min(60, Math.floor((room - left) / texts[m][0].length)));
    return {placed: [{id: m, m, x: left, y: label, w, ...sizeOf(texts, m), words: m === 'WO' ? '' : 'left', f, h, label}], width: left + texts[m][0].length * least, height: label + texts[m].length * h};
  };
  if (part === 2 && sheet.count > 1) for (const m of ['C', 'WO', 'Y']) fit(alone(m));
  else if (part === 2) fit(school('C', 'WO', 'Y'));
  else {
    if (hasPositions) for (const m of ['E', 'P']) fit(alone(m));
    for (const m of ['Q', 'K', 'V']) fit(school('X', `W${m}`, m, [m === 'Q' ? 'X' : `X${m}`, `W${m}`, m]));
    fit(school('Q', 'KT', 'S', ['Q2', 'KT', 'S']));
    fit(alone('D'));
    fit(school('A', 'V', 'O', ['A', 'V2', 'O']));
  }
  return {f: ON_A_PHONE, h: 28, gap: 12, placed, signs: [], notes: [], width: room, height: y, free: null, d};
}

/**
 * What a cell is made of, as far as it is on the stage: the boxes of what is read, {id, row, column, rows, columns}, and whether it is a
 * product, whose row and column run as bands into it.
 * @typedef {{id: string, row: number, column: number, rows: number, columns: number}} Read
 * @returns {{left?: Read, above?: Read, isProduct?: boolean}}
 */
export function sourcesOf({m, row, column}, placed) {
  const has = (id) => placed.find((one) => one.id === id);
  const rowOf = (id) => has(id) && {id, row, column: 0, rows: 1, columns: has(id).columns};
  const columnOf = (id) => has(id) && {id, row: 0, column, rows: has(id).rows, columns: 1};
  const cell = (id) => has(id) && {id, row, column, rows: 1, columns: 1};
  if (m === 'Q' || m === 'K' || m === 'V') return {left: rowOf(has(`X${m}`) ? `X${m}` : 'X'), above: columnOf(`W${m}`), isProduct: true};
  if (m === 'S') return {left: rowOf('Q2'), above: columnOf('KT'), isProduct: true};
  if (m === 'O') return {left: rowOf('A'), above: columnOf('V2'), isProduct: true};
  if (m === 'Y') return {left: rowOf('C'), above: columnOf('WO'), isProduct: true};
  if (m === 'D') return {left: cell('S')};
  if (m === 'A') return {left: rowOf('D')};
  if (m === 'X' && has('E')) return {left: cell('E'), above: cell('P')};
  return {};
}
