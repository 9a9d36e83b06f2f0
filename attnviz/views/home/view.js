// The home view: a story on one sentence, from the word that is missing to the numbers of one head and back. Scrolling or the
// arrow keys drive it; the same objects go from one scene into the next. Below it two small pictures lead on.

import {paintCells} from '../kit/cells.js';
import {tableOf, weightColour} from '../kit/colour.js';
import {contextOf, el, setText, sized, svg} from '../kit/dom.js';
import {takeMenu} from '../kit/export_menu.js';
import {ARROWS, PAGES, listenToKeys, listenToOwnKeys, stepOf} from '../kit/keyboard.js';
import {evenPlace} from '../kit/matrix.js';
import {clamp, pct} from '../kit/number.js';
import {pictureOf} from '../kit/pixels.js';
import {show} from '../kit/shell.js';
import {matrixTable} from '../kit/spreadsheet.js';
import {isStill} from '../kit/theme.js';
import {meaningOf, tokenName, tooltip, wordName} from '../kit/token.js';
import {fillText, named, short, visible} from '../kit/words.js';
import {arithmeticOf} from './arithmetic.js';
import {captionOf, ledgerOf, percent, titleOf} from './captions.js';
import {between, eased, held, put} from './motion.js';
import {scenes} from './scenes.js';
import {Track} from './track.js';

const CARDS = ['compare', 'train'];
const OUT = ['heads', 'step', 'lessons'];
const SPEED = {least: 0.0009, most: 0.0026}; // scenes a millisecond
const PART = / \d\/\d$/; // a token that is one of several that a character is cut into: 我 2/3
const BOLD = 1.06; // how much wider a word is then
const TURN_MS = 500; // from the candidates of one run to those of another

export function mount(element, payload, emit) {
  return show(HomeView, element, payload, emit);
}

class HomeView {
  /** @type {HomeHeader} */
  header;
  /** @type {Arrays} */
  arrays;
  shell; root; emit; say; pair; formation; theme; k; room; track; stage; layout; objects; told;
  /** @type {HTMLElement[]} */
  words;
  /** @type {HTMLElement[]} */
  dots;
  /** @type {Record<string, any>} */
  outs;
  /** @type {Record<string, any>} */
  cards;
  /** @type {Record<string, HTMLElement>} */
  lines;
  /** @type {ReturnType<typeof ledgerOf>} */
  ledger;
  /** @type {string | undefined} */
  asked; // the heads that a link says are off, before the scene that shows it; undefined where it says nothing of them
  /** @type {number} */
  chosen;
  /** @type {number} */
  before; // the run that was shown before
  /** @type {number} */
  frame;
  /** @type {number[][]} */
  listed; // which candidates stand below each other in a run, the likeliest first
  /** @type {number} */
  isOff; // how far the scene is that of heads off
  /** @type {(text: string, size: number) => number} */
  measure;
  /** @type {number | null} */
  going; // the scene that the page scrolls to
  static css = 'home';

  constructor(shell) {
    Object.assign(this, {shell, root: shell.root, emit: shell.emit, hovered: null, scene: 0, at: 0, aim: 0, frame: 0, last: 0, chosen: 1, before: 1, turned: 1, going: null});
    shell.hear('attnviz:home-story', (detail) => this.hear(detail));
    shell.hear('attnviz:home-pair', (detail) => this.receive('pair', detail));
    shell.hear('attnviz:home-formation', (detail) => this.receive('formation', detail));
  }

  /** @param {Payload<HomeHeader>} payload */
  take({header, arrays}) {
    if (this.header?.revision !== header.revision) {
      const {picked, selection, tokens, steps} = header;
      this.picked = !this.isTold(header) && tokens[picked?.word] ? picked.word : selection.token;
      this.taken = this.isTold(header) ? picked?.taken : undefined;
      this.scene = this.at = this.aim = clamp(picked?.scene ?? 0, 0, steps.length - 1);
      this.story = this.pair = this.going = null;
      this.asked = picked?.off || (steps[this.scene] === 'off' ? picked?.off : undefined);
      this.chosen = this.before = 1;
    }
    Object.assign(this, {header, arrays, say: this.shell.say});
    return true;
  }

  /** Whether the story is about a word that is predicted, whose row is the only one. */
  isTold = (header = this.header) => header.steps[0] === 'word';

  /** The numbers of the story, which come after the first picture. */
  hear({arrays, ...header}) {
    if (header.revision !== this.header.revision) return;
    const isFirst = !this.story;
    this.story = {header, arrays};
    this.furnish();
    if (isFirst) this.chosen = this.before = this.runOf(this.asked);
    this.leaveAsked();
    this.tell();
    if (this.theme) this.redraw();
  }

  /** Pictures that came later than the page: the same head without training, and a head that formed. */
  receive(name, {arrays, ...header}) {
    if (name === 'pair' && header.revision !== this.header.revision) return;
    this[name] = {header, arrays};
    this.drawCards();
  }

  get row() {
    return this.hovered ?? this.picked;
  }

  /** The head of the story: the one it was told of, else the one that came with the picture. */
  get selection() {
    return this.story?.header.selection ?? this.header.selection;
  }

  /** The story of the row that is shown, once it is here. */
  get toldOf() {
    return this.story && this.story.header.selection.token === this.row ? this.story : null;
  }

  /** Whether the arcs of this row are known: those of a predicted word wait for the head that brings it. */
  get hasArcs() {
    return !this.header.steps.includes('adds') || this.story !== null;
  }

  weight(query, key) {
    const {weights} = this.story?.arrays ?? this.arrays;
    return weights.data[query * this.header.tokens.length + key];
  }

  /** What a row looks at most. */
  strongest(row) {
    const weights = this.header.tokens.map((_, key) => this.weight(row, key));
    return weights.indexOf(Math.max(...weights));
  }

  build(signal) {
    const {header, say} = this;
    const {steps} = header;
    this.stage = el('section', {class: 'stage', 'data-picture': '', 'aria-label': say('view-home-story')});
    const track = el('div', {class: 'track'}, this.stage);
    this.title = el('h2');
    this.caption = el('p');
    this.told = el('div', {class: 'told-of', 'aria-live': 'polite', 'aria-atomic': 'true'}, this.title, this.caption);
    const take = takeMenu({say, rows: () => this.table(), file: () => `head-${this.place}`});
    this.drawing = el('div', {class: 'drawing', role: 'img'});
    this.sentence = el('div', {class: this.isTold() ? 'sentence' : 'sentence picks', dir: 'ltr', role: 'group', 'aria-label': say('view-home-sentence')});
    this.words = header.tokens.map((token, at) => this.word(token, at));
    this.sentence.replaceChildren(...this.words);
    this.choice = el('div', {class: 'choice', role: 'group', 'aria-label': say('view-home-off-title')});
    const dot = (step, at) => el('button', {type: 'button', class: 'dot', 'aria-label': `${at + 1}. ${say(`view-home-name-${step}`)}`, title: say(`view-home-name-${step}`), click: () => this.go(at)});
    this.dots = steps.map(dot);
    this.rail = el('nav', {class: 'rail grid', 'aria-label': say('view-home-steps')}, ...this.dots);
    this.hint = el('p', {class: 'hint', 'aria-hidden': 'true'}, say('view-home-hint'));
    this.outs = Object.fromEntries(OUT.map((page) => [page, this.out(page)]));
    const outs = el('nav', {class: 'outs', 'aria-label': say('view-home-outs')}, ...OUT.map((page) => this.outs[page]));
    this.stage.replaceChildren(this.told, el('div', {class: 'tools'}, take), this.drawing, this.sentence, this.choice, this.hint, this.rail, this.emit ? outs : '');
    this.cards = Object.fromEntries(CARDS.map((page) => [page, this.card(page)]));
    const cards = el('nav', {class: 'ways', 'aria-label': say('view-home-ways')}, ...CARDS.map((page) => this.cards[page].node));
    this.root.replaceChildren(track, this.emit ? cards : '');
    listenToOwnKeys(this.sentence, signal, (event) => this.walk(event));
    listenToKeys(this.root, signal, (event, node) => this.press(event, node), [...Object.keys(PAGES), 'ArrowDown', 'ArrowUp']);
    this.track = new Track(track, this.stage, signal, () => this.scrolled(), () => (this.going = null));
    signal.addEventListener('abort', () => {
      cancelAnimationFrame(this.frame);
      this.frame = 0; // the next story moves too
    });
    this.furnish();
    this.isPlaced = false;
  }

  /** The objects that the story moves, made anew where its numbers came. */
  furnish() {
    const {header, story} = this;
    if (!this.drawing) return;
    const box = (kind) => el('div', {class: `o ${kind}`});
    const text = (kind, said = '', title = null) => el('div', {class: `o t ${kind}`, title}, el('bdi', {}, said));
    const shown = (token) => short(visible(token.text), 14);
    const list = (n, make) => Array.from({length: n}, (_, at) => make(at));
    const n = header.tokens.length;
    const products = story?.arrays.products.data ?? [];
    this.ledger = ledgerOf(this);
    this.runs = story?.header.without ?? [];
    const {candidates} = this;
    this.listed = [0, ...this.runs.map((_, at) => at + 1)].map((run) => this.listedIn(run));
    this.arcs = svg('svg', {class: 'arcs', 'aria-hidden': 'true'});
    this.matrix = el('canvas', {class: 'o matrix', 'aria-hidden': 'true'});
    this.objects = {
      cells: list(n, () => box('cell')),
      percents: list(n, () => text('percent')),
      rows: list(n, (at) => text('row', shown(header.tokens[at]))),
      products: list(products.length, (at) => box(products[at] < 0 ? 'product less' : 'product')),
      names: candidates.map(({text: said}, at) => text(at ? 'name' : 'name own', short(visible(said), 16), meaningOf(said, this.say))),
      chances: candidates.map(() => el('div', {class: 'o chance'}, el('i'), el('b'))),
      shares: candidates.map(() => text('share')),
      bars: this.ledger.map(({value, isOwn}) => box(['bar', value < 0 && 'less', isOwn && 'own'].filter(Boolean).join(' '))),
      barNames: this.ledger.map(({name, isOwn}) => text(isOwn ? 'bar-name own' : 'bar-name', name)),
      barValues: this.ledger.map(({said, isOwn}) => text(isOwn ? 'bar-value own' : 'bar-value', said)),
    };
    this.lines = Object.fromEntries(['products', 'scaled', 'softmax', 'share'].map((name) => [name, el('div', {class: `o t line ${name}`})]));
    this.blank = el('div', {class: 'o blank'}, el('bdi'));
    this.zero = box('zero');
    const {objects} = this;
    this.drawing.replaceChildren(this.arcs, this.matrix, ...Object.values(objects).flat(), ...Object.values(this.lines), this.zero, this.blank);
    const option = (said, at) => el('button', {type: 'button', click: () => this.switchOff(at)}, said);
    const options = this.runs.map((_, at) => option(this.optionOf(at), at + 1));
    const order = options.length > 1 ? el('p', {}, this.say('view-home-off-order')) : '';
    this.choice.replaceChildren(...(options.length ? [el('div', {class: 'runs'}, option(this.say('view-home-off-none'), 0), ...options), order] : []));
  }

  /** What the button of a run says: the head that is silenced in it beside those of the run before. */
  optionOf = (run) => fillText(this.say(run ? 'view-home-off-more' : 'view-home-off-one'), {head: this.runs[run].heads[run].map((at) => at + 1).join('.')});

  /**
   * The words that are among the likeliest of a run, those of the untouched one first, with what each has in every run.
   * @returns {{text: string, shares: number[]}[]}
   */
  get candidates() {
    return this.story?.header.candidates ?? this.header.candidates.map(({text, share}) => ({text, shares: [share]}));
  }

  /** Which candidates stand in a run, the likeliest first: as many as the untouched one has, and the word of the story. */
  listedIn(run) {
    const by = this.candidates.map((_, at) => at).sort((a, b) => this.shareIn(run, b) - this.shareIn(run, a) || a - b);
    const first = by.slice(0, this.header.candidates.length);
    return first.includes(0) || !first.length ? first : [...first, 0];
  }

  /** The probability of a candidate in a run: 0 is the untouched one. */
  shareIn(run, at) {
    return this.candidates[at].shares[run] ?? 0;
  }

  /** Which run is shown: how many heads are silenced in it. */
  get run() {
    return Math.min(this.chosen, this.runs.length);
  }

  /** The run that a link asks for, or that was left; the first of those without heads where it says no scene or no such run. */
  runOf(off) {
    if (off === undefined) return 1;
    return off ? this.runs.findIndex(({link}) => link === off) + 1 || 1 : 0;
  }

  /** Whether heads can be off in the scene, of a story that is known. */
  get isOfRuns() {
    return this.shown === 'off' && this.story !== null && this.runs.length > 0;
  }

  /** What was asked is on the screen, or something else is: the scenes before this one are those of all heads again. */
  leaveAsked() {
    if (this.isOfRuns) this.asked = undefined;
  }

  /** The heads that are off in the scene, as a link says it; elsewhere what goes along. */
  get off() {
    return this.isOfRuns ? (this.runs[this.run - 1]?.link ?? '') : this.asked;
  }

  switchOff(run) {
    Object.assign(this, {before: this.run, chosen: run, turned: isStill() ? 1 : 0});
    this.write();
    this.tell();
    this.wake();
  }

  word(token, at) {
    const said = [visible(token.text)];
    if (this.isTold()) return el('span', {class: token.special ? 'o t word special' : 'o t word', title: tooltip(token, this.say)}, el('bdi', {}, ...said));
    const look = (index) => () => this.look(index);
    const acts = {pointerenter: look(at), pointerleave: look(null), focus: look(at), blur: look(null), click: () => this.pick(at)};
    return el('button', {type: 'button', class: token.special ? 'o t word special' : 'o t word', 'aria-label': tokenName(token, this.say), ...acts}, el('bdi', {}, ...said), token.unknown ? el('sup', {}, '?') : '');
  }

  pick(at) {
    this.picked = at;
    this.look(null);
    this.redraw();
    this.tell();
  }

  look(at) {
    if (at === this.hovered || this.shown !== 'arcs') return;
    this.hovered = at;
    this.redraw();
  }

  /** One stop of the Tab key; from there the arrow keys go from word to word. */
  walk(event) {
    const [lines, by] = stepOf(event) ?? [0, 0];
    if (this.isTold() || lines || !by) return false;
    const at = this.words.indexOf(event.target);
    this.words[clamp(at + by, 0, this.words.length - 1)].focus();
    return true;
  }

  press(event, node) {
    const by = PAGES[event.key] ?? ARROWS[event.key]?.find(Boolean);
    if (!by || event.shiftKey) return false;
    const here = Math.round(this.aim), next = here + by;
    const run = this.header.steps[here] === 'off' ? this.run + by : 0; // there a key switches the next head off, too
    const isRun = run >= 1 && run <= this.runs.length;
    if (!isRun && (next < 0 || next >= this.header.steps.length)) return false;
    if (node && !this.root.contains(node)) node.blur(); // the text or the link that was used: the next key is the story's
    if (isRun) this.switchOff(run);
    else this.go(next);
    return true;
  }

  go(scene) {
    this.going = scene;
    this.track.go(scene);
    if (this.rail.contains(this.root.getRootNode().activeElement)) this.dots[scene].focus();
  }

  get shown() {
    return this.header.steps[this.scene];
  }

  get place() {
    return `${this.selection.layer + 1}.${this.selection.head + 1}`;
  }

  about() {
    const {layer, head} = this.selection;
    const where = ['word', 'off'].includes(this.shown) ? '' : fillText(this.say('view-home-place'), {layer: layer + 1, head: head + 1}); // else of no one head
    return {title: titleOf(this, this.shown), where, place: this.place};
  }

  table() {
    const names = this.header.tokens.map(named);
    return matrixTable('', names, names, (query, key) => this.weight(query, key));
  }

  /** Each scene on a sheet of its own. */
  *sheets() {
    const {scene, asked} = this;
    for (let at = 0; at < this.header.steps.length; at++) {
      this.showScene(at);
      yield null;
    }
    this.asked = asked;
    this.showScene(scene);
  }

  // ------------------------------------------------------------------------------------------------------------ motion

  draw({k, theme}) {
    Object.assign(this, {k, theme});
    this.redraw();
    if (!this.isPlaced) {
      this.isPlaced = true;
      const scene = this.going ?? this.scene; // drawn again on the way, the way is at its end
      if (scene || this.track.at > 0.5) this.track.go(scene, true);
      this.showScene(scene);
    }
    this.drawCards();
  }

  redraw() {
    const {header, k, theme, stage} = this;
    this.track.measure(header.steps.length);
    const told = this.toldOf;
    this.measure = this.ruler();
    const size = {w: stage.clientWidth, h: stage.clientHeight, seen: this.track.inSight, k, theme, measure: this.measure};
    const {tokens} = header;
    const spaceOf = (/** @type {Token} */ {space = 0, group, special}, /** @type {Token | undefined} */ before) => (before && group !== before.group ? 2 : space || Number(Boolean(special || before?.special || PART.test(before?.text ?? ''))));
    const words = tokens.map((token, at) => ({text: visible(token.text), space: spaceOf(token, tokens[at - 1]), isAdded: token.special}));
    const row = this.row;
    this.key = this.strongest(row);
    this.layout = scenes({
      steps: header.steps, words, isNext: header.is_next, row, key: this.key, weight: (query, key) => this.weight(query, key),
      products: Array.from(told?.arrays.products.data ?? []), scores: Array.from(told?.arrays.scores.data ?? new Float32Array(words.length).fill(0)),
      candidates: this.candidates.length, likeliest: header.candidates.length, lines: Math.max(...this.listed.map(({length}) => length)), choiceHigh: this.choice.clientHeight, bars: this.ledger, room: size,
    });
    this.paintMatrix();
    this.paintArcs();
    const texts = told ? arithmeticOf(told, this.say) : {};
    for (const [name, line] of Object.entries(this.lines)) line.replaceChildren(texts[name] ?? '');
    this.objects.percents.forEach((node, at) => setText(node.firstChild, pct(this.weight(row, at))));
    this.words.forEach((word, at) => {
      word.classList.toggle('asks', at === row);
      if (this.isTold()) return;
      word.setAttribute('aria-pressed', String(at === this.picked));
      word.tabIndex = at === row ? 0 : -1;
    });
    this.write();
    this.apply(this.at);
  }

  /** How wide a text is at a size, in the face of the stage. */
  ruler() {
    const context = contextOf(this.matrix);
    const {fontFamily} = getComputedStyle(this.root);
    return (text, size) => {
      context.font = `450 ${size}px ${fontFamily}`;
      return context.measureText(text).width * 0.99;
    };
  }

  scrolled() {
    if (!this.layout) return;
    this.aim = held(this.track.at, this.header.steps.length - 1);
    this.wake();
  }

  wake() {
    this.frame ||= requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    this.frame = 0;
    const passed = Math.min(50, this.last ? now - this.last : 16);
    const left = this.aim - this.at;
    if (isStill()) this.at = Math.round(this.aim);
    else if (Math.abs(left) < 0.003) this.at = this.aim;
    else this.at += Math.sign(left) * Math.min(Math.abs(left), clamp(Math.abs(left) * 0.006, SPEED.least, SPEED.most) * passed);
    this.turned = Math.min(1, this.turned + passed / TURN_MS);
    this.apply(this.at);
    const goesOn = this.turned < 1 || (isStill() ? false : this.at !== this.aim);
    this.last = goesOn ? now : 0;
    if (goesOn) this.wake();
  }

  /** Put the story at a scene at once. */
  showScene(scene) {
    this.at = this.aim = scene;
    this.apply(scene);
  }

  apply(p) {
    const {layout, objects, header} = this;
    const off = header.steps.indexOf('off');
    this.isOff = off >= 0 && this.runs.length ? clamp(1 - Math.abs(p - off) * 2, 0, 1) : 0;
    for (const name of ['cells', 'percents', 'rows', 'products', 'names', 'shares', 'bars', 'barNames', 'barValues'])
      objects[name].forEach((node, at) => {
        const places = layout[name][at];
        if (places) put(node, this.placed(name, at, between(places, p)));
      });
    this.words.forEach((node, at) => put(node, between(layout.words[at], p)));
    this.ink(p);
    for (const [name, node] of Object.entries(this.lines)) put(node, between(layout.lines[name], p));
    put(this.zero, between(layout.zero, p));
    this.applyChances(p);
    const near = (step) => {
      const at = header.steps.indexOf(step);
      return at < 0 ? 0 : clamp(1 - Math.abs(p - at) * 1.6, 0, 1);
    };
    this.matrix.style.opacity = String(this.hasArcs ? eased(near('row')) : 0);
    this.arcs.style.opacity = String(this.hasArcs ? eased(near('arcs')) : 0);
    const scene = Math.round(p);
    this.stage.style.setProperty('--told', String(clamp(1 - Math.abs(p - scene) * 2.4, 0, 1)));
    this.hint.style.opacity = String(clamp(1 - p * 3, 0, 1));
    this.rail.style.top = `${Math.min(this.stage.clientHeight / 2, this.track.inSight - this.rail.clientHeight / 2 - 8)}px`; // all of it before anybody scrolls
    this.hint.style.top = `${Math.min(this.track.inSight, this.stage.clientHeight - 60) - 30 * this.k}px`;
    this.choice.style.opacity = String(near('off'));
    this.choice.style.visibility = near('off') > 0.3 && this.runs.length ? 'visible' : 'hidden';
    this.choice.style.transform = `translate(${layout.choice.x}px, ${layout.choice.y}px)`;
    if (scene === this.scene && this.said) return;
    this.said = true;
    this.scene = scene;
    this.hovered = null;
    this.leaveAsked();
    this.write();
    this.tell();
  }

  /** The numbers of the row stand on its cells while these are in the matrix, and its largest cell is framed. */
  ink(p) {
    const isIn = this.header.steps[Math.round(p)] === 'row';
    this.objects.percents.forEach((node, at) => (node.style.color = isIn ? this.layout.inkOn(at) : ''));
    this.objects.cells.forEach((node, at) => node.classList.toggle('framed', isIn && at === this.key));
    this.objects.rows.forEach((node, at) => node.classList.toggle('asks', at === this.row));
  }

  /** What is not known yet is not there: the marks of a head that is still looked for. */
  placed(name, at, place) {
    if (['cells', 'percents'].includes(name) && !this.hasArcs) return {...place, o: 0};
    return ['names', 'shares'].includes(name) ? this.inList(at, place) : place;
  }

  /** Where a candidate stands: where heads are off, on its way from its line in one run to that in another. */
  inList(at, place) {
    const {header, isOff, listed, layout: {line}} = this;
    const isOfAll = at < header.candidates.length;
    if (!isOff) return isOfAll ? place : {...place, o: 0};
    const last = line.count - 1;
    const [from, to] = [this.before, this.run].map((run) => listed[run].indexOf(at));
    const t = eased(this.turned);
    const [start, end] = [from, to].map((place) => (place < 0 ? last : place));
    const seen = Number(from >= 0) + (Number(to >= 0) - Number(from >= 0)) * t;
    const y = place.y + (start + (end - start) * t - Math.min(at, last)) * line.high * isOff;
    return {...place, y, o: place.o * (isOfAll ? 1 - isOff + isOff * seen : isOff * seen)};
  }

  /** The bars of the candidates, on their way from one run to another; a line keeps where the untouched run had them. */
  applyChances(p) {
    const {layout, objects, header, isOff} = this;
    const t = eased(this.turned);
    objects.chances.forEach((node, at) => {
      put(node, this.inList(at, between(layout.chances[at], p)));
      const base = this.shareIn(0, at);
      const [from, to] = [this.before, this.run].map((run) => this.shareIn(run, at));
      const share = isOff ? base + (from + (to - from) * t - base) * isOff : base;
      node.firstChild.style.width = `${Math.max(0.3, 100 * share)}%`;
      node.lastChild.style.left = `${100 * base}%`;
      node.lastChild.style.opacity = String(this.run ? isOff : 0);
      setText(objects.shares[at].firstChild, percent(isOff > 0.5 ? (t === 1 ? to : share) : base));
    });
    const filled = isOff > 0.5 && header.is_next ? short(visible(this.run ? this.runs[this.run - 1].text : header.candidates[0].text), 12) : '';
    const blank = between(layout.blank, p);
    const {w: wide = 0, s: size = 0} = blank;
    put(this.blank, {...blank, w: Math.max(wide, filled ? this.measure(filled, size) * BOLD + size * 0.5 : 0)});
    setText(this.blank.firstChild, filled);
  }

  paintArcs() {
    const {arcs, layout, stage} = this;
    arcs.setAttribute('width', String(stage.clientWidth));
    arcs.setAttribute('height', String(stage.clientHeight));
    const drawn = layout.arcs.filter(Boolean).sort((a, b) => a.wide - b.wide);
    arcs.replaceChildren(...drawn.map(({d, wide, weight}) => svg('path', {d, 'stroke-width': wide, opacity: 0.35 + 0.45 * Math.sqrt(weight)})));
  }

  /** The other rows of the matrix; that of the story is made of the cells that were its marks. */
  paintMatrix() {
    const {matrix, layout: {matrix: {left, top, cw, ch, n}}, theme, k, row} = this;
    const context = sized(matrix, cw * n, ch * n);
    matrix.style.transform = `translate(${left}px, ${top}px)`;
    paintCells(context, evenPlace({rows: n, columns: n, cw, ch}), {
      rows: [0, n], columns: [0, n], k,
      colourAt: (query, key) => (query === row ? undefined : weightColour(this.weight(query, key), theme)),
      textAt: (query, key) => (this.weight(query, key) >= 0.05 ? String(Math.round(100 * this.weight(query, key))) : ''),
    });
  }

  /** The caption of the scene, which is also what is read out. */
  write() {
    const step = this.shown;
    setText(this.title, titleOf(this, step));
    const said = captionOf(this, step);
    if (this.caption.textContent !== said.textContent) this.caption.replaceChildren(said);
    this.drawing.setAttribute('aria-label', this.summary(step));
    this.dots.forEach((dot, at) => {
      if (at === this.scene) dot.setAttribute('aria-current', 'step');
      else dot.removeAttribute('aria-current');
      dot.tabIndex = at === this.scene ? 0 : -1;
    });
    this.choice.querySelectorAll('button').forEach((button, at) => this.markOption(button, at));
    for (const page of OUT) this.outs[page].href = this.address(page);
    setText(this.outs.heads, fillText(this.say(this.off ? 'view-home-to-heads-on' : 'view-home-to-heads'), {n: this.header.heads}));
    for (const page of CARDS) this.cards[page].node.href = this.address(page);
    this.stage.dataset.scene = step;
    this.stage.toggleAttribute('data-roomy', step === 'off' && this.layout.isRoomy);
    this.stage.dataset.told = this.toldOf ? '' : 'waits';
  }

  /** Which run is shown, and which press the words ask for. */
  markOption(button, at) {
    button.setAttribute('aria-pressed', String(at === this.run));
    button.classList.toggle('next', this.run > 0 && at === this.run + 1);
  }

  /** What a scene shows, in words and numbers. */
  summary(step) {
    const joined = (parts) => parts.join(this.say('view-kit-list-separator'));
    if (step === 'word' || (step === 'off' && this.runs.length)) {
      const run = step === 'word' ? 0 : this.run;
      return joined(this.listed[run].map((at) => `${wordName(this.candidates[at].text, this.say)} ${percent(this.shareIn(run, at))}`));
    }
    if (step === 'adds' || step === 'off') return joined(this.ledger.map(({name, said}) => `${name} ${said}`));
    if (!this.hasArcs) return this.say('view-home-computing');
    return joined(this.header.tokens.map((token, at) => `${named(token)} ${pct(this.weight(this.row, at))}`));
  }

  /** What is picked, and the head of the story once it is known. */
  get selected() {
    const {layer, head} = this.selection;
    return {word: this.picked, taken: this.taken, scene: this.scene, off: this.off, pair: this.hasArcs ? {layer, head} : null};
  }

  /** The head and the row that the story is about, for a page that follows where none was picked. */
  get shows() {
    return this.hasArcs && {...this.selected.pair, token: this.picked + this.header.before};
  }

  tell() {
    this.emit?.(this.selected);
  }

  // -------------------------------------------------------------------------------------------------------- the ways out

  out(page) {
    return el('a', {class: 'out', click: (event) => this.leave(event, page)}, fillText(this.say(`view-home-to-${page}`), {n: this.header.heads}));
  }

  leave(event, page) {
    if (!this.emit || event.ctrlKey || event.metaKey || event.shiftKey) return; // the browser opens the address itself
    event.preventDefault();
    this.emit({go: this.address(page)});
  }

  /** A page that opens on the head, the row and the cell of the story, with the heads that are off here. */
  address(page) {
    const [path, query] = this.header.links[page].split('?');
    const link = new URLSearchParams(query);
    const {layer, head} = this.selection;
    const row = this.picked + this.header.before;
    const place = {layer: layer + 1, head: head + 1, token: row + 1, if: this.off};
    const cell = {matrix: 'weights', key: this.strongest(this.picked) + this.header.before + 1};
    const picked = {heads: place, step: {...place, ...cell}, compare: this.isOfText(link) ? place : {...place, token: ''}}[page] ?? {};
    for (const [name, value] of Object.entries(picked)) if (value) link.set(name, String(value));
    return `${path}?${link}`;
  }

  /** Whether a link reads the text that is shown: the way to Compare may read another pair. */
  isOfText = (link) => link.get('text') === new URLSearchParams(this.header.links.heads.split('?')[1]).get('text');

  card(page) {
    const canvas = el('canvas', {'aria-hidden': 'true'});
    const shows = page === 'compare' && this.header.compares === 'texts' ? 'texts' : page;
    const title = el('strong', {}, this.say(`view-home-${shows}`));
    const line = el('span', {}, this.say(`view-home-${shows}-line`));
    const href = this.header.links[page];
    return {canvas, node: el('a', {class: 'way', href, click: (event) => this.leave(event, page)}, el('span', {class: 'picture'}, canvas), el('span', {class: 'words'}, title, line))};
  }

  drawCards() {
    const {cards, theme} = this;
    if (!theme) return;
    for (const [page, maps] of [['compare', this.pair], ['train', this.formation]]) {
      const {canvas} = cards[page];
      const box = canvas.parentElement.getBoundingClientRect();
      const context = sized(canvas, box.width, box.height);
      if (maps) this.drawMaps(context, box.width, box.height, maps.arrays.maps);
    }
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
    contextOf(small).putImageData(pictureOf([size, size], cells, tableOf('weights', this.theme)), 0, 0);
    context.drawImage(small, x, y, side, side);
  }
}
