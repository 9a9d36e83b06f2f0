// Play and pause: one checkpoint after another, slower where a person asked for less motion.

import {guarded} from '../kit/error_guard.js';
import {isStill} from '../kit/theme.js';

const EVERY_MS = 140;
const CALM_MS = 400;

export class Player {
  advance; changed;

  /** `advance()` shows the next checkpoint and says whether there is one more; `changed(isPlaying)` tells of it. */
  constructor(advance, changed, {root, signal}) {
    Object.assign(this, {advance: guarded(root, () => advance() || this.stop()), changed, timer: 0});
    signal.addEventListener('abort', () => clearInterval(this.timer));
  }

  get isPlaying() {
    return this.timer !== 0;
  }

  start() {
    if (this.isPlaying) return;
    this.timer = setInterval(this.advance, isStill() ? CALM_MS : EVERY_MS);
    this.changed(true);
  }

  stop() {
    if (!this.isPlaying) return;
    clearInterval(this.timer);
    this.timer = 0;
    this.changed(false);
  }
}
