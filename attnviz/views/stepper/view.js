// The stepper: any chain of steps, its matrices on a stage, one cell written out below. State lives here; parts draw.

import {watchRoom} from '../kit/fit.js';
import {themeOf} from '../kit/theme.js';
import {Guess} from './guess.js';
import {drawHead, drawMovers} from './head.js';
import {listenToKeys, showKeys} from './keys.js';
import {whenClosed} from './look.js';
import {Chain} from './model.js';
import {isTokenColumn, pickedIn, targetOf, within} from './pick.js';
import {written} from './rules.js';
import {wire} from './wire.js';

/** Show a payload in `element`. `emit(selection, isUrgent)` hears what the person picks; null where nobody listens. */
export function mount(element, payload, emit) {
  const view = new StepperView(element, emit);
  view.update(payload);
  return view;
}

class StepperView {
  constructor(element, emit) {
    Object.assign(this, {root: element, emit, windows: {}, isWhole: false, hovered: null, isHot: false});
    this.root.classList.add('attnviz', 'stepper');
    this.end = new AbortController();
    this.guess = new Guess();
    this.room = {width: 0, height: null, isSide: true};
    const {signal} = this.end;
    listenToKeys(this.root, signal, {
      moveCell: (down, right) => this.moveCell(down, right),
      step: (by) => this.go(this.at + by),
      play: () => this.question || this.player.toggle(this.isStill),
      row: (by) => this.walk(by),
      enter: () => this.question && this.answer({...this.picked, row: this.question.row ?? this.picked.row}),
      restore: () => this.restore(),
      leave: () => this.leave(),
      list: () => this.listKeys(),
    });
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', () => this.chain && this.draw(), {signal});
    document.fonts?.ready.then(() => this.chain && !signal.aborted && this.draw());
  }

  /** New data, new words or a new theme. The person's own place is kept until another chain comes. */
  update(payload) {
    const {header} = payload;
    const isNew = this.header?.revision !== header.revision;
    // What comes back of our own words is no news: the person may have moved on meanwhile.
    const isOther = !this.header || JSON.stringify(header.selection) !== this.said;
    const isWord = this.header?.lang !== header.lang || this.header?.size !== header.size;
    delete this.root.dataset.ready;
    delete this.root.dataset.busy;
    this.header = header;
    this.chain = new Chain(payload);
    this.say = (id) => header.strings[id] ?? '';
    if (isOther) this.place = {...header.selection};
    const wanted = isOther ? header.selection.step : this.shownStep;
    const kept = this.chain.steps.findIndex(({name}) => name === wanted);
    this.at = Math.max(0, kept);
    if (isNew) this.windows = {};
    if (isNew) this.guess.forget();
    if (!this.parts || isWord) this.build();
    this.draw();
  }

  destroy() {
    this.player?.stop();
    this.bar?.destroy();
    this.end.abort();
    this.root.replaceChildren();
  }

  get step() {
    return this.chain.steps[this.at];
  }

  get isStill() {
    return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  build() {
    this.player?.stop();
    this.root.lang = this.header.lang;
    this.perBuild?.abort();
    this.perBuild = new AbortController();
    const {signal} = this.perBuild;
    this.end.signal.addEventListener('abort', () => this.perBuild.abort(), {signal});
    wire(this, signal);
    this.roomWatch = watchRoom(this.root, signal, (room) => {
      this.room = room;
      if (this.isDrawn) this.draw();
    });
  }

  /** Everything, at the size there is. */
  draw() {
    const {header, root, parts, room} = this;
    this.k = header.size === 'projector' ? 1.25 : 1;
    this.theme = themeOf(root);
    root.dataset.theme = this.theme;
    root.dataset.layout = room.isSide ? 'side' : 'stacked';
    root.style.setProperty('--k', `${this.k}px`);
    root.style.height = room.height === null ? '' : `${room.height}px`;
    this.bar.show(this.emit && header.controls);
    parts.notice.hidden = !header.notice;
    parts.notice.textContent = header.notice ?? '';
    this.drawRail();
    this.isDrawn = true;
    this.showStep();
  }

  drawRail() {
    this.rail.draw(this.chain.steps, {
      theme: this.theme,
      k: this.k,
      isHidden: (step) => this.guess.pending(step) !== null,
    });
  }

  /** The question that hides the result of this step, if there is one. */
  get question() {
    return this.guess.pending(this.step);
  }

  /** One step: the stage, the strip and the panel. */
  showStep() {
    const {parts, step} = this;
    this.hovered = null;
    this.player.reset(step.result.rows.count);
    this.rail.select(this.at);
    parts.previous.disabled = this.at === 0;
    parts.next.disabled = this.at === this.chain.steps.length - 1;
    this.side.show(step, this.header, this.emit ? this.header.controls?.looks : []);
    drawHead(this);
    this.redraw();
    this.shownStep = step.name;
    this.root.dataset.step = step.name;
    requestAnimationFrame(() => (this.root.dataset.ready = this.header.revision));
  }

  /** The stage and what moves its parts. */
  redraw() {
    this.drawStage();
    drawMovers(this);
  }

  drawStage() {
    const {parts, step, room, k} = this;
    const width = parts.field.clientWidth;
    const height = room.isSide ? parts.field.clientHeight : Math.min(560, Math.max(360, width)) * k;
    const hadFocus = this.stage.surface?.contains(this.root.getRootNode().activeElement);
    this.follow();
    this.stage.draw(
      step,
      {width, height, k},
      {theme: this.theme, windows: this.windows, isWhole: this.isWhole, label: step.title},
    );
    const {surface} = this.stage;
    surface.addEventListener('focus', () => surface.matches(':focus-visible') && this.heat(true));
    surface.addEventListener('blur', () => this.heat(false));
    if (hadFocus) surface.focus();
    if (this.question) this.stage.reveal(0, null, true);
    for (const {index} of step.siblings) if (index !== this.at && this.isAsked(index)) this.stage.cover(index);
    this.highlight();
  }

  /** The row and column of this step's result that are picked: tokens and features are kept from step to step. */
  get picked() {
    return pickedIn(this.step, this.place);
  }

  highlight() {
    const {row, column, sibling} = this.hovered ?? this.picked;
    const step = this.chain.steps[sibling ?? this.at];
    if (this.question) return this.askFor(row, column);
    const cell = written(step, row, column);
    const result = sibling === undefined ? 'result' : `step:${sibling}`;
    this.stage.pick(row, column, cell, {isHot: this.isHot || this.hovered !== null, step, result});
    const verdict = this.guess.verdict(step, row, column);
    const show = ([i, j]) => this.choose(i, j);
    const said = this.strip.show(step, cell, {
      i: row,
      j: column,
      k: this.k,
      shown: this.stage.innerShown,
      verdict,
      show,
    });
    this.parts.said.textContent = said;
  }

  /** While a result is hidden: the question, and the cell that would be guessed. */
  askFor(row, column) {
    this.stage.aim(this.question.row ?? row, column);
    this.parts.said.textContent = this.strip.ask(this.step, this.question);
  }

  isAsked(index) {
    return this.guess.pending(this.chain.steps[index]) !== null;
  }

  /** A guess: the result is shown, and the arithmetic of what was guessed. */
  answer({row, column}) {
    if (!this.guess.take(this.step, row, column)) return;
    this.stage.reveal(null, null, true);
    this.drawRail();
    this.choose(row, column);
  }

  hover(key, row, column) {
    if (this.player.isPlaying) return;
    const next = key === null ? null : targetOf(this.step, this.stage.plan.kind, this.picked, {key, row, column});
    if (next?.sibling !== undefined && this.isAsked(next.sibling)) return; // its numbers are still to be guessed
    if (['row', 'column', 'sibling'].every((name) => next?.[name] === this.hovered?.[name])) return;
    this.hovered = next;
    this.highlight();
  }

  pick(key, row, column) {
    if (key === null) return;
    if (this.question) return key === 'result' && this.answer({row, column});
    const {row: i, column: j, sibling} = targetOf(this.step, this.stage.plan.kind, this.picked, {key, row, column});
    if (sibling !== undefined) this.go(sibling);
    this.choose(i, j);
  }

  choose(row, column) {
    const name = isTokenColumn(this.step) ? 'key' : 'feature';
    this.place = {...this.place, row, [name]: column};
    this.hovered = null;
    if (this.follow()) this.redraw();
    else this.highlight();
    this.tell();
  }

  moveCell(down, right) {
    const {row, column} = this.picked;
    const {rows, columns} = this.step.result;
    this.isHot = true;
    this.choose(within(row + down, rows), within(column + right, columns));
  }

  /** Move the part that is shown so that the picked column is in it; whether anything moved. */
  follow() {
    const shown = this.stage.plan?.blocks.find(({key}) => key === 'result')?.columns;
    const {column} = this.picked;
    if (!shown || shown.axis !== this.step.result.columns || shown.list.includes(column)) return false;
    const last = shown.first + shown.count - 1;
    this.windows[shown.axis.id] = column < shown.first ? column : shown.first + (column - last);
    return true;
  }

  moveWindow(axis, from) {
    this.windows = {...this.windows, [axis.id]: from};
    this.redraw();
  }

  setWhole(isWhole) {
    this.isWhole = isWhole;
    this.redraw();
  }

  showRows(until, fresh) {
    if (fresh !== null) this.place = {...this.place, row: this.step.result.rows.from + fresh};
    this.hovered = null;
    this.stage.reveal(until, fresh, this.isStill);
    this.highlight();
    this.tell();
  }

  /** One row of the result on or back from the row that is picked. */
  walk(by) {
    if (!this.question) this.player.step(by, this.picked.row - this.step.result.rows.from);
  }

  go(index) {
    if (index < 0 || index >= this.chain.steps.length) return;
    this.at = index;
    this.showStep();
    this.tell();
  }

  heat(isHot) {
    this.isHot = isHot;
    if (!this.question) this.stage.dim(isHot || this.hovered !== null);
  }

  /** Out of the matrix, to the title of the step: keys then step and play. */
  leave() {
    if (this.stage.surface?.contains(this.root.getRootNode().activeElement)) this.focusTitle();
    this.heat(false);
  }

  focusTitle() {
    this.parts.title.tabIndex = -1;
    this.parts.title.focus({preventScroll: true});
  }

  listKeys() {
    showKeys(this.parts.dialog, this.say, () => this.focusTitle());
  }

  /** Ask the host for another run or another lesson; null puts the what-ifs back. */
  ask(changes) {
    this.root.dataset.busy = '';
    this.tell(changes);
  }

  /** Ask the host for a closer look; the number tells a second asking from the first. */
  look(key) {
    this.looked = (this.looked ?? 0) + 1;
    this.tell({look: key, turn: this.looked});
    whenClosed(this.end.signal, () => this.side.buttonOf(key)?.focus());
  }

  restore() {
    if (this.header.controls?.isChanged) this.ask(null);
  }

  tell(asks) {
    const at = {step: this.step.name, row: this.place.row, key: this.place.key, feature: this.place.feature};
    this.said = JSON.stringify(at);
    this.emit?.(asks === undefined ? at : {...at, ask: asks}, asks !== undefined);
  }
}
