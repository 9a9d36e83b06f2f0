// Which cell is meant, by mouse, keys or playing: what lights up, what is told, and what a guess shows.

import {fillText} from '../kit/words.js';
import {columnOf, firstBeyond, pickedIn, showPart, targetOf, within} from './kept_place.js';
import {cellOf} from './cell_arithmetic.js';

export class Pointing {
  view;

  constructor(view) {
    Object.assign(this, {view, hovered: null, isHot: false, isAiming: false, isHeld: false});
  }

  /** Another step: nothing is pointed at, and no cell of a hidden result is meant yet. */
  begin() {
    Object.assign(this, {hovered: null, isAiming: false});
  }

  /** Whether one cell stands out: pointed at, moved to by keys, or picked in this step. */
  get isOnOne() {
    return this.isHot || this.isHeld || this.hovered !== null;
  }

  /** The row and column of this step's result that are picked: tokens and features are kept from step to step. */
  get picked() {
    return pickedIn(this.view.step, this.view.place);
  }

  /** Light what the cell is made of, and write it out. */
  highlight() {
    const {view, hovered} = this;
    const {row, column, sibling} = hovered ?? this.picked;
    const step = view.chain.steps[sibling ?? view.at];
    if (view.before) return this.waitFor(view.before);
    if (view.question) return this.askFor(row, column);
    const {position} = view;
    const cell = cellOf(step, row, column, position ?? row);
    const result = sibling === undefined ? 'result' : `step:${sibling}`;
    view.stage.pick(row, column, cell, {isHot: this.isOnOne, step, result, position});
    view.pairBar?.show(row, position);
    const verdict = view.guess.verdict(step, row, column);
    const show = ([i, j]) => this.choose(i, j);
    const at = {i: row, j: column, k: view.k, isPresented: view.room.isSide && view.shell.isPresented, shown: view.stage.termsShown};
    view.parts.said.textContent = view.strip.show(step, cell, {...at, verdict, show});
  }

  /** While a result is hidden: the question, its row, and the cell that would be guessed, once one is meant. */
  askFor(row, column) {
    const {stage, question, parts, strip} = this.view;
    const isMeant = this.isAiming || this.hovered !== null;
    stage.aim(question.row ?? (isMeant ? row : null), isMeant ? column : null);
    parts.said.textContent = strip.ask(question);
  }

  /** While an earlier guess hides this step: which one. */
  waitFor(step) {
    const {stage, parts, strip, say} = this.view;
    stage.aim(null, null);
    const text = fillText(say('view-stepper-guess-before'), {step: step.title});
    parts.said.textContent = strip.ask({text, hint: say('view-stepper-guess-before-hint')});
  }

  /** The guess of somebody who works with keys: the picked cell, in the row that is asked about. */
  guessPicked() {
    const {question} = this.view;
    if (question && this.isAiming) this.answer({...this.picked, row: question.row ?? this.picked.row});
  }

  /** A guess: the result is shown, and the arithmetic of what was guessed. */
  answer({row, column}) {
    const {view} = this;
    if (view.guess.take(view.step, row, column)) this.show(row, column);
  }

  /** The answer without a guess. */
  giveUp() {
    const {view} = this;
    this.show(...view.guess.giveUp(view.step));
  }

  /** A result that is hidden no more, and the arithmetic of one of its cells. */
  show(row, column) {
    const {view} = this;
    view.labelNext();
    view.drawRail();
    view.redraw();
    this.choose(row, column);
  }

  hover(key, row, column) {
    const {view} = this;
    if (view.player.isPlaying) return;
    const next = key === null ? null : targetOf(view.stage.plan.kind, this.picked, {key, row, column});
    if (next?.sibling !== undefined && view.isAsked(next.sibling)) return; // its numbers are still to be guessed
    if (['row', 'column', 'sibling'].every((name) => next?.[name] === this.hovered?.[name])) return;
    this.hovered = next;
    this.highlight();
  }

  pick(key, row, column) {
    const {view} = this;
    if (key === null) return;
    if (view.before) return;
    if (view.question) return key === 'result' && this.answer({row, column});
    const {row: i, column: j, sibling} = targetOf(view.stage.plan.kind, this.picked, {key, row, column});
    if (sibling !== undefined) view.go(sibling);
    const {picked} = this;
    this.isHeld = !(this.isHeld && picked.row === i && picked.column === j); // a second press lets it go
    this.choose(i, j);
  }

  choose(row, column) {
    const {view} = this;
    view.place = {...view.place, row, [columnOf(view.step)]: column};
    view.isFree = false;
    this.hovered = null;
    if (view.hasArrows && row !== view.stage.block('result').row) view.resetPlayer(); // another token stands at its own position
    if (this.follow()) view.redraw();
    else this.highlight();
    view.host.tell();
  }

  moveCell(down, right) {
    const {row, column} = this.picked;
    const {rows, columns} = this.view.step.result;
    this.isHot = true;
    if (this.view.isOpen && !this.isAiming) {
      this.isAiming = true; // the first key shows which cell is meant
      return this.highlight();
    }
    const next = [row + down, column + right];
    if (!this.goBeyond(rows, next[0], next) && !this.goBeyond(columns, next[1], next))
      this.choose(within(next[0], rows), within(next[1], columns));
  }

  /**
   * Over the edge of what is here to the next part of an axis, where a host can send it; whether it is asked for.
   * @param {any} axis
   * @param {number} index
   * @param {number[]} cell
   */
  goBeyond(axis, index, [row, column]) {
    const {view} = this;
    const first = view.host.emit ? firstBeyond(axis, index) : null;
    if (first === null) return false;
    showPart(view, {axis, count: axis.count}, first, {...view.place, row, [columnOf(view.step)]: column});
    return true;
  }

  /** Move the parts that are shown so that the picked row and column are in them; whether anything moved. */
  follow() {
    const {stage, step} = this.view;
    const {rows, columns} = stage.block('result');
    const {row, column} = this.picked;
    const inHead = step.rule === 'concat' ? column % step.operands[0].columns.n : Infinity; // a joined head is shown from its first
    const isRowMoved = rows?.axis === step.result.rows && this.bring(rows, row);
    return (columns.axis === step.result.columns && this.bring(columns, column, inHead)) || isRowMoved;
  }

  /** Move the part of an axis that is shown so that a place is in it; whether it moved. */
  bring(shown, place, inHead = Infinity) {
    const {windows} = this.view;
    const first = windows[shown.axis.id] ?? shown.first; // where it is to begin; what is drawn may be older
    const last = first + shown.count - 1;
    if (place >= first && place <= last) return false;
    windows[shown.axis.id] = inHead < shown.count ? place - inHead : place < first ? place : first + (place - last);
    return true;
  }

  /** While rows are played: those up to `until`, the last of them fresh. */
  showRows(until, fresh) {
    const {view} = this;
    if (view.hasArrows) {
      this.highlight();
      return view.host.tell();
    }
    if (fresh !== null) view.place = {...view.place, row: view.step.result.rows.start + fresh};
    this.hovered = null;
    if (fresh !== null && this.follow()) view.redraw();
    view.stage.reveal(until, fresh);
    this.highlight();
    view.host.tell();
  }

  /** One row of the result on or back from the row that is picked. */
  walk(by) {
    const {view} = this;
    view.isFree = false;
    if (view.hasArrows) return this.choose(within(this.picked.row + by, view.step.result.rows), this.picked.column);
    if (!view.isHidden) view.player.step(by, this.picked.row - view.step.result.rows.start);
  }

  heat(isHot) {
    this.isHot = isHot;
    if (!this.view.isHidden) this.view.stage.dim(this.isOnOne);
  }

  /** Out of the matrix, to the title of the step: keys then step and play; from there out of the presenter's view. */
  leave() {
    const {view} = this;
    const isInside = view.stage.surface?.contains(view.root.getRootNode().activeElement);
    if (isInside) view.focusTitle();
    else if (!this.isHeld) view.present(false);
    this.isHeld = false;
    this.heat(false);
    view.host.tell();
  }
}
