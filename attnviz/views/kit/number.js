// How numbers are written on screen. No DOM.

export const MINUS = '\u2212';
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A number with `digits` decimals: true minus, exact zero as 0, −∞ as a glyph, NaN as an en dash. */
export function fmt(x, digits = 2) {
  if (Number.isNaN(x)) return '–';
  if (!Number.isFinite(x)) return x < 0 ? `${MINUS}∞` : '∞';
  if (x === 0) return '0';
  const size = Math.abs(x);
  const isRoundedAway = Number(size.toFixed(digits)) === 0;
  const sign = x < 0 && !isRoundedAway ? MINUS : '';
  return sign + (size >= 1e5 ? power(size) : size.toFixed(digits));
}

/** The same where a number is read closely: one that would round to zero keeps its size, as 4.2×10⁻⁷. */
export function precise(x, digits = 2) {
  const size = Math.abs(x);
  const isSmall = Number.isFinite(x) && size > 0 && size < 1e-3;
  return isSmall ? (x < 0 ? MINUS : '') + power(size) : fmt(x, digits);
}

/** A size with its exponent: 4.2×10⁻⁷. */
export function power(size, digits = 1) {
  const [mantissa, exponent] = size.toExponential(digits).split('e');
  return `${mantissa}×10${raised(Number(exponent))}`;
}

/** An exponent as it stands raised: ⁻³. */
export const raised = (n) => (n < 0 ? '⁻' : '') + [...String(Math.abs(n))].map((digit) => RAISED[digit]).join('');

/** A share in whole percents: what would round to none and is not is "<1%". */
export function pct(x) {
  if (!Number.isFinite(x)) return '–';
  if (x > 0.005) return `${Math.round(x * 100)}%`;
  return x > 0 ? '<1%' : '0%';
}

/** The shortest decimal number that is this 32-bit one. */
export function shortest(x) {
  for (let digits = 6; digits < 9; digits++) {
    const written = Number(x.toPrecision(digits));
    if (Math.fround(written) === Math.fround(x)) return String(written);
  }
  return String(Number(x.toPrecision(9)));
}

/** How many decimals the numbers in the cells of a matrix have, whose largest size is `max`. */
export const cellDecimals = ({kind, max}) => (kind === 'count' ? 0 : kind !== 'weights' && max >= 10 ? 1 : 2);

export const sum = (numbers) => numbers.reduce((total, x) => total + x, 0);

export const clamp = (x, low, high) => Math.max(low, Math.min(high, x));
