// The buttons that take the head on screen away: as a table on the clipboard, as a file.

import {copyText, saveText} from '../kit/clipboard.js';
import {el} from '../kit/dom.js';
import {fillText} from '../kit/words.js';
import {cellsOf, toCsv, toTsv} from './table.js';

const SAID_MS = 1800;

export class TakeAway {
  /** `shown()` gives {numbers, queries, keys, corner, file}, and `own` where a way has a table of its own. */
  constructor(say, signal, shown) {
    Object.assign(this, {say, shown});
    const button = (name) => el('button', {type: 'button', class: 'tool bordered', disabled: ''}, el('span', {'aria-live': 'polite'}, say(`view-heads-${name}`)));
    this.copy = button('copy');
    this.csv = button('csv');
    this.copy.addEventListener('click', () => this.toClipboard(), {signal});
    this.csv.addEventListener('click', () => saveText(toCsv(this.cells()), `${this.shown().file}.csv`, 'text/csv'), {signal});
    this.nodes = [this.copy, this.csv];
  }

  /** Say what they carry; nothing while the numbers are on their way. */
  show() {
    const {numbers, queries, keys} = this.shown();
    const isHere = Boolean(numbers?.isExact);
    this.copy.disabled = this.csv.disabled = !isHere;
    const kept = isHere && !numbers.weight ? numbers.keys(0, Infinity).length : keys.length;
    const values = {rows: queries.length.toLocaleString('en'), shown: kept};
    const hint = fillText(this.say(kept < keys.length ? 'view-heads-carries-largest' : 'view-heads-carries'), values);
    this.part = kept < keys.length ? fillText(this.say('view-heads-table-part'), {shown: kept}) : '';
    for (const node of this.nodes) node.title = hint;
  }

  cells() {
    const {numbers, queries, keys, corner, own} = this.shown();
    const table = own?.(corner); // a way that shows other numbers than weights has a table of its own
    if (table) return table;
    const words = Object.fromEntries(['row', 'query', 'column', 'key'].map((name) => [name, this.say(`view-heads-table-${name}`)]));
    const head = [corner, this.part].filter(Boolean).join(' · '); // a table of the largest weights alone says so
    return cellsOf(numbers, queries, keys, head, words);
  }

  async toClipboard() {
    await copyText(toTsv(this.cells()), this.copy.parentElement);
    const label = this.copy.firstChild;
    label.textContent = this.say('view-heads-copied');
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (label.textContent = this.say('view-heads-copy')), SAID_MS);
  }
}
