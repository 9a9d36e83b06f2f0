// A number printed so that a calculator can go on with it. No DOM.

import {MINUS, fmt, power} from './number.js';

/**
 * A number as it is printed with `n` significant digits and at least `least` decimals: {text, value, unit}, where
 * `value` is the number that the text says and `unit` one of its last digit. A size under 0.001 has an exponent and one
 * digit less.
 */
export function rounded(x, n = 3, least = 1) {
  if (!Number.isFinite(x) || x === 0) return {text: fmt(x), value: x, unit: 10 ** -Math.max(2, least)};
  const [size, sign] = [Math.abs(x), x < 0 ? -1 : 1];
  const isPower = size < 1e-3 || size >= 1e5;
  const exponent = Number(size.toExponential(Math.max(0, n - 1)).split('e')[1]);
  const digits = size < 1e-3 ? Math.max(0, n - 2) : n - 1;
  const decimals = isPower ? digits : Math.max(least, n - 1 - exponent);
  const [text, value] = isPower
    ? [power(size, digits), Number(size.toExponential(digits))]
    : [size.toFixed(decimals), Number(size.toFixed(decimals))];
  const unit = 10 ** (isPower ? exponent - digits : -decimals);
  return {text: (sign < 0 ? MINUS : '') + text, value: sign * value, unit};
}
