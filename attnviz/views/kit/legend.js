// A scale of colours with its two ends, through the same transform as the matrix it belongs to.

import {css} from './colour.js';
import {el, sized} from './dom.js';

const HEIGHT = 8; // px, at normal size

export class Legend {
  /** @param {string | null} label what is said of it */
  constructor(label = null) {
    this.canvas = el('canvas', {'aria-hidden': 'true', width: 1, height: HEIGHT});
    this.ends = [el('span', {}), el('span', {})];
    this.node = el('div', label === null ? {class: 'legend', 'aria-hidden': 'true'} : {class: 'legend', role: 'img', 'aria-label': label}, this.ends[0], this.canvas, this.ends[1]);
  }

  /** `colourAt(share)` gives [r, g, b] from 0 to 1; the ends are text or nodes.
   * @param {{width: number, k: number, colourAt: (share: number) => any, low?: any, high?: any, label?: string | null}} how
   */
  draw({width, k, colourAt, low = '0', high = '1', label = null}) {
    const context = sized(this.canvas, width * k, HEIGHT * k);
    for (let x = 0; x < width * k; x++) {
      context.fillStyle = css(colourAt(x / (width * k - 1)));
      context.fillRect(x, 0, 1.5, HEIGHT * k);
    }
    this.ends[0].replaceChildren(...[low].flat());
    this.ends[1].replaceChildren(...[high].flat());
    if (label !== null) this.node.setAttribute('aria-label', label);
  }
}
