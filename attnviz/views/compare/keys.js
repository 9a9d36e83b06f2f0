// The keyboard: arrows move head A through layers and heads, with Shift head B; in a map they move its cell.

import {ARROWS} from '../kit/keyboard.js';

const ALL = ['↑', '↓', '←', '→'];

/** The list of keys, as kit/keyboard.js shows it. */
export const KEYS = [
  [ALL, 'view-compare-keys-a'],
  [['⇧', ...ALL], 'view-compare-keys-b'],
  [ALL, 'view-compare-keys-matrix'],
  [ALL, 'view-compare-keys-cell'],
  [['⇤', '⇥'], 'view-compare-keys-ends'],
];

/** Do what a key says; whether it was one of ours. `act` has move(side, dLayer, dHead) and listKeys(). */
export function press(event, act) {
  const step = ARROWS[event.key];
  if (step) act.move(event.shiftKey ? 'b' : 'a', ...step);
  else if (event.key === '?') act.listKeys();
  else return false;
  return true;
}
