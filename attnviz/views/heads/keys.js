// The keyboard: which key does what, when keys are ours, and the list of them.

import {el} from '../kit/dom.js';

const STEPS = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
const WRITTEN = {',': -1, '.': 1};
const TOKENS = {'[': ['query', -1], ']': ['query', 1], '{': ['key', -1], '}': ['key', 1]};

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
  if (node?.matches?.('input[type=range], select')) return event.key === 'Escape' || event.key === '?';
  return !root.querySelector('dialog[open]');
}

/** Listen. `act` has moveHead(dLayer, dHead, inGrid, isWalking), moveToken(side, step), walk(index), release(), chooseWay(at), stepWritten(by), list(). */
export function listenToKeys(root, signal, act) {
  document.addEventListener(
    'keydown',
    (event) => {
      if (!isOurs(event, root)) return;
      const query = focused()?.closest?.('.query');
      const step = STEPS[event.key];
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
