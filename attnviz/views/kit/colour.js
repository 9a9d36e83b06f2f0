// One number language: blue = more or positive, orange = less or negative, paper = zero. No DOM.

const ramp_ = (...colours) => colours.map((hex, i) => [[0, 0.12, 0.35, 0.6, 0.8, 1][i], rgbOf(hex)]);

export const SEQUENTIAL = {
  light: ramp_('#F6F7F7', '#E0EBF5', '#A6C9E7', '#559ACF', '#2267A7', '#0A3866'),
  dark: ramp_('#1B2027', '#1C3047', '#1F5081', '#3B86CB', '#86BFF0', '#E4F2FF'),
};
export const NEGATIVE = {
  light: ramp_('#F6F7F7', '#FBE6D4', '#F4BE8E', '#DE8038', '#B34E0C', '#6E2A00'),
  dark: ramp_('#1B2027', '#3A2716', '#6B3D14', '#BC691F', '#F0A45C', '#FFE6CE'),
};
export const POSITIVE_MARK = {light: '#2468A8', dark: '#83BDEF'};

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

const INKS = ['#1A1C20', '#FFFFFF', '#000000']; // of these one always has a contrast of 4.5, WCAG 2.2 AA
const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

/** Ink that can be read on a fill: the first with a contrast of at least 4.5. */
export const textOn = (rgb) => INKS.find((ink) => contrast(luminance(rgbOf(ink)), luminance(rgb)) >= 4.5);

/** 256 packed colours for ImageData: index is round(255·√w), the very byte that travels. */
export function weightTable(theme) {
  const bytes = new Uint8ClampedArray(256 * 4);
  for (let i = 0; i < 256; i++) bytes.set([...sequential(i / 255, theme), 255], i * 4);
  return new Uint32Array(bytes.buffer);
}
