// The line above the rail: which lesson, which attention, and what if. It asks the host and computes nothing.

import {el, listen, setText} from '../kit/dom.js';
import {guarded} from '../kit/error_guard.js';
import {keepFocus} from '../kit/focus.js';
import {fmt} from '../kit/number.js';

const CONTROLS = ['causal', 'scaling', 'temperature', 'positions', 'silence', 'hide'];
const SETTLED_MS = 120; // how long the temperature rests before it is asked for
const NEAR_ONE = 0.06; // a temperature this close to 1 is 1

export class ChoiceBar {
  box; say; asked; byHand;
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
    const shape = JSON.stringify([hasMap, controls.tabs, controls.sites, controls.heads, controls.tokens, controls.can]);
    if (shape !== this.shape) keepFocus(this.box, () => this.build(controls, hasMap));
    this.shape = shape;
    this.values(controls);
  }

  build({tabs, sites, heads, tokens, can}, hasMap) {
    const {say} = this;
    this.parts = {};
    const tab = (name) => el('button', {type: 'button', 'data-tab': name, click: () => this.asked({tab: name})}, say(`view-stepper-tab-${name}`));
    const site = () => this.select('site', sites.map(({key, name}) => [key, name]));
    const head = () => this.select('head', Array.from({length: heads}, (_, at) => [String(at), String(at + 1)]));
    const hide = () => this.select('hide', [['', say('view-stepper-hide-none')], ...tokens.map((token, at) => [String(at), token])]);
    const control = (name) => (name === 'temperature' ? this.range() : name === 'hide' ? hide() : this.toggle(name));
    const restore = {type: 'button', class: 'button quiet', title: '0', click: () => this.asked(null)};
    this.parts.restore = el('button', restore, say('view-stepper-restore'));
    const caption = el('span', {class: 'caption'}, say('view-stepper-whatif'));
    const turn = () => fold.setAttribute('aria-expanded', this.box.classList.toggle('unfolded'));
    const fold = el('button', {type: 'button', class: 'fold', 'aria-expanded': this.box.classList.contains('unfolded'), click: turn}, say('view-stepper-whatif'));
    this.box.replaceChildren(
      el('div', {class: 'tabs', role: 'group', 'aria-label': say('view-stepper-tabs')}, ...tabs.map(tab), this.byHand && el('button', {type: 'button', class: 'byhand', click: this.byHand}, say('view-stepper-tab-byhand'))),
      el('span', {class: 'where-picks'}, sites.length > 1 && !hasMap ? site() : null, heads > 1 ? head() : null),
      el('div', {class: 'whatif', role: 'group', 'aria-label': say('view-stepper-whatif')}, caption, can.length ? fold : null, ...CONTROLS.filter((name) => can.includes(name)).map(control), can.length ? this.parts.restore : null),
    );
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

  values({tab, site, head, whatif, isChanged}) {
    for (const button of this.box.querySelectorAll('.tabs button')) button.ariaCurrent = button.dataset.tab === tab ? 'true' : null;
    const {parts} = this;
    if (parts.site) parts.site.value = site;
    if (parts.head) parts.head.value = String(head);
    for (const name of ['causal', 'scaling', 'positions'])
      if (parts[name]) parts[name].checked = Boolean(whatif[name]);
    if (parts.hide) parts.hide.value = String(whatif.hide[0] ?? '');
    if (parts.temperature && !this.timer && !this.box.querySelector('input[type=range]:active')) { // not while it is moved
      parts.temperature.value = Math.log10(whatif.temperature);
      this.sayTemperature(whatif.temperature);
    }
    parts.restore.disabled = !isChanged;
  }

  /** Whether the head on the stage is silenced: another attention may be on it. */
  showSilent(isSilent) {
    if (this.parts?.silence) this.parts.silence.checked = isSilent;
  }

  destroy() {
    clearTimeout(this.timer);
  }
}
