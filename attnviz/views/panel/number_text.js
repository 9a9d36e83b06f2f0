// How numbers are written in a panel. No DOM.

import {MINUS, fmt, raised} from '../kit/number.js';

/** A number to be read: three digits, a power of ten from 10⁵ up and below 10⁻³; as text/numbers.py writes it. */
export function figure(x) {
  if (!Number.isFinite(x) || x === 0) return fmt(x);
  const [sign, size] = [x < 0 ? MINUS : '', Math.abs(x)];
  if (size >= 1e-3 && size < 99_999.5) return sign + (size < 999.5 ? String(Number(size.toPrecision(3))) : size.toFixed(0));
  const [digits, exponent] = size.toExponential(1).split('e');
  return `${sign}${digits}×10${raised(Number(exponent))}`;
}

/** A whole number as it is counted: 10,000; other numbers as figures. */
export const count = (x) => (Number.isInteger(x) && x >= 1000 && x < 1e5 ? x.toLocaleString('en') : figure(x));
