// Brings a place of the page into view when Python asks for it: once for each time, never for another redraw.

import {isStill} from '../kit/theme.js';

let heard = 0;

export default function scrollIntoView({data}) {
  if (data.n <= heard) return;
  heard = data.n;
  requestAnimationFrame(() => {
    document.querySelector(`.st-key-${data.to}`)?.scrollIntoView({block: 'start', behavior: isStill() ? 'auto' : 'smooth'});
  });
}
