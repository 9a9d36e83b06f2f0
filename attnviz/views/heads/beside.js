// In place of all heads: one look at the head beside it. Choosing a token or a head there or here is seen in both.

import {el} from '../kit/dom.js';
import {LOOKS} from './looks.js';
import {MetricsLook} from './metrics_look.js';

const offered = {numbers: MetricsLook};

/** Looks that need a server, by name: a host that has one offers them. */
export const offer = (looks) => Object.assign(offered, looks);

export class Beside {
  parts; looks; place;

  /** `act`: open(name), seekHead([layer, head]), look(changes), measure(options), show(sentence). */
  constructor(parts, {say, signal, act}) {
    Object.assign(this, {parts, shown: ''});
    const names = LOOKS.filter((name) => Object.hasOwn(offered, name));
    const tab = (name, label) => el('button', {type: 'button', 'data-beside': name, click: () => act.open(name)}, label);
    this.tabs = [tab('', say('view-heads-beside-all')), ...names.map((name) => tab(name, say(`view-heads-beside-${name}`)))];
    parts.looks.replaceChildren(
      el('div', {class: 'segments', role: 'group', 'aria-label': say('view-heads-beside')}, ...this.tabs),
      el('p', {class: 'caption'}, say('view-heads-no-proof')),
    );
    const made = new Map();
    const one = (Look) => made.get(Look) ?? made.set(Look, new Look({say, signal, act})).get(Look);
    this.looks = Object.fromEntries(names.map((name) => [name, one(offered[name])]));
  }

  /** At another size or in another theme. */
  draw(place) {
    this.place = place;
  }

  /** `given`: {picked, data, overview}. */
  show(given) {
    const {parts, tabs} = this;
    const wanted = given.picked.beside ?? '';
    const name = tabs.some(({dataset}) => dataset.beside === wanted) ? wanted : '';
    for (const tab of tabs) tab.setAttribute('aria-pressed', String(tab.dataset.beside === name));
    parts.grid.hidden = parts.kinds.hidden = Boolean(name);
    parts.look.hidden = !name;
    if (this.shown !== name) {
      this.shown = name;
      parts.look.replaceChildren(...(name ? [this.looks[name].node] : []));
      parts.look.scrollTop = 0;
    }
    if (name && this.place) this.looks[name].show({...given, ...this.place});
  }
}
