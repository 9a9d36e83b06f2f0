// What is printed in one cell: its decimals, and the power of ten of a matrix of small numbers. No DOM.

import {cellDecimals, fmt, raised} from '../kit/number.js';

const SMALL = 0.1; // the largest size up to which two decimals would leave coloured cells that read 0.00

/** Of a matrix of small numbers only: the power of ten that its cells are printed in, such as −3; 0 of all others. */
const powerOf = ({kind, max}) => (kind === 'signed' && max > 0 && max < SMALL ? Math.floor(Math.log10(max)) : 0);

/** That power as it stands beside the name of a matrix: "×10⁻³"; nothing where cells are printed as they are. */
export const factorOf = (matrix) => (powerOf(matrix) ? `×10${raised(powerOf(matrix))}` : '');

/** A number in a cell, in the power of ten of its matrix. */
export const cellText = (matrix, x) => fmt(x / 10 ** powerOf(matrix), cellDecimals(matrix));
