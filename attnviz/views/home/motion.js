// How an object of the story gets from its place in one scene to that in the next, and how a place is put on an element.

/** x, y: px in the stage; w, h of a box; s: font size; o: opacity; r: turned, in degrees; at: 0, 0.5 or 1, which part of a text stands at x.
 * @typedef {{x: number, y: number, w?: number, h?: number, s?: number, o: number, r?: number, at?: number, c?: number[]}} Place */

const MIXED = ['x', 'y', 'w', 'h', 's', 'r', 'at'];

/** Slow at both ends. */
export const eased = (t) => t * t * t * (t * (6 * t - 15) + 10);
const unit = (x) => Math.max(0, Math.min(1, x));

/** How strongly something is there that comes, stays or goes between two scenes: it comes late and goes early. */
const faded = (from, to, t) => (from === to ? from : from < to ? from + (to - from) * eased(unit(2 * t - 1)) : to + (from - to) * (1 - eased(unit(2 * t))));

/** The place at `p`, a scene and the way to the next as one number. @param {Place[]} places @returns {Place} */
export function between(places, p) {
  const first = Math.max(0, Math.min(places.length - 1, Math.floor(p)));
  const t = p - first;
  const from = places[first];
  const to = places[first + 1] ?? from;
  if (t <= 0 || to === from) return from;
  const f = eased(t);
  const place = {...from, o: faded(from.o, to.o, t)};
  for (const name of MIXED) {
    const [a, b] = [from[name] ?? to[name], to[name] ?? from[name]];
    if (a !== undefined) place[name] = a + (b - a) * f;
  }
  const [paler, darker] = [from.c, to.c];
  if (paler && darker) place.c = paler.map((one, at) => Math.round(one + (darker[at] - one) * f));
  return place;
}

/** Where whole scenes stay for a while as the page is scrolled: `s` scenes scrolled -> the place in the story. */
export function held(s, last) {
  const at = Math.floor(s);
  return Math.max(0, Math.min(last, at + unit((s - at - 0.2) / 0.6)));
}

/** Put a box or a text at a place; what cannot be seen is not there for a click or a reader either. @param {HTMLElement} element @param {Place} place */
export function put(element, {x, y, w, h, s, o, r = 0, at = 0, c}) {
  const {style} = element;
  const isSeen = o > 0.01;
  if (!isSeen && style.visibility === 'hidden') return;
  style.visibility = isSeen ? 'visible' : 'hidden';
  style.opacity = String(Math.round(o * 1000) / 1000);
  if (!isSeen) return;
  const shift = at ? ` translateX(${-100 * at}%)` : '';
  style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)${r ? ` rotate(${r.toFixed(1)}deg)` : ''}${shift}`;
  if (w !== undefined) style.width = `${Math.max(0, w).toFixed(1)}px`;
  if (h !== undefined) style.height = `${Math.max(0, h).toFixed(1)}px`;
  if (s !== undefined) style.fontSize = `${s.toFixed(1)}px`;
  if (c) style.backgroundColor = `rgb(${c.join(' ')})`;
}
