// A walk over the tokens that the model wrote: each step pins the row that wrote one, and says which row that is.

import {el} from '../kit/dom.js';
import {clamp, pct} from '../kit/number.js';
import {fill, fillText} from '../kit/words.js';
import {tokenInText} from '../kit/token.js';

const LONGEST = 28; // characters of a token in the sentence

/** The step that a pinned row is, from 0; null where that row wrote none of them. */
export const stepOf = (rows, token) => (token !== null && rows.includes(token) ? rows.indexOf(token) : null);

/** The row a step away from the pinned one; where none of them is pinned, the first or the last. */
export function rowAfter(rows, token, by) {
  const at = stepOf(rows, token);
  const next = at === null ? (by > 0 ? 0 : rows.length - 1) : clamp(at + by, 0, rows.length - 1);
  return rows[next];
}

export class WrittenTokens {
  holder; say; act; queries; found; signal;

  /** `act`: pinRow(row). */
  constructor(holder, {header, queries, say, act, signal}) {
    Object.assign(this, {holder, say, act, queries, signal, found: header.written ?? null});
    holder.hidden = !this.found;
    if (this.found) this.build();
    else holder.replaceChildren();
  }

  build() {
    const {holder, say} = this;
    const button = (by, id, sign) => {
      const name = say(id);
      const facts = {type: 'button', class: 'tool', 'aria-label': name, title: name, 'aria-keyshortcuts': by > 0 ? '.' : ','};
      return el('button', {...facts, click: () => this.step(by)}, el('span', {'aria-hidden': 'true'}, sign));
    };
    this.before = button(-1, 'view-heads-written-previous', '‹');
    this.after = button(1, 'view-heads-written-next', '›');
    this.at = el('span', {class: 'writtenat'});
    this.said = el('p', {class: 'writtensaid', role: 'status'});
    const group = {class: 'writtensteps', role: 'group', 'aria-label': say('view-heads-written')};
    holder.replaceChildren(el('span', group, this.before, this.at, this.after), this.said);
  }

  step(by) {
    if (this.found) this.act.pinRow(rowAfter(this.found.rows, this.token, by));
  }

  /** `token`: the pinned row, of the model's own; null where none is. */
  show(token) {
    if (!this.found || this.token === token) return;
    this.token = token;
    const {rows} = this.found;
    const step = stepOf(rows, token);
    this.at.textContent = fillText(this.say('view-heads-written-at'), {at: step === null ? '–' : step + 1, n: rows.length});
    this.said.replaceChildren(...(step === null ? [this.summary()] : this.sentence(step)));
    // A button that leads nowhere keeps the focus, so that a walk by keyboard does not lose its place.
    this.before.ariaDisabled = String(step === 0);
    this.after.ariaDisabled = String(step === rows.length - 1);
  }

  /** Where no row that wrote one is pinned: how many there are. */
  summary() {
    const {is_continued: isContinued, rows} = this.found;
    const template = isContinued ? this.say('view-heads-written-n') : this.say('view-heads-written-rows');
    return fillText(template, {n: rows.length});
  }

  sentence(step) {
    const {rows, tokens, shares, chosen, how} = this.found;
    const row = {...this.queries[rows[step]], writes: undefined}; // the sentence itself says what it writes
    const values = {token: tokenInText(tokens[step], LONGEST), row: tokenInText(row, LONGEST)};
    const by = fill(document, chosen[step] ? this.say('view-heads-written-chosen') : this.say('view-heads-written-by'), values);
    const likely = shares[step] === null ? '' : fillText(this.say('view-heads-written-share'), {percent: pct(shares[step])});
    return [el('span', {}, by), el('span', {class: 'baseline'}, [likely, how[step]].filter(Boolean).join(' · '))];
  }
}
