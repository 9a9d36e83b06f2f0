// What the pointer and the focus do to the tokens: hover isolates a row or a column, click pins it.

import {listen} from '../kit/dom.js';

/** Whether two focuses, null where nothing is meant, are the same. */
export const isSame = (a, b) => a?.side === b?.side && a?.index === b?.index && a?.other === b?.other;

/** Listen on the element that `way()` draws into. `act` has hover(focus or null) and click(focus). */
export function listenToTokens(holder, way, signal, act) {
  listen(holder, 'pointermove', (event) => {
    const focus = under(event, way());
    if (focus) act.hover(focus);
  }, {signal});
  listen(holder, 'pointerleave', () => act.hover(null), {signal});
  listen(holder, 'focusin', (event) => {
    if (event.target.matches(':focus-visible')) act.hover(under(event, way()));
  }, {signal});
  listen(holder, 'focusout', (event) => {
    if (!holder.contains(event.relatedTarget)) act.hover(null);
  }, {signal});
  listen(holder, 'click', (event) => {
    const focus = under(event, way());
    if (focus) act.click(focus);
  }, {signal});
}

/** {side, index} of the token an event is about; null between the columns. */
function under(event, way) {
  if (way.under) return way.under(event);
  const node = event.target.closest('.query, .key');
  const isPointed = event.type === 'pointermove' || (event.type === 'click' && event.detail > 0); // else by keyboard
  const isKeyClicked = event.type === 'click' && node?.classList.contains('key');
  if (way.rowAt && isPointed && !isKeyClicked) return rowUnder(event, way);
  if (!node) return null;
  return {side: node.classList.contains('query') ? 'query' : 'key', index: Number(node.dataset.index)};
}

/** Where rows are thinner than their labels, the height of the pointer says which one is meant. */
function rowUnder(event, way) {
  const box = way.sheet.getBoundingClientRect();
  if (event.clientX - box.left > way.place.x1 + 8) return null;
  return {side: 'query', index: way.rowAt(event.clientY - box.top)};
}
