// The text itself: point at a word and what it looks at lights up, or what looks at it. Two texts stand under each other.

import {POSITIVE_MARK, css, textOn, weightColour} from '../kit/colour.js';
import {el, listen, sized} from '../kit/dom.js';
import {guarded} from '../kit/error_guard.js';
import {listenToOwnKeys} from '../kit/keyboard.js';
import {clamp} from '../kit/number.js';
import {groupColour, groupName, tooltip} from '../kit/token.js';
import {fillText, visible} from '../kit/words.js';
import {WHOLE_HEAD} from './head_store.js';
import {coarseOf, gapBefore, paragraphs, weightsOf} from './text_flow.js';

const LEAST = 0.003; // fainter, the fill cannot be told from the page
const SHORT = 128; // tokens up to which the text stands large
const VIRTUAL = 1024; // tokens above which paragraphs out of sight are plain text
const ASK_MS = 120;

export class InlineText {
  holder; tokens; say; act; hasTwo; k; theme; numbers; extras; focus; pinned;
  /** @type {HTMLElement[]} */
  buttons;
  /** @type {HTMLElement[]} */
  lit;

  constructor(holder, tokens, say, act) {
    const hasTwo = tokens.hasTwoTexts || tokens.queries.length !== tokens.keys.length;
    Object.assign(this, {holder, tokens, say, act, hasTwo, direction: 'query', queries: [], lit: [], at: {side: 'query', index: 0}});
    this.isLong = tokens.keys.length > WHOLE_HEAD;
    this.end = new AbortController();
    this.flows = hasTwo ? [this.flow('key', 'view-heads-text-read'), this.flow('query', 'view-heads-text-written')] : [this.flow('query')];
    this.strip = el('canvas', {class: 'strip', 'aria-hidden': 'true'});
    this.sheet = el('div', {class: 'sheet text'}, hasTwo ? null : this.switch(), ...this.flows.map(({node}) => node));
    holder.replaceChildren(el('div', {class: 'textframe'}, this.sheet, this.strip));
    this.limit = this.isLong ? fillText(say('view-heads-largest'), {shown: tokens.keys.length > VIRTUAL ? 20 : 32, total: tokens.keys.length.toLocaleString('en')}) : '';
    this.rest = {side: 'query', index: Math.min(1, tokens.queries.length - 1)};
    listen(this.strip, 'click', (event) => this.jump(event.offsetY / this.strip.clientHeight), {signal: this.end.signal});
    if (Math.max(tokens.queries.length, tokens.keys.length) > VIRTUAL) this.watch();
  }

  destroy() {
    this.end.abort();
    this.watcher?.disconnect();
    clearTimeout(this.asking);
  }

  /** One text; its words are made when they are needed. */
  flow(side, heading) {
    const tokens = side === 'query' ? this.tokens.queries : this.tokens.keys;
    const pieces = paragraphs(tokens).map(([first, end]) => ({first, end, node: this.paragraph(tokens[first].group, tokens[first - 1]?.group)}));
    const name = this.say(heading ?? 'view-heads-text-name');
    const facts = {role: 'application', tabindex: 0, 'aria-roledescription': this.say('view-heads-text-role'), 'aria-label': name, 'data-side': side};
    const body = el('div', {class: 'flow', ...facts}, ...pieces.map(({node}) => node));
    listenToOwnKeys(body, this.end.signal, (event) => this.key(event, side));
    const node = el('section', {}, heading ? el('h3', {}, name) : null, body);
    /** @type {HTMLElement[]} */
    const words = [];
    const made = {side, tokens, pieces, body, node, words};
    const isVirtual = tokens.length > VIRTUAL;
    for (const piece of pieces) isVirtual ? this.close(made, piece) : this.open(made, piece);
    return made;
  }

  /** A paragraph, beside it the band of its text or role, and over the first of each its name. */
  paragraph(group, before) {
    const node = el('p', {dir: 'auto', 'data-group': group && group !== before ? groupName(group, this.say) : null, class: group ? 'grouped' : null});
    if (group) node.style.setProperty('--band', groupColour(group));
    return node;
  }

  open(flow, piece) {
    if (flow.words[piece.first]) return;
    const nodes = [];
    for (let i = piece.first; i < piece.end; i++) {
      if (i > piece.first) nodes.push(gapBefore(flow.tokens, i));
      const token = flow.tokens[i];
      const isAdded = token.special || /^\s+$/.test(token.text);
      const kind = ['word', isAdded && 'added', token.unknown && 'unknown', token.hidden && 'crossed', token.written && 'written'].filter(Boolean).join(' ');
      const facts = {class: kind, 'data-index': i, title: tooltip(token, this.say)};
      nodes.push((flow.words[i] = el('span', facts, visible(token.text))));
    }
    piece.node.replaceChildren(...nodes);
  }

  /** Out of sight a paragraph is plain text of the same size. */
  close(flow, piece) {
    const text = [];
    for (let i = piece.first; i < piece.end; i++) {
      text.push((i > piece.first ? gapBefore(flow.tokens, i) : '') + visible(flow.tokens[i].text));
      delete flow.words[i];
    }
    piece.node.textContent = text.join('');
  }

  watch() {
    const places = new Map(this.flows.flatMap((flow) => flow.pieces.map((piece) => [piece.node, [flow, piece]])));
    this.watcher = new IntersectionObserver(guarded(this.sheet, (entries) => {
      for (const {target, isIntersecting} of entries) {
        const [flow, piece] = places.get(target) ?? [];
        if (!flow || !piece) continue;
        if (isIntersecting) this.open(flow, piece);
        else this.close(flow, piece);
      }
      this.paint();
    }), {root: this.holder, rootMargin: '400px 0px'});
    for (const node of places.keys()) this.watcher.observe(node);
  }

  /** Which way a word is read: what it looks at, or what looks at it. */
  switch() {
    const choices = {query: 'view-heads-text-from', key: 'view-heads-text-to'};
    this.buttons = Object.entries(choices).map(([side, id]) => el('button', {type: 'button', 'aria-pressed': side === this.direction, click: () => this.turn(side)}, this.say(id)));
    return el('div', {class: 'turn'}, el('div', {class: 'segments', role: 'group', 'aria-label': this.say('view-heads-text-direction')}, ...this.buttons));
  }

  turn(side) {
    if (side === this.direction) return;
    this.face(side);
    if (this.pinned && !this.isLong) this.act.click({side, index: this.pinned.index});
    else if (this.focus) this.act.hover(this.emitted(this.at.index, side));
    this.act.highlight();
  }

  layout({k, theme, height}) {
    Object.assign(this, {k, theme});
    const most = Math.max(this.tokens.queries.length, this.tokens.keys.length);
    this.sheet.classList.toggle('large', most <= SHORT);
    this.strip.hidden = height === null || most <= SHORT;
    this.height = height;
  }

  show(numbers, extras) {
    Object.assign(this, {numbers, extras});
  }

  isolate(focus, pinned) {
    Object.assign(this, {focus, pinned});
    const isPinned = focus && focus.side === pinned?.side && focus.index === pinned.index;
    if (isPinned && !this.hasTwo && !this.isLong) this.face(focus.side); // a column that was pinned elsewhere is read as one here
    this.at = this.readOf(focus ?? this.rest);
    this.paint();
  }

  face(side) {
    this.direction = side;
    this.buttons.forEach((button, i) => button.setAttribute('aria-pressed', String((i === 0) === (side === 'query'))));
  }

  /** What the sentence is about: of one text the word in the direction that is switched on. */
  readOf(focus) {
    return focus && !this.hasTwo ? {side: this.direction, index: focus.index} : focus;
  }

  paint() {
    const {at, numbers, extras, theme} = this;
    if (!at || !theme) return;
    const [n, m] = [this.tokens.queries.length, this.tokens.keys.length];
    const read = numbers ? weightsOf(at, numbers, extras?.parts ?? [], n, m) : {items: extras?.preview && extras.preview.rows > 1 ? coarseOf(at, extras.preview) : [], isAll: true};
    const other = this.hasTwo ? (at.side === 'query' ? 0 : 1) : 0;
    for (const node of this.lit) Object.assign(node.style, {background: '', color: '', boxShadow: '', forcedColorAdjust: ''});
    this.lit = [];
    const {words} = this.flows[other];
    const least = Math.max(LEAST, numbers?.floor ?? 0);
    for (const {index, weight} of read.items) {
      const node = words[index];
      if (!node || weight < least) continue;
      const fill = weightColour(weight, theme);
      const colour = css(fill);
      Object.assign(node.style, {background: colour, color: textOn(fill), boxShadow: `0 0 0 ${1.5 * this.k}px ${colour}`, forcedColorAdjust: 'none'});
      this.lit.push(node);
    }
    const word = this.flows[this.hasTwo ? 1 - other : 0].words[at.index];
    if (this.own !== word) this.own?.classList.remove('own');
    this.own = word;
    word?.classList.add('own');
    word?.classList.toggle('pinned', this.pinned?.index === at.index);
    this.drawStrip(read.items, other);
    clearTimeout(this.asking);
    if (at.side === 'key' && !read.isAll && extras?.ask) this.asking = setTimeout(guarded(this.sheet, () => extras.ask([0, n], [at.index, at.index + 1])), ASK_MS);
  }

  /** Beside a long text: where in it the light falls. */
  drawStrip(items, other) {
    if (this.strip.hidden || this.height === null) return;
    const tall = this.holder.clientHeight;
    const context = sized(this.strip, 10 * this.k, tall);
    context.clearRect(0, 0, 10 * this.k, tall);
    const count = this.flows[other].tokens.length;
    context.fillStyle = POSITIVE_MARK[this.theme];
    for (const {index, weight} of items) {
      if (weight < LEAST) continue;
      context.globalAlpha = Math.min(1, Math.sqrt(weight) + 0.15);
      context.fillRect(0, (index / count) * tall, 10 * this.k, Math.max(2 * this.k, tall / count));
    }
    context.globalAlpha = 1;
    context.fillStyle = getComputedStyle(this.sheet).getPropertyValue('--ink');
    if (!this.hasTwo) context.fillRect(0, (this.at.index / count) * tall, 10 * this.k, 2 * this.k);
  }

  jump(share) {
    const {tokens} = this.flows[0];
    this.reveal(Math.min(tokens.length - 1, Math.floor(share * tokens.length)), this.flows[0].side);
  }

  emitted(index, side) {
    return {side: !this.hasTwo && this.isLong ? 'query' : side, index}; // columns of long texts are not kept in the link
  }

  under(event) {
    const word = event.target.closest('.word');
    const flow = event.target.closest('.flow');
    if (!flow) return null;
    const side = this.hasTwo ? flow.dataset.side : this.direction;
    if (event.type === 'focusin') return this.emitted(this.at?.side === side || !this.hasTwo ? this.at.index : 0, side);
    return word ? this.emitted(Number(word.dataset.index), side) : null;
  }

  key(event, side) {
    const read = this.hasTwo ? side : this.direction;
    const flow = this.flows.find((one) => one.side === side) ?? this.flows[0];
    const here = !this.hasTwo || this.at?.side === side ? this.at.index : 0;
    const steps = {ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity};
    let to = null;
    if (Object.hasOwn(steps, event.key)) to = here + steps[event.key];
    else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') to = this.lineFrom(flow, here, event.key === 'ArrowUp' ? -1 : 1);
    else if (event.key === 'Enter' || event.key === ' ') this.act.click(this.emitted(here, read));
    else return false;
    if (to === null) return true;
    const index = clamp(to, 0, flow.tokens.length - 1);
    this.reveal(index, side);
    this.act.hover(this.emitted(index, read));
    return true;
  }

  /** The word above or below, on the next line that is drawn. */
  lineFrom(flow, here, step) {
    const from = flow.words[here]?.getBoundingClientRect();
    if (!from) return here + step * 10;
    let best = here;
    let line = null;
    for (let i = here + step; flow.words[i]; i += step) {
      const box = flow.words[i].getBoundingClientRect();
      if (Math.abs(box.top - from.top) < from.height / 2) continue;
      line ??= box.top;
      if (Math.abs(box.top - line) >= from.height / 2) break;
      const away = (at) => Math.abs(at.left + at.width / 2 - from.left - from.width / 2);
      if (best === here || away(box) < away(flow.words[best].getBoundingClientRect())) best = i;
    }
    return best;
  }

  reveal(index, side) {
    const flow = this.flows.find((one) => one.side === side) ?? this.flows[0];
    const piece = flow.pieces.find(({first, end}) => index >= first && index < end);
    if (!piece) return;
    this.open(flow, piece);
    if (this.height === null) return; // the page scrolls, not the text
    const [box, frame] = [flow.words[index].getBoundingClientRect(), this.holder.getBoundingClientRect()];
    if (box.top < frame.top + 8 || box.bottom > frame.bottom - 8) this.holder.scrollTop += box.top - frame.top - frame.height / 2;
  }
}
