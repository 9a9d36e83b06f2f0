// The line above the rail: which lesson, which attention, and what if. It asks the host and computes nothing.

import {el, listen, setText} from '../kit/dom.js';
import {guarded} from '../kit/error_guard.js';
import {keepFocus} from '../kit/focus.js';
import {fmt} from '../kit/number.js';
import {fillText} from '../kit/words.js';

const OF_SCORES = ['causal', 'scaling', 'temperature', 'hide']; // of one head, or of all
const CONTROLS = [...OF_SCORES, 'silence', 'positions'];
const SETTLED_MS = 120; // how long the temperature rests before it is asked for
const NEAR_ONE = 0.06; // a temperature this close to 1 is 1

export class ChoiceBar {
  box; say; asked; byHand; here; isEverywhere = false;
  /** @type {Record<string, any>} */
  parts;

  /** `asked(changes)` is told what the person wants, such as {causal: true}; `byHand()` leads to that page, null where there is none. */
  constructor(box, {say, asked, byHand}) {
    Object.assign(this, {box, say, asked, byHand, timer: 0});
  }

  /** Put the controls there are on the line, or only their values where they are there already. */
  show(controls, hasMap = false) {
    this.box.hidden = !controls;
    if (!controls) return;
    const shape = JSON.stringify([hasMap, controls.tabs, controls.sites, controls.heads, controls.can]);
    if (shape !== this.shape) keepFocus(this.box, () => this.build(controls, hasMap));
    this.shape = shape;
    this.values(controls);
  }

  build({tabs, sites, heads, can}, hasMap) {
    const {say} = this;
    this.parts = {};
    const tab = (name) => el('button', {type: 'button', 'data-tab': name, click: () => this.asked({tab: name})}, say(`view-stepper-tab-${name}`));
    const site = () => this.select('site', sites.map(({key, name}) => [key, name]));
    const head = () => this.select('head', Array.from({length: heads}, (_, at) => [String(at), String(at + 1)]));
    const hide = () => this.select('hide', []);
    const control = (name) => (name === 'temperature' ? this.range() : name === 'hide' ? hide() : this.toggle(name));
    const restore = {type: 'button', class: 'button quiet', title: '0', click: () => this.asked(null)};
    this.parts.restore = el('button', restore, say('view-stepper-restore'));
    const caption = el('span', {class: 'caption'}, say('view-stepper-whatif'));
    const turn = () => fold.setAttribute('aria-expanded', this.box.classList.toggle('unfolded'));
    const fold = el('button', {type: 'button', class: 'fold', 'aria-expanded': this.box.classList.contains('unfolded'), click: turn}, say('view-stepper-whatif'));
    this.box.replaceChildren(
      el('div', {class: 'tabs', role: 'group', 'aria-label': say('view-stepper-tabs')}, ...tabs.map(tab), this.byHand && el('button', {type: 'button', class: 'byhand', click: this.byHand}, say('view-stepper-tab-byhand'))),
      el('span', {class: 'where-picks'}, sites.length > 1 && !hasMap ? site() : null, heads > 1 ? head() : null),
      el('div', {class: 'whatif', role: 'group', 'aria-label': say('view-stepper-whatif')}, caption, can.length ? fold : null, OF_SCORES.some((name) => can.includes(name)) ? this.scopes() : null, ...CONTROLS.filter((name) => can.includes(name)).map(control), can.length ? this.parts.restore : null),
    );
  }

  /** Where a what-if of scores is: in the head on the stage, or in all heads and layers. */
  scopes() {
    const button = (isEverywhere, facts) => el('button', {type: 'button', click: () => this.move(isEverywhere), ...facts});
    const everywhere = {'data-scope': 'all', title: this.say('view-stepper-scope-all-says')};
    this.parts.scopes = [button(false, {'data-scope': 'head'}), setText(button(true, everywhere), this.say('view-stepper-scope-all'))];
    return el('span', {class: 'segments scope', role: 'group', 'aria-label': this.say('view-stepper-scope')}, ...this.parts.scopes);
  }

  /** What is changed goes along to where it is to be. */
  move(isEverywhere) {
    this.isEverywhere = isEverywhere;
    const {scope} = this.controls.whatif;
    if (scope && isEverywhere !== (scope === 'all')) this.asked({isEverywhere});
    this.showHead(this.controls, this.here);
  }

  toggle(name) {
    const input = el('input', {type: 'checkbox', role: 'switch', change: () => this.asked({[name]: input.checked})});
    this.parts[name] = input;
    return el('label', {class: 'switch'}, input, el('span', {}, this.say(`view-stepper-${name}`)));
  }

  select(name, options) {
    const box = el('select', {
      change: () => this.asked({[name]: name === 'site' ? box.value : box.value === '' ? null : Number(box.value)}),
    });
    box.append(...options.map(([value, text]) => el('option', {value}, text)));
    this.parts[name] = box;
    const label = el('span', {class: name === 'site' ? 'unseen' : null}, this.say(`view-stepper-${name}`));
    return el('label', {class: 'pick'}, label, box);
  }

  /** From a tenth to ten, 1 in the middle. */
  range() {
    const input = el('input', {type: 'range', min: -1, max: 1, step: 0.05});
    const output = el('output', {});
    const value = () => {
      const exact = 10 ** Number(input.value);
      return Math.abs(exact - 1) < NEAR_ONE ? 1 : Math.round(exact * 100) / 100;
    };
    listen(input, 'input', () => {
      this.sayTemperature(value());
      clearTimeout(this.timer);
      this.timer = setTimeout(guarded(input, () => {
        this.timer = 0;
        this.asked({temperature: value()});
      }), SETTLED_MS);
    });
    this.parts.temperature = input;
    this.parts.output = output;
    return el('label', {class: 'range'}, el('span', {}, this.say('view-stepper-temperature')), input, output);
  }

  /** The slider stands at a logarithm; what is printed beside it is also what it is called. */
  sayTemperature(value) {
    const {output, temperature} = this.parts;
    setText(output, fmt(value));
    temperature.setAttribute('aria-valuetext', output.textContent);
  }

  values(controls) {
    const {tab, site, head, whatif, isChanged} = controls;
    this.controls = controls;
    if (whatif.scope) this.isEverywhere = whatif.scope === 'all';
    for (const button of this.box.querySelectorAll('.tabs button')) button.ariaCurrent = button.dataset.tab === tab ? 'true' : null;
    const ofOne = this.box.querySelector('[data-tab="self"]');
    if (ofOne) setText(ofOne, this.say(site.endsWith('.cross') ? 'view-stepper-tab-cross' : 'view-stepper-tab-self'));
    const {parts} = this;
    if (parts.site) parts.site.value = site;
    if (parts.head) parts.head.value = String(head);
    if (parts.positions) parts.positions.checked = Boolean(whatif.positions);
    parts.restore.disabled = !isChanged;
  }

  /** What is switched of the head that came onto the stage, {attention, head, isSilent}, or of all heads. */
  showHead(controls, here) {
    const {parts, say, isEverywhere} = this;
    if (!parts || this.box.hidden) return;
    const {whatif, keys, tokens} = controls;
    const {attention, head, isSilent} = here;
    this.here = here;
    const shown = isEverywhere ? whatif.all : (whatif.heads[`${attention}.${head}`] ?? whatif.heads[attention]);
    if (parts.silence) parts.silence.checked = isSilent;
    if (parts.scopes) {
      setText(parts.scopes[0], fillText(say('view-stepper-scope-head'), {n: head + 1}));
      for (const [at, button] of parts.scopes.entries()) button.ariaPressed = String(isEverywhere === (at === 1));
    }
    for (const name of ['causal', 'scaling']) if (parts[name]) parts[name].checked = shown[name];
    if (parts.causal) parts.causal.disabled = !isEverywhere && attention.endsWith('cross'); // which has no order of its own
    if (parts.hide) {
      const can = [...tokens.entries()].filter(([, {text}]) => isEverywhere || text === keys[attention]);
      const options = [['', say('view-stepper-hide-none')], ...can.map(([at, {name}]) => [String(at), name])];
      parts.hide.replaceChildren(...options.map(([value, text]) => el('option', {value}, text)));
      parts.hide.value = String(shown.hide[0] ?? '');
    }
    if (parts.temperature && !this.timer && !this.box.querySelector('input[type=range]:active')) { // not while it is moved
      parts.temperature.value = Math.log10(shown.temperature);
      this.sayTemperature(shown.temperature);
    }
  }

  destroy() {
    clearTimeout(this.timer);
  }
}
