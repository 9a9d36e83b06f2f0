// The training view: charts above, all heads and one of them below, one time cursor for all. State lives here.

import {copyText} from '../kit/clipboard.js';
import {watchRoom} from '../kit/fit.js';
import {themeOf} from '../kit/theme.js';
import {Chart} from './chart.js';
import {frame, playIcon} from './frame.js';
import {listenToKeys, showKeys} from './keys.js';
import {Lower} from './lower.js';
import {Player} from './player.js';
import {runsOf} from './runs.js';
import {nearestStep} from './scale.js';
import {tableOf} from './table.js';
import {fillLesson, fillState, fillStep, fillWhich} from './top.js';

const isSame = (a, b) => a?.query === b?.query && a?.key === b?.key;
const LEAST = {normal: 520, projector: 800}; // px: in less height the map of one head is no map; the page then scrolls
const roomFor = ({height, ...room}, size) => ({...room, height: height === null ? null : Math.max(height, LEAST[size])});
const within = (x, count) => Math.max(0, Math.min(count - 1, x));

/** Show a payload in `element`. `emit(selection)` is told what the person picks; null where nobody listens. */
export function mount(element, payload, emit) {
  const view = new TrainingView(element, emit);
  view.update(payload);
  return view;
}

class TrainingView {
  constructor(element, emit) {
    Object.assign(this, {root: element, emit, hovered: null, isLog: {loss: false, steps: true}});
    this.root.classList.add('attnviz', 'training');
    this.end = new AbortController();
    this.window = {width: 0, height: null, isSide: true}; // the room there is; `room` is what is taken of it
    const {signal} = this.end;
    this.player = new Player(() => this.advance(), (isPlaying) => this.played(isPlaying), signal);
    listenToKeys(this.root, signal, this.keyActions());
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', () => this.data && this.draw(), {signal});
    document.fonts?.ready.then(() => this.data && !signal.aborted && this.draw());
  }

  /** New data, new words, or only a new theme. While the same training goes on, what the person picked stays. */
  update(payload) {
    const {header} = payload;
    const before = this.data?.header;
    const isNew = before?.identity !== header.identity;
    const wasLast = !isNew && this.hasMaps && this.c === this.run.checkpoints.length - 1;
    const step = isNew || !this.hasMaps ? header.selection.step : this.run.checkpoints[this.c];
    delete this.root.dataset.ready;
    this.data = payload;
    this.runs = runsOf(payload);
    this.say = (id) => header.strings[id] ?? '';
    if (isNew || !this.picked) this.picked = {...(header.picked ?? header.selection)};
    if (this.runs.length) this.settleOn(this.picked.run, wasLast ? Infinity : step);
    if (isNew || JSON.stringify(before.strings) !== JSON.stringify(header.strings)) this.build();
    this.draw();
  }

  destroy() {
    this.end.abort();
    this.root.replaceChildren();
  }

  get run() {
    return this.runs?.[this.picked?.run];
  }

  get hasMaps() {
    return Boolean(this.run?.checkpoints.length);
  }

  keyActions() {
    return {
      time: (by) => this.go(this.c + by),
      end: (isLast) => this.go(isLast ? Infinity : 0),
      play: () => this.toggle(),
      head: (dLayer, dHead, inGrid) => this.choose(this.picked.layer + dLayer, this.picked.head + dHead, inGrid),
      number: (index) => this.chooseNumber(index),
      cell: (dQuery, dKey) => this.pick({query: this.picked.query + dQuery, key: this.picked.key + dKey}),
      leave: () => (this.chart.knob.focus(), true),
      list: () => (showKeys(this.parts.dialog, this.say), true),
    };
  }

  /** The parts that depend on the words, not on the size. */
  build() {
    const {say} = this;
    this.root.lang = this.data.header.lang;
    this.perBuild?.abort();
    this.perBuild = new AbortController();
    const {signal} = this.perBuild;
    this.end.signal.addEventListener('abort', () => this.perBuild.abort(), {signal});
    const parts = (this.parts = frame(this.root, say));
    this.chart = new Chart(parts.chart, parts.named, say, signal, {
      scrub: (c) => (this.player.stop(), this.go(c, false)),
      settle: () => this.tell(),
      bend: (name) => this.bend(name),
    });
    this.lower = new Lower(parts, say, signal, {
      choose: (layer, head) => this.choose(layer, head),
      hover: (cell) => this.hover(cell),
      pick: (cell) => this.pick(cell),
    });
    const onClick = (part, heard) => part.addEventListener('click', heard, {signal});
    onClick(parts.play, () => this.toggle());
    onClick(parts.copy, () => this.copy());
    onClick(parts.keysButton, () => showKeys(parts.dialog, say));
    onClick(parts.which, ({target}) => this.chooseRun(target.closest('button')?.dataset.run));
    this.namePlay(this.player.isPlaying);
    watchRoom(this.root, signal, (room) => {
      this.window = room;
      if (this.isDrawn) this.draw();
    });
  }

  /** Everything, at the size there is. */
  draw() {
    const {root, parts, say} = this;
    const {header} = this.data;
    const k = header.size === 'projector' ? 1.25 : 1;
    const room = (this.room = roomFor(this.window, header.size));
    const theme = themeOf(root);
    Object.assign(root.dataset, {theme, layout: room.isSide ? 'side' : 'stacked', runs: this.runs.length, run: this.picked.run});
    root.style.setProperty('--k', `${k}px`);
    root.style.height = room.height === null ? '' : `${room.height}px`;
    parts.notice.hidden = !header.notice;
    parts.notice.textContent = header.notice ?? '';
    parts.top.hidden = !this.runs.length;
    parts.bottom.hidden = !this.hasMaps;
    parts.empty.hidden = this.hasMaps;
    parts.empty.textContent = say(this.runs.length ? 'view-training-no-checkpoint' : 'view-training-none');
    this.isDrawn = true;
    if (this.runs.length) this.drawRuns(k, theme);
    requestAnimationFrame(() => (root.dataset.ready = header.revision));
  }

  drawRuns(k, theme) {
    const {parts, room, say, run, lower, picked} = this;
    this.k = k;
    fillLesson(parts.lesson, run, say);
    fillState(parts.state, run, say);
    parts.which.hidden = this.runs.length < 2;
    fillWhich(parts.which, this.runs, picked.run, say);
    parts.step.hidden = parts.play.hidden = !this.hasMaps;
    const tall = room.height === null ? 330 * k : Math.max(210, Math.min(0.38 * room.height, 400 * k));
    parts.chart.style.height = `${tall}px`;
    this.drawChart();
    if (!this.hasMaps) return;
    lower.layout(run, {k, theme, room, family: getComputedStyle(this.root).fontFamily});
    lower.select(picked);
    this.show();
  }

  drawChart() {
    const {chart} = this.parts;
    const {runs, picked, k, isLog} = this;
    this.chart.draw({runs, picked, k, isLog, width: chart.clientWidth, height: chart.clientHeight});
  }

  /** What depends on the time alone. */
  show() {
    const {run, c, parts, say} = this;
    this.chart.moveTo(c, fillStep(parts.step, run, c, say));
    this.lower.showAll(run, c);
    this.showHead();
  }

  /** What depends on the head and the cell too. */
  showHead() {
    const {run, c, picked, hovered} = this;
    this.lower.showOne(run, c, picked, hovered, this.isLog.steps);
    this.root.dataset.moment = `${run.checkpoints[c]}/${picked.layer}.${picked.head}`;
  }

  /** To another checkpoint; `isTold` is false while a drag goes on. */
  go(c, isTold = true) {
    if (!this.hasMaps) return false;
    if (isTold) this.player.stop();
    const at = within(c, this.run.checkpoints.length);
    if (at !== this.c) {
      this.c = at;
      this.show();
    }
    if (isTold) this.tell();
    return true;
  }

  /** One checkpoint on; whether there is one more. */
  advance() {
    this.c = within(this.c + 1, this.run.checkpoints.length);
    this.show();
    return this.c < this.run.checkpoints.length - 1;
  }

  toggle() {
    if (!this.hasMaps) return false;
    if (this.player.isPlaying) this.player.stop();
    else {
      if (this.c === this.run.checkpoints.length - 1) {
        this.c = 0;
        this.show();
      }
      this.player.start();
    }
    return true;
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
    if (!this.hasMaps) return false;
    Object.assign(this.picked, {layer: within(layer, this.run.layers), head: within(head, this.run.heads)});
    this.lower.select(this.picked, hasFocus);
    this.drawChart();
    this.show();
    this.tell();
    return true;
  }

  chooseNumber(index) {
    if (!this.hasMaps || index >= this.run.layers * this.run.heads) return false;
    return this.choose(Math.floor(index / this.run.heads), index % this.run.heads);
  }

  chooseRun(index) {
    if (index === undefined) return;
    this.settleOn(Number(index), this.run.checkpoints[this.c]);
    this.draw();
    this.parts.which.children[this.picked.run].focus();
    this.tell();
  }

  /** Show a run at the checkpoint nearest to a step; it may have fewer heads and other tokens than the one before. */
  settleOn(index, step) {
    this.picked.run = within(index, this.runs.length);
    this.clamp();
    this.c = this.hasMaps ? nearestStep(this.run.checkpoints, step) : 0;
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
    if (!this.hasMaps) return false;
    Object.assign(this.picked, cell);
    this.clamp();
    this.showHead();
    this.tell();
    return true;
  }

  bend(name) {
    this.isLog[name] = !this.isLog[name];
    this.drawChart();
    if (this.hasMaps) this.show();
  }

  async copy() {
    const {run, c, picked, parts, say} = this;
    await copyText(tableOf(run, c, picked.layer, picked.head), this.root);
    parts.reading.replaceChildren(say('view-training-copied'));
  }

  tell() {
    if (!this.hasMaps || !this.isDrawn) return;
    const {layer, head, query, key, run} = this.picked;
    this.emit?.({step: this.run.checkpoints[this.c], layer, head, site: this.run.sites[layer], query, key, run});
  }
}
