// The panel beside the stage: what this step does, its formula, shapes, the line of PyTorch, one thing to try, and
// what can be looked at more closely.

import {el} from '../kit/dom.js';
import {fillText} from '../kit/words.js';
import {rowsOf} from './chain.js';
import {formula} from './formula.js';
import {nameNodes, roleClass} from './names.js';
import {ownSwitches} from './own_switches.js';
import {transposed} from './transposed.js';

export class SidePanel {
  box; say; looked; asked;

  /** `looked(key)` hears which closer look the reader asks for, `asked(changes)` what is to be switched. */
  constructor(box, {say, looked, asked}) {
    Object.assign(this, {box, say, looked, asked});
  }

  /** `looks` = [{key, name}] are the closer looks that the host offers, `controls` what it lets a person switch. */
  show(step, header, {looks = [], controls = null, theme, k}) {
    const {say} = this;
    const section = (id, ...children) => el('section', {}, el('h3', {class: 'cap'}, say(id)), ...children);
    const focused = this.box.querySelector('[data-look]:focus')?.dataset.look;
    const switched = this.box.querySelector('[data-own]:focus')?.dataset.own;
    this.box.replaceChildren(
      el('p', {class: 'says'}, ...nameNodes(step.says)),
      (controls && ownSwitches(step, controls, this)) ?? '',
      step.siblings.length ? el('p', {class: 'note'}, fillText(say('view-stepper-all-heads'), {n: step.siblings.length})) : '',
      this.formulas(step, header),
      section('view-stepper-shapes', this.shapes(step), step.stored && transposed(step.stored, {say, theme, k})),
      section(
        'view-stepper-code',
        el('pre', {lang: 'en'}, el('code', {}, step.code)),
        el('p', {class: 'where', lang: 'en'}, step.where ?? ''),
      ),
      el('p', {class: 'try'}, ...nameNodes(step.exercise)),
      ...(looks.length ? [section('view-stepper-look', this.looks(looks))] : []),
      ...(header.notes ?? []).map((note) => el('p', {class: 'note'}, ...nameNodes(note))),
    );
    if (focused) this.buttonOf(focused)?.focus(); // closing a look draws the page anew
    if (switched) this.box.querySelector(`[data-own="${switched}"]`)?.focus(); // and so does a switch
  }

  /** The button of a look; it is made anew with every step. */
  buttonOf(key) {
    return this.box.querySelector(`[data-look="${key}"]`);
  }

  looks(looks) {
    const button = ({key, name}) =>
      el('button', {type: 'button', 'data-look': key, click: () => this.looked(key)}, name);
    return el('div', {class: 'looks'}, ...looks.map(button));
  }

  formulas(step, header) {
    const whole =
      header.formula?.some((part) => belongs(part, step.kind))
        ? formula(header.formula, step.kind)
        : null;
    const kind = `formulas${whole ? ' both' : ''}`;
    return el('div', {class: kind, lang: 'en'}, whole, formula(step.formula)); // a Chinese font has no tall brackets
  }

  shapes(step) {
    const around = AROUND.has(step.rule) ? Object.values(step.extras) : [];
    const readings = [...step.operands, ...around, step.bias, step.result].filter(Boolean);
    const seen = new Set();
    const hasQueries = readings.some(({rows}) => rows.letter === 'T_q'); // the tokens of a block are then its queries
    const letterOf = ({letter}) => (hasQueries && letter === 'T' ? 'T_q' : letter);
    const rows = readings
      .filter(({name}) => !seen.has(name) && seen.add(name))
      .flatMap((matrix) => [
        el('dt', {class: roleClass(matrix)}, ...nameNodes(matrix.name)),
        el('dd', {}, ...nameNodes(frequenciesOf(step, matrix, this.say)?.letters ?? `${letterOf(matrix.rows)} × ${letterOf(matrix.columns)}`)),
        el('dd', {class: 'size'}, frequenciesOf(step, matrix, this.say)?.size ?? `${rowsOf(step, matrix)} × ${matrix.columns.n}`),
      ]);
    return el('dl', {class: 'shapes'}, ...rows);
  }
}

/** A rotation has one frequency a pair, and so each in two columns; null for other matrices. */
function frequenciesOf({extras, facts}, matrix, say) {
  if (matrix !== extras.frequency) return null;
  const whole = facts.width === matrix.columns.n ? matrix.columns.letter : facts.width;
  return {letters: fillText(say('view-stepper-each-twice'), {n: `${whole}/2`}), size: String(facts.width / 2)};
}

const AROUND = new Set(['norm row', 'rms row', 'rotate']); // whose matrices beside the operands have shapes to be told

const belongs = (part, name) =>
  part.of.includes(name) || [...(part.over ?? []), ...(part.under ?? [])].some((one) => belongs(one, name));
