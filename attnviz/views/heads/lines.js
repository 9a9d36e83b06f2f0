// Up to 64 tokens: every line of the head. Three canvases: all lines, all lines faded, and the row that is isolated.

import {POSITIVE_MARK} from '../kit/colour.js';
import {el, sized} from '../kit/dom.js';
import {lineGeometry} from '../kit/layout.js';
import {pct} from '../kit/number.js';
import {FADED, openAlpha, pickedAlpha, ribbon} from './ribbon.js';
import {keyColumn, queryColumn, wordRuns} from './tokencolumn.js';

export const FLOOR = 0.01; // lines and percentages below are left out, and the view says so
const FADED_FLOOR = 0.03; // at this faintness thinner lines cannot be seen at all

export class Lines {
  constructor(holder, tokens, say) {
    Object.assign(this, {holder, tokens});
    this.layers = {open: el('canvas'), faded: el('canvas'), picked: el('canvas')};
    for (const [name, canvas] of Object.entries(this.layers)) canvas.className = `layer ${name}`;
    this.queries = queryColumn(tokens, say);
    this.keys = keyColumn(tokens, say);
    this.runs = wordRuns(tokens).flatMap((run) => [rule(run, 'left'), rule(run, 'right')]);
    this.sheet = el(
      'div',
      {class: 'sheet', role: 'group', 'aria-label': say('view-heads-lines')},
      ...this.keys.map(({bar}) => bar),
      ...Object.values(this.layers),
      ...this.runs.map(({node}) => node),
      el('div', {class: 'queries'}, ...this.queries),
      el('div', {class: 'keycolumn'}, ...this.keys.map(({node}) => node)),
    );
    holder.replaceChildren(this.sheet);
  }

  /** Lay out for a size; `picked` is scrolled into view where the rows do not fit. */
  layout({k, widest, theme, height}) {
    const width = this.holder.clientWidth;
    const room = height ?? Math.min(640 * k, Math.max(this.tokens.length * 34 * k, 220 * k));
    const place = lineGeometry({width, height: room, n: this.tokens.length, k, widest});
    Object.assign(this, {place, k, theme, width});
    this.sheet.style.height = `${place.height}px`;
    this.sheet.style.setProperty('--row', `${place.row}px`);
    this.sheet.style.setProperty('--font', `${place.font}px`);
    this.queries.forEach((node, i) => {
      Object.assign(node.style, {top: `${place.y(i) - place.row / 2}px`, width: `${place.x1 + 6 * k}px`});
    });
    this.keys.forEach(({node, bar}, i) => {
      Object.assign(node.style, {top: `${place.y(i) - place.row / 2}px`, left: `${place.x2 - 6 * k}px`});
      const [top, left, longest] = [place.y(i) - place.row * 0.4, place.x2 + 6 * k, width - place.x2 - 56 * k];
      Object.assign(bar.style, {top: `${top}px`, left: `${left}px`, width: `${longest}px`});
    });
    this.runs.forEach(({run: [first, last], side, node}) => {
      const x = side === 'left' ? place.x1 + k : place.x2 - 2.5 * k;
      const [top, tall] = [place.y(first) - place.font * 0.5, place.y(last) - place.y(first) + place.font];
      Object.assign(node.style, {top: `${top}px`, height: `${tall}px`, left: `${x}px`});
    });
    this.contexts = {};
    for (const [name, canvas] of Object.entries(this.layers)) {
      this.contexts[name] = sized(canvas, width, place.height);
      this.contexts[name].fillStyle = POSITIVE_MARK[theme];
    }
    this.painted = {};
  }

  /** Another head: the two pictures of all lines are painted again when they are next needed. */
  show(numbers) {
    this.numbers = numbers;
    this.painted = {};
  }

  /** focus: {side: 'query' | 'key', index}, or null for all lines. `pinned` is the index of the pinned query. */
  isolate(focus, pinned) {
    this.paintAll(focus ? 'faded' : 'open');
    this.sheet.classList.toggle('isolated', focus !== null);
    this.paintPicked(focus);
    this.mark(focus, pinned);
  }

  paintAll(name) {
    if (this.painted[name]) return;
    this.painted[name] = true;
    const context = this.contexts[name];
    const {n, weight} = this.numbers;
    context.clearRect(0, 0, this.width, this.place.height);
    const floor = name === 'faded' ? FADED_FLOOR : FLOOR;
    for (let query = 0; query < n; query++)
      for (let key = 0; key < n; key++) {
        const w = weight(query, key);
        if (w >= floor) this.line(context, query, key, w, name === 'faded' ? FADED : openAlpha(w));
      }
  }

  paintPicked(focus) {
    const context = this.contexts.picked;
    const {n, weight} = this.numbers;
    context.clearRect(0, 0, this.width, this.place.height);
    for (let other = 0; focus && other < n; other++) {
      const [query, key] = focus.side === 'query' ? [focus.index, other] : [other, focus.index];
      const w = weight(query, key);
      if (w >= FLOOR) this.line(context, query, key, w, pickedAlpha(w));
    }
  }

  line(context, query, key, weight, alpha) {
    ribbon(context, this.place, this.place.y(query), this.place.y(key), weight, this.k, alpha);
  }

  /** Fade, weigh and number the tokens. Numbers wait for exact weights; until then their places are hatched. */
  mark(focus, pinned) {
    const {weight, isExact} = this.numbers;
    const isColumn = focus?.side === 'key';
    this.tokens.forEach((_, i) => {
      const w = focus === null ? null : isColumn ? weight(i, focus.index) : weight(focus.index, i);
      const own = focus === null ? '' : i === focus.index ? 'strong' : 'faint';
      const other = w === null ? '' : w > 0.2 ? 'strong' : w >= 0.03 ? 'some' : 'faint';
      const query = this.queries[i];
      const key = this.keys[i];
      query.dataset.level = isColumn ? other : own;
      key.node.dataset.level = isColumn ? own : other;
      query.setAttribute('aria-pressed', String(i === pinned));
      query.tabIndex = i === (pinned ?? focus?.index ?? 0) ? 0 : -1;
      const isShown = w !== null && !isColumn && w >= FLOOR;
      key.percent.textContent = isShown && isExact ? pct(w) : '';
      key.percent.classList.toggle('waiting', isShown && !isExact);
      key.bar.style.transform = `scaleX(${isShown ? w : 0})`;
    });
  }

  /** Bring a token into view where the column scrolls. */
  reveal(index) {
    const {clientHeight, scrollTop} = this.holder;
    const y = this.place.y(index);
    if (this.place.height > clientHeight + 1 && (y < scrollTop + 20 || y > scrollTop + clientHeight - 20))
      this.holder.scrollTop = y - clientHeight / 2;
  }
}

/** The rule beside the pieces of one word. */
function rule(run, side) {
  return {run, side, node: el('i', {class: 'run', 'aria-hidden': 'true'})};
}
