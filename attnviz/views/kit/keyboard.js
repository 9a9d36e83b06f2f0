// Keys: which are a view's own, the steps they make, and the list of them.

import {el} from './dom.js';
import {guarded} from './error_guard.js';

const PAGE = 10; // rows

/** Steps of a presenter's clicker. */
export const PAGES = {PageUp: -1, PageDown: 1};

/** A presenter's keys: they work wherever the focus is. */
export const PRESENTERS = [...Object.keys(PAGES), 'p', 'P'];

/** One step of an arrow key: rows, columns. */
export const ARROWS = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
const STEPS = {...ARROWS, Home: [0, -Infinity], End: [0, Infinity], PageUp: [-PAGE, 0], PageDown: [PAGE, 0]};

const WIDGETS = '[contenteditable], [role=slider], [role=listbox], [role=menu], [role=grid], [role=tree]'; // have keys of their own

const isModified = ({ctrlKey, metaKey, altKey}) => ctrlKey || metaKey || altKey;

/** The step that a key makes in a matrix, [rows, columns]; null for any other key and with a modifier. */
export function stepOf(event) {
  return !isModified(event) && !event.shiftKey && Object.hasOwn(STEPS, event.key) ? STEPS[event.key] : null;
}

/** Let an element that can have the focus hear keys before its view does; `act(event)` says whether a key was its own. */
export function listenToOwnKeys(element, signal, act) {
  const heard = (event) => {
    if (isModified(event) || !act(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  element.addEventListener('keydown', guarded(element, heard), {signal});
}

/**
 * Listen to the keys of a view. `act(event, focused)` says whether the key was one of its own; `everywhere` are those that
 * are the view's wherever the focus is, such as a presenter's.
 */
export function listenToKeys(root, signal, act, everywhere = []) {
  const heard = (event) => {
    const node = focused();
    if (isOurs(event, root, node, everywhere) && act(event, node)) event.preventDefault();
  };
  document.addEventListener('keydown', guarded(root, heard), {signal});
}

/** The deepest focused element, through shadow roots. */
function focused() {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node;
}

/**
 * Keys are a view's while the focus is in it, or on what holds all of it, as after a click beside it; never with a modifier,
 * in a field that needs them, or while a dialog is open, the view's or the page's, or a popover, which Escape closes. Those
 * that are a view's everywhere need no focus in it, except where a widget of the page may use them. Beside a presented view
 * no other one hears any.
 */
function isOurs(event, root, node, everywhere) {
  if (event.defaultPrevented || isModified(event)) return false;
  if (document.body.classList.contains('av-presents') && !root.closest('.presented')) return false; // a room does not see it
  const isIn = !node || root.contains(node) || node.contains(root.getRootNode().host ?? root);
  if (!isIn && (!everywhere.includes(event.key) || node.closest(WIDGETS))) return false;
  if (node?.matches?.('input[type=checkbox]') && event.key === ' ') return false;
  if (node?.matches?.('input[type=range]') && !['?', '0'].includes(event.key)) return false; // its arrows are its own
  if (node?.matches?.('input:not([type=checkbox], [type=range]), select, textarea') && event.key !== '?' && !(everywhere.includes(event.key) && isPastText(event, node))) return false;
  return !root.querySelector('dialog[open], :popover-open') && !document.querySelector('[role=dialog]');
}

/** Whether an arrow down has nowhere to go in a text, for the caret is behind it. */
const isPastText = ({key}, node) => key === 'ArrowDown' && node.matches('input, textarea') && node.selectionStart === node.value.length;

/**
 * Fill and open the list of keys. `rows` are [keys, id of the words] each; `lost()` is called where the focus had no place
 * to go back to when it closes.
 * @param {(() => void) | null} lost
 */
export function showKeys(dialog, say, rows, lost = null) {
  const close = el('button', {type: 'button', class: 'button close', click: () => dialog.close()}, say('view-kit-close'));
  const list = [...rows, [['?'], 'view-kit-keys-list']];
  dialog.replaceChildren(
    el('h2', {class: 'title small'}, say('view-kit-keys')),
    el('dl', {}, ...list.flatMap(([keys, id]) => [el('dt', {}, ...keys.map((key) => el('kbd', {}, key))), el('dd', {}, say(id))])),
    close,
  );
  const closed = () => {
    const node = focused();
    if (!node || node === document.body || dialog.contains(node)) lost?.(); // its own button may keep it a moment
  };
  dialog.addEventListener('close', closed, {once: true});
  dialog.showModal();
}
