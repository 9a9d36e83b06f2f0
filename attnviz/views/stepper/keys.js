// The keyboard: which key does what, when keys are ours, and the list of them.

import {el} from '../kit/dom.js';
import {ARROWS, focused} from '../kit/keyboard.js';

const PAGE = 10; // rows
const JUMPS = {Home: [0, -Infinity], End: [0, Infinity], PageUp: [-PAGE, 0], PageDown: [PAGE, 0]};
const MOVES = {...ARROWS, ...JUMPS};

/** Whether an element holds the whole view: a click beside the matrices gives the focus to the page's own frame. */
const isAround = (node, root) => node.contains(root.getRootNode().host ?? root);

/** Keys are ours while the focus is in the view or nowhere; never while a person types or a dialog is open, ours or the
 * host's. */
function isOurs(event, root) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const node = focused();
  if (node && !isAround(node, root) && !root.contains(node)) return false;
  if (node?.matches?.('input, select, textarea') && !(node.matches('input[type=checkbox]') && event.key !== ' '))
    return false;
  return !root.querySelector('dialog[open]') && !document.querySelector('[role=dialog]');
}

/** Listen. `act` has moveCell(down, right), step(by), play(), row(by), enter(), restore(), leave(), list(). */
export function listenToKeys(root, signal, act) {
  document.addEventListener(
    'keydown',
    (event) => {
      if (!isOurs(event, root)) return;
      const node = focused();
      const isInside = Boolean(node?.closest?.('.surface'));
      const move = MOVES[event.key];
      if (move && isInside && !event.shiftKey) act.moveCell(...move);
      else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') act.step(event.key === 'ArrowRight' ? 1 : -1);
      else if (event.key === ' ' && !node?.closest?.('button')) act.play();
      else if (event.key === '.' || event.key === ',') act.row(event.key === '.' ? 1 : -1);
      else if (event.key === 'Enter' && isInside) act.enter();
      else if (event.key === '0') act.restore();
      else if (event.key === 'Escape') act.leave();
      else if (event.key === '?') act.list();
      else return;
      event.preventDefault();
    },
    {signal},
  );
}

const JUMP_KEYS = ['home', 'end', 'page-up', 'page-down'];
const keycap = (name) => el('kbd', {}, name);

/** Fill and open the list of keys; `lost()` is called where the focus had no place to go back to when it closes. */
export function showKeys(dialog, say, lost) {
  const rows = [
    [['←', '→'], say('view-stepper-keys-step')],
    [[say('view-stepper-keys-space')], say('view-stepper-keys-play')],
    [[',', '.'], say('view-stepper-keys-row')],
    [[say('view-stepper-keys-tab')], say('view-stepper-keys-enter')],
    [['↑', '↓', '←', '→'], say('view-stepper-keys-cell')],
    [JUMP_KEYS.map((name) => say(`view-stepper-keys-${name}`)), say('view-stepper-keys-jump')],
    [['Esc'], say('view-stepper-keys-leave')],
    [['0'], say('view-stepper-keys-restore')],
    [['?'], say('view-stepper-keys-list')],
  ];
  const close = el('button', {type: 'button', class: 'close', click: () => dialog.close()}, say('view-kit-close'));
  dialog.replaceChildren(
    el('h2', {class: 'title small'}, say('view-kit-keys')),
    el('dl', {}, ...rows.flatMap(([keys, text]) => [el('dt', {}, ...keys.map(keycap)), el('dd', {}, text)])),
    close,
  );
  const closed = () => {
    const node = focused();
    if (!node || node === document.body || dialog.contains(node)) lost(); // its own button may keep it a moment
  };
  dialog.addEventListener('close', closed, {once: true});
  dialog.showModal();
}
