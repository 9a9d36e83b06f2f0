// One head, drawn in one of several ways, and the sentence below it. A way is a class; a new one is a row of WAYS:
//   constructor(element, {queries, keys}, say, act)   draws into the element; the tokens are those `show` has numbers of;
//                                                act has hover(focus), click(focus) and highlight()
//   layout({k, theme, widest, height})           its size; height is null where the page scrolls
//   show(numbers, extras)                        another head; null while nothing is known of it; see preview_and_parts.js
//   isolate(focus, pinned)                       what is under the pointer, else pinned, else null
// and, where it has them:
//   ownTable(corner)  its own table, where it shows other numbers than weights
//   limit      what it leaves out, in words       rest     what is read where nothing is picked
//   controls   buttons for the row above it       readOf(focus)   what the sentence is about, where it is more than that
//   queries    buttons of the left column         under(event)   the focus an event is about, where tokens are no elements
//   destroy()  undo what outlives its elements      reveal(index, side, key, isCentred)   bring a token into view, and a key with it
// A focus is {side: 'query' | 'key', index}, with `other` where one cell of that row or column is meant.

import {el, isOnPaper} from '../kit/dom.js';
import {clamp} from '../kit/number.js';
import {lineHeadings, takeMenu} from '../kit/export_menu.js';
import {widestToken} from '../kit/token.js';
import {fillText} from '../kit/words.js';
import {Heatmap} from './heatmap.js';
import {InlineText} from './inline_text.js';
import {Lines} from './lines.js';
import {Neurons} from './neurons.js';
import {NoLines} from './no_lines.js';
import {listenToTokens} from './pointer.js';
import {Reading} from './reading_line.js';
import {RowLines} from './row_lines.js';
import {isAllBelow} from './filters_in_words.js';
import {headTable} from './head_table.js';
import {headName} from './several_heads.js';

const ALL_LINES = 64; // tokens up to which every line is drawn
const NO_LINES = 256; // tokens above which none is
const [TOKEN_HEIGHT, LEAST, MOST] = [38, 220, 640]; // px × k of one token, and of all of them, under the overview

/** The ways by name, in the order of their keys 1, 2, 3 …; each says which class draws this many tokens. */
export const WAYS = {
  lines: (longest) => (longest <= ALL_LINES ? Lines : longest <= NO_LINES ? RowLines : NoLines),
  heatmap: () => Heatmap,
  text: () => InlineText,
  neurons: () => Neurons,
};

/** The way a text of this length is shown in where nobody chose one. */
const usualWay = (longest) => (longest > ALL_LINES ? 'text' : 'lines');

const longestOf = ({queries, keys}) => Math.max(queries.length, keys.length);

export class Detail {
  parts; say; hasTwoTexts; act; tokens; name; numbers; extras; heads;
  /** @type {Reading} */
  reading;

  /** `act`: hover(focus), click(focus), chooseWay(way); `hasTwoTexts`: one is read, another is written. */
  constructor(parts, {say, signal, hasTwoTexts, act}) {
    Object.assign(this, {parts, say, hasTwoTexts, act, way: null, tokens: null});
    this.tabs = Object.keys(WAYS).map((name, i) => {
      const facts = {type: 'button', 'data-way': name, 'aria-keyshortcuts': i + 1};
      return el('button', {...facts, click: () => act.chooseWay(name)}, say(`view-heads-way-${name}`));
    });
    parts.ways.replaceChildren(...this.tabs);
    listenToTokens(parts.lines, () => this.way, signal, act);
    parts.take.replaceChildren(...takeMenu({say, rows: () => (this.numbers?.isExact ? this.table() : null), file: () => this.fileName}));
    signal.addEventListener('abort', () => this.way?.destroy?.());
  }

  /** Show these tokens in this way; true where that is another picture, which has to be laid out. */
  use(name, tokens) {
    const shown = Object.hasOwn(WAYS, name ?? '') ? name : usualWay(longestOf(tokens));
    const isSame = this.name === shown && this.tokens?.queries === tokens.queries && this.tokens?.keys === tokens.keys;
    if (isSame) return false;
    this.way?.destroy?.();
    Object.assign(this, {name: shown, tokens});
    this.way = new (WAYS[shown](longestOf(tokens)))(this.parts.lines, {...tokens, hasTwoTexts: this.hasTwoTexts}, this.say, this.act);
    this.parts.controls.replaceChildren(...(this.way.controls ?? []));
    this.reading = new Reading(this.parts.reading, tokens, this.say);
    this.parts.lines.scrollTop = 0;
    this.parts.lines.dataset.way = shown;
    for (const tab of this.tabs) tab.setAttribute('aria-pressed', String(tab.dataset.way === shown));
    return true;
  }

  /** Where it lies under the overview every way has the same room, so that nothing below moves from one to the next. */
  layout({k, theme, isSide, family}) {
    const {lines} = this.parts;
    const widest = widestToken([...this.tokens.queries, ...this.tokens.keys], family);
    const isFree = !isSide && isOnPaper();
    lines.style.height = isSide || isFree ? '' : `${clamp(longestOf(this.tokens) * TOKEN_HEIGHT, LEAST, MOST) * k}px`;
    this.way.layout({k, theme, widest, height: isFree ? null : lines.clientHeight});
  }

  /** Another head, or several: `heads` are their [layer, head]. */
  show(numbers, extras, heads) {
    Object.assign(this, {numbers, extras, heads});
    this.way.show(numbers, extras);
    this.parts.limit.textContent = this.way.limit ?? '';
  }

  get headNames() {
    return this.heads.map(headName);
  }

  get fileName() {
    const {floor, isTaken, removed} = this.numbers ?? {};
    return `head-${this.headNames.join('-')}${floor || isTaken || removed ? '-filtered' : ''}`;
  }

  /** The head on screen as a table. */
  table() {
    const {say, numbers, tokens, parts} = this;
    const corner = fillText(say('view-heads-table-corner'), {heads: this.headNames.join(' + '), together: numbers?.together ?? ''});
    const said = [corner, parts.said.textContent].filter(Boolean).join(' · ');
    const ownTable = this.way.ownTable?.(said); // a way that shows other numbers than weights
    if (ownTable) return ownTable;
    const kept = numbers.weight ? tokens.keys.length : numbers.keys(0, Infinity).length; // of each row
    const part = kept < tokens.keys.length ? fillText(say('view-heads-table-part'), {shown: kept}) : '';
    return headTable(numbers, tokens.queries, tokens.keys, [said, part].filter(Boolean).join(' · '), lineHeadings(say));
  }

  /** The row, column or cell under the pointer, else the pinned one; `isWaiting`: exact numbers can still come. */
  isolate(focus, pinned, isWaiting) {
    this.way.isolate(focus, pinned);
    this.parts.empty.hidden = !isAllBelow(this.numbers, focus, this.tokens.queries.length, this.name === 'lines');
    const read = focus ?? this.way.rest ?? null;
    this.reading.show(this.way.readOf?.(read) ?? read, this.numbers, isWaiting, this.extras);
  }

  /** `key`: that is explained, null where none is. */
  reveal({index, side}, key = null, isCentred = false) {
    this.way.reveal?.(index, side, key, isCentred);
  }

  /** The row of the left column that a walk by keyboard comes to. */
  rowAt(index) {
    return clamp(index, 0, this.way.queries.length - 1);
  }

  /** Move the focus to that row, which has to be shown by then. */
  focusRow(index) {
    this.way.queries[index].focus({focusVisible: true});
    this.way.reveal?.(index, 'query');
  }
}
