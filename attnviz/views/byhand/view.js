// Attention by hand: the matrices of one head with numbers that a person types, each step worked out with the number that
// is printed before it. Python knows nothing of the numbers: they lie here and in the link.

import {copyText} from '../kit/clipboard.js';
import {el, listen, setLengths, setText} from '../kit/dom.js';
import {takeMenu} from '../kit/export_menu.js';
import {PAGES, PRESENTERS, listenToKeys} from '../kit/keyboard.js';
import {show} from '../kit/shell.js';
import {isStill} from '../kit/theme.js';
import {fill, fillText} from '../kit/words.js';
import {computed, rootOf, texts, written} from './arithmetic.js';
import {Bar} from './bar.js';
import {softmaxFormula} from './formula.js';
import {plan, stepOf, stepsOf} from './layout.js';
import {gather, land} from './motion.js';
import {nameText} from './names.js';
import {Player, cellsOfRow} from './player.js';
import {TELLING} from './picked_in_link.js';
import {LAST_SEED, begun, seeded, withNumbers, withWords} from './sheet.js';
import {Stage} from './stage.js';
import {showStrip, spoken} from './strip.js';
import {torchLines} from './torch_lines.js';
import {papersOf} from './worksheet.js';

const OUT = 2; // the part that comes of all heads
const MOST_UNDONE = 200;
const MARGIN = 12; // px over the matrices

export function mount(element, payload, emit) {
  return show(ByHand, element, payload, emit);
}

class ByHand {
  /** @type {ByHandHeader} */
  header;
  shell; root; emit; say; sheet; all; stage; bar; theme; k; layout; parts; before; values; texts; shownStrip;
  /** The sheets to go back and on to. @type {{back: any[], on: any[]}} */
  undone;
  static css = 'byhand';
  static fills = true;
  static presented = {width: 599, height: 425, most: 2.34}; // px, as of Step through: at 1080 what is read has 28

  constructor(shell) {
    Object.assign(this, {shell, root: shell.root, emit: shell.emit, part: 0, at: TELLING, hovered: null, isPaper: false, one: false, step: 0});
    this.undone = {back: [], on: []};
    this.player = new Player({root: this.root, shown: (done) => this.playCell(done), changed: () => this.parts && this.redraw()});
  }

  /** @param {Payload<ByHandHeader>} payload */
  take({header}) {
    const isOther = this.header?.lang !== header.lang || this.header.size !== header.size;
    Object.assign(this, {header, say: this.shell.say});
    if (!this.sheet) {
      const {isPresented = false, ...picked} = /** @type {any} */ (header.picked ?? {});
      Object.assign(this, {sheet: begun(header.sentences[0])}, picked);
      this.compute();
      this.step = stepOf(this.at.m, this.sheet);
      this.shell.present(isPresented);
    }
    return isOther;
  }

  build(signal) {
    const {say, root} = this;
    this.player.end();
    const bar = el('div', {class: 'bar', role: 'group', 'aria-label': say('view-byhand-settings')});
    const box = el('div', {class: 'field'});
    const strip = el('div', {class: 'written'});
    const foot = el('div', {class: 'strip'}, strip);
    this.parts = {
      bar, box, strip, foot,
      lead: el('div', {class: 'saying'}),
      said: el('p', {class: 'unseen', 'aria-live': 'polite'}),
      papers: el('section', {class: 'papers', 'aria-label': say('view-byhand-paper')}),
      dialog: el('dialog', {class: 'torch', 'aria-label': say('view-byhand-torch')}),
    };
    const take = takeMenu({say, rows: () => this.table(), file: () => 'attention-by-hand'});
    this.stage = new Stage(box, {say, signal, heard: {
      pick: (at) => this.pick(at),
      press: (at) => this.press(at),
      hover: (at) => this.hover(at),
      name: (words, row) => this.name(words, row),
      began: () => (this.before = this.sheet),
      typed: (at, number) => this.type(at, [[number]]),
      ended: (isKept) => this.ended(isKept),
      block: (at, numbers) => this.change(() => this.type(at, numbers)),
    }});
    this.bar = new Bar(bar, {say, take, isOfLesson: this.header.of_lesson, heard: {
      change: (fields) => this.change(() => this.put({...this.sheet, ...fields})),
      example: (name) => this.example(name),
      seed: (seed) => this.change(() => this.put(seeded({...this.sheet, seed: seed ?? (this.sheet.seed % LAST_SEED) + 1}))),
      undo: (by) => this.undo(by),
      part: (part) => this.choose(part),
      play: () => this.play(),
      step: (by) => this.player.step(by),
      end: () => this.player.end(),
      paper: () => this.showPaper(true),
      torch: () => this.showTorch(),
      stage: (step) => this.showStep(this.part, step),
      present: () => this.present(!this.shell.isPresented),
    }});
    box.prepend(this.parts.lead);
    root.replaceChildren(bar, el('section', {class: 'picture', 'data-picture': ''}, el('div', {class: 'scroll'}, box), foot), this.parts.said, this.parts.papers, this.parts.dialog);
    listenToKeys(root, signal, (event) => this.key(event), PRESENTERS);
    listen(root, 'keydown', (event) => this.undoKey(event), {signal});
    listen(window, 'beforeprint', () => this.fillPapers(), {signal});
  }

  /** Nothing is drawn for the printer but the sheets of paper. */
  sheets() {
    return [];
  }

  compute() {
    const {sheet} = this;
    if (!sheet.hasOutput && this.part === OUT) this.part = 0;
    if (this.part < OUT) this.part = Math.min(this.part, sheet.count - 1);
    this.stage?.editor.hush(); // what was refused is of the sheet before
    this.all = computed(sheet);
    const head = this.all.heads[Math.min(this.part, sheet.count - 1)];
    const shown = this.part === OUT ? {C: this.all.C, WO: this.all.WO, Y: this.all.Y} : {E: this.all.E, P: this.all.P, X: this.all.X, ...head};
    const {sums: _sums, most: _most, powers: _powers, ...matrices} = /** @type {any} */ (shown);
    this.values = matrices;
    this.texts = Object.fromEntries(Object.entries(matrices).map(([m, matrix]) => [m, texts(m, matrix)]));
    this.at = inside(this.at, this.values);
    this.hovered = null;
  }

  /** Another sheet, and everything that follows from it. */
  put(sheet) {
    this.sheet = sheet;
    this.compute();
    this.redraw();
  }

  /** A change that can be undone, and that the link holds. */
  change(act) {
    this.player.end();
    const before = this.sheet;
    act();
    this.keep(before);
  }

  keep(before) {
    if (before !== this.sheet) {
      this.undone.back = [...this.undone.back.slice(-MOST_UNDONE), before];
      this.undone.on = [];
    }
    this.redraw();
    this.tell();
  }

  undo(by) {
    const {back, on} = this.undone;
    const [from, to] = by < 0 ? [back, on] : [on, back];
    const sheet = from.pop();
    if (!sheet) return;
    this.player.end();
    to.push(this.sheet);
    this.put(sheet);
    this.tell();
  }

  undoKey(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || this.stage.editor.isOpen || event.target.matches('input')) return;
    const key = event.key.toLowerCase();
    const by = key === 'y' || (key === 'z' && event.shiftKey) ? 1 : key === 'z' ? -1 : 0;
    if (!by) return;
    event.preventDefault();
    this.undo(by);
  }

  /** Numbers that were typed or pasted from a cell on; which of those that follow are others now is shown. */
  type(at, block) {
    const before = this.texts;
    const name = this.stage.typedName(at.m);
    this.put(withNumbers(this.sheet, name, this.part === OUT ? 0 : this.part, at.row, at.column, block));
    this.pulse(before);
  }

  ended(isKept) {
    if (!isKept && this.sheet !== this.before) this.put(this.before);
    if (isKept) this.keep(this.before);
    else this.redraw();
  }

  /** Words that are typed or pasted, from that of a row on. */
  name(words, row) {
    this.put(withWords(this.sheet, row, words, this.header.sentences[0]));
  }

  example(name) {
    const [here, there] = this.header.sentences;
    const isHan = (words) => /\p{Script=Han}/u.test(words[0]);
    const words = name === 'two' ? here : [here, there].find((sentence) => isHan(sentence) === (name === 'zh')) ?? here;
    const two = name === 'two' ? {count: 2, hasOutput: true} : {};
    this.part = 0;
    this.change(() => this.put(begun(words, two)));
  }

  choose(part) {
    this.player.end();
    this.part = part;
    this.compute();
    if (part === OUT) this.at = {m: 'Y', row: Math.min(1, this.sheet.n - 1), column: 0};
    this.redraw();
    this.tell();
  }

  pick(at) {
    if (this.player.isOpen) this.player.end();
    this.stage.editor.hush();
    Object.assign(this, {at, hovered: null});
    this.mark();
    setText(this.parts.said, spoken(this.state(at), at));
    this.tell();
  }

  /** A press has the numbers of the cell come to where they are summed. */
  press(at) {
    if (this.player.isOpen || this.stage.editor.isOpen) return;
    this.pick(at);
    this.fly();
  }

  async fly() {
    const {at, root, parts, stage} = this;
    const {reads, colours} = stage.readsOf(at);
    await gather(root, parts.strip, reads, colours);
    if (this.at === at && reads.left.length) await land(root, parts.strip, stage.elementOf(at));
  }

  hover(at) {
    if (this.player.isOpen || this.stage.editor.isOpen) return;
    this.hovered = at;
    this.mark();
  }

  key(event) {
    const {isPresented} = this.shell;
    if (event.key === 'Escape' && (this.player.isOpen || this.isPaper || isPresented)) {
      if (this.isPaper) this.showPaper(false);
      else if (this.player.isOpen) this.player.end();
      else this.present(false);
      return true;
    }
    if (event.key === 'p' || event.key === 'P') {
      this.present(!isPresented);
      return true;
    }
    if (event.key in PAGES && isPresented) {
      this.walk(PAGES[event.key]);
      return true;
    }
    if (!this.player.isOpen || ![',', '.'].includes(event.key)) return false;
    this.player.step(event.key === '.' ? 1 : -1);
    return true;
  }

  /** The presenter's view: the matrices of one step and the line, as large as the window allows. */
  present(isPresented) {
    if (isPresented) this.showPaper(false);
    this.step = stepOf(this.at.m, this.sheet);
    this.stage.editor.hush();
    this.shell.present(isPresented);
    this.redraw();
    this.tell();
  }

  /** A step of a head in the presenter's view, at a cell that is made in it. */
  showStep(part, step) {
    this.player.end();
    const {row, column} = this.at;
    Object.assign(this, {part, step, at: {m: part === OUT ? 'Y' : 'XQSAO'[step], row: Math.min(row, this.sheet.n - 1), column}});
    this.compute();
    this.redraw();
    this.tell();
  }

  /** To the step that follows or the one before, through all heads and to what comes of them. */
  walk(by) {
    const {count, hasOutput} = this.sheet;
    const ofHead = (part) => stepsOf(this.sheet).map((step) => [part, step]);
    const places = [...Array.from({length: count}, (_, part) => ofHead(part)).flat(), ...(hasOutput ? [[OUT, this.step]] : [])];
    const now = places.findIndex(([part, step]) => part === this.part && step === this.step);
    if (places[now + by]) this.showStep(...places[now + by]);
  }

  /** One row, cell by cell; that of the cell that is picked, if it is of a word. */
  play() {
    const {player} = this;
    if (player.isPlaying) return player.pause();
    if (player.isOpen) return player.at + 1 >= this.player.cells.length && player.isDone ? player.end() : player.go();
    if (this.part === OUT) this.choose(0);
    this.stage.editor.hush();
    const row = this.at.m.startsWith('W') ? 0 : Math.min(this.at.row, this.sheet.n - 1);
    player.begin(cellsOfRow(this.sheet, row), isStill());
    this.redraw();
  }

  /** The cell that is computed: its numbers come to the line, their sum goes to its place. */
  async playCell(done) {
    const {player, parts, root, stage} = this;
    this.at = player.cells[player.at];
    this.step = stepOf(this.at.m, this.sheet);
    this.hovered = null;
    this.redraw();
    const {turn} = player;
    const {reads, colours} = stage.readsOf(this.at);
    if (player.isPlaying && !isStill()) {
      await gather(root, parts.strip, reads, colours);
      if (player.turn !== turn) return;
      await land(root, parts.strip, stage.elementOf(this.at));
      if (player.turn !== turn) return;
    } else if (player.isPlaying) await new Promise((rest) => setTimeout(rest, 900));
    done();
    this.redraw();
    if (!player.isPlaying) setText(parts.said, spoken(this.state(this.at), this.at));
  }

  /** Cells that are others than before light up, one step after another. */
  pulse(before) {
    if (isStill()) return;
    ['X', 'Q K V', 'S', 'D', 'A', 'O', 'Y'].forEach((names, step) => {
      for (const m of names.split(' '))
        for (const {id} of this.layout.placed.filter((one) => one.m === m))
          this.texts[m]?.forEach((line, row) => line.forEach((text, column) => {
            if (before[m]?.[row]?.[column] === text) return;
            this.stage.cell(id, row, column)?.animate([{boxShadow: '0 0 0 2.5px var(--ink)'}, {boxShadow: '0 0 0 2.5px transparent'}], {duration: 700, delay: step * 150, easing: 'ease-out'});
          }));
    });
  }

  redraw() {
    this.shell.redraw();
  }

  draw({k, theme, room}) {
    const {parts, sheet} = this;
    const isNarrow = !room.isSide && room.width < 980;
    Object.assign(this, {theme, k});
    this.root.classList.toggle('narrow', isNarrow);
    this.root.classList.toggle('onpaper', this.isPaper);
    const {isPresented} = this.shell;
    const step = isPresented && !isNarrow && this.part !== OUT ? this.step : null;
    this.bar.show({sheet, part: this.part, step, isPresented, canUndo: this.undone.back.length > 0, canRedo: this.undone.on.length > 0, player: this.player});
    const {bar} = this; // what is moved without need would lose the focus
    const isInBar = bar.playing.parentElement === parts.bar;
    if (isNarrow || isPresented) isInBar || parts.bar.insertBefore(bar.playing, bar.present);
    else if (isInBar || !bar.playing.parentElement) parts.foot.append(bar.playing);
    this.lead(isNarrow);
    if (isPresented && bar.part.parentElement !== parts.bar) parts.bar.prepend(bar.part);
    if (this.isPaper) return;
    const scroll = parts.box.parentElement;
    const height = room.height === null ? Infinity : scroll.clientHeight - MARGIN - 8;
    this.layout = plan(sheet, this.texts, this.part, {width: parts.box.clientWidth, height}, isNarrow, step);
    parts.box.style.setProperty('--wide', `${this.layout.width}px`);
    const offset = isNarrow ? parts.lead.offsetHeight + MARGIN : MARGIN;
    this.stage.draw({sheet, values: this.values, texts: this.texts, notes: this.notes()}, this.layout, {offset, theme, hides: (at) => this.player.hides(at), isPaper: this.shell.paper !== null, least: isPresented && !isNarrow ? 12 * k : 0, mostOfNote: isPresented ? Infinity : 16 * k});
    this.placeLead(isNarrow);
    this.mark();
  }

  mark() {
    const at = this.hovered ?? this.at;
    this.stage.mark(at);
    const key = JSON.stringify([at, this.part, this.header.lang, this.sheet]);
    if (this.shownStrip !== key) showStrip(this.parts.strip, this.state(at), at);
    this.shownStrip = key;
  }

  state({m}) {
    const {sheet, all, part, say} = this;
    return {sheet, all, part, say, isTyped: this.stage.typedName(m) !== null};
  }

  lead(isNarrow) {
    const {say, sheet, parts} = this;
    const {isPresented} = this.shell;
    const ofOutput = sheet.count > 1 ? 'view-byhand-try-output' : 'view-byhand-try-output-one';
    const question = this.part === OUT ? ofOutput : sheet.isMasked ? 'view-byhand-try-mask' : sheet.hasPositions ? 'view-byhand-try-positions' : 'view-byhand-try';
    const key = `${this.header.lang} ${question} ${isNarrow} ${sheet.isDivided} ${isPresented}`;
    if (parts.lead.dataset.key === key) return;
    parts.lead.dataset.key = key;
    const {lead} = parts;
    const chosen = this.bar.part; // stays where it is, and keeps the focus
    for (const node of [...lead.children]) if (node !== chosen || isPresented) node.remove();
    if (isPresented) return;
    if (chosen.parentElement !== lead) lead.append(chosen);
    chosen.before(el('div', {class: 'headline'}, el('h2', {class: 'title'}, say('view-byhand-title')), softmaxFormula(sheet.isDivided, say('view-byhand-formula'))));
    chosen.after(el('p', {class: 'says'}, say('view-byhand-lead')), el('p', {class: 'try'}, fill(document, say(question), {matrix: el('span', {}, 'W', el('sub', {}, 'O'))})));
  }

  /** The title stands where the matrices leave room. */
  placeLead(isNarrow) {
    const {lead, box} = this.parts;
    const {free} = this.layout;
    for (const name of ['left', 'top', 'width', 'maxHeight']) lead.style.removeProperty(name === 'maxHeight' ? 'max-height' : name);
    if (isNarrow || !free) return;
    const width = free.width ?? Math.min(box.clientWidth - free.x, 480 * this.k);
    setLengths(lead, {left: free.x, top: free.y + MARGIN, width: Math.max(0, width)});
    lead.classList.remove('tight');
    lead.classList.toggle('tight', free.height < lead.scrollHeight);
    lead.hidden = width < 130 * this.k;
  }

  notes() {
    const {sheet, say} = this;
    const root = written(rootOf(sheet.d), sheet.d === 4 ? 0 : 2);
    const named = (id) => fillText(id, {d: sheet.d, root});
    const head = (text) => el('b', {}, text);
    return {
      root: sheet.isDivided
        ? [head(named(say(sheet.d === 4 ? 'view-byhand-root' : 'view-byhand-root-about'))), el('span', {}, named(say(sheet.d === 4 ? 'view-byhand-root-each' : 'view-byhand-root-each-about')))]
        : [head(say('view-byhand-undivided')), el('span', {}, say('view-byhand-goes-on'))],
      softmax: [head(say('view-byhand-softmax')), el('span', {}, say('view-byhand-softmax-says'))],
    };
  }

  /** Every matrix under its name, as a spreadsheet takes them. */
  table() {
    return Object.entries(this.texts).flatMap(([m, lines]) => (m === 'KT' || (m === 'X' && !this.sheet.hasPositions && this.texts.E) ? [] : [[nameText(m, this.sheet, this.say)], ...lines.map((line) => line.map((text) => text)), []]));
  }

  showPaper(isPaper) {
    this.player.end();
    this.isPaper = isPaper;
    if (isPaper) this.fillPapers();
    this.redraw();
    const {papers} = this.parts;
    if (isPaper) papers.querySelector('button')?.focus();
    else this.bar.play.focus();
  }

  fillPapers() {
    const {say, sheet, all, at} = this;
    const row = at.m.startsWith('W') ? 0 : Math.min(at.row, sheet.n - 1);
    const choice = (words, isOne) => el('button', {type: 'button', 'aria-pressed': this.one === isOne, click: () => {
      this.one = isOne;
      this.fillPapers();
    }}, words);
    const bar = el('div', {class: 'paperbar'},
      el('button', {type: 'button', class: 'button', click: () => this.showPaper(false)}, say('view-byhand-paper-back')),
      el('div', {class: 'segments', role: 'group', 'aria-label': say('view-byhand-paper')}, choice(say('view-byhand-paper-all'), false), choice(fillText(say('view-byhand-paper-one'), {word: sheet.words[row]}), true)),
      el('button', {type: 'button', class: 'button primary', click: () => window.print()}, say('view-byhand-paper-print')),
    );
    this.parts.papers.replaceChildren(bar, ...papersOf({sheet, all, say, row: this.one ? row : null}));
  }

  showTorch() {
    const {say, parts: {dialog}} = this;
    const code = torchLines(this.sheet, say('view-byhand-torch-rounds'));
    const said = el('span', {class: 'caption', role: 'status'});
    const copy = async () => {
      await copyText(code, dialog);
      said.textContent = say('view-byhand-torch-copied');
    };
    dialog.replaceChildren(
      el('h2', {class: 'title small'}, say('view-byhand-torch')), el('p', {}, say('view-byhand-torch-says')), el('pre', {tabindex: 0, lang: 'en', dir: 'ltr'}, code),
      el('div', {class: 'group'}, el('button', {type: 'button', class: 'button primary', click: copy}, say('view-byhand-torch-copy')), el('button', {type: 'button', class: 'button', click: () => dialog.close()}, say('view-kit-close')), said),
    );
    dialog.showModal();
  }

  about() {
    return {title: this.say('view-byhand-title'), place: `${this.at.m} ${this.at.row + 1} ${this.at.column + 1}`};
  }

  selection() {
    const {sheet, at, part} = this;
    return {sheet, at, part, isPresented: this.shell.isPresented};
  }

  tell() {
    this.emit?.(this.selection());
  }

  destroy() {
    this.player.end();
  }
}

/** A cell inside the matrices that are shown, at most as far as it was. */
function inside({m, row, column}, values) {
  const name = Object.hasOwn(values, m) && m !== 'KT' ? m : Object.hasOwn(values, 'Y') ? 'Y' : 'S';
  const matrix = values[name];
  return {m: name, row: Math.min(row, matrix.length - 1), column: Math.min(column, matrix[0].length - 1)};
}
