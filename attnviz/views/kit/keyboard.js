// When a key pressed somewhere on the page is a view's own.

/** One step of an arrow key: rows, columns. */
export const ARROWS = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};

/** The deepest focused element, through shadow roots. */
export function focused() {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node;
}

/** Keys are a view's while the focus is in it or nowhere; never with a modifier or while a dialog of it is open. */
export function isOurs(event, root) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const node = focused();
  if (node && node !== document.body && !root.contains(node)) return false;
  return !root.querySelector('dialog[open]');
}
