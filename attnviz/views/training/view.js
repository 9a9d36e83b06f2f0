// The training view: charts above, all heads and one of them below, one time cursor for all. State lives here.

import {listen, tellPresented} from '../kit/dom.js';
import {PRESENTERS, listenToKeys, showKeys} from '../kit/keyboard.js';
import {nearestStep} from '../kit/axis.js';
import {clamp} from '../kit/number.js';
import {show} from '../kit/shell.js';
import {fillText, named} from '../kit/words.js';
import {nameOf} from './chart_words.js';
import {pairs, shareCurves} from './curves.js';
import {Chart} from './time_charts.js';
import {frame, playIcon} from './frame.js';
import {CHART, LOWER, chartHeight} from './heads_layout.js';
import {keysOf, press} from './keys.js';
import {Lower} from './lower_half.js';
import {Player} from '../kit/player.js';
import {lineHeadings} from '../kit/export_menu.js';
import {USUAL} from './picked_in_link.js';
import {headsOf, runsOf, tableOf} from './runs.js';
import {fillAnswer, fillLesson, fillState, fillStep, fillWhich} from './top_line.js';

const EVERY = 140, CALM = 400; // ms that a checkpoint is seen
const WHOLE = 2000; // ms that playing takes at least: a training may have two checkpoints
const LESSON_BESIDE = 1600; // px: in less width the lesson has a line of its own where the line above it is full
const isSame = (a, b) => a?.query === b?.query && a?.key === b?.key;
const within = (x, count) => clamp(x, 0, count - 1);

export function mount(element, payload, emit) {
  return show(TrainingView, element, payload, emit);
}

class TrainingView {
  shell; root; emit; look; isTold;
  /** @type {Payload<TrainingHeader>} */
  data;
  /** @type {ReturnType<typeof runsOf>} */
  runs;
  /** @type {ReturnType<typeof frame>} */
  parts;
  /** @type {Chart} */
  chart;
  /** @type {Lower} */
  lower;
  static css = 'training';
  static fills = true;

  constructor(shell) {
    Object.assign(this, {shell, root: shell.root, emit: shell.emit, hovered: null, look: {...USUAL}});
    this.player = new Player(() => this.advance(), (isPlaying) => this.played(isPlaying), {root: shell.root, signal: shell.signal, every: EVERY, calm: CALM});
    listenToKeys(this.root, shell.signal, (event, node) => press(event, node, this), PRESENTERS);
  }

  /**
   * New data, new words, or only a new theme. While the same training goes on, what the person picked stays.
   * @param {Payload<TrainingHeader>} payload
   */
  take(payload) {
    const {header} = payload;
    const before = this.data?.header;
    const isNew = before?.identity !== header.identity;
    const wasLast = !isNew && this.c === this.run.checkpoints.length - 1;
    const first = header.picked ?? header.selection;
    const step = isNew ? first.step : this.run.checkpoints[this.c];
    Object.assign(this.look, header.look);
    this.shell.present(Boolean(this.look.isPresented));
    if (isNew) this.isTold = Boolean(header.picked); // else the page chose it, and goes on to what is newest
    this.data = payload;
    this.runs = runsOf(payload);
    this.say = this.shell.say;
    if (!this.isTold || isNew) this.picked = {...first};
    this.settleOn(this.picked.run, wasLast ? Infinity : step);
    return isNew || JSON.stringify(before.strings) !== JSON.stringify(header.strings);
  }

  get run() {
    return this.runs?.[this.picked?.run];
  }

  build(signal) {
    const {say} = this;
    const parts = (this.parts = frame(this.root, say, {map: () => this.table(), curves: () => this.curves(), maps: () => this.maps()}));
    this.chart = new Chart(parts.chart, parts.named, say, signal, this);
    this.lower = new Lower(parts, say, signal, this);
    listen(parts.play, 'click', () => this.toggle());
    parts.curves.hidden = !this.data.header.link; // Python draws them
    listen(parts.curves, 'click', () => this.openCurves());
    listen(parts.keysButton, 'click', () => this.listKeys());
    listen(parts.present, 'click', () => this.present(!this.shell.isPresented));
    tellPresented(parts.present, this.say, this.shell.isPresented);
    listen(parts.which, 'click', ({target}) => this.chooseRun(target.closest('button')?.dataset.run));
    this.namePlay(this.player.isPlaying);
  }

  draw({k, theme, room}) {
    const {root, parts, say, run, lower, picked} = this;
    const {notice} = this.data.header;
    this.room = room;
    Object.assign(root.dataset, {runs: this.runs.length, run: picked.run});
    parts.notice.hidden = !notice;
    parts.notice.textContent = notice ?? '';
    this.k = k;
    fillState(parts.state, run, say);
    parts.which.hidden = this.runs.length < 2;
    fillWhich(parts.which, this.runs, picked.run, say);
    fillLesson(parts.lesson, run, say);
    fillAnswer(parts.answer, run, this.c, say); // for its height
    this.shareHeight();
    this.drawChart();
    lower.layout(run, {k, theme, room, family: getComputedStyle(this.root).fontFamily});
    lower.select(picked);
    this.show();
  }

  /** How much the charts take. Where charts and maps do not fit at their least, the view is taller, and the page scrolls. */
  shareHeight() {
    const {parts, room, run, k, root} = this;
    const isBeside = !room.isSide || room.width > LESSON_BESIDE * k || (this.runs.length < 2 && parts.state.hidden);
    parts.top.dataset.lesson = isBeside ? 'beside' : 'below';
    parts.chart.style.height = '0px';
    const rest = (room.height ?? 0) - parts.top.offsetHeight;
    const tall = room.height === null ? CHART.free * k : chartHeight(rest, room.height, run.n, k);
    parts.chart.style.height = `${tall}px`;
    const missing = Math.max(0, tall + LOWER * k - rest);
    root.style.minHeight = room.height === null ? '' : `${room.height + missing}px`; // kept while it is drawn anew: the page stays where it was scrolled to
  }

  drawChart() {
    const {chart} = this.parts;
    const {runs, picked, k, look} = this;
    this.chart.draw({runs, picked, k, isLog: look, width: chart.clientWidth, height: chart.clientHeight});
  }

  /** What depends on the time alone. */
  show() {
    const {run, c, parts, say} = this;
    fillAnswer(parts.answer, run, c, say);
    this.chart.moveTo(c, fillStep(parts.step, run, c, say));
    this.lower.showAll(run, c);
    this.showHead();
  }

  /** What depends on the head and the cell too. */
  showHead() {
    const {run, c, picked, hovered} = this;
    this.lower.showOne(run, c, picked, hovered, this.look.steps);
    this.root.dataset.moment = `${run.checkpoints[c]}/${picked.layer}.${picked.head}`;
  }

  /** To another checkpoint; `isTold` is false while a drag goes on. */
  go(c, isTold = true) {
    if (isTold) this.player.stop();
    const at = within(c, this.run.checkpoints.length);
    if (at !== this.c) {
      this.c = at;
      this.show();
    }
    if (isTold) this.tell();
  }

  step(by) {
    this.go(this.c + by);
  }

  /** While the cursor is dragged. */
  scrub(c) {
    this.player.stop();
    this.go(c, false);
  }

  /** One checkpoint on; whether there is one more. */
  advance() {
    this.c = within(this.c + 1, this.run.checkpoints.length);
    this.show();
    return this.c < this.run.checkpoints.length - 1;
  }

  toggle() {
    if (this.player.isPlaying) this.player.stop();
    else {
      if (this.c === this.run.checkpoints.length - 1) {
        this.c = 0;
        this.show();
      }
      const seen = WHOLE / this.run.checkpoints.length;
      Object.assign(this.player, {every: Math.max(EVERY, seen), calm: Math.max(CALM, seen)});
      this.player.start();
    }
  }

  played(isPlaying) {
    this.namePlay(isPlaying);
    if (!isPlaying) this.tell();
  }

  namePlay(isPlaying) {
    this.parts.reading.setAttribute('aria-live', isPlaying ? 'off' : 'polite'); // nobody can listen that fast
    const said = isPlaying ? 'view-training-pause' : 'view-training-play';
    this.parts.play.replaceChildren(playIcon(isPlaying), this.say(said));
  }

  choose(layer, head, hasFocus = false) {
    Object.assign(this.picked, {layer: within(layer, this.run.layers), head: within(head, this.run.heads)});
    this.lower.select(this.picked, hasFocus);
    this.drawChart();
    this.show();
    this.tell();
  }

  walk(dLayer, dHead, hasFocus) {
    this.choose(this.picked.layer + dLayer, this.picked.head + dHead, hasFocus);
  }

  chooseNumber(index) {
    const at = headsOf(this.run)[index];
    if (at) this.choose(...at);
  }

  chooseRun(index) {
    if (index === undefined) return;
    this.settleOn(Number(index), this.run.checkpoints[this.c]);
    this.shell.draw();
    this.parts.which.children[this.picked.run].focus();
    this.tell();
  }

  /** Show a run at the checkpoint nearest to a step; it may have fewer heads and other tokens than the one before. */
  settleOn(index, step) {
    this.picked.run = within(index, this.runs.length);
    this.clamp();
    this.c = nearestStep(this.run.checkpoints, step);
  }

  clamp() {
    const {picked, run} = this;
    const query = within(picked.query ?? 0, run.n);
    const key = within(picked.key ?? 0, run.isCausal ? query + 1 : run.m);
    const [layer, head] = [within(picked.layer ?? 0, run.layers), within(picked.head ?? 0, run.heads)];
    Object.assign(picked, {layer, head, query, key});
    this.hovered = null;
  }

  hover(cell) {
    if (isSame(cell, this.hovered)) return;
    this.hovered = cell;
    this.showHead();
  }

  pick(cell) {
    Object.assign(this.picked, cell);
    this.clamp();
    this.showHead();
    this.tell();
  }

  move(dQuery, dKey) {
    const {query, key} = this.picked;
    this.pick({query: query + dQuery, key: key + dKey});
  }

  bend(name) {
    this.look[name] = !this.look[name];
    this.drawChart();
    this.show();
    this.tell();
  }

  /** Charts, heads and the map over the whole window, or in the page again; whether that was new. */
  present(isPresented) {
    if (isPresented === this.shell.isPresented) return false;
    this.look.isPresented = isPresented;
    this.shell.present(isPresented);
    tellPresented(this.parts.present, this.say, isPresented);
    this.shell.draw();
    this.tell();
    return true;
  }

  /** From a map to the time, else out of the presenter's view; whether there was something to leave. */
  leave(isInMap) {
    if (!isInMap) return this.present(false);
    this.chart.knob.focus();
    return true;
  }

  listKeys() {
    showKeys(this.parts.dialog, this.say, keysOf(this.say));
  }

  about() {
    const {parts} = this;
    return {title: parts.step.textContent, place: parts.title.textContent};
  }

  /** Each run's loss at every step that is drawn, as it was and smoothed, and what is drawn at every checkpoint. */
  curves() {
    const of = (run, lines) => lines.map((line) => [run.label || run.task, ...line]);
    const losses = this.runs.flatMap((run) => [['loss', run.loss], ['loss, smoothed', run.smooth]].flatMap(([name, values]) => of(run, pairs(run.steps, values).map(([step, value]) => [step, name, '', value]))));
    const accuracies = shareCurves(this.runs, this.picked).filter(({kind}) => kind === 'accuracy');
    const right = accuracies.flatMap((curve) => of(curve.run, curve.points.map(([step, value]) => [step, nameOf(curve, this.say), '', value])));
    const shares = this.runs.flatMap((run) => of(run, run.answers.flatMap((answer, a) => headsOf(run).flatMap(([layer, head]) => run.measured.map((step, at) => [step, answer, `${layer + 1}.${head + 1}`, run.scored(a, at, layer, head)])))));
    return [['run', 'step', 'name', 'head (from 1)', 'value'], ...losses, ...right, ...shares];
  }

  /** Every weight of every head at the checkpoint on the screen. */
  maps() {
    const {run, c} = this;
    const lines = headsOf(run).flatMap(([layer, head]) => run.queries.flatMap((query, row) => run.keys.map((key, column) => [layer + 1, head + 1, row + 1, named(query), column + 1, named(key), run.weight(c, layer, head, row, column)])));
    return [['layer (from 1)', 'head (from 1)', ...lineHeadings(this.say), String(run.checkpoints[c])], ...lines];
  }

  /** The map of the picked head as a table. */
  table() {
    const {run, c, picked, say} = this;
    const {layer, head} = picked;
    return tableOf(run, c, layer, head, fillText(say('view-training-title'), {layer: layer + 1, head: head + 1}));
  }

  /** As a chart that Python draws; a point of it that is pressed takes the place of what is picked. */
  openCurves() {
    this.tell();
    this.emit?.({...this.selection(), go: 'curves'}, true);
  }

  tell() {
    this.isTold = true;
    this.shell.noted(this.selection());
    this.emit?.(this.selection());
  }

  selection() {
    const {layer, head, query, key, run} = this.picked;
    return {step: this.run.checkpoints[this.c], layer, head, site: this.run.sites[layer], query, key, run, look: {...this.look}};
  }
}
