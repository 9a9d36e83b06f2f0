// Where every object of the story stands in each of its scenes: a word is a word of the sentence, the name of a column, then
// that of a bar; a weight is a mark under a word, a cell of a row, a bar of softmax, then a head's part. No DOM.

import {textOn, weightColour} from '../kit/colour.js';

const BLANK = 3; // ems
const ADDED = 0.5; // of the size of a word: a token that the model added is none
const LABEL = 14; // px of a cell that has room for the name of its column

/** @typedef {import('./motion.js').Place} Place */

/** Lines of words in at most `lines` lines from x0 to x1: {places, lines, s}; as large as fits, at most `size`. */
export function flow(words, {x0, x1, y, size, lines, leading, measure}) {
  for (let s = size; ; s *= 0.92) {
    const places = broken(words, {x0, x1, y, s, leading, measure});
    if (places.lines <= lines || s < 9) return places;
  }
}

/** In one line as large as `one` where that can be read, else in several. */
function inFew(words, place, {one = 0, size, lines, leading}) {
  const single = one ? flow(words, {...place, size: one, lines: 1, leading}) : null;
  return single && single.s >= size * 0.75 ? single : flow(words, {...place, size, lines, leading});
}

function broken(words, {x0, x1, y, s, leading, measure}) {
  let [x, line] = [x0, 0];
  const places = words.map(({text, space, width, isAdded}, at) => {
    const size = isAdded ? ADDED * s : s;
    const w = width ? width * s : measure(text, size);
    const gap = at && space ? 0.27 * s : 0;
    if (at && (space === 2 || x + gap + w > x1)) [x, line] = [x0, line + 1];
    else x += gap;
    const place = {x, y: y + line * leading * s + (s - size), w, s: size, line}; // on one line of writing
    x += w;
    return place;
  });
  return Object.assign(places, {lines: line + 1, s});
}

/**
 * @param {object} facts
 * @param {string[]} facts.steps
 * @param {{text: string, space: number, isAdded?: boolean}[]} facts.words of the text
 * @param {boolean} facts.isNext whether a blank follows them
 * @param {number} facts.row the word that looks
 * @param {number} facts.key
 * @param {(query: number, key: number) => number} facts.weight
 * @param {number[]} facts.products
 * @param {number[]} facts.scores of the row, as softmax reads them
 * @param {number} facts.candidates how many, in all runs
 * @param {number} facts.likeliest how many of them in the untouched run
 * @param {number} facts.lines how many lines they have where heads are off
 * @param {number} facts.choiceHigh how high the choice of heads is there
 * @param {{value: number, name: string, isOwn: boolean}[]} facts.bars of the ledger
 * @param {{w: number, h: number, seen: number, k: number, theme: string, measure: (text: string, size: number) => number}} facts.room
 */
export function scenes({steps, words, isNext, row, key, weight, products, scores, candidates, likeliest, lines, choiceHigh, bars, room}) {
  const {w, h, seen, k, theme, measure} = room;
  const isNarrow = w <= 640;
  const n = words.length;
  const [x0, x1] = isNarrow ? [16, w - 34] : [24 * k, w - 72 * k];
  const top = isNarrow ? 142 * k : 122 * k; // below the caption
  const bottom = h - (isNarrow ? 56 : 64) * k; // above the ways out
  const high = bottom - top;
  const all = (make) => steps.map((step, at) => make(step, at));
  const colour = (weight) => weightColour(weight, theme);
  /** @type {{text: string, space: number, width?: number, isAdded?: boolean}[]} */
  const sentence = [...words, ...(isNext ? [{text: '', space: 1, width: BLANK}] : [])];

  // The sentence and its candidates, all of it in the window that nobody has scrolled yet.
  const firstTop = isNarrow ? 130 * k : 124 * k;
  const told = inFew(sentence, {x0, x1, y: firstTop, measure}, isNarrow ? {one: 26 * k, size: 24 * k, lines: 4, leading: 1.35} : {one: 48 * k, size: 34 * k, lines: 3, leading: 1.4});
  const ledgerAt = (list, until, tallest, lines) => {
    const from = list[list.length - 1].y + list.s * (isNarrow ? 1.75 : 1.9);
    return {from, each: Math.min(tallest * k, (until - from) / Math.max(1, lines))};
  };
  const first = ledgerAt(told, Math.min(seen, bottom) - (isNarrow ? 8 : 36) * k, isNarrow ? 40 : 52, likeliest);

  // The arcs: on a narrow screen the words stand below each other, and arcs at their side. As the first scene they are in
  // sight before anybody scrolls.
  const arcsHigh = steps[0] === 'arcs' ? Math.max(160 * k, Math.min(bottom, seen - (isNarrow ? 8 : 44) * k) - top) : high;
  const rowHigh = Math.min(58 * k, arcsHigh / sentence.length);
  const listed = sentence.map(({text, width, isAdded}, at) => {
    const s = Math.min(27 * k, rowHigh * 0.6) * (isAdded ? ADDED : 1);
    return {x: x0 + 20, y: top + at * rowHigh + (rowHigh - s * 1.2) / 2, w: width ? BLANK * s : measure(text, s), s, line: at};
  });
  const inLines = inFew(sentence, {x0, x1, y: 0, measure}, {one: 60 * k, size: 32 * k, lines: 4, leading: 1});
  const pitch = Math.min(210 * k, (arcsHigh - inLines.s * 2.4) / Math.max(1, inLines.lines - 0.5)); // from line to line
  const firstLine = inLines.lines === 1 ? arcsHigh - inLines.s * 2.6 - 10 * k : pitch * 0.5;
  const arched = isNarrow ? listed : inLines.map((place) => ({...place, y: top + firstLine + place.line * pitch + inLines.s - place.s}));

  // The matrix.
  const gutter = Math.min(isNarrow ? 64 : 110 * k, 12 + Math.max(...words.map(({text}) => measure(text, (isNarrow ? 12 : 15) * k))));
  const slanted = (isNarrow ? 56 : 76) * k;
  const widest = (x1 - x0 - gutter) / n;
  const cellHigh = Math.min((high - slanted) / n, 84 * k, widest * (isNarrow ? 1.7 : 1)); // a narrow screen is high
  const cellWide = Math.min(cellHigh * (isNarrow ? 1 : 1.9), widest);
  const left = x0 + gutter + (isNarrow ? 0 : Math.max(0, (x1 - x0 - gutter - cellWide * n) / 2 - gutter / 2));
  const matrixTop = top + slanted;
  const hasNames = cellWide >= LABEL;

  // The arithmetic: products above, softmax below.
  const barWide = (x1 - x0) / n;
  const base = bottom - (isNarrow ? 22 : 30) * k;
  const middle = top + high * 0.46;
  const softHigh = Math.max(20, base - middle - (isNarrow ? 82 : 108) * k);
  const largest = Math.max(...scores.filter(Number.isFinite));
  const share = (at) => (Number.isFinite(scores[at]) ? Math.exp(scores[at] - largest) : 0);
  const productTop = top + 26 * k;
  const productHigh = middle - productTop - (isNarrow ? 30 : 42) * k;
  const [above, below] = [1, -1].map((sign) => Math.max(0, ...products.map((value) => sign * value)));
  const perProduct = productHigh / Math.max(1e-9, above + below);
  const barOf = (value, at) => {
    const long = Math.abs(value) * perProduct;
    const wide = (x1 - x0) / products.length;
    return {x: x0 + at * wide + wide * 0.12, y: productTop + above * perProduct - (value > 0 ? long : 0), w: wide * 0.76, h: Math.max(1, long)};
  };

  // Where heads are off and the stage has more room than it needs, the ways out are large.
  const outsHigh = isNarrow && h > 700 * k ? 152 * k : !isNarrow && h > 900 * k ? 92 * k : 0;

  // The ledger: bars from one zero line, as large as there is room for. On a narrow screen each name stands over its bar, and left
  // of the line where bars go to both sides.
  const ledgerTop = top + (isNarrow ? 14 * k : 0);
  const ledgerEnd = candidates ? bottom : Math.min(bottom, h - outsHigh);
  const each = Math.min((isNarrow ? 84 : 132) * k, (ledgerEnd - ledgerTop) / Math.max(1, bars.length + 0.2));
  const thick = Math.min(each * (isNarrow ? 0.38 : 0.56), 56 * k);
  const nameSize = Math.min((isNarrow ? 14 : 24) * k, each * (isNarrow ? 0.36 : 0.5));
  const named = Math.max(0, ...bars.map(({name}) => measure(name, nameSize))) * 1.04 + 10 * k;
  const nameWide = isNarrow ? 0 : named;
  const valueWide = (isNarrow ? 54 : 86) * k;
  const [low, up] = [Math.max(0, ...bars.map(({value}) => -value)), Math.max(0, ...bars.map(({value}) => value))];
  const even = Math.max(0, x1 - x0 - nameWide - valueWide * (low > 0 ? 2 : 1)) / Math.max(1e-9, low + up);
  const zero = x0 + Math.max(low > 0 ? named : 0, nameWide + (low > 0 ? valueWide : 0) + low * even);
  const perUnit = Math.min(even, Math.max(0, x1 - valueWide - zero) / Math.max(1e-9, up));
  const barBox = ({value}, at) => ({x: value < 0 ? zero + value * perUnit : zero, y: ledgerTop + at * each + each * (isNarrow ? 0.65 : 0.48) - thick / 2, w: Math.max(2, Math.abs(value) * perUnit), h: thick});

  // What is predicted without heads: the sentence again, and the candidates below it, as large as the stage has room for.
  const offTop = top + choiceHigh + 12 * k;
  const one = (isNarrow ? 28 : Math.min(72, Math.max(44, 0.07 * h / k))) * k;
  const again = inFew(sentence, {x0, x1, y: offTop, measure}, isNarrow ? {one, size: 22 * k, lines: 5, leading: 1.35} : {one, size: one * 0.64, lines: 3, leading: 1.4});
  const second = ledgerAt(again, (outsHigh ? h - outsHigh : bottom) - 8 * k, isNarrow ? 84 : 120, lines);

  const isLedger = (step) => step === 'adds' || (step === 'off' && !candidates);
  const wordAt = (at) => (step) => {
    const is = (place, o = 1, more = {}) => ({x: place.x, y: place.y, s: place.s, o, r: 0, at: 0, ...more});
    if (step === 'word') return is(told[at]);
    if (step === 'arcs') return is(arched[at]);
    if (step === 'row') return {x: left + (at + 0.34) * cellWide, y: matrixTop - (isNarrow ? 15 : 19) * k, s: (isNarrow ? 12 : 15) * k, r: -52, at: 0, o: hasNames || at === key ? 1 : 0};
    const s = (isNarrow ? 12 : 15) * k;
    if (step === 'score') return {x: x0 + (at + 0.5) * barWide, y: base + 4 * k, s, r: 0, at: 0.5, o: at === key || (barWide > 26 * k && measure(words[at].text, s) < barWide) ? 1 : 0};
    if (isLedger(step)) return is(again[at], 0);
    return is(again[at]);
  };
  const cellAt = (at) => (step) => {
    const size = weight(row, at);
    const c = colour(size);
    if (step === 'word') return {x: told[at].x, y: told[at].y + told.s * 1.2, w: told[at].w, h: 2, o: 0, c};
    const place = arched[at];
    if (step === 'arcs') return isNarrow ? {x: x0, y: place.y - 2, w: 10, h: place.s * 1.2 + 4, o: 1, c} : {x: place.x, y: place.y + place.s * 1.2, w: place.w, h: 8 * k, o: 1, c};
    if (step === 'row') return {x: left + at * cellWide + 0.5, y: matrixTop + row * cellHigh + 0.5, w: cellWide - 1, h: cellHigh - 1, o: 1, c};
    const high = Math.max(1.5, share(at) * softHigh);
    const bar = {x: x0 + at * barWide + barWide * 0.1, y: base - high, w: barWide * 0.8, h: high, o: 1, c: colour(at === key ? 0.7 : 0.18)};
    if (step === 'score') return bar;
    const own = bars.findIndex(({isOwn}) => isOwn);
    if (isLedger(step) && at === key && own >= 0) return {...barBox(bars[own], own), o: 0, c};
    return {...bar, h: 2, y: base, o: 0};
  };
  const percentAt = (at) => (step) => {
    const place = arched[at];
    const isKey = at === key;
    const size = weight(row, at);
    if (step === 'word') return {x: told[at].x + told[at].w / 2, y: told[at].y + told.s, s: 12 * k, at: 0.5, o: 0};
    if (step === 'arcs') {
      const s = (isKey ? (isNarrow ? 18 : 24) : isNarrow ? 14 : 15) * k;
      const o = size >= 0.05 ? 1 : 0;
      return isNarrow ? {x: place.x + place.w + 12, y: place.y + (place.s - s) / 2 + 1, s: Math.min(s, rowHigh * 0.7), at: 0, o} : {x: place.x + place.w / 2, y: place.y + place.s * 1.2 + 11 * k, s, at: 0.5, o};
    }
    const cell = {x: left + (at + 0.5) * cellWide, at: 0.5, s: Math.min(15 * k, cellHigh * 0.5)};
    if (step === 'row') return {...cell, y: matrixTop + (row + 0.5) * cellHigh - cell.s * 0.62, o: size >= 0.05 && cellWide > 34 * k ? 1 : 0};
    const s = (isKey ? 18 : 13) * k;
    return {x: x0 + (at + 0.5) * barWide, y: base - Math.max(1.5, share(at) * softHigh) - s * 1.35, s, at: 0.5, o: step === 'score' && (isKey || (size >= 0.05 && barWide > 34 * k)) ? 1 : 0};
  };
  const seenIn = (name, place) => (step) => ({...place, o: step === name ? 1 : 0});
  const line = (x, y, s) => seenIn('score', {x, y, s: s * k, at: 0});
  const big = isNarrow ? 17 : 24;
  const candidateAt = (at, part) => (step) => {
    const isOff = step !== 'word';
    const {from, each} = isOff ? second : first;
    const isOn = (step === 'word' && at < likeliest) || step === 'off';
    const s = Math.min((isNarrow ? (isOff ? 20 : 18) : isOff ? 34 : 24) * k, each * (isOff ? 0.45 : 0.6));
    const name = (isNarrow ? 104 : isOff ? Math.max(190, 8 * s / k) : 190) * k;
    const room = x1 - x0 - name - (isNarrow ? 74 : isOff ? Math.max(110, 4.4 * s / k) : 110) * k;
    const y = from + Math.min(at, (isOff ? lines : likeliest) - 1) * each;
    const hidden = {x: arched[n]?.x ?? x0, y: arched[n]?.y ?? top, o: 0};
    if (part === 'name') return isOn ? {x: x0, y: y + (each - s * 1.2) / 2, s, at: 0, o: 1} : {...hidden, s, at: 0};
    if (part === 'percent') return isOn ? {x: x1, y: y + (each - s * 1.2) / 2, s, at: 1, o: 1} : {...hidden, s, at: 1};
    const wide = Math.min(each * 0.56, 46 * k);
    return isOn ? {x: x0 + name, y: y + (each - wide) / 2, w: room, h: wide, o: 1} : {...hidden, w: room, h: wide};
  };
  const blankAt = (step) => {
    const place = step === 'word' ? told[n] : step === 'arcs' ? arched[n] : again[n];
    if (!place) return {x: 0, y: 0, w: 0, h: 0, o: 0};
    return {x: place.x, y: place.y - place.s * 0.14, w: place.w, h: place.s * 1.45, s: place.s, o: ['word', 'arcs'].includes(step) || (step === 'off' && candidates) ? 1 : 0};
  };
  const barAt = (at) => (step) => (isLedger(step) ? {...barBox(bars[at], at), o: 1} : {...barBox(bars[at], at), o: 0});
  const textOf = (at, part) => (step) => {
    const box = barBox(bars[at], at);
    const s = nameSize;
    const y = box.y + (box.h - s * 1.2) / 2;
    const o = isLedger(step) ? 1 : 0;
    if (part === 'name') return {x: x0, y: isNarrow ? box.y - s * 1.35 : y, s, at: 0, o};
    return bars[at].value < 0 ? {x: box.x - 8, y, s, at: 1, o} : {x: box.x + box.w + 8, y, s, at: 0, o};
  };
  const listOf = (list, make) => Array.from({length: list}, (_, at) => all(make(at)));
  return {
    words: listOf(n, wordAt),
    cells: listOf(n, cellAt),
    percents: listOf(n, percentAt),
    rows: listOf(n, (at) => seenIn('row', {x: left - 8, y: matrixTop + (at + 0.5) * cellHigh - Math.min(15 * k, cellHigh * 0.8) * 0.6, s: Math.min((isNarrow ? 12 : 15) * k, cellHigh * 0.8), at: 1})),
    products: listOf(products.length, (at) => (step) => (step === 'score' ? {...barOf(products[at], at), o: 1} : {x: left + (key + at / products.length) * cellWide, y: matrixTop + row * cellHigh, w: 1, h: cellHigh, o: 0})),
    lines: {
      products: all(line(x0, top, isNarrow ? 14 : 17)),
      scaled: all(line(x0, productTop + productHigh + 4 * k, big)),
      softmax: all(line(x0, middle + (isNarrow ? 8 : 14) * k, isNarrow ? 14 : 17)),
      share: all(line(x0, middle + (isNarrow ? 28 : 38) * k, big)),
    },
    names: listOf(candidates, (at) => candidateAt(at, 'name')),
    chances: listOf(candidates, (at) => candidateAt(at, 'bar')),
    shares: listOf(candidates, (at) => candidateAt(at, 'percent')),
    blank: all(blankAt),
    bars: listOf(bars.length, barAt),
    barNames: listOf(bars.length, (at) => textOf(at, 'name')),
    barValues: listOf(bars.length, (at) => textOf(at, 'value')),
    zero: all((step) => ({x: zero - 0.5, y: ledgerTop, w: 1, h: each * bars.length, o: isLedger(step) && bars.length ? 1 : 0})),
    matrix: {left, top: matrixTop, cw: cellWide, ch: cellHigh, n},
    choice: {x: x0, y: top - 2 * k},
    isRoomy: outsHigh > 0, // where heads are off
    line: {high: second.each, count: lines}, // of a candidate where heads are off
    arcs: arched.slice(0, n).map((place, at) => arc(arched[row], place, weight(row, at), {isNarrow, x1, top, k, side: x0 + 20 + Math.max(...listed.slice(0, n).map(({w}) => w)) + 62 * k})),
    inkOn: (at) => textOn(colour(weight(row, at))),
  };
}

/** The way of one arc from the word that looks to the word it looks at. */
function arc(from, to, weight, {isNarrow, x1, top, k, side}) {
  if (from === to || weight < 0.01) return null;
  const wide = Math.max(1.2, weight * (isNarrow ? 16 : 30) * k);
  if (isNarrow) {
    const x = Math.min(side, x1 - 60);
    const [y, end] = [from.y + from.s * 0.6, to.y + to.s * 0.6];
    const out = Math.min(x1 - x, 40 + Math.abs(y - end) * 0.75) * 1.3;
    return {d: `M${x} ${y} C${x + out} ${y} ${x + out} ${end} ${x} ${end}`, wide, weight};
  }
  const [a, b] = [from.x + from.w / 2, to.x + to.w / 2];
  if (from.line === to.line) {
    const high = Math.min(from.y - top - 10 * k, (26 + Math.abs(a - b) * 0.42) * k) * 1.3;
    const y = from.y - 4 * k;
    return {d: `M${a} ${y} C${a} ${y - high} ${b} ${y - high} ${b} ${y}`, wide, weight};
  }
  const isDown = to.y > from.y;
  const [start, stop] = isDown ? [from.y + from.s * 1.5, to.y - 4 * k] : [from.y - 4 * k, to.y + to.s * 1.5];
  const middle = (start + stop) / 2;
  return {d: `M${a} ${start} C${a} ${middle} ${b} ${middle} ${b} ${stop}`, wide, weight};
}
