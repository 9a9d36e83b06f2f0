// Where the axes, ticks and lines of a chart lie, in CSS pixels. No DOM.

import {axis, evenTicks, niceStep, powers, thinTicks} from '../kit/axis.js';
import {widthOf} from '../kit/words.js';

const HEIGHT = 232;
const NAMED = 0.34; // of the width: names at the ends of the lines take no more than this

/** {x, y, ticks, left, end, top, bottom, isNamed, width, height} of a chart in `width`. */
export function plotOf({x, curves, log_x: logX, log_y: logY}, width, k = 1) {
  const widest = Math.max(...curves.map(({name}) => widthOf(name)), 1) * 12 * k + 22 * k;
  const isNamed = curves.length > 1 && widest <= width * NAMED;
  const [left, end] = [48 * k, width - (isNamed ? widest : 16 * k)];
  const [top, bottom] = [14 * k, (HEIGHT - 40) * k];
  const values = curves.flatMap(({y}) => y).filter((y) => isPlaced(y, logY));
  const range = logY ? logRange(values) : evenRange(values);
  const across = axis({low: Math.min(...x), high: Math.max(...x), from: left, to: end, isLog: logX});
  return {
    x: across,
    y: axis({...range, from: bottom, to: top, isLog: logY}),
    ticks: {x: thinTicks(x, across, 38 * k), y: logY ? logTicks(range) : range.ticks},
    left,
    end,
    top,
    bottom,
    isNamed,
    arePowers: logY && (range.high >= 1e5 || range.low < 1e-3) && range.high / range.low >= 1000,
    width,
    height: HEIGHT * k,
  };
}

/** The points of a curve that have a place, in pieces: where one has none, the line is broken. */
export function pieces(x, y, isLog) {
  const found = [[]];
  x.forEach((at, i) => {
    if (isPlaced(y[i], isLog)) found.at(-1).push([at, y[i]]);
    else if (found.at(-1).length) found.push([]);
  });
  return found.filter((piece) => piece.length);
}

/** Whether a number has a place: a logarithm takes those above 0 only. */
export const isPlaced = (y, isLog) => y !== null && Number.isFinite(y) && (!isLog || y > 0);

function evenRange(values) {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values) || 1];
  const step = niceStep(most - least, 4);
  const low = Math.floor(least / step + 1e-9) * step;
  const high = Math.ceil(most / step - 1e-9) * step;
  const placed = (y) => (Math.abs(y) < step * 1e-9 ? 0 : Number(y.toPrecision(12))); // −0.15 + 3 · 0.05 is not 0
  return {low, high, ticks: evenTicks(high - low, 5).map((tick) => placed(tick + low))};
}

/** A little more than the values take, and at least one power of ten. */
function logRange(values) {
  const [least, most] = values.length ? [Math.min(...values), Math.max(...values)] : [1, 10];
  const low = Math.min(least / 1.5, most / 12);
  return {low, high: most * 1.25};
}

/** Powers of ten, with 2 and 5 between them where there are few. */
function logTicks({low, high}) {
  const tens = powers(low, high);
  if (tens.length > 2) return tens.filter((_, at) => at % Math.ceil(tens.length / 6) === 0);
  const between = powers(low / 10, high).flatMap((ten) => [1, 2, 5].map((n) => Number((n * ten).toPrecision(1))));
  return between.filter((tick) => tick >= low && tick <= high);
}
