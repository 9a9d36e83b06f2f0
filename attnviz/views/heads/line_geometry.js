// Where the lines of a head and the tokens beside them go, in CSS pixels, and how a line is drawn; `k` is 1 at normal size. No DOM.

const ROW = 17;
const TIGHT = 14; // px of a row: a little less than at ease, where all rows fit so

/**
 * The two columns of tokens and the room for lines between them: `n` tokens on the left and `nKeys` on the right, the
 * shorter column in the middle. `widest` is the widest token at 1 px font size.
 */
export function lineGeometry({width, height, n, nKeys = n, k = 1, widest}) {
  const most = Math.max(n, nKeys);
  const even = (height - 12 * k) / most;
  const fits = even >= TIGHT * k;
  const row = fits ? Math.min(66 * k, even) : ROW * k; // what does not fit scrolls, at ease
  const pad = (fits ? 6 : 12) * k; // what scrolls fades at both ends
  const font = Math.max(11 * k, Math.min(16.5 * k, row * 0.66));
  const label = Math.min(widest * font + 14 * k, width * 0.32);
  const x1 = Math.max(label + 10 * k, width * 0.2, Math.min(label + 48 * k, width * 0.25)); // with a percentage, if it can be
  const x2 = width - Math.max(label + 58 * k, width * 0.2);
  const column = (count) => (i) => pad + (i + 0.5 + (most - count) / 2) * row;
  return {row, font, x1, x2, pad, height: most * row + 2 * pad, y: column(n), yKey: column(nKeys), label};
}

/** One query row among many tokens: everything fits the height, labels are thinned to keep `gap` between them. */
export function rowGeometry({width, height, n, nKeys = n, k = 1, widest}) {
  const font = 13 * k;
  const pad = 10 * k;
  const row = (height - 2 * pad) / n;
  const label = Math.min(widest * font + 14 * k, width * 0.32);
  const x1 = Math.max(label + 10 * k, width * 0.2);
  const x2 = width - Math.max(label + 76 * k, width * 0.26);
  const gap = 17 * k;
  const near = Math.max(1, Math.ceil(gap / row)); // rows from one label to the next
  const column = (count) => (i) => pad + ((i + 0.5) * (height - 2 * pad)) / count;
  return {row, font, x1, x2, pad, gap, near, height, y: column(n), yKey: column(nKeys), label};
}

/** How wide a line is at both ends: a share of its row, and never invisible. */
export const lineWidth = (weight, row, k = 1) => Math.max(0.8 * k, weight * row * 0.8);

/** Draw a line from (x1, ya) to (x2, yb) in the context's fill colour, as wide as its weight at both ends. */
export function drawLine(context, {x1, x2, row}, ya, yb, weight, k, alpha) {
  const half = lineWidth(weight, row, k) / 2;
  const middle = (x1 + x2) / 2;
  context.globalAlpha = alpha;
  context.beginPath();
  context.moveTo(x1, ya - half);
  context.bezierCurveTo(middle, ya - half, middle, yb - half, x2, yb - half);
  context.lineTo(x2, yb + half);
  context.bezierCurveTo(middle, yb + half, middle, ya + half, x1, ya + half);
  context.fill();
}

/** Where all lines are open, the many thin ones step back so that they do not hide the few wide ones. */
export const openAlpha = (weight) => Math.min(0.9, 0.16 + 0.74 * weight) * Math.min(1, weight / 0.06) ** 0.7;
export const pickedAlpha = (weight) => Math.min(0.95, 0.3 + 0.65 * weight);
export const FADED = 0.035;
