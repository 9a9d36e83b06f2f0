// The colour scale from 0 to 1, through the same transform as the maps.

import {css, weightColour} from '../kit/colour.js';
import {sized} from '../kit/dom.js';

export function drawLegend(canvas, theme, k) {
  const [width, height] = [96 * k, 8 * k];
  const context = sized(canvas, width, height);
  for (let x = 0; x < width; x++) {
    context.fillStyle = css(weightColour(x / (width - 1), theme));
    context.fillRect(x, 0, 1.5, height);
  }
}
