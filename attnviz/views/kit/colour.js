// One number language: blue = more or positive, orange = less or negative, paper = zero. No DOM.

import {NEGATIVE as ORANGE, SEQUENTIAL as BLUE, STOPS, TOKENS} from './palette.js';

const scaleOf = ({light, dark}) => ({light: stopsOf(light), dark: stopsOf(dark)});
const stopsOf = (colours) => colours.map((hex, i) => [STOPS[i], rgbOf(hex)]);
const SEQUENTIAL = scaleOf(BLUE);
const NEGATIVE = scaleOf(ORANGE);
export const POSITIVE_MARK = TOKENS.pos;

function rgbOf(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

function along(stops, x) {
  const at = Math.min(1, Math.max(0, Number.isFinite(x) ? x : 0));
  const i = Math.max(1, stops.findIndex(([stop]) => at <= stop));
  const [a, from] = stops[i - 1];
  const [b, to] = stops[i];
  return from.map((c, j) => Math.round(c + ((to[j] - c) * (at - a)) / (b - a)));
}

/** x in 0…1 -> [r, g, b]. */
export const sequential = (x, theme) => along(SEQUENTIAL[theme], x);

/** x in −1…1 -> [r, g, b]; both arms have the same stops. */
export const diverging = (x, theme) => (x >= 0 ? along(SEQUENTIAL[theme], x) : along(NEGATIVE[theme], -x));

/** An attention weight: colour = scale(√w), so small weights stay visible. */
export const weightColour = (w, theme) => sequential(Math.sqrt(Math.max(0, w)), theme);

/** A signed number on a scale symmetric about 0: sign(x)·(|x|/max)^0.8. */
export const signedPosition = (x, max) => (max > 0 ? Math.sign(x) * Math.min(1, Math.abs(x) / max) ** 0.8 : 0);

export const css = ([r, g, b]) => `rgb(${r},${g},${b})`;

/** Relative luminance, WCAG 2.2. */
export function luminance(rgb) {
  const [r, g, b] = rgb.map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const INKS = [TOKENS.ink.light, '#FFFFFF', '#000000']; // of these one always has a contrast of 4.5, WCAG 2.2 AA
const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

/** Ink that can be read on a fill: the first with a contrast of at least 4.5. */
export const textOn = (rgb) => INKS.find((ink) => contrast(luminance(rgbOf(ink)), luminance(rgb)) >= 4.5);

const DEEPEST = 0.92; // of a signed scale, so that a number can still be read on the largest value
const LARGEST = 255; // code of a scale of weights, and of each arm of a signed one

/** Where a number lies on its scale: a weight from 0 to 1 as √w, a signed one from −1 to 1. */
const positionOf = (kind, x, max) =>
  kind === 'weights' ? Math.sqrt(Math.min(1, Math.max(0, x))) : signedPosition(x, max) * DEEPEST;

/** [r, g, b] of a number of a matrix; null where there is none to show: −∞, not computed, or a plain count. */
export const colourOf = (kind, x, max, theme) =>
  Number.isFinite(x) && kind !== 'count' ? diverging(positionOf(kind, x, max), theme) : null;

/** A colour of the scale, at 0…1 along it. */
export const scaleColour = (kind, share, theme) =>
  kind === 'weights' ? weightColour(share, theme) : diverging((2 * share - 1) * DEEPEST, theme);

/** A number as a code of the table below: the farther from 0, the larger, so that of many the largest code matters most. */
export function codeOf(kind, x, max) {
  const position = positionOf(kind, x, max);
  const size = Math.round(Math.abs(position) * LARGEST);
  return kind === 'weights' ? size : 2 * size + Number(position < 0);
}

const tables = new Map();

/** Packed colours by code; of weights the code is round(255·√w), the very byte that travels. */
export function tableOf(kind, theme) {
  const name = `${kind} ${theme}`;
  if (!tables.has(name)) {
    const sizes = Array.from({length: LARGEST + 1}, (_, size) => size / LARGEST);
    const positions = kind === 'weights' ? sizes : sizes.flatMap((size) => [size, -size]);
    const bytes = Uint8ClampedArray.from(positions.flatMap((x) => [...diverging(x, theme), 255]));
    tables.set(name, new Uint32Array(bytes.buffer));
  }
  return tables.get(name);
}
