// Lines and points of a view as a figure of plotly's, which `plotly.io.from_json` reads. No DOM.

import {shortest} from './number.js';

/**
 * A figure as JSON.
 * @param {string} title
 * @param {Record<string, {title: string} & Record<string, unknown>>} axes by plotly's names: xaxis, yaxis, yaxis2
 * @param {({name: string, x: number[], y: number[]} & Record<string, unknown>)[]} traces further fields as plotly has them
 */
export function figureJson(title, axes, traces) {
  const data = traces.map(({name, x, y, ...rest}) => ({type: 'scatter', name: plain(name), x: x.map(exactly), y: y.map(exactly), ...rest}));
  const placed = Object.entries(axes).map(([axis, {title: text, ...rest}]) => [axis, {title: {text: plain(text)}, ...rest}]);
  return JSON.stringify({data, layout: {title: {text: plain(title)}, ...Object.fromEntries(placed)}});
}

/** Plotly reads tags, and formulas between $ signs; figures/labels.py does the same. */
export const plain = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('$', '&#36;');

const exactly = (value) => (Number.isFinite(value) ? Number(shortest(value)) : null);
