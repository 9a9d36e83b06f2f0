// What is drawn of the picked heads: brought together, then filtered, between the tokens that are shown. No DOM.

import {filtered} from './filters.js';
import {canCombine, combined, headName, headsOf} from './several_heads.js';
import {OPEN, possible, settingsOf} from './filter_settings.js';
import {sideUnder} from './side_tokens.js';

export class Lens {
  /** @type {ReturnType<typeof sideUnder>} */
  queries;
  /** @type {ReturnType<typeof sideUnder>} */
  keys;
  /** `tokens`: the model's own, {queries, keys}. */
  constructor(tokens) {
    this.tokens = tokens;
    this.look({filter: '', together: ''});
  }

  /** What the person chose: `filter` and `together` as in a link; `isWhole` false where columns are not known. */
  look({filter, together, isWhole = true, isPlain = false}) {
    this.settings = isPlain ? OPEN : possible(settingsOf(filter), isWhole);
    this.together = together || 'mean';
    const {special, sinks, words, from, to} = this.settings;
    const name = [special, sinks, words, from, to].join();
    if (name === this.name) return; // the same tokens need no other picture
    this.name = name;
    this.queries = sideUnder(this.tokens.queries, this.settings, false);
    this.keys = sideUnder(this.tokens.keys, this.settings, true);
    if (!special && !words && !from) this.queries.tokens = this.tokens.queries;
    if (!special && !words && !sinks && !to) this.keys.tokens = this.tokens.keys;
  }

  /**
   * Numbers between the shown tokens, from those of each head (null where they are not here); with `heads`, their names,
   * and `layers` where they are overlaid, where there are several.
   */
  numbers(picked, each) {
    const [nQueries, nKeys] = [this.tokens.queries.length, this.tokens.keys.length];
    const heads = headsOf(picked);
    const isTogether = heads.length > 1 && each.every((numbers) => numbers === null || numbers.weight);
    const used = isTogether ? each : each.slice(0, 1);
    const whole = combined(used, this.together, nQueries, nKeys);
    if (!isTogether || !whole) return this.filter(whole);
    const layers = this.together === 'overlay' && canCombine(each) ? each.map((numbers) => this.filter(numbers)) : null;
    return {...this.filter(whole), heads: heads.map(headName), together: this.together, layers};
  }

  filter(numbers) {
    return filtered(numbers, this.queries, this.keys, this.settings, this.tokens.keys);
  }

  /** First and end of what each shown row can attend to, from those of the model's rows; null without a mask. */
  seen(ranges) {
    if (!ranges) return null;
    const {groups: columns} = this.keys;
    const shown = new Uint16Array(this.queries.groups.length * 2);
    this.queries.groups.forEach((rows, at) => {
      const first = Math.min(...rows.map((row) => ranges[row * 2]));
      const end = Math.max(...rows.map((row) => ranges[row * 2 + 1]));
      const inside = columns.flatMap((keys, column) => (keys[keys.length - 1] >= first && keys[0] < end ? [column] : []));
      shown.set(inside.length ? [inside[0], inside[inside.length - 1] + 1] : [0, 0], at * 2);
    });
    return shown;
  }

  side(name) {
    return name === 'key' ? this.keys : this.queries;
  }

  /** Where one of the model's tokens is shown; null where it is hidden. */
  at(focus) {
    const index = this.side(focus.side).at(focus.index);
    return index === null ? null : {...focus, index};
  }

  /** Which of the model's tokens is shown there: the first of them, where several are. */
  of(focus) {
    return {...focus, index: this.side(focus.side).groups[focus.index][0]};
  }
}
