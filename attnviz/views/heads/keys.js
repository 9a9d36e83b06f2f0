// The keyboard: which key does what, when keys are ours, and the list of them.

import {el} from '../kit/dom.js';
import {ARROWS, focused, isOurs} from '../kit/keyboard.js';

const WRITTEN = {',': -1, '.': 1};
const TOKENS = {'[': ['query', -1], ']': ['query', 1], '{': ['key', -1], '}': ['key', 1]};

/** A slider and a list keep their arrows. */
const isKept = (event) => focused()?.matches?.('input[type=range], select') && event.key !== 'Escape' && event.key !== '?';

/** Listen. `act` has moveHead(dLayer, dHead, inGrid, isWalking), moveToken(side, step), walk(index), release(), chooseWay(at), stepWritten(by), list(). */
export function listenToKeys(root, signal, act) {
  document.addEventListener(
    'keydown',
    (event) => {
      if (!isOurs(event, root) || isKept(event)) return;
      const query = focused()?.closest?.('.query');
      const step = ARROWS[event.key];
      if (step && query) {
        if (step[0]) act.walk(Number(query.dataset.index) + step[0]);
      } else if (step) act.moveHead(...step, Boolean(focused()?.closest?.('.grid')), event.shiftKey);
      else if (Object.hasOwn(TOKENS, event.key)) act.moveToken(...TOKENS[event.key]);
      else if (Object.hasOwn(WRITTEN, event.key)) act.stepWritten(WRITTEN[event.key]);
      else if (event.key === 'Escape') act.release();
      else if (/^[1-9]$/.test(event.key)) act.chooseWay(Number(event.key) - 1);
      else if (event.key === '?') act.list();
      else return;
      event.preventDefault();
    },
    {signal},
  );
}

const keycap = (name) => el('kbd', {}, name);

/** Fill and open the list of keys. */
export function showKeys(dialog, say) {
  const rows = [
    [['↑', '↓', '←', '→'], 'view-heads-keys-move'],
    [['[', ']'], 'view-heads-keys-token'],
    [['{', '}'], 'view-heads-keys-key'],
    [[',', '.'], 'view-heads-keys-written'],
    [['⇧', '↑', '↓', '←', '→'], 'view-heads-keys-go'],
    [['⇧', '↵'], 'view-heads-keys-several'],
    [['Esc'], 'view-heads-keys-release'],
    [['1', '2', '3', '4'], 'view-heads-keys-way'],
    [['↑', '↓', '←', '→'], 'view-heads-keys-cell'],
    [['+', '−', '0'], 'view-heads-keys-zoom'],
    [['?'], 'view-heads-keys-list'],
  ];
  const close = el('button', {type: 'button', class: 'close', click: () => dialog.close()}, say('view-kit-close'));
  dialog.replaceChildren(
    el('h2', {class: 'title small'}, say('view-kit-keys')),
    el('dl', {}, ...rows.flatMap(([keys, id]) => [el('dt', {}, ...keys.map(keycap)), el('dd', {}, say(id))])),
    close,
  );
  dialog.showModal();
}
