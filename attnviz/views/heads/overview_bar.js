// Over the overview: on which sentences the heads are measured, which metric is under each, whether it sorts them, and
// whether a band of them is looked at closer.

import {el} from '../kit/dom.js';
import {pct} from '../kit/number.js';
import {fillText} from '../kit/words.js';
import {KIND} from './measured_heads.js';
import {ownSentences} from './own_sentences.js';

const SOURCES = ['sentence', 'many', 'own'];

export class OverviewBar {
  say; changed; isAlone;

  /** `changed(options)` is told what was chosen. */
  constructor(holder, {say, changed, isAlone}) {
    Object.assign(this, {say, changed, isAlone, options: null});
    const choose = (part) => (event) => this.changed({...this.options, ...part(event)});
    const source = (name) => el('button', {type: 'button', 'data-source': name, click: choose(() => ({source: name}))});
    this.sources = SOURCES.map(source);
    this.switch = el('div', {class: 'segments', role: 'group', 'aria-label': say('view-heads-source'), hidden: ''}, ...this.sources);
    const isSorted = () => Boolean(this.options.sort);
    const choice = ({target}) => ({overlay: target.value, sort: isSorted() ? target.value : ''});
    this.metric = el('select', {name: 'metric', 'aria-label': say('view-heads-metric'), change: choose(choice)});
    this.sort = el('button', {type: 'button', name: 'sort', class: 'choice', title: say('view-heads-sort-hint'), click: choose(() => ({sort: isSorted() ? '' : this.metric.value}))}, say('view-heads-sort'));
    this.zoom = el('button', {type: 'button', name: 'zoom', class: 'choice', hidden: '', title: say('view-heads-zoom-band'), click: choose(() => ({isZoomed: !this.options.isZoomed}))}, say('view-heads-zoom-in'));
    holder.replaceChildren(this.switch, el('span', {class: 'space'}), el('span', {class: 'pick'}, this.metric, this.sort, this.zoom));
  }

  /** `known` as `kindsOf` gives it, `measured` that of `source`, null while it is not there; `metric` is under the heads. */
  show(options, known, source, measured, metric) {
    this.options = options;
    for (const button of this.sources) {
      const {source: name} = button.dataset;
      button.textContent = this.nameOf(name, known[name], name === source);
      button.hidden = name !== source && !this.has(name, known);
      button.setAttribute('aria-pressed', String(name === source));
    }
    this.switch.hidden = this.sources.filter((button) => !button.hidden).length < 2 && source === 'sentence';
    const metrics = measured ? [{name: KIND, title: this.say('view-heads-kinds')}, ...measured.metrics] : (this.metrics ?? []);
    this.metrics = metrics;
    fillSelect(this.metric, metrics, metric);
    this.sort.setAttribute('aria-pressed', String(Boolean(options.sort)));
    this.sort.disabled = this.metric.disabled = !metric;
  }

  /** Where all heads are in sight and small, a band of them can be looked at closer. */
  offerZoom(isPacked) {
    this.zoom.hidden = !isPacked && !this.options.isZoomed;
    this.zoom.setAttribute('aria-pressed', String(this.options.isZoomed));
  }

  /** Which sentences they are and, of those that are shown, how far they are measured. */
  nameOf(source, measured, isShown) {
    if (source === 'sentence') return this.say('view-heads-source-one');
    if (measured?.reason) return this.say(`view-heads-source-${source}-none`);
    const name = fillText(this.say(`view-heads-source-${source}`), {n: measured?.n ?? ''});
    return isShown && measured?.share < 1 ? `${name} · ${pct(measured.share)}` : name;
  }

  /** Whether there are such sentences. This text is always measured; a file has one set, a model without training no others. */
  has(source, known) {
    if (source === 'own') return Boolean(ownSentences());
    return source === 'sentence' && !this.isAlone ? !known.sentence?.reason : Boolean(known[source]?.n);
  }
}

/** The metrics as choices; one without a value anywhere says why and cannot be chosen. */
function fillSelect(select, metrics, chosen) {
  const signature = JSON.stringify(metrics.map(({name, title, why}) => [name, title, why]));
  if (select.dataset.signature !== signature) {
    const option = ({name, title, why}) => el('option', {value: name, disabled: why ? '' : null, title: why}, title);
    select.replaceChildren(...metrics.map(option));
    select.dataset.signature = signature;
  }
  select.value = chosen || metrics[0]?.name;
  select.title = select.selectedOptions[0]?.textContent ?? '';
}
