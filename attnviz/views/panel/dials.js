// Circles with arrows from their middle: how two directions stand to each other, and what that comes to.

import {arrowFrom} from '../kit/arrow.js';
import {el, svg} from '../kit/dom.js';
import {heading} from './text_blocks.js';

const RADIUS = 20; // px of a circle

/** A block of dials: what the arrows are once, then each circle with its name and its value. */
export function dials({title, arrows, dials}) {
  const key = arrows.map(([kind, name]) => el('span', {class: `arrow-${kind}`}, name));
  return el('figure', {class: 'dials', 'data-picture': ''}, heading(title, ...key), el('div', {class: 'all'}, ...dials.map((one) => dial(one, arrows))));
}

function dial({name, angles, value}, arrows) {
  const middle = [RADIUS + 2, RADIUS + 2];
  const side = 2 * (RADIUS + 2);
  const drawn = angles.map((angle, at) =>
    svg('path', {d: arrowFrom(middle, [Math.cos(angle), Math.sin(angle)], RADIUS - 1), class: `arrow-${arrows[at][0]}`}));
  const picture = svg('svg', {viewBox: `0 0 ${side} ${side}`, 'aria-hidden': 'true'}, svg('circle', {cx: middle[0], cy: middle[1], r: RADIUS}), ...drawn);
  return el('div', {class: 'dial'}, picture, el('span', {class: 'caption'}, name), el('b', {}, value));
}
