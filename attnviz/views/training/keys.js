// The keyboard: which key does what, when keys are ours, and the list of them.

import {el} from '../kit/dom.js';
import {ARROWS, focused, isOurs} from '../kit/keyboard.js';


/** Listen. `act` has time(step), end(isLast), play(), head(dLayer, dHead, inGrid), number(index), cell(dQuery, dKey), leave(), list(). */
export function listenToKeys(root, signal, act) {
  document.addEventListener(
    'keydown',
    (event) => {
      if (!isOurs(event, root)) return;
      const node = focused();
      const place = node?.closest?.('.cells') ? 'cells' : node?.closest?.('.maps') ? 'maps' : 'time';
      if (handle(event, place, node, act)) event.preventDefault();
    },
    {signal},
  );
}

function handle(event, place, node, act) {
  const {key} = event;
  const move = ARROWS[key];
  if (move && place === 'cells') return act.cell(...move);
  if (move && place === 'maps') return act.head(...move, true);
  if (move && (move[1] || node?.matches?.('.knob'))) return act.time(move[1] || -move[0]);
  if (key === ',' || key === '.') return act.cell(key === ',' ? -1 : 1, 0);
  if (key === '[' || key === ']') return act.head(0, key === '[' ? -1 : 1, place === 'maps');
  if (key === 'Home' || key === 'End') return act.end(key === 'End');
  if (key === ' ' && !node?.matches?.('button')) return act.play();
  if (/^[1-9]$/.test(key)) return act.number(Number(key) - 1);
  if (key === 'Escape' && place === 'cells') return act.leave();
  return key === '?' ? act.list() : false;
}

const keycap = (name) => el('kbd', {}, name);

/** Fill and open the list of keys. */
export function showKeys(dialog, say) {
  const rows = [
    [['←', '→'], 'view-training-keys-time'],
    [['⇱', '⇲'], 'view-training-keys-ends'],
    [['␣'], 'view-training-keys-play'],
    [['1', '…', '9'], 'view-training-keys-number'],
    [['[', ']'], 'view-training-keys-head'],
    [[',', '.'], 'view-training-keys-row'],
    [['↑', '↓', '←', '→'], 'view-training-keys-cell'],
    [['Esc'], 'view-training-keys-leave'],
    [['?'], 'view-training-keys-list'],
  ];
  const close = el('button', {type: 'button', class: 'close', click: () => dialog.close()}, say('view-kit-close'));
  dialog.replaceChildren(
    el('h2', {class: 'title small'}, say('view-kit-keys')),
    el('dl', {}, ...rows.flatMap(([keys, id]) => [el('dt', {}, ...keys.map(keycap)), el('dd', {}, say(id))])),
    close,
  );
  dialog.showModal();
}
