// Over the overview: on which sentences the heads are measured, how they are sorted, and which metric lies over them.

import {sequential, weightColour} from '../kit/colour.js';
import {el} from '../kit/dom.js';
import {Legend} from '../kit/legend.js';
import {fillText} from '../kit/words.js';
import {said} from './measured.js';

const SOURCES = ['sentence', 'many'];

export class OverviewBar {
  say; changed;

  /** `changed(options)` is told what was chosen. */
  constructor(holder, {say, changed}) {
    Object.assign(this, {say, changed, options: null});
    const choose = (part) => (event) => this.changed({...this.options, ...part(event)});
    const source = (name) => el('button', {type: 'button', 'data-source': name, click: choose(() => ({source: name}))});
    this.sources = SOURCES.map(source);
    this.switch = el('div', {class: 'segments', role: 'group', 'aria-label': say('view-heads-source'), hidden: ''}, ...this.sources);
    this.sort = el('select', {name: 'sort', change: choose(({target}) => ({sort: target.value}))});
    this.overlay = el('select', {name: 'overlay', change: choose(({target}) => ({overlay: target.value}))});
    const label = (id, select) => el('label', {class: 'pick'}, el('span', {}, say(id)), select);
    this.legend = new Legend('');
    holder.replaceChildren(this.switch, el('span', {class: 'space'}), label('view-heads-sort', this.sort), label('view-heads-overlay', this.overlay), this.legend.node);
  }

  /** `known` as `kindsOf` gives it, `measured` the one that is looked at, null while it is not there. */
  show(options, known, measured, {theme, k}) {
    this.options = options;
    this.switch.hidden = !known.many;
    for (const button of this.sources) {
      const {source} = button.dataset;
      button.textContent = source === 'many' ? fillText(this.say('view-heads-source-many'), {n: known.many?.n ?? ''}) : this.say('view-heads-source-one');
      button.setAttribute('aria-pressed', String(source === options.source));
    }
    const metrics = measured?.metrics ?? this.metrics ?? [];
    this.metrics = metrics;
    fillSelect(this.sort, this.say('view-heads-sort-layer'), metrics, options.sort);
    fillSelect(this.overlay, this.say('view-heads-overlay-none'), metrics, options.overlay);
    this.sort.disabled = this.overlay.disabled = !measured;
    this.scale(measured?.metric(options.overlay) ? measured : null, options.overlay, theme, k);
  }

  /** The colours of the metric that lies over the heads, from 0 to the largest. */
  scale(measured, name, theme, k) {
    this.legend.node.hidden = !measured;
    if (!measured) return;
    const {unit, title} = measured.metric(name);
    const high = unit === 'share' ? '1' : this.withUnit(unit, measured.most(name));
    const colourAt = (share) => (unit === 'share' ? weightColour(share, theme) : sequential(share, theme));
    this.legend.draw({width: 40, k, colourAt, high, label: `${title}: 0–${high}`});
  }

  withUnit(unit, value) {
    const text = said(unit, value);
    return unit === 'norm' ? text : fillText(this.say(`view-heads-unit-${unit}`), {value: text});
  }
}

/** The metrics as choices; one without a value anywhere says why and cannot be chosen. */
function fillSelect(select, none, metrics, chosen) {
  const signature = JSON.stringify([none, metrics.map(({name, title, why}) => [name, title, why])]);
  if (select.dataset.signature !== signature) {
    const option = ({name, title, why}) => el('option', {value: name, disabled: why ? '' : null, title: why}, title);
    select.replaceChildren(el('option', {value: ''}, none), ...metrics.map(option));
    select.dataset.signature = signature;
  }
  select.value = metrics.some(({name}) => name === chosen) ? chosen : '';
  select.title = select.selectedOptions[0]?.textContent ?? '';
}
