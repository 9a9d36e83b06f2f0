// How numbers and names are written in a panel. No DOM.

import {short, visible} from '../kit/words.js';

const MINUS = '\u2212';
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A rough width in ems: Han characters are twice as wide as letters. */
export const widthOf = (text) => [...text].reduce((total, c) => total + (c.codePointAt(0) > 0x2e80 ? 1.02 : 0.56), 0);

/** A name beside a map: what cannot be seen gets a sign, a long one is cut in the middle. */
export const label = (text, limit = 12) => short(visible(text), limit);

/** A number to be read: three digits, a power of ten from 10⁵ up and below 10⁻³; as text/numbers.py writes it. */
export function figure(x) {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? '–' : x < 0 ? `${MINUS}∞` : '∞';
  const [sign, size] = [x < 0 ? MINUS : '', Math.abs(x)];
  if (size === 0) return '0';
  if (size >= 1e-3 && size < 99_999.5) return sign + (size < 999.5 ? String(Number(size.toPrecision(3))) : size.toFixed(0));
  const [digits, exponent] = size.toExponential(1).split('e');
  return `${sign}${digits}×10${exponent.startsWith('-') ? '⁻' : ''}${raised(exponent.slice(1))}`;
}

const raised = (n) => [...String(n)].map((digit) => RAISED[digit]).join('');

/** A whole number as it is counted: 10,000; other numbers as figures. */
export const count = (x) => (Number.isInteger(x) && x >= 1000 && x < 1e5 ? x.toLocaleString('en') : figure(x));

/** A power of ten on an axis: 10⁶. */
export function power(x) {
  const exponent = Math.round(Math.log10(x));
  return `10${exponent < 0 ? '⁻' : ''}${raised(Math.abs(exponent))}`;
}

/** Tab-separated, for a spreadsheet. */
export function tableOf(rows) {
  return rows.map((cells) => cells.map((cell) => String(cell).replace(/[\t\r\n]+/g, ' ')).join('\t')).join('\n');
}
