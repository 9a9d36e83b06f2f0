// The stepper: any chain of steps, its matrices on a stage, one cell written out below. State lives here; parts draw.

import {listen, tellPresented} from '../kit/dom.js';
import {PRESENTERS, listenToKeys, showKeys} from '../kit/keyboard.js';
import {show} from '../kit/shell.js';
import {isStill} from '../kit/theme.js';
import {fillText} from '../kit/words.js';
import {Guess} from './guess.js';
import {drawHead, drawMovers, fitHead, showParts} from './step_heading.js';
import {Host} from './host_requests.js';
import {columnsIn, columnsText} from './picked_in_link.js';
import {keysOf, press} from './keys.js';
import {Chain} from './chain.js';
import {blockBeyond, endOf, sectionOn} from './model_map.js';
import {entered, headOn, neighbour} from './kept_place.js';
import {Pointing} from './pointing.js';
import {isRotation, positionsOf} from './pair_arrows.js';
import {wire} from './frame.js';

const LEAST = 216; // px of a stage: in less the cells of a tall product have no height

/** Show a payload in `element`. `emit(selection, isUrgent)` hears what the person picks; null where nobody listens. */
export function mount(element, payload, emit) {
  return show(StepperView, element, payload, emit);
}

class StepperView {
  shell; root; k; theme; room; windows; isFree; played = 0; parts; bar; written; map; rail; side; stage; player; pairBar;
  /** @type {StepperHeader} */
  header;
  /** @type {Chain} */
  chain;
  /** @type {{site: string, find: (steps: any[]) => number} | null} */
  bound;
  static css = 'stepper';
  static presented = {width: 599, height: 425, most: 2.34}; // px, but in a low window, where all steps of a block are to fit: at 1080 what is read has 28
  static fills = true;

  constructor(shell) {
    // `windows`: first places, by axis
    // `bound`: the block that was asked for, {site, find(steps)}
    // `isFree`: whether the cell is the server's choice, because the person has picked none
    Object.assign(this, {shell, root: shell.root, windows: {}, isWhole: false, isArrows: true, comparing: 'both', bound: null, isFree: false, standsInAt: -1});
    this.guess = new Guess();
    this.host = new Host(this, shell);
    this.pointing = new Pointing(this);
    listenToKeys(this.root, shell.signal, (event, node) => press(this, event, node), PRESENTERS);
  }

  /**
   * New data, new words or a new theme. The person's own place is kept until another chain comes.
   * @param {Payload<StepperHeader>} payload
   */
  take(payload) {
    const {header} = payload;
    const isNew = this.header?.revision !== header.revision;
    const given = header.picked ?? header.selection;
    const first = this.header && header.keeps_place ? null : given; // null: the person's own
    const isWord = this.header?.lang !== header.lang || this.header?.size !== header.size;
    delete this.root.dataset.busy;
    this.header = header;
    const earlier = this.chain?.steps.slice(0, this.at).reverse() ?? []; // the nearest first
    this.chain = new Chain(payload);
    this.say = this.shell.say;
    if (first) Object.assign(this, {place: {...first}, isFree: header.is_free === true});
    else if (this.isFree) Object.assign(this.place, {row: given.row, key: given.key});
    const {steps} = this.chain;
    const wanted = first ? [first.step] : [this.shownStep, ...earlier.map(({name}) => name)]; // a switch may take a step out
    const bound = this.bound?.site === header.controls?.site ? this.bound : null;
    const place = wanted.map((name) => steps.findIndex((step) => step.name === name)).find((at) => at >= 0);
    this.at = Math.max(0, bound ? bound.find(steps) : (place ?? 0));
    this.standsInAt = first?.step && place === undefined ? this.at : -1; // for a step that the link names and that is not here
    this.bound = null;
    if (isNew) this.begin(header.place ?? {});
    return isWord;
  }

  /** Another run: what was guessed and which columns are drawn is as its link says, or as at first. */
  begin({guessed = '', columns = '', present = ''}) {
    this.player?.reset(0);
    this.guess.forget();
    this.guess.recall(this.chain.steps, guessed);
    const {isHeld, ...drawn} = columnsIn(columns);
    Object.assign(this, drawn); // rows that were played are, once their step is drawn
    this.pointing.isHeld = isHeld;
    if (present !== '') this.showPresented(true); // once it is open it stays, also over the next step of a lesson
  }

  /** Where the person is: a step, the cell that is picked in it, what was guessed, and the columns that are drawn. */
  selection() {
    const {row, key, feature} = this.place;
    const present = this.shell.isPresented ? '1' : '';
    return {step: this.step.name, row, key, feature, guessed: this.guess.said, columns: columnsText({...this, isHeld: this.pointing.isHeld, played: this.player?.until}), present};
  }

  /** What is on the screen, for a picture of it. */
  about() {
    const {header, step, say} = this;
    const {tab, place, model} = header;
    const [stack, layer, kind] = header.controls?.site.split('.') ?? [];
    const head = place?.head;
    const [, ownHead] = /\.h(\d+)\./.exec(step.result.id) ?? []; // with all heads, or in the second attention of a decoder
    const at = layer && [Number(layer) + 1, ownHead ? Number(ownHead) + 1 : head].filter(Boolean).join('.');
    const isCross = step.result.id.includes('.cross.');
    const where = layer && [this.nameOf([stack, layer, isCross ? 'cross' : kind].join('.')), head && `${say('view-stepper-head')} ${ownHead ? Number(ownHead) + 1 : head}`];
    return {title: step.title, where: where?.filter(Boolean).join(' · '), place: [tab, stack !== tab && stack, isCross && 'cross', at, step.name].filter(Boolean).join(' '), changes: model.edits};
  }

  /** On paper every step has a sheet of its own; where the page has words of its own, only the step they are about. */
  *sheets() {
    if (getComputedStyle(this.root).getPropertyValue('--attnviz-side').trim() === 'none') return void (yield);
    const {at, pointing} = this;
    const {isHeld} = pointing;
    pointing.isHeld = false;
    for (this.at = 0; this.at < this.chain.steps.length; this.at++) {
      this.showStep();
      yield;
    }
    this.at = at;
    pointing.isHeld = isHeld;
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
    const site = this.header.controls?.site ?? '';
    return this.step.section === 'cross' ? site.replace(/self$/, 'cross') : site;
  }

  /** That head, counted from 0: of the menu, or of the step, where each has one. */
  get headHere() {
    const {head: picked, n_heads: n} = this.header.controls ?? {head: 0, n_heads: 1};
    const {head, heads} = headOn(this.step.siblings, this.at, {head: picked, heads: n});
    return Math.floor((head * n) / heads);
  }

  /** How many heads of that attention are silenced, and whether the one on the stage is. */
  get silent() {
    const {controls} = this.header;
    const heads = (controls?.whatif.silenced ?? []).filter(([site]) => site === this.attention).map(([, head]) => head);
    return {n: heads.length, isHere: Boolean(controls) && heads.includes(this.headHere)};
  }

  /** The head of the menu, of as many as there are; undefined where there is no menu. */
  get picked() {
    const {controls} = this.header;
    return controls ? {head: Math.min(controls.head, controls.heads - 1), heads: controls.heads} : undefined;
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

  /** Whether a rotation is shown by its arrows, and not by its numbers. */
  get hasArrows() {
    return this.isArrows && isRotation(this.step) && !this.isHidden;
  }

  /** The position to which arrows were turned by hand; null where each stands at its token's own. */
  get position() {
    const {until} = this.player;
    return this.hasArrows && until !== null ? until - 1 : null;
  }

  isAsked(index) {
    const {steps} = this.chain;
    return this.guess.pending(steps[index]) !== null || this.guess.before(steps, index) !== null;
  }

  build(signal) {
    this.player?.stop();
    wire(this, signal);
    this.showPresented(this.shell.isPresented);
  }

  /** Everything, at the size there is. */
  draw({k, theme, room}) {
    const {header} = this;
    Object.assign(this, {k, theme, room});
    this.bar.show(this.host.emit && header.controls, Boolean(header.map));
    this.drawRail();
    this.played ||= this.player.until; // at another size too
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
    this.showNotice();
    this.pointing.begin();
    this.resetPlayer();
    this.rail.select(this.at);
    const {map} = this.header;
    this.map.show(map, map && sectionOn(map, this.chain.steps, this.at), Boolean(this.host.emit));
    if (this.header.controls) this.bar.showHead(this.header.controls, {attention: this.attention, head: this.headHere, isSilent: this.silent.isHere});
    parts.previous.disabled = this.onward(-1) === null && this.beyond(-1) === null;
    this.labelNext();
    this.side.show(step, this.header, {looks: this.host.emit ? this.header.controls?.looks : [], controls: this.host.emit && this.header.controls, theme, k});
    drawHead(this);
    this.redraw();
    if (this.played && !this.isHidden) {
      const until = this.player.resume(this.played);
      if (this.hasArrows) this.pointing.highlight();
      else this.stage.reveal(until, null);
    }
    this.played = 0;
    this.shownStep = step.name;
    this.root.dataset.step = step.name;
  }

  /** What the server says of the run, and that a link named a step that is not here, until the person goes on from what is. */
  showNotice() {
    const {parts, header, say} = this;
    if (this.at !== this.standsInAt) this.standsInAt = -1;
    const notices = [this.standsInAt < 0 ? '' : say('view-stepper-no-step'), header.notice];
    parts.notice.textContent = notices.filter(Boolean).join(' ');
    parts.notice.hidden = !parts.notice.textContent;
  }

  /** Nothing is played: of arrows that are the positions, of matrices the rows. */
  resetPlayer() {
    this.player.reset(this.hasArrows ? positionsOf(this.step) : this.step.result.rows.count, this.hasArrows);
  }

  /** The button says what it does: first it shows an open answer, then it goes on. */
  labelNext() {
    const {next} = this.parts;
    const {isOpen, say} = this;
    const block = this.beyond(1);
    const name = block ? this.nameOf(block) : say('view-stepper-next');
    next.textContent = isOpen ? say('view-stepper-guess-show') : `${name} →`;
    next.disabled = !isOpen && !block && this.onward(1) === null;
  }

  /** The stage and what moves its parts. */
  redraw() {
    const {parts, root, room, k} = this;
    parts.head.classList.remove('tight', 'wrapped');
    showParts(parts);
    if (this.hasArrows) drawMovers(this); // over the stage, which has what is left
    else if (this.pairBar) parts.movers.remove(); // those of the arrows before, which took room
    this.drawStage();
    drawMovers(this);
    if (fitHead(this)) {
      this.drawStage(); // lower than it was
      drawMovers(this);
    }
    parts.edits.fit();
    const missing = room.isSide ? LEAST * k - parts.field.clientHeight : 0;
    if (missing > 0) root.style.height = `${root.offsetHeight + missing}px`; // the page scrolls: no row lies under the strip
  }

  drawStage() {
    const {parts, pointing, step, room, k} = this;
    const isSecret = this.chain.steps.some((step) => step.result.columns.kind === 'vocabulary' && this.guess.pending(step));
    for (const axis of Object.values(this.chain.axes)) axis.isSecret = isSecret;
    const {written, tokens, controls} = this.header;
    const heads = controls && this.silent.isHere && this.silent.n < controls.heads ? controls.heads : 0;
    this.written.show(isSecret ? null : written, {heads, rows: tokens.target ?? [], isMasked: controls?.whatif.isMasked !== false});
    const width = parts.field.clientWidth; // under the line of what is written
    const height = room.isSide ? Math.max(LEAST * k, parts.field.clientHeight) : Math.min(560, Math.max(360, width)) * k;
    const hadFocus = this.stage.surface?.contains(this.root.getRootNode().activeElement);
    const isPresented = room.isSide && this.shell.isPresented;
    const look = {theme: this.theme, isWhole: this.isWhole, isArrows: this.hasArrows, label: step.title, comparing: this.isHidden ? 'none' : this.comparing};
    const draw = () => this.stage.draw(step, {width, height, k, isPresented}, {...look, windows: this.windows});
    draw();
    if (pointing.follow()) draw();
    const {surface} = this.stage;
    listen(surface, 'focus', () => surface.matches(':focus-visible') && pointing.heat(true));
    listen(surface, 'blur', () => pointing.heat(false));
    if (hadFocus) surface.focus();
    this.stage.cover((block) => this.isCovered(block));
    pointing.highlight();
  }

  /** Whether a matrix is still to be guessed; who guesses at this step's own result is shown what goes into it. */
  isCovered({key, matrix}) {
    if (this.before && (key === 'mean' || key === 'variance' || key === 'square')) return true;
    const canBe = this.before || key === 'result' || String(key).startsWith('step:');
    return canBe && this.chain.steps.some(({result}, at) => result.id === matrix.id && this.isAsked(at));
  }

  /** How a step of a changed run is shown: 'none' as usual, 'both' runs beside each other, or their 'difference' too; a
   * rotation by its 'arrows'. */
  compare(comparing) {
    this.isArrows = comparing === 'arrows' || (this.isArrows && !isRotation(this.step));
    if (comparing !== 'arrows' && this.step.before) this.comparing = comparing;
    this.resetPlayer();
    drawHead(this);
    this.redraw();
    this.host.tell();
  }

  setWhole(isWhole) {
    this.isWhole = isWhole;
    this.redraw();
    this.host.tell();
  }

  go(index) {
    if (index < 0 || index >= this.chain.steps.length) return;
    const from = this.step;
    this.at = index;
    this.pointing.isHeld = false;
    if (!this.isHidden) this.place = entered(this.chain.steps, from, this.step, this.place);
    this.showStep();
    this.host.tell();
  }

  /** The step on or back (null beyond the ends); the heads of one step lie side by side. */
  onward(by) {
    return neighbour(this.chain.steps, this.at, by, (index) => this.isAsked(index), this.picked);
  }

  /** The block beyond the end of this one, as its attention; null inside a block, and where nobody can show another. */
  beyond(by) {
    const {header, chain, at} = this;
    return this.host.emit && header.controls ? blockBeyond(header, chain.steps, at, by) : null;
  }

  /** What a block is called. */
  nameOf(site) {
    const [stack, layer] = site.split('.');
    const block = this.header.controls?.sites.find(({key}) => key === site);
    return block?.name ?? fillText(this.say(`view-stepper-map-${stack}`), {n: Number(layer) + 1});
  }

  /** One step forward or back, at the end of a block into the next; from a step whose guess is open to its answer first. */
  walk(by) {
    const [block, next] = [this.beyond(by), this.onward(by)];
    if (by > 0 && this.isOpen) this.pointing.giveUp();
    else if (block) this.goToBlock(block, (steps) => (by > 0 ? 0 : endOf(this.header.tab, steps)));
    else if (next !== null) this.go(next);
  }

  /** To a sublayer of the map: a step of this block, or of another. */
  goTo({stack, layer, section}) {
    const {map} = this.header;
    const find = (steps) => steps.findIndex((step) => step.section === section);
    if (stack === map?.stack && layer === map?.layer) this.go(find(this.chain.steps));
    else this.goToBlock(`${stack}.${layer}.self`, find);
  }

  /** To another block, at the step that `find(steps)` gives; the encoder has no tab but that of blocks. */
  goToBlock(site, find) {
    const [stack] = site.split('.');
    const {tab, controls} = this.header;
    const next = stack === 'encoder' ? 'block' : controls?.site.startsWith(stack) ? tab : 'decoder';
    this.bound = {site, find};
    this.host.ask(next === tab ? {site} : {tab: next, site});
  }

  /** The presenter's view: the rail, the stage and its strip over the whole window, as large as it allows. */
  present(isPresented) {
    if (isPresented === this.shell.isPresented) return;
    this.showPresented(isPresented);
    this.shell.draw();
    this.host.tell();
  }

  showPresented(isPresented) {
    this.shell.present(isPresented);
    if (this.parts) tellPresented(this.parts.present, this.shell.say, isPresented);
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
