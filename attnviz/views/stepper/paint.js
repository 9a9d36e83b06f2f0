// The colour and the text of one cell: the same in the matrices, in the rail and in the legend. No DOM.

import {diverging, sequential, signedPosition, weightColour} from '../kit/colour.js';
import {fmt, raised} from '../kit/number.js';

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

const SMALL = 0.1; // the largest size up to which two decimals would leave coloured cells that read 0.00

/** How many decimals the numbers of a matrix have. */
export const digitsOf = ({kind, max}) => (kind === 'count' ? 0 : kind !== 'weights' && max >= 10 ? 1 : 2);

/** Of a matrix of small numbers only: the power of ten that its cells are printed in, such as −3; 0 of all others. */
export const powerOf = ({kind, max}) =>
  kind === 'signed' && max > 0 && max < SMALL ? Math.floor(Math.log10(max)) : 0;

/** That power as it stands beside the name of a matrix: "×10⁻³"; nothing where cells are printed as they are. */
export const factorOf = (matrix) => (powerOf(matrix) ? `×10${raised(powerOf(matrix))}` : '');

/** A number in a cell, in the power of ten of its matrix. */
export const cellText = (matrix, x) => fmt(x / 10 ** powerOf(matrix), digitsOf(matrix));
