// Where the two charts and their axes lie, in CSS pixels. No DOM.

import {axis, evenTicks, logSteps, powers, stepAxis, thinTicks} from '../kit/axis.js';

const NARROW = 620; // px: below it the names of the lines stand in a list under the charts
export const VALUE = 56; // px that a number beside the cursor takes
const SMALLEST_LOSS = 1e-4; // the foot of a log axis

/**
 * {x, y, share, upper, lower, left, end, isNarrow, ticks}: `isLog` says of steps and loss how their axis bends, `named` how
 * wide the longest name beside the lines is.
 */
export function plotOf({runs, width, height, k, isLog, named}) {
  const isNarrow = width < NARROW;
  const room = {left: 46 * k, right: isNarrow ? 14 * k : named + (VALUE + 12) * k, top: 36 * k, gap: 32 * k, bottom: (isNarrow ? 50 : 26) * k};
  const inner = Math.max(80, height - room.top - room.gap - room.bottom);
  const upper = {from: room.top, to: room.top + inner * 0.54};
  const lower = {from: upper.to + room.gap, to: upper.to + room.gap + inner * 0.46};
  const [left, end] = [room.left, width - room.right];
  const planned = Math.max(1, ...runs.map((run) => run.planned));
  const loss = lossRange(runs, isLog.loss);
  const x = stepAxis(planned, left, end, isLog.steps);
  return {
    isNarrow, upper, lower, left, end, width, height, planned,
    x,
    y: axis({...loss, from: upper.to, to: upper.from, isLog: isLog.loss}),
    share: axis({low: 0, high: 1, from: lower.to, to: lower.from}),
    ticks: {
      steps: thinTicks(isLog.steps ? logSteps(planned) : evenTicks(planned, isNarrow ? 4 : 8, true), x, 34 * k),
      loss: isLog.loss ? powers(loss.low, loss.high) : evenTicks(loss.high, inner < 170 * k ? 2 : 4),
      share: [0, 0.5, 1],
    },
  };
}

/** From 0, or on a log axis from the smallest mean, to the largest mean: single batches may lie outside. */
function lossRange(runs, isLog) {
  const means = runs.flatMap((run) => [...run.smooth]).filter((loss) => Number.isFinite(loss) && loss > 0);
  const high = Math.max(0.1, ...means) * 1.04;
  return {low: isLog ? Math.max(SMALLEST_LOSS, Math.min(high / 10, ...means)) : 0, high};
}
