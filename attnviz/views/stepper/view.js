// The stepper: any chain of steps, its matrices on a stage, one cell written out below. State lives here; parts draw.

import {listen} from '../kit/dom.js';
import {listenToKeys, showKeys} from '../kit/keyboard.js';
import {show} from '../kit/shell.js';
import {isStill} from '../kit/theme.js';
import {Guess} from './guess.js';
import {drawHead, drawMovers, fitHead, showParts} from './head.js';
import {Host} from './host.js';
import {columnsIn, columnsText} from './link.js';
import {PRESENTERS, keysOf, press} from './keys.js';
import {Chain} from './model.js';
import {sectionOn} from './map.js';
import {neighbour} from './place.js';
import {Pointing} from './pointing.js';
import {wire} from './frame.js';

const PRESENTED = 720; // px of a window in which the presenter's view has the lengths of a normal screen
const LEAST = 240; // px of a stage: in less the cells of a tall product have no height
const AROUND = {attention: 285, block: 360}; // px of all lines over it and of the strip below

const WRAPS = 1100; // px of a window in which they do not wrap
const WRAPPED = 80; // px of the second lines over it that large type may need, of the bar and of the head

/** Show a payload in `element`. `emit(selection, isUrgent)` hears what the person picks; null where nobody listens. */
export function mount(element, payload, emit) {
  return show(StepperView, element, payload, emit);
}

class StepperView {
  shell; root; k; theme; room; parts; bar; written; map; rail; side; stage; player;
  static css = 'stepper';
  static fills = true;

  constructor(shell) {
    // `windows`: first places, by axis
    Object.assign(this, {shell, root: shell.root, windows: {}, isWhole: false, comparing: 'both', isPresented: false});
    this.guess = new Guess();
    this.host = new Host(this, shell);
    this.pointing = new Pointing(this);
    const act = {
      moveCell: (down, right) => this.pointing.moveCell(down, right),
      step: (by) => this.walk(by),
      play: () => this.play(),
      row: (by) => this.pointing.walk(by),
      enter: () => this.pointing.guessPicked(),
      restore: () => this.host.restore(),
      leave: () => this.pointing.leave(),
      present: () => this.present(!this.isPresented),
      list: () => this.listKeys(),
    };
    listenToKeys(this.root, shell.signal, (event, node) => press(event, node, act), PRESENTERS);
  }

  /**
   * New data, new words or a new theme. The person's own place is kept until another chain comes.
   * @param {Payload<StepperHeader>} payload
   */
  take(payload) {
    const {header} = payload;
    const isNew = this.header?.revision !== header.revision;
    const first = this.header && header.keeps_place ? null : header.picked ?? header.selection; // null: the person's own
    const isWord = this.header?.lang !== header.lang || this.header?.size !== header.size;
    delete this.root.dataset.busy;
    this.header = header;
    this.chain = new Chain(payload);
    this.say = this.shell.say;
    if (first) this.place = {...first};
    const wanted = first ? first.step : this.shownStep;
    const kept = this.chain.steps.findIndex(({name}) => name === wanted);
    this.at = Math.max(0, kept);
    if (isNew) this.begin(header.place ?? {});
    return isWord;
  }

  /** Another run: what was guessed and which columns are drawn is as its link says, or as at first. */
  begin({guessed = '', columns = '', present = ''}) {
    this.guess.forget();
    this.guess.recall(this.chain.steps, guessed);
    Object.assign(this, columnsIn(columns));
    this.showPresented(present !== '');
  }

  /** Where the person is: a step, the cell that is picked in it, what was guessed, and the columns that are drawn. */
  selection() {
    const {row, key, feature} = this.place;
    const {windows, isWhole} = this;
    const present = this.isPresented ? '1' : '';
    return {step: this.step.name, row, key, feature, guessed: this.guess.said, columns: columnsText(windows, isWhole), present};
  }

  /** What is on the screen, for a picture of it. */
  about() {
    const {header, step} = this;
    const {tab, place, model} = header;
    return {title: step.title, place: [tab, place?.site, step.name].filter(Boolean).join(' '), changes: model.edits};
  }

  /** On paper every step has a sheet of its own. */
  *sheets() {
    const {at} = this;
    for (this.at = 0; this.at < this.chain.steps.length; this.at++) {
      this.showStep();
      yield;
    }
    this.at = at;
  }

  /** In a lower window the page scrolls: no matrix lies under the strip. */
  least(k) {
    const wrapped = this.header.size === 'projector' && window.innerWidth < WRAPS * k ? WRAPPED : 0;
    return (LEAST + AROUND[this.header.map ? 'block' : 'attention'] + wrapped) * k;
  }

  destroy() {
    this.player?.stop();
    this.bar?.destroy();
  }

  get step() {
    return this.chain.steps[this.at];
  }

  /** The attention whose head is on the stage: a decoder's block has two. */
  get attention() {
    const {site} = this.header.controls;
    return this.step.section === 'cross' ? site.replace(/self$/, 'cross') : site;
  }

  /** How many heads of that attention are silenced, and whether the one on the stage is. */
  get silent() {
    const {controls} = this.header;
    const heads = (controls?.whatif.silenced ?? []).filter(([site]) => site === this.attention).map(([, head]) => head);
    return {n: heads.length, isHere: heads.includes(controls?.head)};
  }

  /** The question that hides the result of this step, if there is one. */
  get question() {
    return this.guess.pending(this.step);
  }

  /** The earlier step whose open guess hides this one too, if there is one. */
  get before() {
    return this.guess.before(this.chain.steps, this.at);
  }

  /** Whether this step waits for a guess at its own result. */
  get isOpen() {
    return this.question !== null && this.before === null;
  }

  get isHidden() {
    return this.isAsked(this.at);
  }

  isAsked(index) {
    const {steps} = this.chain;
    return this.guess.pending(steps[index]) !== null || this.guess.before(steps, index) !== null;
  }

  build(signal) {
    this.player?.stop();
    wire(this, signal);
  }

  /** Everything, at the size there is. */
  draw({k, theme, room}) {
    const {header, parts} = this;
    Object.assign(this, {k, theme, room});
    this.bar.show(this.host.emit && header.controls, Boolean(header.map));
    parts.notice.hidden = !header.notice;
    parts.notice.textContent = header.notice ?? '';
    this.drawRail();
    this.showStep();
  }

  drawRail() {
    this.rail.draw(this.chain.steps, {
      theme: this.theme,
      k: this.k,
      isHidden: (index) => this.isAsked(index),
    });
  }

  /** One step: the stage, the strip and the panel. */
  showStep() {
    const {parts, step, theme, k} = this;
    this.pointing.begin();
    this.player.reset(step.result.rows.count);
    this.rail.select(this.at);
    const {map} = this.header;
    this.map.show(map, map && sectionOn(map, this.chain.steps, this.at), Boolean(this.host.emit));
    this.bar.showSilent(this.silent.isHere);
    parts.previous.disabled = this.onward(-1) === null;
    this.labelNext();
    this.side.show(step, this.header, {looks: this.host.emit ? this.header.controls?.looks : [], theme, k});
    drawHead(this);
    this.redraw();
    this.shownStep = step.name;
    this.root.dataset.step = step.name;
  }

  /** The button says what it does: first it shows an open answer, then it goes on. */
  labelNext() {
    const {next} = this.parts;
    const isOpen = this.isOpen;
    next.textContent = isOpen ? this.say('view-stepper-guess-show') : `${this.say('view-stepper-next')} →`;
    next.disabled = !isOpen && this.onward(1) === null;
  }

  /** The stage and what moves its parts. */
  redraw() {
    this.parts.head.classList.remove('tight', 'wrapped');
    showParts(this.parts);
    this.drawStage();
    drawMovers(this);
    if (!fitHead(this)) return;
    this.drawStage(); // lower than it was
    drawMovers(this);
  }

  drawStage() {
    const {parts, pointing, step, room, k} = this;
    const width = parts.field.clientWidth;
    const height = room.isSide ? Math.max(LEAST * k, parts.field.clientHeight) : Math.min(560, Math.max(360, width)) * k;
    const hadFocus = this.stage.surface?.contains(this.root.getRootNode().activeElement);
    pointing.follow();
    const isSecret = this.chain.steps.some((it) => it.result.columns.kind === 'vocabulary' && this.guess.pending(it));
    for (const axis of Object.values(this.chain.axes)) axis.isSecret = isSecret;
    this.written.show(isSecret ? null : this.header.written, this.silent.isHere && this.silent.n < this.header.controls.heads ? this.header.controls.heads : 0);
    this.stage.draw(
      step,
      {width, height, k},
      {theme: this.theme, windows: this.windows, isWhole: this.isWhole, label: step.title, comparing: this.isHidden ? 'none' : this.comparing},
    );
    const {surface} = this.stage;
    listen(surface, 'focus', () => surface.matches(':focus-visible') && pointing.heat(true));
    listen(surface, 'blur', () => pointing.heat(false));
    if (hadFocus) surface.focus();
    if (this.isHidden) this.stage.reveal(0, null);
    if (this.before) this.stage.coverWhat((id) => this.chain.steps.some((it, at) => it.result.id === id && this.isAsked(at)));
    for (const {index} of step.siblings) if (index !== this.at && this.isAsked(index)) this.stage.cover(index);
    pointing.highlight();
  }

  moveWindow(axis, from) {
    this.windows = {...this.windows, [axis.id]: from};
    this.redraw();
    this.host.tell();
  }

  /** How a step of a changed run is shown: 'none' as usual, 'both' runs beside each other, or their 'difference' too. */
  compare(comparing) {
    this.comparing = comparing;
    drawHead(this);
    this.redraw();
  }

  setWhole(isWhole) {
    this.isWhole = isWhole;
    this.redraw();
    this.host.tell();
  }

  go(index) {
    if (index < 0 || index >= this.chain.steps.length) return;
    this.at = index;
    this.showStep();
    this.host.tell();
  }

  /** The step on or back (null beyond the ends); the heads of one step lie side by side. */
  onward(by) {
    return neighbour(this.chain.steps, this.at, by, (index) => this.isAsked(index));
  }

  /** One step forward or back; forward from a step whose guess is open shows its answer first. */
  walk(by) {
    const next = this.onward(by);
    if (by > 0 && this.isOpen) this.pointing.giveUp();
    else if (next !== null) this.go(next);
  }

  /** To a sublayer of the map: a step of this block, or another block at the same step. */
  goTo({stack, layer, section}) {
    const {map, tab} = this.header;
    const index = this.chain.steps.findIndex((step) => step.section === section);
    if (stack === map.stack && layer === map.layer) return this.go(index);
    if (index >= 0) this.shownStep = this.chain.steps[index].name;
    const site = `${stack}.${layer}.self`;
    const next = stack === 'decoder' ? 'decoder' : 'block';
    this.host.ask(next === tab ? {site} : {tab: next, site});
  }

  /** The presenter's view: the rail, the stage and its strip over the whole window, as large as it allows. */
  present(isPresented) {
    if (isPresented === this.isPresented) return;
    this.showPresented(isPresented);
    this.shell.draw();
    this.host.tell();
  }

  showPresented(isPresented) {
    this.isPresented = isPresented;
    this.root.classList.toggle('presented', isPresented);
    this.parts?.present.setAttribute('aria-pressed', String(isPresented));
  }

  /** Times the lengths of a normal screen. */
  get scale() {
    return this.isPresented ? Math.min(2, Math.max(1, window.innerHeight / PRESENTED)) : 1;
  }

  play() {
    if (!this.isHidden) this.player.toggle(isStill());
  }

  focusTitle() {
    this.parts.title.tabIndex = -1;
    this.parts.title.focus({preventScroll: true});
  }

  listKeys() {
    showKeys(this.parts.dialog, this.say, keysOf(this.say), () => this.focusTitle());
  }
}
