// The keyboard: which key does what.

import {ARROWS} from '../kit/keyboard.js';
import {WAYS} from './one_head.js';

const WRITTEN = {',': -1, '.': 1};
const TOKENS = {'[': ['query', -1], ']': ['query', 1], '{': ['key', -1], '}': ['key', 1]};
const ALL = ['↑', '↓', '←', '→'];

/** The list of keys, as kit/keyboard.js shows it. */
export const KEYS = [
  [ALL, 'view-heads-keys-move'],
  [['[', ']'], 'view-heads-keys-token'],
  [['{', '}'], 'view-heads-keys-key'],
  [[',', '.'], 'view-heads-keys-written'],
  [['⇧', ...ALL], 'view-heads-keys-go'],
  [['⇧', '↵'], 'view-heads-keys-several'],
  [['Esc'], 'view-heads-keys-release'],
  [['1', '2', '3', '4'], 'view-heads-keys-way'],
  [ALL, 'view-heads-keys-cell'],
  [['+', '−', '0'], 'view-heads-keys-zoom'],
];

/**
 * Do what a key says; whether it was one of ours. `act` has moveHead(dLayer, dHead, inGrid, isWalking), moveToken(side, step),
 * walk(index), release(), chooseWay(way), written.step(by) and listKeys().
 */
export function press(event, node, act) {
  const {key} = event;
  const query = node?.closest?.('.query');
  const step = ARROWS[key];
  if (step && query) {
    if (step[0]) act.walk(Number(query.dataset.index) + step[0]);
  } else if (step) act.moveHead(...step, Boolean(node?.closest?.('.grid')), event.shiftKey);
  else if (Object.hasOwn(TOKENS, key)) act.moveToken(...TOKENS[key]);
  else if (Object.hasOwn(WRITTEN, key)) act.written.step(WRITTEN[key]);
  else if (key === 'Escape') act.release();
  else if (/^[1-9]$/.test(key)) act.chooseWay(Object.keys(WAYS)[Number(key) - 1]);
  else if (key === '?') act.listKeys();
  else return false;
  return true;
}
