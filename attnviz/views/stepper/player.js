// The rows of a result, computed one after another: playing, one row on, one row back. Knows no DOM but its clock.

import {guarded} from '../kit/error_guard.js';

const ROW_MS = 620;
const TURN_MS = 160; // of a position
const STILL_MS = 900; // where motion is reduced

export class Player {
  shown; changed;
  isTurning = false; // positions are played, not rows
  /** How many rows are shown; null where all are, and nothing is played. @type {number | null} */
  until = null;

  /** `shown(until, fresh)` draws the first `until` rows; null means all of them, nothing being played. */
  constructor({shown, changed, root}) {
    Object.assign(this, {shown, changed, timer: 0, total: 0});
    this.next = guarded(root, () => this.tick());
  }

  get isPlaying() {
    return this.timer !== 0;
  }

  /** A new step: nothing is played any more; `isTurning` where positions are played and not rows. */
  reset(total, isTurning = false) {
    this.total = total;
    this.isTurning = isTurning;
    this.stop();
    this.until = null;
  }

  /** Go on after the first `until` rows, which are shown. */
  resume(until) {
    this.until = Math.min(this.total, until);
    return this.until;
  }

  toggle(isStill) {
    if (this.isPlaying) return this.stop();
    this.to(this.until === null || this.until >= this.total ? 0 : this.until);
    this.pace = isStill ? STILL_MS : this.isTurning ? TURN_MS : ROW_MS;
    this.wait();
    this.changed();
  }

  wait() {
    this.timer = setTimeout(this.next, this.pace);
  }

  tick() {
    if (this.until !== null && this.until < this.total) {
      this.to(this.until);
      this.wait();
    } else {
      this.stop();
      this.until = null;
      this.shown(null, null);
    }
  }

  /** By hand: `by` rows on or back from `row`, the one the reader is at. */
  step(by, row) {
    this.stop();
    this.to(Math.max(0, Math.min(this.total - 1, row + by)));
  }

  to(row) {
    this.until = Math.min(this.total, row + 1);
    this.shown(this.until, row);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.changed();
  }
}
