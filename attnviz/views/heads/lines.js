// Up to 64 tokens: every line of the head. Three canvases: all lines, all lines faded, and the row that is isolated.

import {POSITIVE_MARK} from '../kit/colour.js';
import {SERIES} from '../kit/palette.js';
import {el, isOnPaper, setLengths, sized} from '../kit/dom.js';
import {BAND, Bands} from '../kit/bands.js';
import {guarded} from '../kit/error_guard.js';
import {pct} from '../kit/number.js';
import {isStill} from '../kit/theme.js';
import {FADED, drawLine, lineGeometry, openAlpha, pickedAlpha} from './line_geometry.js';
import {keyColumn, levelOf, queryColumn, wordRuns} from './token_column.js';

const FLOOR = 0.01; // lines and percentages below are left out, and the view says so
const MOVE_MS = 200; // from head to head
const MOVED = 900; // lines that can be painted again in every frame of that
const A_FRAME = 240; // lines painted at once
const NOTHING = {weight: () => 0}; // of a head whose numbers are on their way
const FADED_FLOOR = 0.03; // at this faintness thinner lines cannot be seen at all

export class Lines {
  holder; frames; say; place; k; theme; width; focus; pinned;
  /** @type {Record<string, any>} */
  contexts;
  /** @type {Record<string, boolean>} */
  painted;

  constructor(holder, tokens, say) {
    Object.assign(this, {holder, tokens, frames: {}, say});
    this.layers = {open: el('canvas'), faded: el('canvas'), picked: el('canvas')};
    for (const [name, canvas] of Object.entries(this.layers)) canvas.className = `layer ${name}`;
    this.queries = queryColumn(tokens.queries, say);
    this.keys = keyColumn(tokens.keys, say);
    const rules = (run) => ({run, node: el('i', {class: 'run', 'aria-hidden': 'true'})}); // beside the pieces of one word
    this.runs = {query: wordRuns(tokens.queries).map(rules), key: wordRuns(tokens.keys).map(rules)};
    this.pending = el('div', {class: 'pending hatched', 'aria-hidden': 'true'});
    this.sheet = el(
      'div',
      {class: 'sheet', role: 'group', 'aria-label': say('view-heads-lines')},
      ...this.keys.map(({bar}) => bar),
      ...Object.values(this.layers),
      this.pending,
      ...Object.values(this.runs).flat().map(({node}) => node),
      el('div', {class: 'queries'}, ...this.queries),
      el('div', {class: 'keycolumn'}, ...this.keys.map(({node}) => node)),
    );
    this.bands = {query: new Bands(this.sheet, 'row', tokens.queries, say), key: new Bands(this.sheet, 'row', tokens.keys, say)};
    holder.replaceChildren(this.sheet);
  }

  layout({k, widest, theme, height}) {
    const width = this.holder.clientWidth;
    const [n, nKeys] = [this.queries.length, this.keys.length];
    const room = height ?? Math.min(640 * k, Math.max(Math.max(n, nKeys) * 34 * k, 220 * k));
    const beside = this.bands.key.areThere ? 1.2 : 0; // em that a band takes beside a token
    const place = lineGeometry({width, height: room, n, nKeys, k, widest: widest + beside});
    Object.assign(this, {place, k, theme, width});
    this.sheet.style.height = `${place.height}px`;
    this.sheet.classList.toggle('cut', place.height > room + 1);
    setLengths(this.pending, {left: place.x1 + 8 * k, width: place.x2 - place.x1 - 16 * k});
    this.sheet.style.setProperty('--row', `${place.row}px`);
    this.sheet.style.setProperty('--font', `${place.font}px`);
    this.queries.forEach((node, i) => {
      setLengths(node, {width: place.x1 + 6 * k});
      node.style.transform = `translateY(${place.y(i) - place.row / 2}px)`; // with another height nothing is laid out anew
    });
    this.keys.forEach(({node, bar}, i) => {
      setLengths(node, {width: width - place.x2 + 6 * k});
      node.style.transform = `translate(${place.x2 - 6 * k}px, ${place.yKey(i) - place.row / 2}px)`;
      const [top, left, longest] = [place.yKey(i) - place.row * 0.4, place.x2 + 6 * k, width - place.x2 - 56 * k];
      setLengths(bar, {top, left, width: longest});
    });
    const placeRules = (rules, left, y) => {
      for (const {run: [first, last], node} of rules)
        setLengths(node, {top: y(first) - place.font * 0.5, height: y(last) - y(first) + place.font, left});
    };
    placeRules(this.runs.query, place.x1 + k, place.y);
    placeRules(this.runs.key, place.x2 - 2.5 * k, place.yKey);
    this.bands.query.show((i) => place.y(i) - place.row / 2, 0);
    this.bands.key.show((i) => place.yKey(i) - place.row / 2, width - BAND * k);
    this.contexts = {};
    for (const [name, canvas] of Object.entries(this.layers)) this.contexts[name] = sized(canvas, width, place.height);
    this.painted = {};
  }

  /** What is left out; a filter that leaves out more says so itself. */
  get limit() {
    return this.least > FLOOR ? '' : this.say('view-heads-floor');
  }

  /** Another head: the two pictures of all lines are painted again when they are next needed. */
  show(numbers) {
    const before = this.numbers;
    this.numbers = numbers;
    this.moving = null;
    this.pending.hidden = Boolean(numbers);
    this.painted = {};
    const areFew = this.queries.length * this.keys.length <= MOVED;
    if (areFew && before?.weight && numbers?.weight && !before.layers && !numbers.layers && !isStill() && !isOnPaper()) this.move(before);
  }

  /** The lines go from one head to the next, so that the eye follows; the numbers beside them are the next one's at once. */
  move(before) {
    const start = performance.now();
    const step = guarded(this.sheet, () => {
      const share = Math.min(1, (performance.now() - start) / MOVE_MS);
      this.moving = share < 1 ? {before, share: share * (2 - share)} : null;
      this.painted = {};
      this.isolate(this.focus, this.pinned);
      if (this.moving) this.frames.move = requestAnimationFrame(step);
    });
    cancelAnimationFrame(this.frames.move);
    this.moving = {before, share: 0};
    this.frames.move = requestAnimationFrame(step);
  }

  /** focus, pinned: {side: 'query' | 'key', index}; without focus all lines are shown, and more of them behind a pinned one. */
  isolate(focus, pinned) {
    Object.assign(this, {focus, pinned});
    const isResting = focus !== null && focus.side === pinned?.side && focus.index === pinned.index;
    this.paintAll(focus && !isResting ? 'faded' : 'open');
    this.sheet.classList.toggle('isolated', focus !== null);
    this.sheet.classList.toggle('resting', isResting);
    this.paintPicked(focus);
    this.mark(focus, pinned);
  }

  /** All lines, the largest first; what does not fit into one frame follows in the next ones. */
  paintAll(name) {
    if (this.painted[name]) return;
    this.painted[name] = true;
    cancelAnimationFrame(this.frames[name]);
    const context = this.contexts[name];
    context.clearRect(0, 0, this.width, this.place.height);
    const floor = name === 'faded' ? FADED_FLOOR : FLOOR;
    const lines = this.linesFrom(floor);
    const most = isOnPaper() ? lines.length : A_FRAME;
    const some = (start) => {
      for (const [query, key, weight, at] of lines.slice(start, start + most))
        this.line(context, query, key, weight, name === 'faded' ? FADED : openAlpha(weight), at);
      if (start + most < lines.length) this.frames[name] = requestAnimationFrame(guarded(this.sheet, () => some(start + most)));
    };
    some(0);
  }

  linesFrom(floor) {
    const lines = [];
    const least = Math.max(floor, this.least);
    this.heads.forEach(({weight}, at) => {
      for (let query = 0; query < this.queries.length; query++)
        for (let key = 0; key < this.keys.length; key++) {
          const w = weight(query, key);
          if (w >= least) lines.push([query, key, w, at]);
        }
    });
    return lines.sort((a, b) => b[2] - a[2]);
  }

  /** The heads whose lines are drawn: one, or those that are overlaid, each in its colour. */
  get heads() {
    if (this.moving) {
      const {before, share} = this.moving;
      return [{weight: (query, key) => before.weight(query, key) * (1 - share) + this.numbers.weight(query, key) * share}];
    }
    return this.numbers?.layers ?? [this.numbers].filter(Boolean);
  }

  /** No line below this, as a filter says; the view's own floor stands below it. */
  get least() {
    return Math.max(FLOOR, this.numbers?.floor ?? 0);
  }

  paintPicked(focus) {
    const context = this.contexts.picked;
    const others = focus?.side === 'query' ? this.keys.length : this.queries.length;
    context.clearRect(0, 0, this.width, this.place.height);
    for (let other = 0; focus && other < others; other++) {
      const [query, key] = focus.side === 'query' ? [focus.index, other] : [other, focus.index];
      this.heads.forEach(({weight}, at) => {
        const w = weight(query, key);
        if (w >= this.least) this.line(context, query, key, w, pickedAlpha(w), at);
      });
    }
  }

  /** `at`: which of the heads; overlaid ones share a row in lanes, so that none hides another. */
  line(context, query, key, weight, alpha, at) {
    const {place, theme, k} = this;
    const {length} = this.heads;
    const lane = place.row / length;
    const apart = (at - (length - 1) / 2) * lane * 0.8;
    context.fillStyle = length > 1 ? SERIES[theme][at] : POSITIVE_MARK[theme];
    drawLine(context, {...place, row: lane}, place.y(query) + apart, place.yKey(key) + apart, weight, k, alpha);
  }

  /** Weigh and number the tokens. Numbers wait for exact weights; until then their places are hatched. */
  mark(focus, pinned) {
    const {weight} = this.numbers ?? NOTHING;
    const isColumn = focus?.side === 'key';
    const isPinned = (side, i) => String(pinned?.side === side && pinned.index === i);
    const level = (i) => (focus === null ? '' : i === focus.index ? 'strong' : 'faint');
    const other = (w) => (w === null ? '' : levelOf(w));
    const stop = (pinned?.side === 'query' ? pinned.index : null) ?? (isColumn ? 0 : (focus?.index ?? 0));
    this.queries.forEach((node, i) => {
      const w = isColumn ? weight(i, focus.index) : null;
      node.dataset.level = isColumn ? other(w) : level(i);
      node.setAttribute('aria-pressed', isPinned('query', i));
      node.tabIndex = i === stop ? 0 : -1;
      this.number(node.firstChild, w);
    });
    this.keys.forEach(({node, bar, percent}, i) => {
      const w = focus === null || isColumn ? null : weight(focus.index, i);
      node.dataset.level = isColumn ? level(i) : other(w);
      node.setAttribute('aria-pressed', isPinned('key', i));
      bar.style.transform = `scaleX(${this.number(percent, w) ? w : 0})`;
    });
  }

  /** The percentage at a token, and whether it has one: null and what has no line have none. */
  number(node, weight) {
    const isShown = weight !== null && weight >= this.least;
    const isExact = Boolean(this.numbers?.isExact);
    node.textContent = isShown && isExact ? pct(weight) : '';
    node.classList.toggle('waiting', isShown && !isExact);
    return isShown;
  }

  /** Bring a token into view where the column scrolls, and with it a key: both if there is room for both, else the key. */
  reveal(index, side = 'query', key = null, isCentred = false) {
    const {holder, sheet, place} = this;
    if (!sheet.classList.contains('cut')) return;
    const {clientHeight, scrollTop} = holder;
    const edge = place.pad + place.font / 2; // what fades, and half a line of text
    const y = side === 'query' ? place.y(index) : place.yKey(index);
    const other = key === null ? y : place.yKey(key);
    const isRoom = Math.abs(y - other) <= clientHeight - 2 * edge;
    const [first, last] = [isRoom ? Math.min(y, other) : other, isRoom ? Math.max(y, other) : other];
    if (isCentred || first < scrollTop + edge || last > scrollTop + clientHeight - edge) holder.scrollTop = (first + last - clientHeight) / 2;
  }
}
