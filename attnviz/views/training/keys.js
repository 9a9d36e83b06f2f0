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
 * Do what a key says; whether it was one of ours. `act` is the view: step(by), go(checkpoint), toggle(), walk(dLayer, dHead,
 * hasFocus), chooseNumber(index), move(dQuery, dKey), leave(isInMap), present(isPresented) and listKeys().
 */
export function press({key}, node, act) {
  const isInMaps = Boolean(node?.closest?.('.maps'));
  const move = ARROWS[key];
  if (key in PAGES) act.step(PAGES[key]);
  else if (move && isInMaps) act.walk(...move, true);
  else if (move && (move[1] || node?.matches?.('.knob'))) act.step(move[1] || -move[0]);
  else if (key === ',' || key === '.') act.move(key === ',' ? -1 : 1, 0);
  else if (key === '[' || key === ']') act.walk(0, key === '[' ? -1 : 1, isInMaps);
  else if (key === 'Home' || key === 'End') act.go(key === 'End' ? Infinity : 0);
  else if (key === ' ' && !node?.matches?.('button')) act.toggle();
  else if (/^[1-9]$/.test(key)) act.chooseNumber(Number(key) - 1);
  else if (key === 'Escape') return act.leave(Boolean(node?.closest?.('.stop')));
  else if (key === 'p' || key === 'P') act.present(!act.shell.isPresented);
  else if (key === '?') act.listKeys();
  else return false;
  return true;
}
