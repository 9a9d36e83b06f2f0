// The keyboard: which key does what. Keys of a matrix are its own before they come here.

import {ARROWS, PAGES} from '../kit/keyboard.js';

/** The list of keys, as kit/keyboard.js shows it. */
export const keysOf = (say) => [
  [['←', '→', say('view-kit-key-page-up'), say('view-kit-key-page-down')], 'view-training-keys-time'],
  [['home', 'end'].map((name) => say(`view-kit-key-${name}`)), 'view-training-keys-ends'],
  [[say('view-kit-key-space')], 'view-training-keys-play'],
  [['1', '…', '9'], 'view-training-keys-number'],
  [['[', ']'], 'view-training-keys-head'],
  [[',', '.'], 'view-training-keys-row'],
  [['↑', '↓', '←', '→'], 'view-training-keys-cell'],
  [['Esc'], 'view-training-keys-leave'],
  [['P'], 'view-kit-present'],
];

/**
 * Do what a key says; whether it was one of ours. `act` has time(step), end(isLast), play(), head(dLayer, dHead, inGrid),
 * number(index), cell(dQuery, dKey), leave(isInMap), present() and list(), each of which says
 * whether it did something.
 */
export function press({key}, node, act) {
  const isInMaps = Boolean(node?.closest?.('.maps'));
  if (key in PAGES) return act.time(PAGES[key]);
  const move = ARROWS[key];
  if (move && isInMaps) return act.head(...move, true);
  if (move && (move[1] || node?.matches?.('.knob'))) return act.time(move[1] || -move[0]);
  if (key === ',' || key === '.') return act.cell(key === ',' ? -1 : 1, 0);
  if (key === '[' || key === ']') return act.head(0, key === '[' ? -1 : 1, isInMaps);
  if (key === 'Home' || key === 'End') return act.end(key === 'End');
  if (key === ' ' && !node?.matches?.('button')) return act.play();
  if (/^[1-9]$/.test(key)) return act.number(Number(key) - 1);
  if (key === 'Escape') return act.leave(Boolean(node?.closest?.('.stop')));
  if (key === 'p' || key === 'P') return act.present();
  return key === '?' ? act.list() : false;
}
