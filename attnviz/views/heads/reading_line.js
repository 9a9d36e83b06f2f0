// The reading line: what a sighted reader sees, as a sentence, always with its baseline. Never empty.

import {el} from '../kit/dom.js';
import {pct, precise} from '../kit/number.js';
import {fill, fillText} from '../kit/words.js';
import {groupName, tokenInText} from '../kit/token.js';
import {groupsOf} from './filter_settings.js';
import {isSeen, weightAt, worthNaming} from './head_weights.js';
import {weightsOf} from './text_flow.js';
import {isAllHidden, saidOfRow} from './filters_in_words.js';

const NAMED = 3; // tokens a reading names
const SUBJECT = 28; // characters of the token it is about, before it is cut
const OTHERS = 16; // characters of the tokens it names

export class Reading {
  line; tokens; say;

  constructor(line, {queries, keys}, say) {
    Object.assign(this, {line, tokens: {query: queries, key: keys}, say});
  }

  /** focus: {side, index} or null for the whole head; numbers null while they are on their way, or not to be had. */
  show(focus, numbers, isWaiting, extras) {
    if (focus?.other !== undefined && numbers) return this.line.replaceChildren(...this.cell(focus, numbers, extras));
    if (!numbers) this.line.replaceChildren(this.say(isWaiting ? 'view-heads-waiting' : 'view-heads-no-numbers'));
    else if (focus === null) this.line.replaceChildren(...this.all(numbers));
    else if (focus.side === 'key') this.line.replaceChildren(...this.column(focus.index, numbers, extras));
    else this.line.replaceChildren(...this.row(focus.index, numbers));
  }

  row(query, numbers) {
    const largest = numbers.keys(query, NAMED);
    const token = this.subject('query', query);
    if (isAllHidden(numbers, query)) return [this.said('view-heads-reading-hidden', {token})];
    return [this.said('view-heads-reading', {token, list: this.list('key', largest, numbers)}), ' ', this.baseline(largest[0]?.index ?? 0, numbers, saidOfRow(numbers, query, this.say)), ...this.summed(numbers, (key) => numbers.weight(query, key))];
  }

  column(key, numbers, extras) {
    const {query: queries, key: keys} = this.tokens;
    const {items, isAll} = weightsOf({side: 'key', index: key}, numbers, extras?.parts ?? [], queries.length, keys.length);
    const token = this.subject('key', key);
    if (!isAll) // of long texts columns come only when asked for
      return [this.said('view-heads-reading-mean', {token, percent: this.percent(numbers.mean(key), numbers)})];
    const largest = items.sort((a, b) => b.weight - a.weight || a.index - b.index).slice(0, NAMED);
    return [this.said('view-heads-reading-key', {token, list: this.list('query', largest, numbers)}), ' ', this.baseline(key, numbers)];
  }

  /** One cell: its share and its weight, or why there is none. */
  cell({index: query, other: key}, numbers, extras) {
    const {weight, below} = weightAt(numbers, extras?.parts, query, key);
    const shown = below === undefined ? weight : below;
    const isHidden = !isSeen(extras?.seen ?? null, query, key);
    const kind = isHidden ? 'unseen' : weight !== undefined ? 'cell' : below !== undefined ? 'below' : 'unknown';
    const values = {
      token: this.subject('query', query),
      key: tokenInText(this.tokens.key[key], OTHERS),
      percent: shown === undefined ? '' : this.percent(shown, numbers),
      weight: shown === undefined || !numbers.isExact ? '' : precise(shown, 3),
    };
    return [this.said(`view-heads-reading-${kind}`, values), ' ', this.baseline(key, numbers)];
  }

  /** Nothing picked: what every token gets on average, which is the baseline itself. */
  all(numbers) {
    const means = this.tokens.key.map((_, key) => ({index: key, weight: numbers.mean(key)}));
    const largest = means.sort((a, b) => b.weight - a.weight).slice(0, NAMED);
    return [this.said('view-heads-reading-all', {list: this.list('key', largest, numbers)}), ...this.summed(numbers, (key) => numbers.mean(key))];
  }

  /** The same summed by the texts of two, or the roles of a chat, that the keys belong to. */
  summed(numbers, weightOf) {
    const keys = this.tokens.key;
    const groups = numbers.weight ? groupsOf(keys) : [];
    if (groups.length < 2) return [];
    const sums = groups.map((group) => keys.reduce((sum, key, at) => (key.group === group ? sum + weightOf(at) : sum), 0));
    const values = groups.flatMap((group, at) => [at ? ' · ' : '', `${groupName(group, this.say)} `, this.percent(sums[at], numbers)]);
    return [' ', el('span', {class: 'baseline'}, fill(document, this.say('view-heads-summed'), {list: values}))];
  }

  said(id, values) {
    return el('span', {class: 'said'}, fill(document, this.say(id), values));
  }

  subject(side, index) {
    return tokenInText(this.tokens[side][index], SUBJECT);
  }

  /** What all tokens give this one; before it what is `hidden` of the row, and of how many heads this is said. */
  baseline(key, numbers, hidden = null) {
    const values = {token: plain(this.tokens.key[key]), percent: this.percent(numbers.mean(key), numbers)};
    const way = numbers.together === 'max' ? 'max' : 'mean';
    const of = numbers.heads ? fillText(this.say(`view-heads-of-${way}`), {n: numbers.heads.length}) : null;
    const before = [hidden, of].filter(Boolean).map((text) => `${text} · `);
    return el('span', {class: 'baseline'}, ...before, fill(document, this.say('view-heads-baseline'), values));
  }

  list(side, items, numbers) {
    return worthNaming(items).flatMap(({index, weight}, i) => {
      const values = {token: tokenInText(this.tokens[side][index], OTHERS), percent: this.percent(weight, numbers)};
      const share = fill(document, this.say('view-heads-share'), values);
      return i ? [this.say('view-kit-list-separator'), share] : [share];
    });
  }

  percent(weight, numbers) {
    return numbers.isExact ? pct(weight) : el('span', {class: 'waiting', 'aria-hidden': 'true'});
  }
}

function plain(token) {
  const node = tokenInText(token, OTHERS);
  node.className = 'plain';
  return node;
}
