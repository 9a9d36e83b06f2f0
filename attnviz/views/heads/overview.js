// All heads of a part: how many are of each kind, in which order they stand, what lies over them. No server is asked.

import {css, scaleColour} from '../kit/colour.js';
import {el, listen} from '../kit/dom.js';
import {place, takeMenu, unseen} from '../kit/export_menu.js';
import {fillText} from '../kit/words.js';
import {glyphNode} from '../kit/kind_glyph.js';
import {KindBar} from './kind_bar.js';
import {evidence} from './kind_evidence.js';
import {ownSentences} from './own_sentences.js';
import {KIND, isChange, kindsOf} from './measured_heads.js';
import {OF_CELL, isMeant, optionsOf, toLink} from './overview_options.js';
import {OverviewBar} from './overview_bar.js';
import {headAt} from './several_heads.js';

const FIRST_METRICS = ['aligned', 'first']; // the first of these that means something here

export class Overview {
  parts; say; lang; isAlone; act; grid; given; metric; one; known; source; supported;
  /** @type {number[]} */
  picked;
  more = [];
  hasRow = true;
  note; // under the heads
  /** @type {(overview: Overview, kind: any, index: number) => string[]} */
  supportLines = () => []; // see look_tabs.js
  barred; // what the bars are of: the same, or what the sinks leave

  /** `act`: lookAtAll(link, isUrgent), seek(layer, head), askSupport(). */
  constructor(parts, {say, lang, isAlone, act, grid}) {
    Object.assign(this, {parts, say, lang, isAlone, act, grid, options: optionsOf(), picked: [0, 0]});
    const changed = (options) => this.change(options);
    this.bar = new OverviewBar(parts.overviewBar, {say, changed, isAlone});
    this.kindBar = new KindBar(parts.kinds, {say, changed});
    listen(parts.kindSays, 'beforetoggle', (event) => event.newState === 'open' && unseen(parts.kindSays));
    listen(parts.kindSays, 'toggle', (event) => {
      if (event.newState !== 'open') return;
      if (!isAlone) act.askSupport();
      place(parts.kindSays, parts.kind.querySelector('button'));
    });
    parts.takeAll.replaceChildren(...takeMenu({say, rows: () => this.table(), what: say('view-heads-overview'), file: () => 'attnviz-heads', over: () => this.over}));
  }

  /** Everything: `maps` of `revision`, as what is picked says: {layer, head, overview}. */
  draw({maps, revision, picked, theme, k, isSide, isLeft, isPooled}) {
    const options = optionsOf(picked.overview);
    Object.assign(this, {given: {maps, revision, theme, k, isSide, isLeft, isPooled}, options, picked: [picked.layer, picked.head]});
    this.show();
  }

  /**
   * What is measured where it is asked for, [{metric, values, of, isFirst}]: metrics more. `of` changes with the values.
   * `hasRow`: whether a token is picked; where none is, nothing is coloured or sorted by a cell.
   */
  add(more, hasRow) {
    const isSame = more.length === this.more.length && more.every(({of}, at) => of === this.more[at].of);
    if (isSame && hasRow === this.hasRow) return;
    Object.assign(this, {more, hasRow});
    this.show();
  }

  /** The answer to what supports the kinds; null while it is not here. */
  support(answer) {
    if (answer === this.supported) return;
    this.supported = answer;
    this.nameKind();
  }

  /** All heads as they are known now, once there is room for them. */
  show() {
    if (!this.given) return;
    const {maps, theme, k, isSide, revision, isLeft, isPooled} = this.given;
    const had = (name) => (this.hasRow || !OF_CELL.includes(name) ? name : '');
    const options = {...this.options, sort: had(this.options.sort), overlay: had(this.options.overlay)};
    const known = kindsOf(revision);
    const source = this.sourceOf(known);
    const isComing = !known[source]?.counts && !known[source]?.reason;
    const shown = (isComing && (known.many?.counts ? known.many : known.sentence)) || known[source]; // the last until it is there
    Object.assign(this, {known, source});
    const [layers, heads] = maps.shape;
    const fitting = (one) => (one?.counts && one.layers === layers && one.heads === heads ? one : null);
    const whole = (one) => one && this.more.reduce((all, {metric, values}) => (values.length === one.size ? all.with(metric, values) : all), one);
    this.measured = whole(fitting(shown));
    this.one = shown === known.sentence ? this.measured : fitting(known.sentence);
    this.barred = (isLeft && this.one === this.measured && whole(fitting(known.left))) || this.measured;
    const sort = this.has(options.sort);
    this.metric = this.has(options.overlay) || sort || this.has(this.more.find(({isFirst}) => isFirst)?.metric.name ?? '') || FIRST_METRICS.find((name) => this.has(name)) || '';
    const hasBars = this.barred === this.measured && !this.more.some(({metric}) => metric.name === this.metric); // of all the weight
    const keep = isPooled ? (hasBars ? 'both' : 'small') : hasBars ? 'bars' : '';
    this.note = this.measured?.metric(sort)?.note || this.say(isLeft && keep ? `view-heads-sinks-in-${keep}` : 'view-heads-no-proof');
    if (!this.act.Beside) this.parts.looksNote.textContent = this.note; // else it says more
    this.bar.show(options, known, source, this.barred, this.metric);
    this.kindBar.show(this.measured ?? shown, options, !this.isAlone);
    const order = sort ? this.barred.order(sort) : null;
    this.grid.draw({maps, order, look: this.lookOf(heads), theme, k, isSide, isZoomed: options.isZoomed, picked: this.picked});
    this.bar.offerZoom(this.grid.place?.isPacked);
    this.nameKind();
  }

  /** Kinds are those of many sentences where these were measured, unless the person chose; of their own while there are any. */
  sourceOf({many, own}) {
    const {source} = this.options;
    if (source && (source !== 'own' || ownSentences() || (own && this.isAlone))) return source;
    return many?.counts ? 'many' : 'sentence';
  }

  /** What was measured of every head; null while it is not here. */
  table() {
    const {measured} = this;
    if (!measured) return null;
    const line = (_, at) => [...headAt(at, measured.heads).map((place) => place + 1), measured.kindOf(at).name, ...measured.metrics.map(({name}) => measured.value(name, at))];
    return [['layer (from 1)', 'head (from 1)', 'kind', ...measured.metrics.map(({name}) => name)], ...Array.from({length: measured.size}, line)];
  }

  /** On what the numbers are measured, and which of them the bars are. */
  get over() {
    const {measured, say, metric} = this;
    if (!measured) return '';
    const {source, n} = measured;
    const on = source === 'sentence' ? say('view-heads-source-one') : fillText(say(`view-heads-source-${source}`), {n});
    return [`${say('view-heads-source')} ${on}`, measured.metric(metric)?.title].filter(Boolean).join(' · ');
  }

  /** The metric's name where it has values here, else ''; kinds are an order too. */
  has(name) {
    const metric = name === KIND ? this.barred : this.barred?.metric(name);
    return metric && !metric.why ? name : '';
  }

  /** What the grid says and shows of each head. */
  lookOf(heads) {
    const {barred: measured, one, say, options} = this;
    const [sort, metric] = [this.has(options.sort), this.metric].map((of) => (of === KIND ? '' : of));
    const most = metric ? measured.most(metric) : 1;
    const hasTick = Boolean(metric && this.measured !== one && one?.metric(metric)); // on each bar, where this text has the metric
    const name = (index) => {
      const [layer, head] = headAt(index, heads);
      const parts = [fillText(say('view-heads-button'), {layer: layer + 1, head: head + 1})];
      if (measured) parts.push(lowered(measured.kindOf(index).title, this.lang));
      const ofCell = OF_CELL.includes(sort || metric) ? OF_CELL : [];
      for (const of of new Set([sort, metric, ...ofCell].filter((name) => this.has(name))))
        parts.push(`${measured.metric(of).title} ${measured.saidWithError(of, index)}`);
      if (hasTick) parts.push(fillText(say('view-heads-tick'), {value: one.saidOf(metric, index)}));
      return parts.join(say('view-kit-list-separator'));
    };
    const isSigned = metric && isChange(measured.metric(metric));
    const colourOf = (value) => css(scaleColour('signed', Number(value > 0), this.given.theme));
    return {
      name,
      number: (index) => measured.saidOf(sort || measured.kindOf(index).metric, index),
      axis: (isAcross) => say(isAcross ? 'view-heads-layers-across' : 'view-heads-layers-down'),
      kind: (index) => measured?.kindOf(index) ?? null,
      isMeant: (index) => !measured || isMeant(options, measured.kindOf(index).name),
      share: (index) => (metric ? Math.abs(measured.value(metric, index)) / most : NaN),
      tint: (index) => (isSigned ? colourOf(measured.value(metric, index)) : ''),
      mark: (index) => (hasTick ? Math.min(1, Math.abs(one.value(metric, index)) / most) : NaN),
    };
  }

  change(options) {
    const isAsking = options.source !== this.options.source || options.silenced !== this.options.silenced;
    const kind = options.kinds.find((name) => !this.options.kinds.includes(name));
    this.options = options;
    this.show();
    this.act.lookAtAll(toLink(options), isAsking);
    const head = kind && this.measured?.strongest(kind);
    if (Number.isInteger(head)) this.act.seek(...headAt(head, this.measured.heads));
  }

  /** Mark one head as selected; move the focus with it where the focus is in the grid. */
  select(layer, head, hasFocus) {
    this.picked = [layer, head];
    this.grid.select(layer, head, hasFocus);
    this.nameKind();
  }

  /** Beside the title of the detail: the picked head's kind. */
  nameKind() {
    const [layer, head] = this.picked;
    const index = layer * this.measured?.heads + head;
    const kind = this.measured?.kindOf(index);
    const many = this.measured === this.one ? null : this.measured;
    const said = kind ? evidence(many, this.one, index, this.say) : '';
    const rests = kind ? el('span', {class: 'caption', title: said}, said) : null;
    const {kind: holder, kindSays} = this.parts;
    const opens = (facts, ...within) => {
      const button = el('button', {type: 'button', 'aria-haspopup': 'true', ...facts}, ...within);
      button.popoverTargetElement = kindSays;
      return button;
    };
    const lines = kind?.metric && !this.isAlone ? this.supportLines(this, kind, index) : [];
    const name = kind && opens({class: 'kindname', title: kind.says}, glyphNode(kind), kind.title);
    const support = lines.length ? opens({class: 'support'}, lines[0]) : null;
    const at = [...holder.children].indexOf(holder.getRootNode().activeElement);
    holder.replaceChildren(...[name, rests, support].filter(Boolean));
    holder.children[at]?.focus();
    kindSays.textContent = [kind?.says, said, ...lines.slice(1)].filter(Boolean).join('\n');
  }
}

/** A kind's name inside a sentence. */
const lowered = (title, lang) => (lang.startsWith('en') ? title[0].toLowerCase() + title.slice(1) : title);
