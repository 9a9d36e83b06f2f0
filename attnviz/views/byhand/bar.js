// The line over the matrices: how large they are, where their numbers come from, what is switched, and what is taken away.

import {el, icon, listen, presentButton, tellPresented} from '../kit/dom.js';
import {fillText} from '../kit/words.js';
import {STEPS, stepsOf} from './layout.js';
import {nameText} from './names.js';
import {LAST_SEED, WIDTHS, WORDS, isOfSeed} from './sheet.js';

const SWITCHES = [
  ['isMasked', 'view-byhand-mask', 'view-byhand-mask-says'], ['isDivided', 'view-byhand-divide', 'view-byhand-divide-says'],
  ['hasPositions', 'view-byhand-positions', 'view-byhand-positions-says'], ['hasOutput', 'view-byhand-output-weights', 'view-byhand-output-weights-says'],
];
const EXAMPLES = [['en', 'view-byhand-example-en'], ['zh', 'view-byhand-example-zh'], ['two', 'view-byhand-example-two']];

/** W_O with its letter lowered. */
const lowered = (text) => text.split(/_(?=\w)/).map((part, at) => (at ? el('sub', {}, part) : part));

export class Bar {
  box; say; heard; sheet;

  /**
   * `part` chooses what is on the stage, `playing` has the buttons of a row that is played: the view puts both where they belong.
   * `heard` are told: change(fields), example(name), seed(number), undo(by), part(at), play(), step(by), end(), paper(), torch(),
   * stage(step), present().
   */
  constructor(box, {say, heard, take, isOfLesson = false}) {
    Object.assign(this, {box, say, heard});
    const button = (words, click, kind = 'button', facts = {}) => el('button', {type: 'button', class: kind, click, ...facts}, ...[words].flat());
    const tool = (id, drawn, click, key = '') => el('button', {type: 'button', class: 'tool', 'aria-label': say(id), title: `${say(id)}${key && `  ${key}`}`, click}, icon(drawn));
    const segments = (label, values, press) => {
      const buttons = values.map((value) => button(String(value), () => press(value), ''));
      return {buttons, values, node: el('div', {class: 'segments', role: 'group', 'aria-label': label}, ...buttons)};
    };
    this.n = segments(say('view-byhand-words'), WORDS, (n) => heard.change({n}));
    this.d = segments(say('view-byhand-width'), WIDTHS, (d) => heard.change({d}));
    this.count = segments(say('view-byhand-heads'), [1, 2], (count) => heard.change({count, ...(count > 1 ? {hasOutput: true} : {})}));
    this.part = el('div', {class: 'segments', role: 'group', 'aria-label': say('view-byhand-part')});
    this.steps = segments(say('view-byhand-step'), STEPS.map((_, step) => step), (step) => heard.stage(step));
    this.present = presentButton(say, () => heard.present());
    this.switches = SWITCHES.map(([name, id, says]) => [name, button(lowered(say(id)), () => heard.change({[name]: !this.sheet[name]}), '', {title: say(says), 'aria-label': say(says)})]);
    this.example = el('select', {'aria-label': say('view-byhand-example')}, el('option', {value: ''}, say('view-byhand-example')), ...EXAMPLES.map(([value, id]) => el('option', {value}, say(id))));
    listen(this.example, 'change', () => {
      if (this.example.value) heard.example(this.example.value);
      this.example.value = '';
    });
    this.seed = el('input', {class: 'seed', inputmode: 'numeric', maxlength: 4, autocomplete: 'off', 'aria-label': say('view-byhand-seed'), change: () => this.seeded()});
    this.undo = tool('view-byhand-undo', 'M6 4L2.5 7.5 6 11M2.5 7.5H10a3 3 0 0 1 0 6H7.5', () => heard.undo(-1), 'Ctrl+Z');
    this.redo = tool('view-byhand-redo', 'M10 4l3.5 3.5L10 11M13.5 7.5H6a3 3 0 0 0 0 6h2.5', () => heard.undo(1), 'Ctrl+Y');
    this.play = button('', () => heard.play(), 'button primary play');
    this.back = tool('view-byhand-step-back', 'M4 3v10M12.5 3.5L7 8l5.5 4.5z', () => heard.step(-1), ',');
    this.on = tool('view-byhand-step-on', 'M12 3v10M3.5 3.5L9 8l-5.5 4.5z', () => heard.step(1), '.');
    this.end = button(say('view-byhand-all'), () => heard.end());
    const group = (words, ...nodes) => el('span', {class: 'group'}, words && el('span', {class: 'caption'}, words), ...nodes);
    const another = [ // sheet: a lesson speaks of its own
      group(say('view-byhand-words'), this.n.node), group('d', this.d.node), group(say('view-byhand-heads'), this.count.node),
      el('div', {class: 'segments', role: 'group', 'aria-label': say('view-byhand-switches')}, ...this.switches.map(([, node]) => node)),
      group(null, this.example), group(say('view-byhand-seed'), this.seed, button(say('view-byhand-new'), () => heard.seed(null))),
    ];
    const atHome = [ // not in the presenter's view
      ...(isOfLesson ? [] : another), group(null, this.undo, this.redo),
    ];
    const taken = [...take, button(say('view-byhand-torch'), () => heard.torch()), button(say('view-byhand-paper'), () => heard.paper())];
    for (const node of [...atHome, ...taken]) node.classList.add('at-home');
    box.replaceChildren(...atHome, this.steps.node, el('span', {class: 'space'}), ...taken, this.present);
    this.playing = group(null, this.back, this.play, this.on, this.end);
  }

  seeded() {
    const seed = Number(this.seed.value.normalize('NFKC'));
    if (Number.isInteger(seed) && seed >= 1 && seed <= LAST_SEED) this.heard.seed(seed);
    else this.seed.value = isOfSeed(this.sheet) ? String(this.sheet.seed) : '';
  }

  show({sheet, part, step, isPresented, canUndo, canRedo, player}) {
    this.sheet = sheet;
    for (const name of ['n', 'd', 'count']) this[name].buttons.forEach((node, at) => (node.ariaPressed = String(this[name].values[at] === sheet[name])));
    for (const [name, node] of this.switches) {
      node.ariaPressed = String(sheet[name]);
      node.disabled = name === 'hasOutput' && sheet.count > 1;
    }
    if (this.seed !== /** @type {ShadowRoot} */ (this.box.getRootNode()).activeElement) this.seed.value = isOfSeed(sheet) ? String(sheet.seed) : '';
    tellPresented(this.present, this.say, isPresented);
    this.steps.node.hidden = step === null;
    const weights = this.say('view-byhand-weights');
    this.steps.buttons.forEach((node, at) => {
      node.textContent = ['X', 'Q, K, V', nameText('S', sheet, this.say), weights, `${weights} × V`][at];
      node.ariaPressed = String(at === step);
      node.hidden = !stepsOf(sheet).includes(at);
    });
    this.undo.disabled = !canUndo;
    this.redo.disabled = !canRedo;
    this.showParts(sheet, part);
    const isOpen = player.isOpen;
    for (const node of [this.back, this.on, this.end]) node.hidden = !isOpen;
    const words = this.say(player.isPlaying ? 'view-byhand-pause' : isOpen ? 'view-byhand-go-on' : 'view-byhand-play');
    if (this.play.ariaLabel === words) return;
    this.play.ariaLabel = words;
    const drawn = player.isPlaying ? icon('M5 3v10M11 3v10') : icon('M4.5 3l8 5-8 5z', 'icon filled');
    this.play.replaceChildren(drawn, el('span', {}, words));
  }

  /** Which head is on the stage, or what comes of all. */
  showParts({count, hasOutput}, part) {
    const names = [...Array.from({length: count}, (_, at) => [at, fillText(this.say('view-byhand-head'), {n: at + 1})]), ...(hasOutput ? [[2, this.say('view-byhand-part-output')]] : [])];
    this.part.hidden = names.length < 2;
    if (this.part.children.length !== names.length || this.part.dataset.count !== String(count))
      this.part.replaceChildren(...names.map(([at, words]) => el('button', {type: 'button', 'data-part': at, click: () => this.heard.part(at)}, String(words))));
    this.part.dataset.count = String(count);
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (this.part.querySelectorAll('button'))) node.ariaPressed = String(node.dataset.part === String(part));
  }
}
