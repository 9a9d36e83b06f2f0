// Numbers that move: from the cells where they are read to the line where they are summed, and from there to their cell.

import {el} from '../kit/dom.js';
import {isStill} from '../kit/theme.js';

const [FLIGHT_MS, STAGGER_MS, LAND_MS] = [460, 30, 340];

/** A copy of a number flies from one element to another; at once where motion is reduced or either is out of sight. */
function fly(layer, from, to, colour, ms, delay = 0) {
  if (isStill() || !from || !to) return Promise.resolve();
  const [a, b, frame] = [from, to, layer].map((node) => node.getBoundingClientRect());
  if (a.bottom < 0 || a.top > window.innerHeight || !a.width || !b.width) return Promise.resolve();
  const ghost = el('span', {class: 'ghost', 'aria-hidden': 'true'}, from.textContent);
  ghost.style.color = colour;
  ghost.style.fontSize = getComputedStyle(from).fontSize;
  layer.append(ghost);
  const place = ({left, top, width, height}) => `translate(${left + width / 2 - frame.left - ghost.offsetWidth / 2}px, ${top + height / 2 - frame.top - ghost.offsetHeight / 2}px)`;
  const gone = () => ghost.remove();
  const frames = [{transform: place(a), opacity: 1}, {transform: place(b), opacity: 1, offset: 0.9}, {transform: place(b), opacity: 0}];
  return ghost.animate(frames, {duration: ms, delay, easing: 'cubic-bezier(.2,.7,.2,1)', fill: 'both'}).finished.then(gone, gone);
}

/** What is read flies to the line: `reads` are lists of cells, by the class of the numbers they become there. */
export function gather(layer, strip, reads, colours) {
  const flights = Object.entries(reads).flatMap(([side, cells]) => {
    const targets = [...strip.querySelectorAll(`.${side}`)];
    return cells.map((cell, at) => fly(layer, cell, targets[at], colours[side], FLIGHT_MS, at * STAGGER_MS));
  });
  return Promise.all(flights);
}

/** The result flies from the line to its cell. */
export const land = (layer, strip, cell) => fly(layer, strip.querySelector('.made strong'), cell, 'var(--ink)', LAND_MS);
