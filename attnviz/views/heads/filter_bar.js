// The filter bar: a threshold and four switches, native controls; what they do is said by the line below them.

import {el, listen, setText} from '../kit/dom.js';
import {pct} from '../kit/number.js';
import {groupName} from '../kit/token.js';
import {fillText, named} from '../kit/words.js';
import {HIGHEST, OPEN, SWITCHES, groupsOf, settingsOf, toLink} from './filter_settings.js';

export class FilterBar {
  /** `changed(filter)` is told what the bar says, as it stands in a link. */
  constructor(holder, {say, signal, changed, tokens, sinkShare}) {
    this.say = say;
    this.sinks = tokens.keys.filter(({sink}) => sink);
    this.groups = {from: this.groupMenu('from', tokens.queries), to: this.groupMenu('to', tokens.keys)};
    this.slider = el('input', {type: 'range', min: 0, max: HIGHEST, step: 1, name: 'below'});
    this.output = el('output', {});
    this.boxes = Object.fromEntries(SWITCHES.map((name) => [name, el('input', {type: 'checkbox', name})]));
    this.switches = Object.fromEntries(
      SWITCHES.map((name) => [name, el('label', {class: 'check'}, this.boxes[name], el('span', {}, name === 'sinks' ? this.sinkName(sinkShare) : say(`view-heads-filter-${name}`)))]),
    );
    this.summary = el('summary', {}, say('view-heads-filters'), (this.count = el('span', {class: 'count'})));
    const below = el('label', {class: 'least'}, el('span', {}, say('view-heads-filter-below')), this.slider, this.output);
    const {special, sinks, ...others} = this.switches;
    const hide = say('view-heads-filter-hide');
    const hidden = el('div', {class: 'hide', role: 'group', 'aria-label': hide}, el('span', {'aria-hidden': 'true'}, hide), special, sinks, below);
    this.fold = el('details', {class: 'filters'}, this.summary, el('div', {class: 'controls', role: 'group', 'aria-label': say('view-heads-filters')}, hidden, ...Object.values(others), ...this.between()));
    holder.replaceChildren(this.fold);
    listen(this.fold, 'input', () => changed(toLink(this.read())), {signal});
  }

  /** How much of all the weight the sinks take. */
  sinkName(share) {
    const {sinks, say} = this;
    return sinks.length ? fillText(say('view-heads-filter-sinks'), {percent: pct(share)}) : say('view-heads-filter-sinks-none');
  }

  /** A menu of the groups of one side; null where it has none. */
  groupMenu(name, tokens) {
    const groups = groupsOf(tokens);
    if (!groups.length) return null;
    const every = el('option', {value: 0}, this.say('view-heads-filter-every'));
    const options = groups.map((group, at) => el('option', {value: at + 1}, groupName(group, this.say)));
    return el('select', {name, 'aria-label': this.say(`view-heads-filter-${name}`), title: this.say('view-heads-filter-between-hint')}, every, ...options);
  }

  between() {
    const {from, to} = this.groups;
    return from && to ? [el('span', {class: 'between', role: 'group'}, from, '→', to)] : [];
  }

  read() {
    const switches = Object.fromEntries(SWITCHES.map((name) => [name, this.boxes[name].checked]));
    const [from, to] = [this.groups.from, this.groups.to].map((menu) => Number(menu?.value ?? 0));
    return {...OPEN, ...switches, threshold: Number(this.slider.value) / 100, from, to};
  }

  /** Show what is filtered; `isWhole` false where only the largest weights of each row are known. */
  show(filter, isWhole) {
    const settings = settingsOf(filter);
    const below = Math.round(settings.threshold * 100);
    this.slider.value = String(below);
    setText(this.output, below ? `${below}%` : this.say('view-heads-filter-off'));
    this.slider.setAttribute('aria-valuetext', this.output.textContent);
    for (const name of SWITCHES) {
      const needsColumns = name === 'rescaled' || name === 'words';
      const isNone = name === 'sinks' && !this.sinks.length;
      const isOff = (needsColumns && !isWhole) || isNone;
      this.boxes[name].checked = settings[name];
      this.boxes[name].disabled = isOff;
      this.switches[name].title = isOff ? this.say(isNone ? 'view-heads-filter-sinks-none-hint' : 'view-heads-said-too-long') : fillText(this.say(`view-heads-filter-${name}-hint`), {tokens: this.sinks.map(named).join(this.say('view-kit-list-separator'))});
    }
    for (const [name, menu] of Object.entries(this.groups)) if (menu) Object.assign(menu, {value: String(settings[name]), disabled: !isWhole});
    const active = toLink(settings).split(' ').filter(Boolean).length;
    this.count.textContent = active ? String(active) : '';
  }

  /** Folded away where there is little room, open beside it. */
  fit(isNarrow) {
    if (this.isNarrow === isNarrow) return;
    this.isNarrow = isNarrow;
    this.fold.open = !isNarrow; // there its summary is not shown
  }
}
