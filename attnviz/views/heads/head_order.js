// In which order heads stand in the overview, and what lies beside a head there. No DOM.

import {clamp} from '../kit/number.js';

/** The numbers of `n` heads by a value, the largest first; earlier ones first among equals, those without one last. */
export function orderBy(n, value) {
  const values = Array.from({length: n}, (_, index) => value(index));
  const rank = (index) => (Number.isNaN(values[index]) ? -Infinity : values[index]);
  const compare = (a, b) => (rank(a) === rank(b) ? a - b : rank(b) - rank(a));
  return Array.from({length: n}, (_, index) => index).sort(compare);
}

/**
 * The rows of the grid: [{items, layer}], a layer where the row is its first one, else null; across, where each column is
 * a layer, the head. `order` null is by layer.
 */
export function rowsOf({layers, heads, columns, order, isAcross = false}) {
  const chunks = (items, layer) => {
    const rows = [];
    for (let at = 0; at < items.length; at += columns) rows.push({items: items.slice(at, at + columns), layer: at ? null : layer});
    return rows;
  };
  if (order) return chunks(order, null);
  if (isAcross) return Array.from({length: heads}, (_, head) => ({items: Array.from({length: layers}, (_, at) => at * heads + head), layer: head}));
  const layer = (at) => Array.from({length: heads}, (_, head) => at * heads + head);
  return Array.from({length: layers}, (_, at) => chunks(layer(at), at)).flat();
}

/** The head that many steps away, inside the grid: by layer and head where that is the order, else by rows and columns. */
export function stepped(index, down, right, {layers, heads, columns, order}) {
  const within = (x, n) => clamp(x, 0, n - 1);
  if (!order) return within(Math.floor(index / heads) + down, layers) * heads + within((index % heads) + right, heads);
  const from = order.indexOf(index);
  const to = from + down * columns + right;
  return order[down && (to < 0 || to >= order.length) ? from : within(to, order.length)];
}
