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

/** Do in a view what a key says, with the focus on `node`; whether it was one of ours. */
export function press(view, event, node) {
  const {key} = event;
  const isInside = Boolean(node?.closest?.('.surface'));
  const move = isInside && !(key in PAGES) ? stepOf(event) : null;
  if (key in PAGES) view.walk(PAGES[key]);
  else if (move) view.pointing.moveCell(...move);
  else if (key in ARROWS && ARROWS[key][1]) view.walk(ARROWS[key][1]);
  else if (key === ' ' && !node?.closest?.('button')) view.play();
  else if (key === '.' || key === ',') view.pointing.walk(key === '.' ? 1 : -1);
  else if (key === 'Enter' && isInside) view.pointing.guessPicked();
  else if (key === '0') view.host.restore();
  else if (key === 'p' || key === 'P') view.present(!view.shell.isPresented);
  else if (key === 'Escape') view.pointing.leave();
  else if (key === '?') view.listKeys();
  else return false;
  return true;
}
