// One row of a head taken apart: the query, each key, their product in every feature, the score and the weight. The
// numbers are the model's own: no filter, one head. One tab stop; a cell (key, feature) that pointer and arrows move.

import {paintCells} from '../kit/cells.js';
import {colourOf} from '../kit/colour.js';
import {el, listen, sized} from '../kit/dom.js';
import {ARROWS, listenToOwnKeys} from '../kit/keyboard.js';
import {clamp, fmt, pct, precise} from '../kit/number.js';
import {fill, fillText, named} from '../kit/words.js';
import {byContribution, largestOf, mostOf, rowOf, rowTable} from './vectors.js';
import {tokenInText, tokenNodes} from '../kit/token.js';
import {aboutScores, chainOf, decimalsOf} from './neuron_words.js';

const LISTED = 512; // queries in the list at most
const [ROW, LOW_ROW] = [32, 22]; // pixels of a row; it is lower where all then fits
const SUBJECT = 16; // characters of a token that the arithmetic names

export class Neurons {
  holder; tokens; say; act; k; theme; left; wide; tall; cell;
  /** @type {HTMLElement[]} */
  orders;
  /** @type {number[]} */
  order;
  /** @type {HTMLElement[]} */
  products;
  /** @type {HTMLElement[]} */
  rows;
  /** @type {ReturnType<typeof largestOf>} */
  largest;

  constructor(holder, tokens, say, act) {
    Object.assign(this, {holder, tokens, say, act, queries: [], isSorted: true, hovered: null, chosen: null, of: null});
    this.end = new AbortController();
    this.canvas = el('canvas', {'aria-hidden': 'true'});
    this.marks = el('canvas', {'aria-hidden': 'true', class: 'marks'});
    this.queryStrip = el('canvas', {'aria-hidden': 'true'});
    this.head = el('div', {class: 'nhead'});
    this.body = el('div', {class: 'nbody', role: 'application', tabindex: 0, 'aria-roledescription': say('view-kit-matrix'), 'aria-label': say('view-heads-neurons-name')});
    this.why = el('p', {class: 'nwhy', hidden: ''});
    this.about = el('p', {class: 'nabout'});
    this.sum = el('p', {class: 'nsum', 'aria-live': 'polite'});
    this.sheet = el('div', {class: 'neurons'}, this.why, this.head, this.body, this.sum, this.about);
    holder.replaceChildren(this.sheet);
    this.controls = this.buildControls();
    const {signal} = this.end;
    listen(this.body, 'pointermove', (event) => this.point(this.cellUnder(event)), {signal});
    listen(this.body, 'pointerleave', () => this.point(null), {signal});
    listen(this.body, 'click', (event) => this.choose(this.cellUnder(event)), {signal});
    listen(this.body, 'blur', () => this.point(null), {signal});
    listenToOwnKeys(this.body, signal, (event) => this.press(event));
  }

  destroy() {
    this.end.abort();
  }

  /** Which query is taken apart, and the order of its features. */
  buildControls() {
    const {say} = this;
    const changed = ({target}) => this.act.click({side: 'query', index: Number(target.value)});
    this.query = el('select', {'aria-label': say('view-heads-neurons-query'), change: changed});
    this.orders = ['contribution', 'stored'].map((order) =>
      el('button', {type: 'button', 'data-order': order, click: () => this.sort(order === 'contribution')}, say(`view-heads-neurons-${order}`)),
    );
    const label = el('label', {class: 'nquery'}, el('span', {}, say('view-heads-neurons-query')), this.query);
    return [label, el('div', {class: 'segments', role: 'group', 'aria-label': say('view-heads-neurons-order')}, ...this.orders)];
  }

  /**
   * The queries to choose from: all, or those around the row of a text so long that its list would hold the page up (8,192
   * take half a second), or those that came where nobody can be asked for others.
   */
  offer(index) {
    const {of, tokens: {queries}} = this;
    const [least, end] = this.canAsk ? [0, queries.length] : [of.first, of.first + of.rows];
    const first = Math.max(least, Math.min(index - LISTED / 2, end - LISTED));
    const near = queries.slice(first, Math.min(end, first + LISTED));
    if (this.offered === `${first} ${near.length}`) return;
    this.offered = `${first} ${near.length}`;
    this.query.replaceChildren(...near.map((token, at) => el('option', {value: first + at}, named(token))));
  }

  layout({k, widest, theme}) {
    const width = this.holder.clientWidth;
    const isNarrow = width < 480 * k;
    const label = Math.min(widest * 14 * k + 14 * k, (isNarrow ? 76 : 120) * k);
    Object.assign(this, {k, theme, width, isNarrow, label});
    this.sheet.style.setProperty('--label', `${label}px`);
    this.sheet.classList.toggle('narrow', isNarrow);
    this.draw();
  }

  /** `extras.features`: what came of this head, null while it is on its way; see vectors.js. */
  show(_numbers, extras) {
    this.of = extras?.features ?? null;
    this.canAsk = extras?.canAskFeatures ?? false;
    this.chosen = this.hovered = null;
    if (this.place()) this.draw();
  }

  isolate(_focus, pinned) {
    const token = pinned?.side === 'query' ? pinned.index : null;
    if (token === this.token) return;
    this.token = token;
    this.chosen = this.hovered = null;
    if (this.place()) this.draw();
  }

  /** The row to draw; false where there is nothing, which is then said. */
  place() {
    const {of, say} = this;
    const missing = this.canAsk ? 'waiting' : 'elsewhere';
    const why = of?.why ? say(`view-heads-neurons-why-${of.why}`) : of ? null : say(`view-heads-neurons-${missing}`);
    this.why.hidden = why === null;
    this.why.textContent = why;
    for (const part of this.controls) part.hidden = Boolean(of?.why);
    for (const part of [this.head, this.body, this.sum, this.about]) part.hidden = why !== null;
    if (why) return false;
    this.row = rowOf(of, this.token ?? null);
    this.offer(of.first + this.row);
    this.query.value = String((this.canAsk ? this.token : null) ?? of.first + this.row); // also while its row is on its way
    this.largest = largestOf(of, this.row);
    this.most = mostOf(of, this.row);
    return Boolean(this.k);
  }

  sort(isSorted) {
    this.isSorted = isSorted;
    this.draw();
  }

  /** Everything that is here: labels and numbers as text, vectors and products as cells. */
  draw() {
    const {of, row, say, tokens} = this;
    if (!of || of.why) return;
    for (const button of this.orders) button.setAttribute('aria-pressed', String((button.dataset.order === 'contribution') === this.isSorted));
    const by = this.chosen?.at ?? this.most;
    this.order = this.isSorted ? byContribution(of, row, by) : Array.from({length: of.width}, (_, feature) => feature);
    const feature = (this.featureName = el('span', {class: 'number product'}));
    const columns = [feature, ...['raw', 'score', 'weight'].map((id) => el('span', {class: `number ${id}`}, say(`view-heads-neurons-${id === 'score' && of.bias ? 'sum-of-terms' : id}`)))];
    const query = el('div', {class: 'nrow'}, el('span', {class: 'nlabel q'}, ...tokenNodes(tokens.queries[of.first + row])), el('span', {class: 'nstrip'}, this.queryStrip), el('span', {class: 'number'}));
    this.head.replaceChildren(
      el('div', {class: 'nrow names'}, el('span', {class: 'nlabel'}), el('span', {class: 'nstrip legends'}, el('b', {class: 'q'}, say('view-heads-neurons-q')), el('b', {class: 'k'}, say('view-heads-neurons-k')), el('span', {}, say('view-heads-neurons-product'))), ...columns),
      query,
    );
    this.products = [];
    this.rows = Array.from({length: of.count}, (_, at) => this.rowNode(at));
    const rest = of.more ? [el('div', {class: 'nrow rest'}, fillText(say('view-heads-neurons-rest'), {n: of.more, percent: pct(of.rest(row))}))] : [];
    this.body.replaceChildren(...this.rows, ...rest, this.canvas, this.marks);
    this.about.replaceChildren(...aboutScores(of, row, say).map((sentence) => el('span', {}, sentence)));
    this.fit();
    this.paint();
    this.mark();
  }

  fit() {
    const {k, sheet, holder, rows, about} = this;
    sheet.style.setProperty('--row', `${ROW * k}px`);
    const row = ROW * k - (sheet.offsetHeight - about.offsetHeight - holder.clientHeight) / (rows.length + 1);
    if (row >= LOW_ROW * k && row < ROW * k) sheet.style.setProperty('--row', `${row}px`);
  }

  rowNode(at) {
    const {of, row, tokens, say, most, largest} = this;
    const isSeen = Number.isFinite(of.masked(row, at));
    const product = el('span', {class: 'number product'});
    this.products.push(product);
    const weight = of.weight(row, at);
    const bar = el('i', {class: 'nbar'}, el('i')); // an element: pictures for paper have no ::after
    bar.style.setProperty('--share', String(weight));
    const level = at === (this.chosen?.at ?? most) ? 'strong' : weight >= 0.03 ? 'some' : 'faint';
    return el(
      'div',
      {class: `nrow${isSeen ? '' : ' masked'}`, 'data-level': level},
      el('span', {class: 'nlabel'}, ...tokenNodes(tokens.keys[of.keys[at]])),
      el('span', {class: 'nstrip'}),
      product,
      el('span', {class: 'number raw'}, fmt(of.raw(row, at), decimalsOf(largest.raw))),
      el('span', {class: 'number score'}, isSeen ? fmt(of.masked(row, at), decimalsOf(largest.masked)) : say('view-heads-neurons-masked')),
      el('span', {class: 'number weight'}, bar, el('span', {}, pct(weight))),
    );
  }

  /** Cells of the query beside its label; of each key two rows: its vector above, its products below. */
  paint() {
    const {of, row, k, theme, largest, order} = this;
    const box = this.body.getBoundingClientRect();
    const first = this.rows[0].children[1].getBoundingClientRect();
    const [left, wide] = [first.left - box.left, first.width];
    const tall = this.rows[0].getBoundingClientRect().height;
    const cell = wide / of.width;
    Object.assign(this, {left, wide, tall, cell});
    Object.assign(this.canvas.style, {left: `${left}px`, top: '0px'});
    Object.assign(this.marks.style, {left: `${left - 3}px`, top: '0px'});
    const alphaOf = (at) => (Number.isFinite(of.masked(row, at)) ? 1 : 0.28);
    /** @type {(context: any, rows: number, how: {top: number, ch: number, alphaAt?: (at: number) => number}, valueAt: any, most: any) => void} */
    const paint = (context, rows, {top, ch, alphaAt = null}, valueAt, most) => {
      const place = {cw: cell, ch, x: (x) => x * cell, y: (at) => at * tall + top};
      const colourAt = (at, x) => colourOf('signed', valueAt(at, order[x]), most, theme);
      paintCells(context, place, {rows: [0, rows], columns: [0, of.width], colourAt, alphaAt, k});
    };
    const half = (tall - 6 * k) / 2;
    paint(sized(this.queryStrip, wide, 18 * k), 1, {top: 0, ch: 18 * k}, (_, feature) => of.q(row, feature), largest.q);
    const context = sized(this.canvas, wide, tall * of.count);
    paint(context, of.count, {top: 3 * k, ch: half - 0.5, alphaAt: alphaOf}, (at, feature) => of.k(at, feature), largest.k);
    paint(context, of.count, {top: 3 * k + half + 0.5, ch: half - 0.5, alphaAt: alphaOf}, (at, feature) => of.product(row, at, feature), largest.product);
  }

  /** The cell under the pointer, else the chosen one, else what adds most to the key that gets most. */
  get cellShown() {
    return this.hovered ?? this.chosen ?? {at: this.most, x: this.isSorted ? 0 : this.order.indexOf(byContribution(this.of, this.row, this.most)[0])};
  }

  /** Outline the feature's column, print its products, and write the shown cell out. */
  mark() {
    const {of, row, k, cell, tall, say, tokens, largest} = this;
    const {at, x} = this.cellShown;
    const feature = this.order[x];
    this.products.forEach((node, i) => (node.textContent = fmt(of.product(row, i, feature), decimalsOf(largest.product))));
    this.featureName.textContent = fillText(say('view-heads-neurons-feature'), {n: feature + 1});
    const context = sized(this.marks, this.wide + 6, tall * of.count);
    context.strokeStyle = getComputedStyle(this.sheet).getPropertyValue('--ink');
    context.lineWidth = 1;
    context.strokeRect(3 + x * cell - 0.5, 0.5, cell + 1, tall * of.count - 1);
    context.lineWidth = 2 * k;
    context.strokeRect(3 + x * cell - 1, at * tall + 2 * k, cell + 2, tall - 4 * k);
    const values = {
      n: feature + 1,
      q: precise(of.q(row, feature)),
      k: precise(of.k(at, feature)),
      product: precise(of.product(row, at, feature)),
      query: tokenInText(tokens.queries[of.first + row], SUBJECT),
      key: tokenInText(tokens.keys[of.keys[at]], SUBJECT),
      chain: chainOf(of, row, at, say),
      width: of.width,
    };
    this.sum.replaceChildren(fill(document, say('view-heads-neurons-sum'), values));
  }

  cellUnder(event) {
    if (!this.of || this.of.why) return null;
    const box = this.body.getBoundingClientRect();
    const at = Math.floor((event.clientY - box.top) / this.tall);
    const x = Math.floor((event.clientX - box.left - this.left) / this.cell);
    if (at < 0 || at >= this.of.count) return null;
    const isInside = x >= 0 && x < this.of.width;
    return {at, x: isInside ? x : this.cellShown.x, isLabel: !isInside};
  }

  point(cell) {
    if (cell === null && this.hovered === null) return;
    if (cell && cell.at === this.hovered?.at && cell.x === this.hovered?.x) return;
    this.hovered = cell;
    this.mark();
  }

  /** A click picks a cell, and its key is what the features are ordered by; again lets go. */
  choose(cell) {
    if (!cell) return;
    const feature = this.order[cell.x];
    const isSame = this.chosen?.at === cell.at && this.order[this.chosen.x] === feature;
    this.chosen = isSame ? null : {at: cell.at, x: cell.x};
    this.hovered = null;
    if (this.chosen && this.isSorted) this.chosen.x = byContribution(this.of, this.row, cell.at).indexOf(feature);
    this.draw();
  }

  /** Whether the key was ours. */
  press({key}) {
    if (!this.of || this.of.why) return false;
    const move = ARROWS[key];
    const {at, x} = this.cellShown;
    if (move) {
      this.point({at: clamp(at + move[0], 0, this.of.count - 1), x: clamp(x + move[1], 0, this.of.width - 1)});
      this.rows[this.cellShown.at].scrollIntoView({block: 'nearest'});
    } else if (key === 'Enter' || key === ' ') this.choose({at, x});
    else return false;
    return true;
  }

  /** The row as a table, for a spreadsheet; null while there is none. */
  ownTable(corner) {
    const {of, row, tokens, order} = this;
    if (!of || of.why || !order) return null;
    const names = {query: named(tokens.queries[of.first + row]), keys: tokens.keys.map(named), corner};
    return rowTable(of, row, order, names);
  }

  /** The sentence is about the row that is taken apart, also while the vectors of another one are on their way. */
  readOf(focus) {
    return this.of && !this.of.why ? {side: 'query', index: this.of.first + this.row} : focus;
  }

  /** Pointing here is about features, not about rows and columns of the head. */
  under() {
    return null;
  }
}
