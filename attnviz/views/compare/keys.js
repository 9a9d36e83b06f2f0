// The keyboard: arrows move head A through layers and heads, with Shift head B; in a map they move its cell.

import {el} from '../kit/dom.js';
import {ARROWS, focused, isOurs} from '../kit/keyboard.js';


/** Listen. `act` has move(side, dLayer, dHead), list(). */
export function listenToKeys(root, signal, act) {
  document.addEventListener(
    'keydown',
    (event) => {
      if (!isOurs(event, root) || focused()?.matches?.('input, select, textarea')) return;
      const step = ARROWS[event.key];
      if (step) act.move(event.shiftKey ? 'b' : 'a', ...step);
      else if (event.key === '?') act.list();
      else return;
      event.preventDefault();
    },
    {signal},
  );
}

/** Fill and open the list of keys. */
export function showKeys(dialog, say) {
  const arrows = ['↑', '↓', '←', '→'];
  const rows = [
    [arrows, 'view-compare-keys-a'],
    [['⇧', ...arrows], 'view-compare-keys-b'],
    [arrows, 'view-compare-keys-matrix'],
    [arrows, 'view-compare-keys-cell'],
    [['⇤', '⇥'], 'view-compare-keys-ends'],
    [['?'], 'view-compare-keys-list'],
  ];
  dialog.replaceChildren(
    el('h2', {class: 'title small'}, say('view-kit-keys')),
    el('dl', {}, ...rows.flatMap(([keys, id]) => [el('dt', {}, ...keys.map((key) => el('kbd', {}, key))), el('dd', {}, say(id))])),
    el('button', {type: 'button', class: 'close', click: () => dialog.close()}, say('view-kit-close')),
  );
  dialog.showModal();
}
