// The charts and their time cursor: drawn anew when the head or the room changes, moved when only the time does.

import {nearest, pathThrough} from '../kit/axis.js';
import {across, mark} from '../kit/chart.js';
import {el, listen, setAttributes, setLengths, svg} from '../kit/dom.js';
import {pct} from '../kit/number.js';
import {widthOf} from '../kit/words.js';
import {endNames, headings, leaders, nameOf, phaseWords, valueText, wordHeights} from './chart_words.js';
import {isNamed, lastStep, lossCurves, pairs, shareCurves} from './curves.js';
import {VALUE, plotOf} from './charts_layout.js';

const NAME = 11.5; // px, the size of a name beside a line

export class Chart {
  holder; named; say; run; k;
  /** @type {ReturnType<typeof plotOf>} */
  plot;
  /** @type {any[]} */
  namedCurves;
  /** @type {ReturnType<typeof leaders>} */
  leaders;
  /** @type {{curve: any, node: SVGElement}[]} */
  dots;
  /** @type {{curve: any, node: SVGElement}[]} */
  values;

  /** `act` has scrub(index) while the cursor is dragged, tell() when it is let go, and bend(axis). */
  constructor(holder, named, say, signal, act) {
    Object.assign(this, {holder, named, say, run: null});
    this.knob = el('div', {class: 'knob', role: 'slider', tabindex: 0, 'aria-label': say('view-training-cursor'), 'aria-valuemin': 0});
    this.headings = headings(say, (name) => act.bend(name));
    listenToDrag(holder, signal, (x) => act.scrub(nearest(this.run.checkpoints, this.plot.x, x)), () => act.tell());
  }

  /** `isLog` = {steps, loss}; the cursor is that of `picked.run`. */
  draw({runs, picked, k, width, height, isLog}) {
    Object.assign(this, {run: runs[picked.run], k});
    const curves = [...lossCurves(runs), ...shareCurves(runs, picked)];
    this.namedCurves = curves.filter((curve) => isNamed(curve) && lastStep(curve) !== undefined);
    const longest = Math.max(0, ...this.namedCurves.map((curve) => widthOf(nameOf(curve, this.say, runs.length > 1))));
    this.plot = plotOf({runs, width, height, k, isLog, named: Math.min(longest * NAME * k, width / 3)});
    const {plot} = this;
    const sheet = svg('svg', {width, height});
    const shownPhase = runs.find((run) => run.phase) ?? null;
    sheet.append(clip(plot));
    if (shownPhase) sheet.append(band(shownPhase, runs, plot, k));
    sheet.append(...grid(plot, this.run, k), ...curves.flatMap((curve) => lineOf(curve, plot)));
    const phase = shownPhase ? phaseWords(shownPhase, plot, k, this.say) : {nodes: [], item: null};
    sheet.append(...phase.nodes);
    this.leaders = leaders(this.namedCurves, plot, k);
    sheet.append(...this.leaders.values());
    describe(sheet, this.say);
    const names = endNames(this.namedCurves, plot, k, this.say, runs.length > 1);
    this.cursor = svg('g', {class: 'cursor'});
    this.dots = this.namedCurves.filter(({kind}) => kind !== 'accuracy').map((curve) => ({curve, node: dot(curve, runs, k)}));
    this.stem = svg('line', {y1: plot.upper.from - 10 * k, y2: plot.lower.to});
    this.values = this.namedCurves.map((curve) => ({curve, node: svg('text', {class: `at ${curve.paint}`})}));
    this.cursor.append(this.stem, ...this.dots.map(({node}) => node), ...this.values.map(({node}) => node));
    sheet.append(this.cursor);
    this.headings.place(plot, k, isLog, runs);
    this.holder.replaceChildren(sheet, ...this.headings.nodes, ...(plot.isNarrow ? [] : names), this.knob);
    this.named.replaceChildren(...(plot.isNarrow ? [...names, phase.item ?? ''] : []));
  }

  /** Put the cursor on a checkpoint of the chosen run. */
  moveTo(c, said) {
    const {plot, run, knob} = this;
    const step = run.checkpoints[c];
    const x = plot.x(step);
    setAttributes(this.stem, {x1: x, x2: x});
    setLengths(knob, {left: x, top: plot.upper.from - 10 * this.k});
    setAttributes(knob, {'aria-valuemax': run.checkpoints.length - 1, 'aria-valuenow': c, 'aria-valuetext': said});
    for (const {curve, node} of this.dots) {
      const y = (curve.kind === 'loss' ? plot.y : plot.share)(curve.valueAt(step));
      node.setAttribute('transform', `translate(${Math.min(x, plot.x(lastStep(curve)))} ${y})`); // a run may end before
    }
    this.writeValues(step);
  }

  /** What each named line is at a step, beside the cursor. */
  writeValues(step) {
    const {plot, k} = this;
    const heights = wordHeights(this.namedCurves, plot, k, (curve) => curve.valueAt(step));
    for (const {curve, node} of this.values) {
      const x = Math.min(plot.x(step), plot.x(lastStep(curve)));
      const isAtEnd = x > plot.end - VALUE * k;
      this.leaders.get(curve)?.toggleAttribute('hidden', isAtEnd); // the number itself leads to the name
      const isLeft = plot.isNarrow && isAtEnd;
      setAttributes(node, {x: x + (isLeft ? -8 : 8) * k, y: heights.get(curve) + 4 * k, 'text-anchor': isLeft ? 'end' : 'start'});
      node.textContent = valueText(curve, step, isAtEnd && !plot.isNarrow);
    }
  }
}

/** What the words in a chart say is said of the chart too; one without words has nothing to say beside its labels. */
function describe(sheet, say) {
  const words = [...sheet.querySelectorAll('.phase')].map((node) => node.textContent);
  if (!words.length) return sheet.setAttribute('aria-hidden', 'true');
  sheet.setAttribute('role', 'img');
  sheet.setAttribute('aria-label', words.join(say('view-kit-list-separator')));
}

const clip = ({left, end, height}) =>
  svg('defs', {}, svg('clipPath', {id: 'attnviz-plot'}, svg('rect', {x: left, y: 0, width: Math.max(0, end - left + 2), height})));

function band({phase, answers, index}, runs, {x, upper, lower}, k) {
  const [a, b] = [x(phase.first), Math.max(x(phase.first), x(phase.last))];
  const paint = runs.length > 1 ? `run-${index}` : `answer-${answers.at(-1)}`;
  return svg('rect', {class: `span ${paint}`, x: a, y: upper.from - 6 * k, width: b - a, height: lower.to - upper.from + 6 * k});
}

function grid({x, y, share, ticks, left, end, lower, planned}, {checkpoints}, k) {
  const step = (tick) => svg('text', {class: 'tick', x: x(tick), y: lower.to + 18 * k, 'text-anchor': tick === planned ? 'end' : 'middle'}, String(tick));
  const kept = (at) => svg('line', {class: 'kept', x1: x(at), x2: x(at), y1: lower.to, y2: lower.to + 4 * k});
  return [...checkpoints.map(kept), ...across(ticks.loss, y, {left, end}, String, k), ...across(ticks.share, share, {left, end}, pct, k), ...ticks.steps.map(step)];
}

function lineOf(curve, {x, y, share}) {
  if (curve.kind === 'loss') {
    const line = (values, kind) => svg('path', {class: `line ${kind} ${curve.paint}`, d: pathThrough(pairs(curve.run.steps, values), x, y), 'clip-path': 'url(#attnviz-plot)'});
    return [line(curve.run.loss, 'each'), line(curve.run.smooth, 'mean')];
  }
  const d = pathThrough(curve.points, x, share);
  const role = curve.kind === 'accuracy' ? '' : curve.isPicked ? 'picked' : curve.isBest ? 'best' : 'other';
  const line = svg('path', {class: `line ${curve.paint} ${role}`, d});
  return curve.isPicked ? [svg('path', {class: 'line casing', d}), line] : [line];
}

/** ● of the first run, ◇ of the second. */
function dot({paint, run, isPicked}, runs, k) {
  const isSecond = runs.length > 1 && run.index === 1;
  return mark(Number(isSecond), (isPicked ? 5 : 4) * k, {class: `dot ${paint}${isSecond ? ' open' : ''}`});
}

/** Press anywhere and drag. */
function listenToDrag(holder, signal, scrub, settle) {
  let isHeld = false;
  const at = (event) => event.clientX - holder.getBoundingClientRect().left;
  const on = (name, heard) => listen(holder, name, heard, {signal});
  on('pointerdown', (event) => {
    if (event.button !== 0 || event.target.closest('button')) return;
    isHeld = true;
    holder.setPointerCapture(event.pointerId);
    scrub(at(event));
  });
  on('pointermove', (event) => isHeld && scrub(at(event)));
  for (const name of ['pointerup', 'pointercancel'])
    on(name, () => {
      if (isHeld) settle();
      isHeld = false;
    });
}
