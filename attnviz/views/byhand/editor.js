// Typing into a cell, as in a spreadsheet: a digit begins, Enter goes down, Tab to the next cell, Escape puts the number
// back. What is no number of ours is refused beside the cell, and the field stays until it is one.

import {el, setLengths} from '../kit/dom.js';
import {ARROWS} from '../kit/keyboard.js';
import {fillText} from '../kit/words.js';
import {numberOf} from './sheet.js';

const BEGINS = /^[-+.0-9\u2212\uff10-\uff19\uff0d]$/; // also of a full-width keyboard
const REFUSED = {number: 'view-byhand-refused-number', ragged: 'view-byhand-refused-ragged', room: 'view-byhand-refused-room', typed: 'view-byhand-refused-typed', result: 'view-byhand-refused-result'};

export class Editor {
  stage;
  /** @type {HTMLInputElement | null} */
  field = null;
  /** @type {HTMLElement | null} */
  cell = null;
  isTyping = false; // begun by a digit: arrows then go on, and do not move in the field

  constructor(stage) {
    Object.assign(this, {stage});
    this.said = el('p', {class: 'refused', role: 'alert', hidden: ''});
    stage.box.append(this.said);
  }

  get isOpen() {
    return this.field !== null;
  }

  key(event, cell, isTyped) {
    const {key, ctrlKey, metaKey, altKey, shiftKey} = event;
    if (ctrlKey || metaKey || altKey) return;
    const go = (next) => {
      event.preventDefault();
      if (this.isOpen && !this.keep()) return;
      (next ?? cell).focus({preventScroll: false});
    };
    if (key === 'Tab') {
      const next = this.stage.along(cell, shiftKey ? -1 : 1);
      if (isTyped && next) go(next);
      else if (this.isOpen && !this.keep()) event.preventDefault();
      else cell.focus({preventScroll: true}); // the browser goes on from here
      return;
    }
    if (Object.hasOwn(ARROWS, key) && (!this.isOpen || this.isTyping)) return go(this.stage.beside(cell, ...ARROWS[key]));
    if (key === 'Home' && !this.isOpen) return go(this.stage.cell(cell.dataset.id, Number(cell.dataset.row), 0));
    if (key === 'End' && !this.isOpen) return go(this.stage.grids.get(cell.dataset.id).cells[cell.dataset.row].at(-1));
    if (key === 'Enter' && (this.isOpen || isTyped)) return go(this.stage.beside(cell, shiftKey ? -1 : 1, 0));
    if (key === 'Escape' && this.isOpen) {
      event.preventDefault();
      event.stopPropagation();
      this.close(false);
      return cell.focus({preventScroll: true});
    }
    if (this.isOpen) return;
    if (!isTyped) return void (BEGINS.test(key) && this.refuse(cell, {refused: 'result'}));
    if (key === 'F2') {
      event.preventDefault();
      this.begin(cell);
    } else if (key === 'Delete' || key === 'Backspace') {
      event.preventDefault();
      this.stage.heard.block(this.stage.at(cell), [[0]]);
    } else if (BEGINS.test(key)) {
      event.preventDefault();
      this.begin(cell, key.normalize('NFKC'));
    }
  }

  /** Open a field in a cell, with its number or with the digit that was typed. */
  begin(cell, typed = null) {
    if (!cell?.classList.contains('typed') || this.isOpen) return;
    const {stage} = this;
    this.said.hidden = true;
    const text = typed ?? cell.textContent.replace('\u2212', '-');
    const field = el('input', {class: 'field', inputmode: 'decimal', autocomplete: 'off', 'aria-label': cell.ariaLabel, input: () => this.changed(), blur: () => this.left()});
    Object.assign(this, {field, cell, isTyping: typed !== null});
    stage.heard.began();
    cell.classList.add('editing');
    cell.replaceChildren(field);
    field.value = text;
    field.focus({preventScroll: true});
    if (typed === null) field.select();
    this.changed();
  }

  /** Every step follows what is typed, as soon as it is a number. */
  changed() {
    const {field} = this;
    if (!field) return;
    const number = numberOf(field.value);
    field.toggleAttribute('aria-invalid', number === null && !isBegun(field.value));
    if (number !== null) {
      this.said.hidden = true;
      this.stage.heard.typed(this.stage.at(this.cell), number);
    } else if (!isBegun(field.value)) this.refuse(this.cell, {refused: 'typed'});
  }

  /** Keep what was typed; false where it is no number, which is said, and the field stays. */
  keep() {
    const {field} = this;
    if (!field) return true;
    const {value} = field;
    if (value.trim() === '') this.close(false);
    else if (numberOf(value) === null) {
      field.setAttribute('aria-invalid', 'true');
      this.refuse(this.cell, {refused: 'typed'});
      return false;
    } else this.close(true);
    return true;
  }

  /** The person went elsewhere: a number stays, anything else is put back. */
  left() {
    if (this.field) this.close(numberOf(this.field.value) !== null);
  }

  close(isKept) {
    const {cell} = this;
    if (!cell) return;
    Object.assign(this, {field: null, cell: null});
    this.said.hidden = true;
    cell.classList.remove('editing');
    cell.replaceChildren();
    this.stage.heard.ended(isKept);
  }

  /** Say beside a cell why something is not taken. */
  refuse(cell, {refused, ...values}) {
    const {stage, said} = this;
    said.textContent = fillText(stage.say(REFUSED[refused]), values);
    said.hidden = false;
    const {x, y, w, h} = stage.placedOf(cell.dataset.id);
    const left = x + Number(cell.dataset.column) * w;
    setLengths(said, {left: Math.max(0, Math.min(left, stage.box.clientWidth - said.offsetWidth)), top: y + stage.offset + (Number(cell.dataset.row) + 1) * h + 5});
  }

  /** What was said is of a cell that the person has left. */
  hush() {
    if (!this.isOpen) this.said.hidden = true;
  }
}

/** What may still become a number. */
const isBegun = (text) => /^\s*[-+\u2212\uff0d]?\.?\s*$/.test(text);
