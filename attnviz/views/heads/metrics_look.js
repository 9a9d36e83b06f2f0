// All heads in numbers: all of them in a table, or any two metrics against each other, each head as the glyph of its kind.
// What is pressed goes to its head.

import {axis, evenTicks, niceStep} from '../kit/axis.js';
import {el, listen, svg} from '../kit/dom.js';
import {GLYPH, cellsOf, glyphNode} from '../kit/kind_glyph.js';
import {takeMenu} from '../kit/export_menu.js';
import {clamp} from '../kit/number.js';
import {figureJson} from '../kit/plotly_figure.js';
import {fillText} from '../kit/words.js';
import {said} from './measured_heads.js';
import {orderBy} from './head_order.js';
import {headAt, headName} from './several_heads.js';

const MOST = 400; // rows of the table
const [LEAST, MOST_TALL] = [250, 460]; // px of the scatter's height
const SHAPES = ['table', 'plot'];
const FIRST = {x: 'first', y: 'evenness_left'};

export class MetricsLook {
  say; act; measured; axes; picked; theme; k;

  constructor({say, act}) {
    Object.assign(this, {say, act, axes: {...FIRST}, sorted: ''});
    this.selects = Object.fromEntries(['x', 'y'].map((side) => [side, this.select(side)]));
    const labelled = (side, id) => el('label', {class: 'cellpick'}, el('span', {}, say(id)), this.selects[side]);
    this.plot = el('div', {class: 'scatter'});
    this.table = el('div', {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': say('view-heads-numbers-table')});
    for (const place of [this.plot, this.table]) listen(place, 'click', ({target}) => this.go(target.closest('[data-index]')));
    this.note = el('p', {class: 'caption'});
    this.about = el('details', {}, el('summary', {}, say('view-heads-numbers-about')), (this.kinds = el('div', {class: 'definitions'})));
    this.shapes = SHAPES.map((shape) => el('button', {type: 'button', 'data-shape': shape, click: () => this.turn(shape)}, say(`view-heads-numbers-as-${shape}`)));
    const take = takeMenu({say, what: say('view-heads-numbers-as-plot'), rows: () => this.points(), file: () => 'attnviz-heads-scatter', over: () => this.label(), plotly: () => ({json: this.figure()})});
    const shapes = el('div', {class: 'segments', role: 'group', 'aria-label': say('view-heads-numbers-shape')}, ...this.shapes);
    this.node = el('div', {class: 'metricslook', 'data-picture': ''}, el('div', {class: 'lookbar'}, shapes, labelled('y', 'view-heads-numbers-upwards'), labelled('x', 'view-heads-numbers-across'), el('span', {class: 'taken'}, ...take)), this.plot, this.table, this.note, this.about);
    this.turn(SHAPES[0]);
  }

  /** One of the two has all the room. */
  turn(shape) {
    this.node.dataset.shape = shape;
    for (const button of this.shapes) button.setAttribute('aria-pressed', String(button.dataset.shape === shape));
    if (!this.measured) return;
    this.scatter();
    this.reveal();
  }

  select(side) {
    const changed = ({target}) => {
      this.axes[side] = target.value;
      this.scatter();
    };
    return el('select', {name: side, change: changed});
  }

  show({overview, picked, theme, k}) {
    const {measured} = overview;
    Object.assign(this, {picked, theme, k});
    this.node.hidden = !measured;
    if (!measured) return;
    if (this.measured !== measured) this.take(measured);
    this.scatter();
    this.reveal();
  }

  /** Mark the picked head's row, and scroll to it where it is not whole or in the fade. */
  reveal() {
    this.table.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const row = this.table.querySelector(`tr[data-index="${this.index}"]`);
    if (!row) return;
    row.setAttribute('aria-current', 'true');
    const [ends, ...seen] = [row, this.table, this.node.parentElement].map((it) => it.getBoundingClientRect().bottom);
    const top = row.offsetTop - this.table.querySelector('thead').offsetHeight;
    const below = ends + row.offsetHeight - Math.min(...seen);
    if (top < this.table.scrollTop) this.table.scrollTop = top;
    else if (below > 0) this.table.scrollTop += below;
  }

  get index() {
    return this.picked.layer * this.measured.heads + this.picked.head;
  }

  /** Another measurement: its metrics, its table and its definitions. */
  take(measured) {
    this.measured = measured;
    const metrics = (this.metrics = measured.metrics.filter(({why}) => !why));
    const named = (name) => metrics.find((metric) => metric.name === name)?.name;
    for (const side of ['x', 'y']) {
      this.axes[side] = named(this.axes[side]) ?? named(FIRST[side]) ?? metrics[side === 'x' ? 0 : metrics.length - 1].name;
      this.selects[side].replaceChildren(...metrics.map(({name, title}) => el('option', {value: name}, title)));
      this.selects[side].value = this.axes[side];
    }
    this.fill();
    this.kinds.replaceChildren(...this.definitions());
  }

  go(node) {
    if (node) this.act.seekHead(headAt(Number(node.dataset.index), this.measured.heads));
  }

  nameOf(index) {
    return headName(headAt(index, this.measured.heads));
  }

  /** The heads over two metrics. */
  scatter() {
    const {measured, k, axes, plot} = this;
    const width = plot.clientWidth;
    if (!width) return;
    const height = clamp(plot.clientHeight, LEAST * k, MOST_TALL * k);
    const [left, right, top, bottom] = [46 * k, width - 12 * k, 10 * k, height - 34 * k];
    const x = this.scale(axes.x, left + 8 * k, right - 8 * k);
    const y = this.scale(axes.y, bottom - 8 * k, top + 8 * k);
    const line = (facts) => svg('line', {class: 'gridline', ...facts});
    const words = (at, anchor, text, kind = 'tick') => svg('text', {...at, 'text-anchor': anchor, class: kind}, text);
    const grid = [
      ...y.ticks.flatMap((tick) => [line({x1: left, x2: right, y1: y.at(tick), y2: y.at(tick)}), words({x: left - 6 * k, y: y.at(tick) + 4 * k}, 'end', said(y.unit, tick))]),
      ...x.ticks.flatMap((tick) => [line({x1: x.at(tick), x2: x.at(tick), y1: top, y2: bottom}), words({x: x.at(tick), y: bottom + 16 * k}, 'middle', said(x.unit, tick))]),
      words({x: right, y: bottom + 31 * k}, 'end', measured.metric(axes.x).title, 'tick axis'),
    ];
    const size = 1.1 * k;
    const half = (GLYPH * size) / 2;
    const points = orderBy(measured.size, (index) => (index === this.index ? -Infinity : 0)).flatMap((index) => {
      const [a, b] = [measured.value(axes.x, index), measured.value(axes.y, index)];
      if (Number.isNaN(a) || Number.isNaN(b)) return [];
      const kind = measured.kindOf(index);
      const place = `translate(${(x.at(a) - half).toFixed(1)} ${(y.at(b) - half).toFixed(1)}) scale(${size})`;
      const shape = svg('path', {d: glyphPath(kind), fill: kind[this.theme]});
      const point = svg('g', {class: 'point', 'data-index': index, transform: place}, svg('title', {}, `${this.nameOf(index)} · ${kind.title}`), svg('rect', {x: 0.5, y: 0.5, width: GLYPH - 1, height: GLYPH - 1, rx: 3, class: 'hit', stroke: kind[this.theme]}), shape);
      if (index !== this.index) return [point];
      const ring = svg('circle', {class: 'ring', cx: x.at(a), cy: y.at(b), r: half + 4 * k});
      const isLeft = x.at(a) > right - 60 * k;
      return [point, ring, words({x: x.at(a) + (isLeft ? -1 : 1) * (half + 8 * k), y: y.at(b) + 4 * k}, isLeft ? 'end' : 'start', this.nameOf(index), 'picked')];
    });
    plot.replaceChildren(svg('svg', {width, height, role: 'img', 'aria-label': this.label()}, ...grid, ...points));
  }

  /** What lies across and what upwards. */
  label() {
    const {measured, axes, say} = this;
    return fillText(say('view-heads-numbers-scatter'), {x: measured.metric(axes.x).title, y: measured.metric(axes.y).title});
  }

  /** Each point as a row, with the names of both metrics over it. */
  points() {
    const {measured, axes, say} = this;
    const rows = Array.from({length: measured.size}, (_, index) => [this.nameOf(index), measured.kindOf(index).title, measured.value(axes.x, index), measured.value(axes.y, index)]);
    return [[say('view-heads-numbers-head'), say('view-heads-kinds'), measured.metric(axes.x).title, measured.metric(axes.y).title], ...rows];
  }

  /** The points as a figure of plotly's: those of each kind in its colour. */
  figure() {
    const {measured, axes, theme} = this;
    const [, ...rows] = this.points();
    const traces = new Map();
    rows.forEach(([name, kind, a, b], index) => {
      if (!traces.has(kind)) traces.set(kind, {name: kind, x: [], y: [], text: [], mode: 'markers', marker: {color: measured.kindOf(index)[theme]}});
      const trace = traces.get(kind);
      trace.x.push(a);
      trace.y.push(b);
      trace.text.push(name);
    });
    const titles = {xaxis: {title: measured.metric(axes.x).title}, yaxis: {title: measured.metric(axes.y).title}};
    return figureJson(this.say('view-heads-numbers-as-plot'), titles, [...traces.values()]);
  }

  /** Where a metric's values lie between two ends, and its ticks. */
  scale(name, from, to) {
    const {measured} = this;
    const {unit} = measured.metric(name);
    const values = Array.from({length: measured.size}, (_, index) => measured.value(name, index)).filter((value) => !Number.isNaN(value));
    const [least, most] = [Math.min(0, ...values), Math.max(...values, 1e-9)];
    const step = niceStep(most - least, 5);
    const low = Math.floor(least / step + 1e-9) * step;
    const high = Math.ceil(most / step - 1e-9) * step;
    return {unit, at: axis({low, high, from, to}), ticks: evenTicks(high - low, 6).map((tick) => tick + low)};
  }

  /** The table; the column that was pressed is sorted by, the largest first, and a second press gives the order of the model. */
  fill() {
    const {measured, metrics, sorted, say} = this;
    const heading = ({name, title, says}) => {
      const press = () => {
        this.sorted = sorted === name ? '' : name;
        this.fill();
        this.table.querySelector(`[data-metric="${name}"]`).focus();
        this.reveal();
      };
      return el('th', {scope: 'col', 'aria-sort': sorted === name ? 'descending' : 'none'}, el('button', {type: 'button', 'data-metric': name, title: says, click: press}, title));
    };
    const order = sorted ? measured.order(sorted) : Array.from({length: measured.size}, (_, index) => index);
    const row = (index) => {
      const kind = measured.kindOf(index);
      const name = el('button', {type: 'button', class: 'lead'}, this.nameOf(index));
      return el('tr', {'data-index': index}, el('th', {scope: 'row'}, glyphNode(kind), name, el('span', {class: 'kindname'}, kind.title)), ...metrics.map((metric) => this.cell(metric, index)));
    };
    const head = el('tr', {}, el('th', {scope: 'col'}, say('view-heads-numbers-head')), ...metrics.map(heading));
    this.table.replaceChildren(el('table', {}, el('thead', {}, head), el('tbody', {}, ...order.slice(0, MOST).map(row))));
    this.note.textContent = order.length > MOST ? fillText(say('view-heads-numbers-part'), {shown: MOST, n: order.length}) : '';
  }

  cell({name, unit}, index) {
    const {measured} = this;
    const spread = measured.spread(name, index);
    const beside = Number.isNaN(spread) ? null : el('small', {}, ` ±${said(unit, spread)}`);
    return el('td', {class: 'number'}, said(unit, measured.value(name, index)), beside);
  }

  /** What every kind and metric means. */
  definitions() {
    const {measured, say} = this;
    const kind = (one) => {
      const metric = one.metric && measured.metric(one.metric);
      const least = metric ? fillText(say('view-heads-kinds-least'), {metric: metric.title, least: one.least}) : '';
      return [el('dt', {}, glyphNode(one), one.title), el('dd', {}, one.says, least ? el('span', {class: 'caption'}, ` ${least}`) : null)];
    };
    const metric = ({title, formula, says, source}) => [el('dt', {}, title), el('dd', {}, formula ? el('code', {lang: 'en'}, formula) : null, ' ', says, el('span', {class: 'caption', lang: 'en'}, ` ${source}`))];
    return [
      el('p', {class: 'caption'}, say('view-heads-kinds-order')), el('dl', {}, ...measured.kinds.flatMap(kind)),
      el('p', {class: 'caption'}, say('view-heads-metrics-how')), el('dl', {}, ...measured.metrics.flatMap(metric)),
    ];
  }
}

/** The cells of a kind's glyph as one path. */
const glyphPath = ({glyph}) => cellsOf(glyph).map(({x, y}) => `M${1 + 2 * x} ${1 + 2 * y}h2v2h-2z`).join('');
