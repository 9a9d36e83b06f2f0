// Play and pause: one after another, slower where a person asked for less motion.

import {guarded} from './error_guard.js';
import {isStill} from './theme.js';

export class Player {
  advance; changed; every; calm;

  /** `advance()` shows the next and says whether there is one more; `changed(isPlaying)` tells of it; `every`, `calm`: ms. */
  constructor(advance, changed, {root, signal, every, calm}) {
    Object.assign(this, {every, calm, advance: guarded(root, () => advance() || this.stop()), changed, timer: 0});
    signal.addEventListener('abort', () => clearInterval(this.timer));
  }

  get isPlaying() {
    return this.timer !== 0;
  }

  start() {
    if (this.isPlaying) return;
    this.timer = setInterval(this.advance, isStill() ? this.calm : this.every);
    this.changed(true);
  }

  stop() {
    if (!this.isPlaying) return;
    clearInterval(this.timer);
    this.timer = 0;
    this.changed(false);
  }
}
