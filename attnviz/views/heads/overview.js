// All heads of a part: how many are of each kind, in which order they stand, what lies over them. No server is asked.

import {el} from '../kit/dom.js';
import {fillText} from '../kit/words.js';
import {glyphNode} from '../kit/glyph.js';
import {HeadGrid} from './headgrid.js';
import {KindBar} from './kindbar.js';
import {kindsOf, said} from './measured.js';
import {isMeant, optionsOf, toLink} from './overview_options.js';
import {orderBy} from './order.js';
import {OverviewBar} from './overviewbar.js';

const FIRST_METRIC = 'first';

export class Overview {
  parts; say; lang; isAlone; looked; given; metric;

  /** `chosen(layer, head, isMore)` is told of a click, `looked(link, isUrgent)` of another way to look at all heads. */
  constructor(parts, {say, lang, isAlone, signal, chosen, looked}) {
    Object.assign(this, {parts, say, lang, isAlone, looked, options: optionsOf(), picked: [0, 0]});
    const changed = (options) => this.change(options);
    this.bar = new OverviewBar(parts.overviewBar, {say, changed});
    this.kindBar = new KindBar(parts.kinds, {say, changed});
    this.grid = new HeadGrid(parts.grid, {signal, chosen});
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
    const found = known[options.source];
    const [layers, heads] = maps.shape;
    this.measured = found?.counts && found.layers === layers && found.heads === heads ? found : null;
    const sort = this.has(options.sort);
    this.metric = this.has(options.overlay) || sort || this.has(FIRST_METRIC);
    this.bar.show(options, known, this.measured, this.metric);
    this.kindBar.show(this.measured ?? found, options, !this.isAlone);
    const order = sort ? orderBy(this.measured.size, (index) => this.measured.value(sort, index)) : null;
    this.grid.draw({maps, table, order, look: this.lookOf(heads), theme, k, isSide, picked: this.picked});
    this.nameKind();
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
      value: (index) => (sort ? said(measured.metric(sort).unit, measured.value(sort, index)) : null),
      share: (index) => (metric ? Math.abs(measured.value(metric, index)) / measured.most(metric) : NaN),
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
    this.options = options;
    this.show();
    this.looked(toLink(options), isAsking);
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
    const rows = this.measured?.rowsOf(index);
    const [id, n] = rows === undefined ? ['view-heads-source-many', this.measured?.n] : ['view-heads-rests-on', rows];
    const rests = kind ? el('span', {class: 'caption'}, fillText(this.say(id), {n})) : null;
    this.parts.kind.replaceChildren(...(kind ? [glyphNode(kind), kind.title, rests] : []));
    this.parts.kind.title = kind?.says ?? '';
  }
}

/** A kind's name inside a sentence. */
const lowered = (title, lang) => (lang.startsWith('en') ? title[0].toLowerCase() + title.slice(1) : title);
