// Axes: where a step or a loss falls, which ticks say so, and which checkpoint is meant. No DOM.

/** A map from low…high to from…to; a log axis of steps counts from 1, so that step 0 has a place. */
export function axis({low, high, from, to, isLog = false, plus = 0}) {
  const bend = (x) => (isLog ? Math.log(Math.max(x + plus, Number.MIN_VALUE)) : x);
  const [a, b] = [bend(low), bend(high)];
  const span = b - a || 1;
  return (x) => from + ((bend(Math.min(Math.max(x, low), high)) - a) / span) * (to - from);
}

export const stepAxis = (high, from, to, isLog) => axis({low: 0, high, from, to, isLog, plus: 1});

/** 1, 2 or 5 times a power of ten, so that low…high has at most `most` of them. */
export function niceStep(span, most) {
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5].map((n) => n * power).find((size) => size >= rough * 0.999) ?? 10 * power;
}

/** Round numbers from 0 to high, both included where they are round; whole ones only if `isWhole`. */
export function evenTicks(high, most, isWhole = false) {
  if (!(high > 0)) return [0];
  const size = Math.max(niceStep(high, most), isWhole ? 1 : 0);
  const ticks = [];
  for (let i = 0; i * size <= high * 1.0001; i++) ticks.push(Number((i * size).toPrecision(12)));
  return ticks;
}

/** Steps on a log axis: 0, powers of ten, and the last step. */
export function logSteps(high) {
  const ticks = [0];
  for (let tick = 1; tick < high; tick *= 10) ticks.push(tick);
  return [...ticks, high];
}

/** Those of ascending `ticks` that keep `gap` pixels from each other: the first and the last, then what has room. */
export function thinTicks(ticks, place, gap) {
  const kept = [ticks[0]];
  const last = ticks.at(-1);
  for (const tick of ticks.slice(1, -1))
    if (place(tick) - place(kept.at(-1)) >= gap && place(last) - place(tick) >= gap * 1.4) kept.push(tick);
  return last === ticks[0] ? kept : [...kept, last];
}

/** Powers of ten within low…high. */
export function powers(low, high) {
  const ticks = [];
  for (let e = Math.ceil(Math.log10(low) - 1e-9); 10 ** e <= high * 1.0001; e++) ticks.push(Number((10 ** e).toPrecision(1)));
  return ticks;
}

/** The index of the checkpoint drawn nearest to `x`. */
export function nearest(checkpoints, place, x) {
  let best = 0;
  checkpoints.forEach((step, i) => {
    if (Math.abs(place(step) - x) < Math.abs(place(checkpoints[best]) - x)) best = i;
  });
  return best;
}

/** The index of the checkpoint whose step is nearest; the newest for Infinity. */
export function nearestStep(checkpoints, step) {
  if (!Number.isFinite(step)) return checkpoints.length - 1;
  return nearest(checkpoints, (at) => at, step);
}

/** An SVG path through [step, value] points that `x` and `y` place. */
export function pathThrough(points, x, y) {
  return points.map(([a, b], i) => `${i ? 'L' : 'M'}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join('');
}
