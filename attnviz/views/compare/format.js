// Numbers of a comparison as they are written: shares with one decimal, differences in points with their sign. No DOM.

import {MINUS, fmt} from '../kit/number.js';
import {rounded} from '../kit/rounded.js';

/** A share to one decimal; one that would round to 0 keeps its size: "3.4×10⁻⁵%". */
export function share(x) {
  const percent = 100 * x;
  if (percent === 0) return '0%';
  return `${Math.abs(percent) < 0.05 ? rounded(percent, 2, 1).text : percent.toFixed(1)}%`;
}

/** In a sentence: what rounds to 0 is said to be small. */
export const shareInText = (x) => (x > 0 && x < 0.0005 ? '<0.1%' : share(x));

/** A difference of shares in points, with its sign: "+41.5". */
export function points(x) {
  const size = Math.abs(100 * x);
  if (size === 0) return '0';
  return (x < 0 ? MINUS : '+') + (size < 0.05 ? rounded(size, 2, 1).text : size.toFixed(1));
}

/** A divergence in bits. */
export const bits = (x) => (Number.isFinite(x) && x > 0 && x < 0.0005 ? rounded(x, 2, 3).text : fmt(x, 3));

/** The end of a scale of differences: two digits. */
export const end = (x) => (x > 0 && x < 1e-3 ? rounded(x, 2).text : fmt(x));
