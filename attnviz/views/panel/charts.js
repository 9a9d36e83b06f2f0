// Lines over one axis: every point can be pointed at, walked to with the arrows, and copied as a table.

import {nearest, pathThrough} from '../kit/axis.js';
import {across, mark} from '../kit/chart.js';
import {el, listen, setAttributes, svg} from '../kit/dom.js';
import {listenToOwnKeys, stepOf} from '../kit/keyboard.js';
import {spread} from '../kit/label_thinning.js';
import {clamp} from '../kit/number.js';
import {takeMenu} from '../kit/export_menu.js';
import {matrixTable} from '../kit/spreadsheet.js';
import {fillText} from '../kit/words.js';
import {chartsAcross} from './block_layout.js';
import {heading} from './text_blocks.js';
import {isPlaced, pieces, plotOf} from './chart_layout.js';
import {count, figure, power} from './number_text.js';

export class ChartBlock {
  constructor({charts}, {say, signal}, before) {
    this.charts = charts.map((chart, at) => new Chart(chart, {say, signal}, before?.charts?.[at]));
    this.node = el('div', {class: 'charts'}, ...this.charts.map(({node}) => node));
  }

  draw({width, k}) {
    const room = chartsAcross(this.charts.length, width, k);
    this.node.style.gridTemplateColumns = `repeat(${room.n}, ${room.width}px)`;
    for (const chart of this.charts) chart.draw(room.width, k);
  }
}

class Chart {
  chart; say;

  constructor(chart, {say, signal}, before) {
    Object.assign(this, {chart, say, hovered: null});
    const isAsBefore = before?.chart.x.length === chart.x.length && before.chart.marked === chart.marked;
    this.picked = isAsBefore ? before.picked : {point: chart.marked ?? chart.x.length - 1, curve: 0};
    this.surface = el('div', {
      class: 'surface',
      tabindex: 0,
      role: 'application',
      'aria-roledescription': say('view-panel-chart'),
      'aria-label': chart.title,
    });
    this.named = el('p', {class: 'named', 'aria-hidden': 'true'});
    this.reading = el('p', {class: 'reading', 'aria-hidden': 'true'});
    this.spoken = el('p', {class: 'unseen', 'aria-live': 'polite'});
    this.node = el('figure', {class: 'chart', 'data-picture': ''}, heading(chart.title, ...takeMenu({say, what: chart.title, rows: () => this.rows()})), this.surface, this.named, this.reading, this.spoken);
    this.listen(signal);
  }

  rows() {
    const {x_title: xTitle, x, curves} = this.chart;
    return matrixTable(xTitle, x, curves.map(({name}) => name), (point, curve) => curves[curve].y[point]);
  }

  draw(width, k) {
    const {chart} = this;
    const plot = (this.plot = plotOf(chart, width, k));
    this.k = k;
    const sheet = svg('svg', {width, height: plot.height, 'aria-hidden': 'true'});
    sheet.append(...this.grid(plot, k), ...chart.curves.flatMap((curve, at) => this.line(curve, at, plot, k)));
    this.stem = svg('line', {class: 'stem', y1: plot.top, y2: plot.bottom});
    this.aim = svg('circle', {class: 'aim', r: 7 * k});
    sheet.append(this.stem, this.aim);
    if (plot.isNamed) sheet.append(...this.ends(plot, k));
    this.named.hidden = plot.isNamed || chart.curves.length < 2;
    this.named.replaceChildren(...chart.curves.map(({name}, at) => el('span', {}, this.key(at, k), name)));
    this.surface.style.height = `${plot.height}px`;
    this.surface.replaceChildren(sheet);
    this.light();
  }

  grid({x, y, ticks, left, end, bottom, arePowers}, k) {
    const below = (x, y, text, kind = 'tick') => svg('text', {class: kind, x, y: bottom + y * k, 'text-anchor': 'middle'}, text);
    const title = below((left + end) / 2, 35, this.chart.x_title, 'tick axis');
    return [...across(ticks.y, y, {left, end}, arePowers ? power : figure, k), ...ticks.x.map((tick) => below(x(tick), 17, count(tick))), title];
  }

  line(curve, at, {x, y}, k) {
    const {x: xs, log_y: logY} = this.chart;
    const parts = pieces(xs, curve.y, logY);
    const dot = ([a, b]) => dotOf(at, x(a), y(b), k);
    const d = parts.map((part) => pathThrough(part, x, y)).join('');
    return [svg('path', {class: `line curve-${at % 4}`, d}), ...parts.flat().map(dot)];
  }

  /** The names at the ends of their lines. */
  ends({x, y, end, top, bottom}, k) {
    const {x: xs, curves, log_y: logY} = this.chart;
    const placed = curves
      .map(({name, y: values}, at) => ({name, at, last: values.findLastIndex((value) => isPlaced(value, logY))}))
      .filter(({last}) => last >= 0)
      .map((one) => ({...one, y: y(curves[one.at].y[one.last]), x: x(xs[one.last])}))
      .sort((a, b) => a.y - b.y);
    const spots = spread(placed.map((one) => one.y), 16 * k, top, bottom);
    return placed.map(({name, at}, i) => svg('text', {class: `end curve-${at % 4}`, x: end + 10 * k, y: spots[i] + 4 * k}, name));
  }

  /** The mark of a line beside its name. */
  key(at, k) {
    const size = 10 * k;
    return svg('svg', {width: size, height: size, 'aria-hidden': 'true'}, dotOf(at, size / 2, size / 2, k));
  }

  listen(signal) {
    const {surface} = this;
    const under = (event) => {
      const box = surface.getBoundingClientRect();
      const {x, curves, log_y: logY} = this.chart;
      const point = nearest(x, this.plot.x, event.clientX - box.left);
      const far = ({y}) => (isPlaced(y[point], logY) ? Math.abs(this.plot.y(y[point]) - (event.clientY - box.top)) : Infinity);
      const curve = curves.reduce((best, one, at) => (far(one) < far(curves[best]) ? at : best), 0);
      return {point, curve};
    };
    listen(surface, 'pointermove', (event) => event.pointerType !== 'touch' && this.show(under(event), false));
    listen(surface, 'pointerleave', () => this.show(null, false));
    listen(surface, 'click', (event) => this.show(under(event), true));
    listenToOwnKeys(surface, signal, (event) => this.press(stepOf(event)));
  }

  /** A step along the axis, or to another line; whether it was one. */
  press(step) {
    if (!step) return false;
    const {x, curves} = this.chart;
    const [down, right] = step;
    const curve = Number.isFinite(down) ? (this.picked.curve + Math.sign(down) + curves.length) % curves.length : this.picked.curve;
    this.show({point: clamp(this.picked.point + right, 0, x.length - 1), curve}, true);
    return true;
  }

  show(at, isPicked) {
    this.hovered = isPicked ? null : at;
    if (isPicked) this.picked = at;
    this.light();
    if (isPicked) this.spoken.textContent = fillText(this.say('view-panel-point'), this.words(at.curve));
  }

  light() {
    const {point, curve} = this.hovered ?? this.picked;
    const {x: xs, curves, log_y: logY, x_title: xTitle} = this.chart;
    const {x, y} = this.plot;
    const value = curves[curve].y[point];
    const place = isPlaced(value, logY) ? {cx: x(xs[point]), cy: y(value)} : {};
    this.aim.toggleAttribute('hidden', !('cx' in place));
    setAttributes(this.aim, place);
    setAttributes(this.stem, {x1: x(xs[point]), x2: x(xs[point])});
    const one = (at) => {
      const said = el('span', {class: at === curve ? 'here' : null});
      said.append(this.key(at, this.k), `${curves[at].name} `, el('b', {}, this.written(at, point)));
      return said;
    };
    const where = el('span', {}, `${xTitle} `, el('b', {}, count(xs[point])));
    this.reading.replaceChildren(where, ...curves.map((_, at) => one(at)));
  }

  words(curve) {
    const {x, x_title: xTitle, curves} = this.chart;
    const {point} = this.picked;
    return {axis: xTitle, at: count(x[point]), name: curves[curve].name, value: this.written(curve, point)};
  }

  written(curve, point) {
    const value = this.chart.curves[curve].y[point];
    return value === null ? '–' : figure(value);
  }
}

const dotOf = (curve, x, y, k) => mark(curve, 3.5 * k, {class: `dot curve-${curve % 4}`, transform: `translate(${x} ${y})`});
