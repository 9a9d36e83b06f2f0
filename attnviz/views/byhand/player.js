// One row computed cell by cell: the order of its cells, and the clock. Knows no DOM but its clock.

import {guarded} from '../kit/error_guard.js';

/** The cells of one row in the order in which they are computed. */
export function cellsOfRow({n, d}, row) {
  const line = (m, columns) => Array.from({length: columns}, (_, column) => ({m, row, column}));
  return [...['Q', 'K', 'V'].flatMap((m) => line(m, d)), ...['S', 'D', 'A'].flatMap((m) => line(m, n)), ...line('O', d)];
}

export class Player {
  shown; changed; root;
  cells = [];
  at = -1; // the cell that is computed; −1 while nothing is played
  isPlaying = false;
  turn = 0;

  /** `shown(isForward)` draws and resolves once its numbers have come to rest. `changed()` hears of play and pause. */
  constructor({shown, changed, root}) {
    Object.assign(this, {shown, changed, root});
  }

  get isOpen() {
    return this.at >= 0;
  }

  /** Whether a cell is still to be computed. */
  hides({m, row, column}) {
    return this.isOpen && this.cells.findIndex((cell) => cell.m === m && cell.row === row && cell.column === column) >= this.at + Number(this.isDone);
  }

  /** Begin with the first cell; where motion is reduced nothing goes on by itself. */
  begin(cells, isStill) {
    Object.assign(this, {cells, at: 0, isDone: false});
    if (isStill) return this.show();
    this.go();
  }

  go() {
    this.isPlaying = true;
    this.turn += 1;
    this.changed();
    guarded(this.root, () => this.run(this.turn))();
  }

  async run(turn) {
    while (this.isPlaying && turn === this.turn) {
      await this.show();
      if (!this.isPlaying || turn !== this.turn) return;
      if (this.at + 1 >= this.cells.length) return this.end();
      Object.assign(this, {at: this.at + 1, isDone: false});
    }
  }

  pause() {
    this.isPlaying = false;
    this.turn += 1;
    this.isDone = true;
    this.changed();
  }

  /** One cell on or back. */
  step(by) {
    this.pause();
    const next = this.at + by;
    if (next >= this.cells.length) return this.end();
    this.at = Math.max(0, next);
    this.show();
  }

  /** Draw the cell that is computed; its result stands once its numbers have come. */
  async show() {
    const {turn} = this;
    this.isDone = false;
    await this.shown(() => {
      if (turn === this.turn) this.isDone = true;
    });
  }

  end() {
    Object.assign(this, {isPlaying: false, at: -1});
    this.turn += 1;
    this.changed();
  }
}
