// One line of the lines view, as wide as its weight at both ends.

import {lineWidth} from './line_geometry.js';

/** Draw it from (x1, ya) to (x2, yb) in the context's fill colour. */
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
