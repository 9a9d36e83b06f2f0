// What the layouts share: sizes, and how much of an axis a layout draws. No DOM.

import {shownOf} from './windows.js';

const NUMBER_WIDTH = 27; // px: a cell prints its number from this size on
const NUMBER_HEIGHT = 13;

/** Room above a matrix for the labels of its columns: turned upright where the cells are too narrow for words. */
export const headroom = (axis, density, k) => (axis.kind === 'token' && density !== 'numbers' ? 58 : 22) * k;

/** Whether a cell of this size prints its number. */
export const isPrinted = (width, height, k) => width >= NUMBER_WIDTH * k && height >= NUMBER_HEIGHT * k;

/** The part of an axis in so many cells, from the place the reader moved it to. */
export const shown = ({windows}, axis, slots) => shownOf(axis, slots, windows[axis.id] ?? axis.from);
