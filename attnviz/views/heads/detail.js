// One head, drawn in one of several ways, and the sentence below it. A way is a class; a new one is a row of WAYS:
//   constructor(element, {queries, keys}, say, act)   draws into the element; the tokens are those `show` has numbers of;
//                                                act has hover(focus), click(focus) and again(), for its own keys
//   layout({k, theme, widest, height})           its size; height is null where the page scrolls
//   show(numbers, beside)                        another head; null while nothing is known of it. beside: see beside.js
//   isolate(focus, pinned)                       what is under the pointer, else pinned, else null
//   reveal(index, side)                          bring a token into view
// and, where it has them:
//   table(corner)  its own table to take away, where it shows other numbers than weights
//   limit      what it leaves out, in words       rest     what is read where nothing is picked
//   controls   buttons for the row above it       readOf(focus)   what the sentence is about, where it is more than that
//   queries    buttons of the left column         under(event)   the focus an event is about, where tokens are no elements
//   destroy()  undo what outlives its elements
// A focus is {side: 'query' | 'key', index}, with `other` where one cell of that row or column is meant.

import {el} from '../kit/dom.js';
import {fillText} from '../kit/words.js';
import {Heatmap} from './heatmap.js';
import {InlineText} from './inlinetext.js';
import {widestToken} from './label.js';
import {Lines} from './lines.js';
import {Neurons} from './neurons.js';
import {NoLines} from './nolines.js';
import {listenToTokens} from './pointer.js';
import {Reading} from './reading.js';
import {RowLines} from './rowlines.js';
import {TakeAway} from './takeaway.js';
import {isAllBelow} from './saidfilters.js';

const ALL_LINES = 64; // tokens up to which every line is drawn
const NO_LINES = 256; // tokens above which none is

/** The ways by name, in the order of their keys 1, 2, 3 …; each says which class draws this many tokens. */
export const WAYS = {
  lines: (longest) => (longest <= ALL_LINES ? Lines : longest <= NO_LINES ? RowLines : NoLines),
  heatmap: () => Heatmap,
  text: () => InlineText,
  neurons: () => Neurons,
};

/** The way a text of this length is shown in where nobody chose one. */
export const usualWay = (longest) => (longest > ALL_LINES ? 'text' : 'lines');

const longestOf = ({queries, keys}) => Math.max(queries.length, keys.length);

export class Detail {
  /** `act` has hover(focus), click(focus) and choose(way); `isWriting`: rows are named by what they write. */
  constructor(parts, {say, signal, isWriting, act}) {
    Object.assign(this, {parts, say, isWriting, act, way: null, tokens: null});
    this.tabs = Object.keys(WAYS).map((name, i) => {
      const facts = {type: 'button', 'data-way': name, 'aria-keyshortcuts': i + 1};
      return el('button', {...facts, click: () => act.choose(name)}, say(`view-heads-way-${name}`));
    });
    parts.ways.replaceChildren(...this.tabs);
    listenToTokens(parts.lines, () => this.way, signal, act);
    this.takeAway = new TakeAway(say, signal, () => this.carried());
    parts.take.replaceChildren(...this.takeAway.nodes);
    signal.addEventListener('abort', () => this.way?.destroy?.());
  }

  /** Show these tokens in this way; true where that is another picture, which has to be laid out. */
  use(name, tokens) {
    const shown = Object.hasOwn(WAYS, name ?? '') ? name : usualWay(longestOf(tokens));
    const isSame = this.name === shown && this.tokens?.queries === tokens.queries && this.tokens?.keys === tokens.keys;
    if (isSame) return false;
    this.way?.destroy?.();
    Object.assign(this, {name: shown, tokens});
    this.way = new (WAYS[shown](longestOf(tokens)))(this.parts.lines, {...tokens, hasTwoTexts: this.isWriting}, this.say, this.act);
    this.parts.controls.replaceChildren(...(this.way.controls ?? []));
    this.reading = new Reading(this.parts.reading, tokens, this.say, this.isWriting);
    this.parts.lines.scrollTop = 0;
    this.parts.lines.dataset.way = shown;
    for (const tab of this.tabs) tab.setAttribute('aria-pressed', String(tab.dataset.way === shown));
    return true;
  }

  layout({k, theme, isSide, family}) {
    const widest = widestToken([...this.tokens.queries, ...this.tokens.keys], family);
    this.way.layout({k, theme, widest, height: isSide ? this.parts.lines.clientHeight : null});
  }

  /** Another head, or several: `heads` are their [layer, head]. */
  show(numbers, beside, heads) {
    Object.assign(this, {numbers, beside, heads});
    this.way.show(numbers, beside);
    this.parts.limit.textContent = this.way.limit ?? '';
    this.takeAway.show();
  }

  /** What a table of the head on screen holds; layers and heads in it count from 0, as in code, and it says so. */
  carried() {
    const names = this.heads.map(([layer, head]) => `${layer}.${head}`);
    const corner = fillText(this.say('view-heads-table-corner'), {heads: names.join(' + '), together: this.numbers?.together ?? ''});
    const {floor, isTaken, removed} = this.numbers ?? {};
    const done = floor || isTaken || removed ? '-filtered' : '';
    const own = this.way.ownTable ? (name) => this.way.ownTable(name) : null;
    const said = [corner, this.parts.said.textContent].filter(Boolean).join(' · ');
    return {numbers: this.numbers, ...this.tokens, corner: said, own, file: `head-${names.join('-')}${done}`};
  }

  /** The row, column or cell under the pointer, else the pinned one; `isWaiting`: exact numbers can still come. */
  isolate(focus, pinned, isWaiting) {
    this.way.isolate(focus, pinned);
    this.parts.empty.hidden = !isAllBelow(this.numbers, focus, this.tokens.queries.length, this.name === 'lines');
    const read = focus ?? this.way.rest ?? null;
    this.reading.show(this.way.readOf?.(read) ?? read, this.numbers, isWaiting, this.beside);
  }

  reveal({index, side}) {
    this.way.reveal(index, side);
  }

  /** The row of the left column that a walk by keyboard comes to. */
  rowAt(index) {
    return Math.max(0, Math.min(this.way.queries.length - 1, index));
  }

  /** Move the focus to that row, which has to be shown by then. */
  focusRow(index) {
    this.way.queries[index].focus({focusVisible: true});
    this.way.reveal(index, 'query');
  }
}
