// Where the heads lie on the map of all heads, in pixels; both axes have one scale, for only distances mean something. No DOM.

/** Points [N, 2] around 0 -> {x, y} in a room with a margin, as large as they fit. */
export function placedPoints(points, {width, height, margin}) {
  const n = points.length / 2;
  const axis = (which) => Array.from({length: n}, (_, i) => points[2 * i + which]);
  const [xs, ys] = [axis(0), axis(1)];
  const span = (values) => Math.max(1e-9, Math.max(...values) - Math.min(...values));
  const room = [width - 2 * margin, height - 2 * margin];
  const scale = Math.min(room[0] / span(xs), room[1] / span(ys));
  const middle = (values) => (Math.max(...values) + Math.min(...values)) / 2;
  const [mx, my] = [middle(xs), middle(ys)];
  return Array.from({length: n}, (_, i) => ({x: width / 2 + (xs[i] - mx) * scale, y: height / 2 - (ys[i] - my) * scale}));
}

/** The point nearest to a place, no farther than `reach`; −1 where there is none. */
export function nearestPoint(points, x, y, reach) {
  let [best, least] = [-1, reach];
  points.forEach((point, i) => {
    const far = Math.hypot(point.x - x, point.y - y);
    if (far < least || (best < 0 && far === least)) [best, least] = [i, far];
  });
  return best;
}
