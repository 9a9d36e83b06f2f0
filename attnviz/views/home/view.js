// The home view: the sentence in large type with one head's weights as curves between its words, and four small pictures
// that lead on. A word that is pointed at or focused shows its own row.

import {paintCells} from '../kit/cells.js';
import {tableOf, weightColour} from '../kit/colour.js';
import {el, sized, svg} from '../kit/dom.js';
import {listenToOwnKeys, stepOf} from '../kit/keyboard.js';
import {evenPlace} from '../kit/matrix.js';
import {clamp, fmt, pct} from '../kit/number.js';
import {pictureOf} from '../kit/pixels.js';
import {show} from '../kit/shell.js';
import {takeMenu} from '../kit/export_menu.js';
import {matrixTable} from '../kit/spreadsheet.js';
import {groupColour, groupName, tokenName} from '../kit/token.js';
import {fill, fillText, named, short, visible} from '../kit/words.js';

const LEAST = 0.02; // weights below are not drawn
const NAMED = 0.05; // weights from here on have their percentage at the word
const CELLS = 4; // rows of the picture of step through
const LEAST_CELL = 28; // px, so that a number has room in it
const HEADS_OF_COLUMNS = 18; // px
const PAGES = ['step', 'heads', 'compare', 'train'];

export function mount(element, payload, emit) {
  return show(HomeView, element, payload, emit);
}

class HomeView {
  /** @type {HomeHeader} */
  header;
  /** @type {Arrays} */
  arrays;
  shell; root; emit; say; place; pair; formation; theme; k;
  static css = 'home';

  constructor(shell) {
    Object.assign(this, {shell, root: shell.root, emit: shell.emit, hovered: null});
    shell.hear('attnviz:home-pair', (detail) => this.receive('pair', detail));
    shell.hear('attnviz:home-formation', (detail) => this.receive('formation', detail));
  }

  /** @param {Payload<HomeHeader>} payload */
  take({header, arrays}) {
    const isOther = this.header?.revision !== header.revision;
    if (isOther) this.picked = header.tokens[header.picked?.word] ? header.picked.word : header.selection.token;
    Object.assign(this, {header, arrays, say: this.shell.say});
    return true;
  }

  /** Pictures that came later than the page: the same head without training, and a head that formed. */
  receive(name, {arrays, ...header}) {
    if (name === 'pair' && header.revision !== this.header.revision) return;
    this[name] = {header, arrays};
    this.drawWays();
  }

  build(signal) {
    const {header, say} = this;
    this.words = header.tokens.map((token, index) => this.word(token, index));
    this.curves = svg('svg', {class: 'curves', 'aria-hidden': 'true'});
    const next = header.hidden ? undefined : header.tokens.at(-1)?.writes;
    const missing = next === undefined ? '' : el('span', {class: 'next', title: say('view-home-missing')}, el('bdi', {}, short(visible(next))));
    this.sentence = el('div', {class: 'sentence', dir: 'auto', role: 'group', 'aria-label': say('view-home-sentence')}, this.curves, ...this.lines(), missing);
    listenToOwnKeys(this.sentence, signal, (event) => this.walk(event));
    this.reading = el('p', {class: 'reading', 'aria-live': 'polite'});
    const {layer, head} = header.selection;
    this.place = fillText(say('view-home-place'), {model: header.model, layer: layer + 1, head: head + 1});
    const rest = header.hidden ? el('p', {class: 'caption'}, fillText(say('view-home-hidden'), {n: header.hidden})) : null;
    this.ways = Object.fromEntries(PAGES.map((page) => [page, this.way(page)]));
    const ways = el('nav', {class: 'ways', 'aria-label': say('view-home-ways')}, ...PAGES.map((page) => this.ways[page].node));
    const take = takeMenu({say, rows: () => this.table(), file: () => `head-${layer + 1}.${head + 1}`});
    this.root.replaceChildren(el('section', {class: 'stage', 'data-picture': ''}, el('div', {class: 'line'}, el('p', {class: 'caption'}, this.place, el('span', {class: 'try'}, say('view-home-try'))), take), this.sentence, this.reading, rest), this.emit ? ways : '');
  }

  about() {
    const {selection} = this.header;
    return {title: this.place.replace(/[.。]$/, ''), place: `${selection.layer + 1}.${selection.head + 1}`};
  }

  table() {
    const names = this.header.tokens.map(named);
    return matrixTable('', names, names, (query, key) => this.weight(query, key));
  }

  word(token, index) {
    const show = () => this.look(index);
    const leave = () => this.look(null);
    const pick = () => {
      this.picked = index;
      this.look(null);
      this.drawWays();
      this.emit?.({word: index});
    };
    const name = tokenName(token, this.say);
    const mark = (tag, text) => el(tag, {class: 'mark', 'aria-hidden': 'true'}, text);
    const [joins, unknown] = [token.continues && mark('span', '·'), token.unknown && mark('sup', '?')];
    const attributes = {class: token.special ? 'word special' : 'word', 'aria-label': name, title: token.unknown ? name : null};
    const acts = {pointerenter: show, pointerleave: leave, focus: show, blur: leave, click: pick};
    return el('button', {type: 'button', ...attributes, ...acts}, joins || null, el('bdi', {}, visible(token.text)), unknown || null, el('small', {}));
  }

  way(page) {
    const {header, say} = this;
    const canvas = el('canvas', {'aria-hidden': 'true'});
    const go = (event) => {
      if (!this.emit || event.ctrlKey || event.metaKey || event.shiftKey) return; // the browser opens the address itself
      event.preventDefault();
      this.emit({go: this.address(page)});
    };
    const words = {layers: header.layers, heads: header.heads, n: header.layers * header.heads};
    const shows = page === 'compare' && header.compares === 'texts' ? 'texts' : page;
    const title = el('strong', {}, fillText(say(`view-home-${shows}`), words));
    const line = el('span', {}, fillText(say(`view-home-${shows}-line`), words));
    return {canvas, node: el('a', {class: 'way', click: go}, el('span', {class: 'picture'}, canvas), el('span', {class: 'words'}, title, line))};
  }

  /** A page that opens on what its picture shows. */
  address(page) {
    const row = this.picked;
    const picked = {step: `&cell=weights~${row + 1}~${this.strongest(row) + 1}~1`, heads: `&token=${row + 1}`};
    return this.header.links[page] + (picked[page] ?? '');
  }

  /** The words, each line of the text in lines of its own; before those of a text of two, or of a role, its name. */
  lines() {
    const {tokens} = this.header;
    const lineEnd = () => el('span', {class: 'line-end'});
    return this.words.flatMap((word, at) => {
      const {group, space} = tokens[at];
      if (group === tokens[at - 1]?.group) return [...(space === 2 ? [lineEnd()] : []), word];
      return [...(at ? [lineEnd()] : []), ...(group ? [this.groupName(group)] : []), word];
    });
  }

  groupName(group) {
    const node = el('span', {class: 'group', 'aria-hidden': 'true'}, groupName(group, this.say));
    node.style.setProperty('--band', groupColour(group));
    return node;
  }

  /** One stop of the Tab key; from there the arrow keys go from word to word. */
  walk(event) {
    const [lines, by] = stepOf(event) ?? [0, 0];
    if (lines || !by) return false;
    const at = this.words.indexOf(event.target);
    this.words[clamp(at + by, 0, this.words.length - 1)].focus();
    return true;
  }

  look(index) {
    if (index === this.hovered) return;
    this.hovered = index;
    this.drawRow();
  }

  get row() {
    return this.hovered ?? this.picked;
  }

  weight(query, key) {
    return this.arrays.weights.data[query * this.words.length + key];
  }

  draw({k, theme}) {
    Object.assign(this, {k, theme});
    this.drawRow();
    this.drawWays();
  }

  /** The other word that a word looks at most. */
  strongest(row) {
    const weights = this.words.map((_, key) => (key === row ? -1 : this.weight(row, key)));
    return weights.indexOf(Math.max(...weights));
  }

  /** The curves of one word, over those of all others, and what it says. */
  drawRow() {
    const {words, row, sentence, curves} = this;
    const frame = sentence.getBoundingClientRect();
    const places = words.map((word) => {
      const box = word.getBoundingClientRect();
      const middle = box.top + box.height / 2 - frame.top;
      return {x: box.left + box.width / 2 - frame.left, top: box.top - frame.top, bottom: box.bottom - frame.top, line: Math.round(middle / 24)};
    });
    curves.setAttribute('width', frame.width);
    curves.setAttribute('height', frame.height);
    const mist = words.flatMap((_, query) => (query === row ? [] : this.curvesOf(query, places, 'mist')));
    const asking = this.curvesOf(row, places, 'own');
    curves.replaceChildren(...mist, ...asking);
    words.forEach((word, key) => {
      const weight = this.weight(row, key);
      word.classList.toggle('asking', key === row);
      word.setAttribute('aria-pressed', key === this.picked);
      word.tabIndex = key === row ? 0 : -1;
      word.style.setProperty('--share', key === row ? 0 : Math.min(1, weight));
      word.lastChild.textContent = weight >= NAMED ? pct(weight) : '';
    });
    this.drawReading();
  }

  curvesOf(query, places, kind) {
    const thickest = parseFloat(getComputedStyle(this.root).getPropertyValue('--thickest')) || 22;
    return places.flatMap((to, key) => {
      const weight = this.weight(query, key);
      if (key === query || weight < LEAST || (kind === 'mist' && weight < 5 * LEAST)) return [];
      return [svg('path', {class: kind, d: arc(places[query], to), 'stroke-width': Math.max(1, weight * thickest)})];
    });
  }

  drawReading() {
    const {words, row, header, say} = this;
    const n = words.length;
    const order = Array.from({length: n}, (_, key) => key).sort((a, b) => this.weight(row, b) - this.weight(row, a));
    const [first, second] = order;
    const isOneWay = header.shares.length > 0; // words see what stands before them alone
    const seeing = this.words.map((_, query) => query).filter((query) => !isOneWay || query >= first);
    const mean = seeing.reduce((sum, query) => sum + this.weight(query, first), 0) / seeing.length;
    const text = (at) => el('b', {}, el('bdi', {}, short(visible(header.tokens[at]?.text ?? ''))));
    if (second === undefined) return this.reading.replaceChildren();
    const said = {query: text(row), key: text(first), percent: pct(this.weight(row, first)), again: text(first), other: text(second), less: pct(this.weight(row, second)), all: pct(mean)};
    const {writes} = header.tokens[row];
    const id = !isOneWay ? 'view-home-reading' : row ? 'view-home-reading-seen' : 'view-home-reading-first';
    const next = {token: el('b', {}, el('bdi', {}, short(visible(writes ?? '')))), percent: pct(header.shares[row] ?? 0)};
    this.reading.replaceChildren(fill(document, say(id), said), isOneWay ? el('span', {}, ' ', fill(document, say('view-home-next'), next)) : '');
  }

  /** The small pictures. */
  drawWays() {
    const {ways, theme} = this;
    if (!theme) return;
    for (const page of PAGES) ways[page].node.href = this.address(page);
    const size = ({canvas}) => {
      const box = canvas.parentElement.getBoundingClientRect();
      return [sized(canvas, box.width, box.height), box.width, box.height];
    };
    this.drawNumbers(...size(ways.step));
    this.drawAll(...size(ways.heads));
    if (this.pair) this.drawMaps(...size(ways.compare), this.pair.arrays.maps);
    if (this.formation) this.drawMaps(...size(ways.train), this.formation.arrays.maps);
  }

  /** A corner of the matrix with its numbers. */
  drawNumbers(context, width, height) {
    const label = 0.42 * width;
    const room = Math.min(width - label, height - HEADS_OF_COLUMNS);
    const n = Math.max(1, Math.min(CELLS, this.words.length, Math.floor(room / (LEAST_CELL * this.k))));
    const first = Math.max(0, Math.min(this.picked - n + 2, this.words.length - n));
    const firstKey = Math.max(0, Math.min(this.strongest(this.picked) - n + 1, this.words.length - n));
    const cell = room / n;
    const [left, top] = [(width - label / 2 - n * cell) / 2 + label / 2, height - n * cell];
    const text = (at) => short(visible(this.header.tokens[at].text), 9);
    const style = getComputedStyle(this.root);
    context.font = `11px ${style.fontFamily}`;
    context.fillStyle = style.getPropertyValue('--ink-3');
    context.textBaseline = 'middle';
    for (let at = 0; at < n; at++) {
      context.textAlign = 'right';
      context.fillText(text(first + at), left - 6, top + (at + 0.5) * cell);
      context.textAlign = 'center';
      if (cell >= 22) context.fillText(short(text(firstKey + at), 4), left + (at + 0.5) * cell, top - 9);
    }
    const weight = (row, column) => this.weight(first + row, firstKey + column);
    paintCells(context, evenPlace({rows: n, columns: n, cw: cell, ch: cell, left, top}), {
      rows: [0, n],
      columns: [0, n],
      colourAt: (row, column) => weightColour(weight(row, column), this.theme),
      textAt: (row, column) => fmt(weight(row, column)),
      k: this.k,
    });
  }

  drawAll(context, width, height) {
    const [layers, heads, rows, columns] = this.arrays.maps.shape;
    const isAcross = layers > heads; // many layers stand beside each other, where there is more room
    const [across, down] = isAcross ? [layers, heads] : [heads, layers];
    const cell = Math.min(width / across, height / down);
    const side = Math.max(2, cell - Math.min(3, cell / 4));
    const [left, top] = [(width - across * cell) / 2, (height - down * cell) / 2];
    const placeOf = (layer, head) => [left + (isAcross ? layer : head) * cell, top + (isAcross ? head : layer) * cell];
    for (let at = 0; at < layers * heads; at++) this.paint(context, this.arrays.maps, at, [rows, columns], ...placeOf(Math.floor(at / heads), at % heads), side);
    const {layer, head} = this.header.selection;
    const [x, y] = placeOf(layer, head);
    context.strokeStyle = getComputedStyle(this.root).color;
    context.lineWidth = 1.5;
    context.strokeRect(x - 1, y - 1, side + 2, side + 2);
  }

  /** Several maps beside each other, with an arrow from each to the next. */
  drawMaps(context, width, height, maps) {
    const [n, rows, columns] = maps.shape;
    const gap = 12;
    const side = Math.max(0, Math.min(height - 8, (width - (n - 1) * gap - 8) / n)); // on paper a card may have no room
    const [left, top] = [(width - n * side - (n - 1) * gap) / 2, (height - side) / 2];
    for (let at = 0; at < n; at++) this.paint(context, maps, at, [rows, columns], left + at * (side + gap), top, side);
    context.fillStyle = getComputedStyle(this.root).getPropertyValue('--ink-3');
    for (let at = 1; at < n; at++) {
      const x = left + at * (side + gap) - gap / 2;
      context.beginPath();
      context.moveTo(x - 2, height / 2 - 4);
      context.lineTo(x + 3, height / 2);
      context.lineTo(x - 2, height / 2 + 4);
      context.fill();
    }
  }

  /** One map of codes as a small square. */
  paint(context, {data}, at, [rows, columns], x, y, side) {
    const size = Math.max(1, Math.round(side));
    const cells = {codes: data, rows, columns, offset: at * rows * columns};
    const small = Object.assign(document.createElement('canvas'), {width: size, height: size});
    small.getContext('2d').putImageData(pictureOf([size, size], cells, tableOf('weights', this.theme)), 0, 0);
    context.drawImage(small, x, y, side, side);
  }
}

/** A curve from word to word: an arc over a line of text, a bend between two lines. */
function arc(from, to) {
  if (Math.abs(from.line - to.line) < 2) {
    const y = Math.min(from.top, to.top);
    const height = Math.min(y * 1.3, 26 + Math.abs(to.x - from.x) * 0.36); // a cubic reaches three quarters of it
    return `M${from.x},${y} C${from.x},${y - height} ${to.x},${y - height} ${to.x},${y}`;
  }
  const isDown = to.top > from.top;
  const [start, stop] = isDown ? [from.bottom, to.top - 2] : [from.top - 2, to.bottom];
  const middle = (start + stop) / 2;
  return `M${from.x},${start} C${from.x},${middle} ${to.x},${middle} ${to.x},${stop}`;
}
