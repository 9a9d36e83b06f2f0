// The line above the rail: which lesson, which attention, and what if. It asks the host and computes nothing.

import {el, listen} from '../kit/dom.js';
import {guarded} from '../kit/guard.js';
import {fmt} from '../kit/number.js';

const SETTLED_MS = 120; // how long the temperature rests before it is asked for
const NEAR_ONE = 0.06; // a temperature this close to 1 is 1

export class Bar {
  box; say; asked;

  /** `asked(changes)` is told what the person wants, such as {causal: true}. */
  constructor(box, {say, asked}) {
    Object.assign(this, {box, say, asked, shown: null, timer: 0});
  }

  /** Put the controls there are on the line, or only their values where they are there already. */
  show(controls, hasMap = false) {
    this.box.hidden = !controls;
    if (!controls) return;
    const shape = JSON.stringify([hasMap, controls.tabs, controls.sites, controls.heads, controls.tokens, controls.can]);
    if (shape !== this.shape) this.build(controls, hasMap);
    this.shape = shape;
    this.values(controls);
    this.fit();
  }

  /** The caption gives way where that keeps everything on one line. */
  fit() {
    const {caption} = this.parts;
    const isWrapped = () => caption.parentElement.offsetTop > this.box.firstElementChild.offsetTop + 12;
    caption.hidden = false;
    if (!isWrapped()) return;
    caption.hidden = true;
    if (isWrapped()) caption.hidden = false;
  }

  build({tabs, sites, heads, tokens, can}, hasMap) {
    const {say} = this;
    this.parts = {};
    const lessons = tabs.map((tab) =>
      el('button', {type: 'button', 'data-tab': tab, click: () => this.asked({tab})}, say(`view-stepper-tab-${tab}`)),
    );
    const where = el('span', {class: 'where-picks'});
    if (sites.length > 1 && !hasMap)
      where.append(
        this.select(
          'site',
          sites.map(({key, name}) => [key, name]),
        ),
      );
    if (heads > 1)
      where.append(
        this.select(
          'head',
          Array.from({length: heads}, (_, head) => [String(head), String(head + 1)]),
        ),
      );
    const whatif = el(
      'div',
      {class: 'whatif', role: 'group', 'aria-label': say('view-stepper-whatif')},
      (this.parts.caption = el('span', {class: 'caption'}, say('view-stepper-whatif'))),
    );
    for (const name of ['causal', 'scaling']) if (can.includes(name)) whatif.append(this.toggle(name));
    if (can.includes('temperature')) whatif.append(this.range());
    for (const name of ['positions', 'silence']) if (can.includes(name)) whatif.append(this.toggle(name));
    if (can.includes('hide'))
      whatif.append(
        this.select('hide', [['', say('view-stepper-hide-none')], ...tokens.map((token, at) => [String(at), token])]),
      );
    if (can.length)
      whatif.append(
        (this.parts.restore = el(
          'button',
          {type: 'button', class: 'button quiet', title: '0', click: () => this.asked(null)},
          say('view-stepper-restore'),
        )),
      );
    this.box.replaceChildren(
      el('div', {class: 'tabs', role: 'group', 'aria-label': say('view-stepper-tabs')}, ...lessons),
      where,
      whatif,
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
      this.timer = setTimeout(guarded(input, () => this.asked({temperature: value()})), SETTLED_MS);
    });
    this.parts.temperature = input;
    this.parts.output = output;
    return el('label', {class: 'range'}, el('span', {}, this.say('view-stepper-temperature')), input, output);
  }

  /** The slider stands at a logarithm; what is printed beside it is also what it is called. */
  sayTemperature(value) {
    const {output, temperature} = this.parts;
    output.textContent = fmt(value);
    temperature.setAttribute('aria-valuetext', output.textContent);
  }

  values({tab, site, head, whatif, isChanged}) {
    for (const button of this.box.querySelectorAll('.tabs button')) {
      if (button.dataset.tab === tab) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
    const {parts} = this;
    if (parts.site) parts.site.value = site;
    if (parts.head) parts.head.value = String(head);
    for (const name of ['causal', 'scaling', 'positions', 'silence'])
      if (parts[name]) parts[name].checked = Boolean(whatif[name]);
    if (parts.hide) this.hidden(whatif.hide);
    if (parts.temperature && !this.box.querySelector('input[type=range]:active')) {
      parts.temperature.value = Math.log10(whatif.temperature);
      this.sayTemperature(whatif.temperature);
    }
    if (parts.restore) parts.restore.disabled = !isChanged;
  }

  /** The picker shows the token that is hidden; where a link hides two, one line names both. */
  hidden(places) {
    const {hide} = this.parts;
    hide.querySelector('[data-several]')?.remove();
    const names = places.map((at) => hide.options[at + 1].textContent);
    if (names.length > 1)
      hide.append(el('option', {value: 'several', disabled: '', 'data-several': ''}, names.join(' + ')));
    hide.value = names.length > 1 ? 'several' : String(places[0] ?? '');
  }

  destroy() {
    clearTimeout(this.timer);
  }
}
