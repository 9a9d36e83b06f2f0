// Light or dark, from the background the host really shows; the view's own colours are in tokens.css.

import {luminance} from './colour.js';

/** "light" or "dark": the host's background colour if it has one, or that of forced colours, else what the system prefers. */
export function themeOf(root) {
  const isForced = window.matchMedia('(forced-colors: active)').matches;
  const declared = isForced ? 'canvas' : getComputedStyle(root).getPropertyValue('--st-background-color').trim();
  const rgb = declared ? resolved(root, declared) : null;
  if (rgb) return luminance(rgb) < 0.2 ? 'dark' : 'light';
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Whether the person asked for little motion. */
export const isStill = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Scroll to what is out of sight, or nearly. */
export function bringIntoSight(node) {
  const {top, bottom, height} = node.getBoundingClientRect();
  if (top > innerHeight / 2 || bottom < Math.min(height, innerHeight) / 3) node.scrollIntoView({block: 'start', behavior: isStill() ? 'auto' : 'smooth'});
}

function resolved(root, colour) {
  const probe = document.createElement('span');
  Object.assign(probe.style, {color: colour, forcedColorAdjust: 'none'}); // as it is, whatever colours are forced
  if (!probe.style.color) return null;
  root.append(probe);
  const numbers = getComputedStyle(probe).color.match(/[\d.]+/g);
  probe.remove();
  return numbers && numbers.length >= 3 ? numbers.slice(0, 3).map(Number) : null;
}
