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

const [LARGEST, SMALLEST, ON_A_PHONE] = [30, 11, 17]; // px of digits
const SIGN = {'.': 0.29, '\u221e': 0.9};
const emsOf = (text) => [...text].reduce((ems, sign) => ems + (SIGN[sign] ?? 0.63), 0);

/** Of each matrix the width of a cell, in ems of its digits; what it may come to while it is typed in has room already. */
const LEAST = {D: '\u22123.5', A: '0.25', O: '\u22121.25', C: '\u22121.25', Y: '\u22121.25'};
const cellEms = (name, texts, pad) => Math.max(emsOf(LEAST[name] ?? '\u221212'), ...texts.flat().map(emsOf)) + pad;

/** @param {Record<string, string[][]>} texts of every matrix, as printed */
export function plan(sheet, texts, part, {width, height}, isNarrow) {
  const make = isNarrow ? stacked : part === 2 ? projected : side;
  let f = isNarrow ? ON_A_PHONE : LARGEST;
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
  const {n, d, hasPositions} = sheet;
  const at = measures(f, sheet);
  const {h, label, gap, left} = at;
  const w = Object.fromEntries(Object.keys(texts).map((m) => [m, Math.ceil(cellEms(m, texts[m], 0.72) * f)]));
  for (const m of ['Q', 'K', 'V']) w[m] = w[`W${m}`] = Math.max(w[m], w[`W${m}`], w.X);
  const [scores, out] = [Math.max(w.K, w.S), Math.max(w.V, w.O)];
  const yX = label + d * h + label;
  const y2 = yX + n * h + Math.round(f * 0.9) + label + Math.max(n, d) * h + label;
  /** @type {Placed[]} */
  const placed = [];
  const put = (id, m, x, y, width, /** @type {Placed['words']} */ words = '') => placed.push({id, m, x, y, w: width, ...sizeOf(texts, m), words, f, h, label});
  const signs = [];
  let x = left;
  if (hasPositions) {
    for (const [m, sign] of [['E', '+'], ['P', '=']]) {
      put(m, m, x, yX, w.X, m === 'E' ? 'left' : '');
      x += d * w.X + gap;
      signs.push({x: x - gap, y: yX, width: gap, height: n * h, sign});
    }
  }
  put('X', 'X', x, yX, w.X, hasPositions ? '' : 'left');
  const endX = x + d * w.X;
  x = endX + gap;
  for (const m of ['Q', 'K', 'V']) {
    put(`W${m}`, `W${m}`, x, label, w[m]);
    put(m, m, x, yX, w[m]);
    x += d * w[m] + gap;
  }
  const right = x - gap;
  put('Q2', 'Q', left, y2, w.Q, 'left');
  const xS = left + d * w.Q + gap;
  put('KT', 'KT', xS, y2 - label - d * h, scores, 'above');
  put('S', 'S', xS, y2, scores);
  const xD = xS + n * scores + gap;
  put('D', 'D', xD, y2, w.D);
  const xA = xD + n * w.D + gap;
  put('A', 'A', xA, y2, w.A);
  const xO = xA + n * w.A + Math.max(gap, left);
  put('V2', 'V', xO, y2 - label - n * h, out, 'left');
  put('O', 'O', xO, y2, out);
  for (const x of [xD, xA]) signs.push({x: x - gap, y: y2, width: gap, height: n * h, sign: '→'});
  const notes = [{id: 'root', x: xD, width: n * w.D, bottom: y2 - label - 4}, {id: 'softmax', x: xA, width: n * w.A + Math.max(0, gap - f), bottom: y2 - label - 4}];
  const width = Math.max(xO + d * out, right);
  const free = hasPositions ? {x: 0, y: 0, width: endX, height: yX - label} : {x: right + gap * 1.5, y: 0, height: y2 - label - n * h - label};
  return {...at, placed, signs, notes, width, height: y2 + n * h, free};
}

/** The outputs of all heads side by side, times W_O. */
function projected(sheet, texts, f) {
  const {n, d, count} = sheet;
  const at = measures(f, sheet);
  const {h, label, gap, left} = at;
  const [wC, wY] = [Math.ceil(cellEms('C', texts.C, 0.72) * f), Math.ceil(Math.max(cellEms('Y', texts.Y, 0.72), cellEms('WO', texts.WO, 0.72)) * f)];
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
 * What a cell is made of, on the stage: the boxes of what is read, {id, row, column, rows, columns}, and whether it is a
 * product, whose row and column run as bands into it.
 * @typedef {{id: string, row: number, column: number, rows: number, columns: number}} Read
 * @returns {{left?: Read, above?: Read, isProduct?: boolean}}
 */
export function sourcesOf({m, row, column}, placed) {
  const has = (id) => placed.find((one) => one.id === id);
  const rowOf = (id) => ({id, row, column: 0, rows: 1, columns: has(id)?.columns ?? 0});
  const columnOf = (id) => ({id, row: 0, column, rows: has(id)?.rows ?? 0, columns: 1});
  const cell = (id) => ({id, row, column, rows: 1, columns: 1});
  if (m === 'Q' || m === 'K' || m === 'V') return {left: rowOf(has(`X${m}`) ? `X${m}` : 'X'), above: columnOf(`W${m}`), isProduct: true};
  if (m === 'S') return {left: rowOf('Q2'), above: columnOf('KT'), isProduct: true};
  if (m === 'O') return {left: rowOf('A'), above: columnOf('V2'), isProduct: true};
  if (m === 'Y') return {left: rowOf('C'), above: columnOf('WO'), isProduct: true};
  if (m === 'D') return {left: cell('S')};
  if (m === 'A') return {left: rowOf('D')};
  if (m === 'X' && has('E')) return {left: cell('E'), above: cell('P')};
  return {};
}
