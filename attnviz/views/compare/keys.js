// The keyboard: arrows move head A through layers and heads, with Shift head B; in a map they move its cell.

import {el} from '../kit/dom.js';

const STEPS = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};

/** The deepest focused element, through shadow roots. */
function focused() {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node;
}

/** Keys are ours while the focus is in the view or nowhere; never while a person types or a dialog is open. */
function isOurs(event, root) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const node = focused();
  if (node && node !== document.body && !root.contains(node)) return false;
  return !root.querySelector('dialog[open]') && !node?.matches?.('input, select, textarea');
}

/** Listen. `act` has move(side, dLayer, dHead), list(). */
export function listenToKeys(root, signal, act) {
  document.addEventListener(
    'keydown',
    (event) => {
      if (!isOurs(event, root)) return;
      const step = STEPS[event.key];
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
