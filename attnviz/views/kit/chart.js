// What all charts draw alike: numbered lines across, and marks.

import {svg} from './dom.js';

/** A line across at each tick, with its number on the left. */
export const across = (ticks, y, {left, end}, name, k) =>
  ticks.flatMap((tick) => [
    svg('line', {class: 'grid', x1: left, x2: end, y1: y(tick), y2: y(tick)}),
    svg('text', {class: 'tick', x: left - 8 * k, y: y(tick) + 4 * k, 'text-anchor': 'end'}, name(tick)),
  ]);

const SHAPES = [
  (r) => `M${-r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1 ${-r} 0Z`,
  (r) => `M0 ${-1.3 * r}L${1.3 * r} 0L0 ${1.3 * r}L${-1.3 * r} 0Z`,
  (r) => `M${-r} ${-r}H${r}V${r}H${-r}Z`,
  (r) => `M0 ${-1.2 * r}L${1.2 * r} ${r}H${-1.2 * r}Z`,
];

/** ● ◆ ■ ▲ of size r around 0: a line is known by its marks as well as by its colour. */
export const mark = (line, r, attributes) => svg('path', {d: SHAPES[line % SHAPES.length](r), ...attributes});
