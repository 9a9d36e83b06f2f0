// What stands over the picture: which heads it shows, the filters, and in words what they do to the numbers.

import {listen} from '../kit/dom.js';
import {fillText, headInWords} from '../kit/words.js';
import {FilterBar} from './filter_bar.js';
import {saidFilters} from './filters_in_words.js';
import {MOST, TOGETHER, headsOf} from './several_heads.js';
import {SeveralBar} from './several_heads_bar.js';
import {settingsOf} from './filter_settings.js';

const NARROW = 480; // px × k of the detail below which the filters fold away

export class Bars {
  parts; say;

  /** `tokens`: the model's own, {queries, keys}. `act`: look({filter} or {together}), addHead(layer, head), one head more or less. */
  constructor(parts, {say, signal, act, tokens, sinkShare}) {
    Object.assign(this, {parts, say, isAdding: false});
    this.filters = new FilterBar(parts.filters, {say, signal, changed: (filter) => act.look({filter}), tokens, sinkShare});
    this.several = new SeveralBar(parts.together, {say, act});
    const press = () => {
      this.add(!this.isAdding);
      if (!this.isTogether) act.look({together: this.isAdding ? TOGETHER[0] : ''});
    };
    listen(parts.several, 'click', press, {signal});
  }

  /** Whether a click in the overview adds a head rather than going to it; with one head alone, the link says so too. */
  add(isAdding) {
    this.isAdding = isAdding;
    this.parts.several.setAttribute('aria-pressed', String(isAdding));
  }

  /** `way`: how the head is shown, only lines can lie over each other; `refused`: a head beyond as many as there can be. */
  show(picked, {numbers, isWhole, isPlain, way, refused}, lens, {k, theme}) {
    const {parts, say} = this;
    const heads = headsOf(picked);
    const isTogether = (this.isTogether = heads.length > 1 && !isPlain);
    const isNarrow = parts.lines.clientWidth < NARROW * k;
    this.filters.fit(isNarrow);
    parts.filters.closest('.heads').dataset.filters = isNarrow ? 'narrow' : 'wide';
    this.filters.show(picked.filter, isWhole);
    const isOverlaid = picked.together === 'overlay' && way === 'lines' && isWhole;
    this.several.show(picked, isOverlaid ? theme : null);
    parts.filters.hidden = isPlain;
    if (isPlain) parts.together.hidden = true;
    parts.kind.hidden = isTogether && isWhole; // a kind is one head's
    const title = isTogether && isWhole ? {id: 'several-title', n: heads.length} : {id: 'title', layer: picked.layer + 1, head: picked.head + 1};
    parts.title.textContent = fillText(say(`view-heads-${title.id}`), title);
    const said = isPlain ? [] : saidFilters(numbers, isOverlaid, lens, settingsOf(picked.filter), say);
    if (isTogether && !isWhole) said.unshift(fillText(say('view-heads-said-one-of-several'), {named_head: headInWords(say, heads[0])}));
    if (isPlain && (picked.filter || heads.length > 1)) said.push(say('view-heads-said-plain'));
    if (this.isAdding && heads.length < 2 && !isPlain) said.unshift(say('view-heads-several-hint'));
    if (refused) said.unshift(fillText(say('view-heads-several-full'), {n: MOST, named_head: headInWords(say, refused)}));
    parts.said.textContent = said.join(' · ');
  }
}
