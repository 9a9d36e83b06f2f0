// Typing a word in its place, as a number in its cell: Enter and the arrows go to the word above or below, Escape puts it
// back, and a column of a spreadsheet fills the words from there on. Whatever is typed is text.

import {el} from '../kit/dom.js';
import {guarded} from '../kit/error_guard.js';
import {ARROWS} from '../kit/keyboard.js';
import {LONGEST} from './sheet.js';

export class WordFields {
  stage;
  /** @type {Map<number, HTMLInputElement>} */
  fields = new Map(); // by row

  constructor(stage) {
    Object.assign(this, {stage});
  }

  /** The field of a row; one that has the focus keeps what is typed. */
  field(row, focused) {
    const {stage, fields} = this;
    const {heard, say} = stage;
    if (!fields.has(row)) {
      const made = el('input', {
        class: 'word own', name: `word-${row}`, maxlength: LONGEST, autocomplete: 'off', spellcheck: 'false',
        focus: () => this.begin(made), input: () => heard.name([made.value], row), blur: () => heard.ended(true),
        paste: (event) => this.paste(event, row),
      });
      made.addEventListener('keydown', guarded(made, (event) => this.key(event, row)));
      made.dataset.row = String(row);
      fields.set(row, made);
    }
    const field = /** @type {HTMLInputElement} */ (fields.get(row));
    field.setAttribute('aria-label', `${say('view-byhand-word')} ${row + 1}`);
    if (field !== focused) field.value = stage.state.sheet.words[row];
    return field;
  }

  begin(field) {
    this.stage.heard.began();
    field.select();
  }

  key(event, row) {
    if (event.isComposing) return;
    const isEscape = event.key === 'Escape';
    const by = event.key === 'Enter' ? (event.shiftKey ? -1 : 1) : (ARROWS[event.key]?.[0] ?? 0);
    if (!isEscape && !by) return;
    event.preventDefault();
    const {heard, state} = this.stage;
    if (isEscape) {
      event.stopPropagation();
      heard.ended(false);
      event.target.value = this.stage.state.sheet.words[row];
      return;
    }
    const next = this.fields.get(row + by);
    if (next && row + by < state.sheet.n) next.focus();
    else event.target.blur();
  }

  /** Words under each other, or beside each other, of a spreadsheet; a single one is the browser's to put in. */
  paste(event, row) {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const words = text.trim().split(/[\t\r\n]+/);
    if (words.length < 2) return;
    event.preventDefault();
    const {heard} = this.stage;
    heard.name(words, row);
    heard.ended(true);
    heard.began();
    event.target.value = this.stage.state.sheet.words[row];
  }
}
