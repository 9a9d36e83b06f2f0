// The colour and the text of one cell: the same in the matrices, in the rail and in the legend. No DOM.

import {diverging, sequential, signedPosition, weightColour} from '../kit/colour.js';
import {fmt} from '../kit/number.js';

const DEEPEST = 0.92; // of the scale, so that a number can still be read on the largest value

/** [r, g, b] of a number, null where there is none to show: −∞, not computed, or a plain count. */
export function fillOf(kind, x, max, theme) {
  if (!Number.isFinite(x) || kind === 'count') return null;
  if (kind === 'weights') return weightColour(x, theme);
  return diverging(signedPosition(x, max) * DEEPEST, theme);
}

/** A colour of the legend, at 0…1 along it. */
export function legendColour(kind, at, theme) {
  if (kind === 'weights') return sequential(Math.sqrt(at), theme);
  return diverging((2 * at - 1) * DEEPEST, theme);
}

/** How many decimals the numbers of a matrix have. */
export const digitsOf = ({kind, max}) => (kind === 'count' ? 0 : kind !== 'weights' && max >= 10 ? 1 : 2);

/** A number in a cell. */
export const cellText = (matrix, x) => fmt(x, digitsOf(matrix));
