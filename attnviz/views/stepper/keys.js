// The keyboard: which key does what.

import {ARROWS, PAGES, stepOf} from '../kit/keyboard.js';

/** The list of keys, as kit/keyboard.js shows it. */
export const keysOf = (say) => [
  [['←', '→', say('view-kit-key-page-up'), say('view-kit-key-page-down')], 'view-stepper-keys-step'],
  [[say('view-kit-key-space')], 'view-stepper-keys-play'],
  [[',', '.'], 'view-stepper-keys-row'],
  [[say('view-kit-key-tab')], 'view-stepper-keys-enter'],
  [['↑', '↓', '←', '→'], 'view-stepper-keys-cell'],
  [['home', 'end'].map((name) => say(`view-kit-key-${name}`)), 'view-stepper-keys-jump'],
  [['Esc'], 'view-stepper-keys-leave'],
  [['0'], 'view-stepper-keys-restore'],
  [['P'], 'view-kit-present'],
];

/**
 * Do what a key says; whether it was one of ours. `act` has moveCell(down, right), step(by), play(), row(by), enter(),
 * restore(), leave(), present() and list().
 */
export function press(event, node, act) {
  const {key} = event;
  const isInside = Boolean(node?.closest?.('.surface'));
  const move = isInside && !(key in PAGES) ? stepOf(event) : null;
  if (key in PAGES) act.step(PAGES[key]);
  else if (move) act.moveCell(...move);
  else if (key in ARROWS && ARROWS[key][1]) act.step(ARROWS[key][1]);
  else if (key === ' ' && !node?.closest?.('button')) act.play();
  else if (key === '.' || key === ',') act.row(key === '.' ? 1 : -1);
  else if (key === 'Enter' && isInside) act.enter();
  else if (key === '0') act.restore();
  else if (key === 'p' || key === 'P') act.present();
  else if (key === 'Escape') act.leave();
  else if (key === '?') act.list();
  else return false;
  return true;
}
