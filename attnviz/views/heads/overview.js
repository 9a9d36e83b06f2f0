// All heads of a part: how many are of each kind, in which order they stand, what lies over them. No server is asked.

import {el, listen} from '../kit/dom.js';
import {place, takeMenu} from '../kit/take.js';
import {fillText} from '../kit/words.js';
import {glyphNode} from '../kit/glyph.js';
import {HeadGrid} from './headgrid.js';
import {KindBar} from './kindbar.js';
import {evidence} from './evidence.js';
import {ownSentences} from './looks.js';
import {kindsOf, said} from './measured.js';
import {isMeant, optionsOf, toLink} from './overview_options.js';
import {orderBy} from './order.js';
import {OverviewBar} from './overviewbar.js';

const FIRST_METRICS = ['aligned', 'first']; // the first of these that means something here

export class Overview {
  parts; say; lang; isAlone; looked; sought; given; metric; one; known; source;

  /**
   * `chosen(layer, head, isMore)` is told of a click, `looked(link, isUrgent)` of another way to look at all heads,
   * `sought(layer, head)` of the head that shows most of the kind that was chosen.
   */
  constructor(parts, {say, lang, isAlone, signal, chosen, looked, sought}) {
    Object.assign(this, {parts, say, lang, isAlone, looked, sought, options: optionsOf(), picked: [0, 0]});
    const changed = (options) => this.change(options);
    this.bar = new OverviewBar(parts.overviewBar, {say, changed});
    this.kindBar = new KindBar(parts.kinds, {say, changed});
    this.grid = new HeadGrid(parts.grid, {signal, chosen});
    listen(parts.kindSays, 'toggle', (event) => event.newState === 'open' && place(parts.kindSays, parts.kind.querySelector('button')));
    parts.takeAll.replaceChildren(...takeMenu({say, rows: () => this.table(), what: say('view-heads-overview'), file: () => 'attnviz-heads'}));
  }

  /** Everything: `maps` of `revision`, as what is picked says: {layer, head, overview}. */
  draw({maps, revision, picked, table, theme, k, isSide}) {
    const options = optionsOf(picked.overview);
    Object.assign(this, {given: {maps, revision, table, theme, k, isSide}, options, picked: [picked.layer, picked.head]});
    this.show();
  }

  /** Kinds of this picture arrived. */
  receive(revision) {
    if (this.given && revision === this.given.revision) this.show();
  }

  show() {
    const {maps, table, theme, k, isSide, revision} = this.given;
    const {options} = this;
    const known = kindsOf(revision);
    const source = this.sourceOf(known);
    const found = known[source];
    Object.assign(this, {known, source});
    const [layers, heads] = maps.shape;
    const fitting = (it) => (it?.counts && it.layers === layers && it.heads === heads ? it : null);
    this.measured = fitting(found);
    this.one = fitting(known.sentence);
    const sort = this.has(options.sort);
    this.metric = this.has(options.overlay) || sort || FIRST_METRICS.find((name) => this.has(name)) || '';
    this.bar.show(options, known, source, this.measured, this.metric);
    this.kindBar.show(this.measured ?? found, options, !this.isAlone);
    const order = sort ? orderBy(this.measured.size, (index) => this.measured.value(sort, index)) : null;
    this.grid.draw({maps, table, order, look: this.lookOf(heads), theme, k, isSide, picked: this.picked});
    this.nameKind();
  }

  /** Kinds are those of many sentences where these were measured, unless the person chose; of their own while there are any. */
  sourceOf({many}) {
    const {source} = this.options;
    if (source && (source !== 'own' || ownSentences())) return source;
    return many?.counts ? 'many' : 'sentence';
  }

  /** What was measured of every head, counted from 0; null while it is not here. */
  table() {
    const {measured} = this;
    if (!measured) return null;
    const line = (_, at) => [Math.floor(at / measured.heads), at % measured.heads, measured.kindOf(at).name, ...measured.metrics.map(({name}) => measured.value(name, at))];
    return [['layer', 'head', 'kind', ...measured.metrics.map(({name}) => name)], ...Array.from({length: measured.size}, line)];
  }

  /** The metric's name where it has values here, else ''. */
  has(name) {
    const metric = this.measured?.metric(name);
    return metric && !metric.why ? name : '';
  }

  /** What the grid says and shows of each head. */
  lookOf(heads) {
    const {measured, say, options, metric} = this;
    const sort = this.has(options.sort);
    const kind = (index) => measured?.kindOf(index) ?? null;
    const value = (name, index) => this.valueOf(name, index);
    const name = (index) => {
      const head = fillText(say('view-heads-button'), {layer: Math.floor(index / heads) + 1, head: (index % heads) + 1});
      const parts = [head, ...(measured ? [lowered(kind(index).title, this.lang)] : [])];
      for (const of of new Set([sort, metric].filter(Boolean))) parts.push(`${measured.metric(of).title} ${value(of, index)}`);
      return parts.join(say('view-kit-list-separator'));
    };
    return {
      name,
      kind,
      isMeant: (index) => !measured || isMeant(options, kind(index).name),
      share: (index) => (metric ? Math.abs(measured.value(metric, index)) / measured.most(metric) : NaN),
      mark: (index) => (metric && measured !== this.one && this.one?.metric(metric) ? Math.min(1, Math.abs(this.one.value(metric, index)) / measured.most(metric)) : NaN),
    };
  }

  /** A value with its spread where it is a mean over sentences. */
  valueOf(name, index) {
    const {unit} = this.measured.metric(name);
    const value = said(unit, this.measured.value(name, index));
    const spread = this.measured.spread(name, index);
    return Number.isNaN(spread) ? value : `${value} ± ${said(unit, spread)}`;
  }

  change(options) {
    const isAsking = options.source !== this.options.source;
    const kind = options.kinds.find((name) => !this.options.kinds.includes(name));
    this.options = options;
    this.show();
    this.looked(toLink(options), isAsking);
    const head = kind && this.measured?.strongest(kind);
    if (Number.isInteger(head)) this.sought(Math.floor(head / this.measured.heads), head % this.measured.heads);
  }

  /** The kind of a head where heads of that kind are looked for, else null. */
  kindMeant(layer, head) {
    const kind = this.measured?.kindOf(layer * this.measured.heads + head).name;
    return kind && this.options.kinds.includes(kind) ? kind : null;
  }

  /** Mark one head as selected; move the focus with it where the focus is in the grid. */
  select(layer, head, hasFocus) {
    this.picked = [layer, head];
    this.grid.select(layer, head, hasFocus);
    this.nameKind();
  }

  mark(heads) {
    this.grid.mark(heads);
  }

  /** The focus alone moves. */
  walk(down, right) {
    this.grid.walk(down, right);
  }

  stepped(layer, head, down, right) {
    return this.grid.stepped(layer, head, down, right);
  }

  /** Beside the title of the detail: the picked head's kind. */
  nameKind() {
    const [layer, head] = this.picked;
    const index = layer * this.measured?.heads + head;
    const kind = this.measured?.kindOf(index);
    const many = this.measured === this.one ? null : this.measured;
    const rests = kind ? el('span', {class: 'caption'}, evidence(many, this.one, index, this.say)) : null;
    const {kind: holder, kindSays} = this.parts;
    const name = kind && el('button', {type: 'button', class: 'kindname', title: kind.says, 'aria-haspopup': 'true'}, glyphNode(kind), kind.title);
    if (name) name.popoverTargetElement = kindSays;
    holder.replaceChildren(...(kind ? [name, rests] : []));
    kindSays.textContent = kind?.says ?? '';
  }
}

/** A kind's name inside a sentence. */
const lowered = (title, lang) => (lang.startsWith('en') ? title[0].toLowerCase() + title.slice(1) : title);
