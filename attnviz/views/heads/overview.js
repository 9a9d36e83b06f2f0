// All heads as thumbnails: real buttons with one tab stop, arrows move between them.

import {el, sized} from '../kit/dom.js';
import {cellEdges, gridGeometry} from '../kit/layout.js';
import {fillText} from '../kit/words.js';

export class Overview {
  constructor(grid, {say, chosen, signal}) {
    Object.assign(this, {grid, say, chosen, buttons: []});
    grid.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (button) chosen(button.place.layer, button.place.head, event.shiftKey);
    }, {signal});
  }

  /** Lay out and paint: `maps` is [L, H, rows, columns] of bytes, `table` 256 colours. */
  draw({maps, table, k, height}) {
    const [layers, heads, rows, columns] = maps.shape;
    const width = this.grid.clientWidth;
    const place = gridGeometry({width, height: height ?? Infinity, layers, heads, k});
    if (this.buttons.length !== layers * heads || this.lines !== place.lines) this.build(layers, heads, place);
    this.grid.style.height = height === null ? `${place.height}px` : '';
    this.grid.classList.toggle('scrolls', height !== null && place.height > height + 1);
    this.ticks.forEach(({node, layer, head}) => {
      const {x, y} = place.at(layer ?? 0, head ?? 0);
      node.style.left = layer === undefined ? `${x}px` : '0px';
      node.style.top = layer === undefined ? '0px' : `${y}px`;
      node.style.width = layer === undefined ? `${place.size}px` : `${14 * k}px`;
      node.style.lineHeight = layer === undefined ? '' : `${place.size}px`;
    });
    const picture = thumbnail(rows, columns, place.size);
    this.buttons.forEach((button, index) => {
      const {x, y} = place.at(button.place.layer, button.place.head);
      button.style.transform = `translate(${x}px, ${y}px)`;
      button.style.width = `${place.size}px`;
      button.firstChild.style.height = `${place.size}px`;
      picture(button.firstChild, maps.data, index * rows * columns, table);
    });
  }

  build(layers, heads, place) {
    this.lines = place.lines;
    this.buttons = [];
    this.ticks = [];
    const number = (text, kind) => el('span', {class: kind, 'aria-hidden': 'true'}, text);
    const tick = (text, where) => this.ticks.push({node: number(text, 'tick'), ...where});
    if (!place.isWrapped) for (let head = 0; head < heads; head++) tick(String(head + 1), {head});
    for (let layer = 0; layer < layers; layer++) {
      tick(String(layer + 1), {layer});
      for (let head = 0; head < heads; head++) {
        const name = fillText(this.say('view-heads-button'), {layer: layer + 1, head: head + 1});
        const caption = place.isWrapped ? number(String(head + 1), 'number') : null;
        const facts = {type: 'button', class: 'thumb', 'aria-label': name, title: `${layer + 1}.${head + 1}`};
        const button = el('button', facts, el('canvas'), caption);
        button.place = {layer, head};
        this.buttons.push(button);
      }
    }
    this.grid.replaceChildren(...this.ticks.map(({node}) => node), ...this.buttons);
    this.heads = heads;
  }

  /** Mark one head as selected; move the focus with it where the focus is in the grid. */
  select(layer, head, hasFocus) {
    this.buttons.forEach((button) => {
      const isPicked = button.place.layer === layer && button.place.head === head;
      button.setAttribute('aria-pressed', String(isPicked));
      button.tabIndex = isPicked ? 0 : -1;
      if (isPicked && hasFocus) button.focus();
    });
  }

  /** Every head that is shown, where there are several: [[layer, head], …], the first one picked in front. */
  mark(heads) {
    for (const button of this.buttons) {
      const at = heads.findIndex(([layer, head]) => button.place.layer === layer && button.place.head === head);
      button.toggleAttribute('data-also', at > 0);
      if (at >= 0) button.setAttribute('aria-pressed', 'true');
    }
  }
}

/** A painter of maps: a square, however many rows and columns; a pixel shows the largest of its cells. */
function thumbnail(rows, columns, size) {
  const pixels = Math.max(1, Math.round(size * Math.max(1, window.devicePixelRatio || 1)));
  const image = new ImageData(pixels, pixels);
  const out = new Uint32Array(image.data.buffer);
  const [below, beside] = [cellsOf(rows, pixels), cellsOf(columns, pixels)];
  return (canvas, data, offset, table) => {
    for (let y = 0; y < pixels; y++)
      for (let x = 0; x < pixels; x++)
        out[y * pixels + x] = table[largestIn(data, offset, columns, below.first[y], below.end[y], beside.first[x], beside.end[x])];
    const context = sized(canvas, size, size);
    context.putImageData(image, 0, 0);
  };
}

/** Which cells each of `pixels` shows: several where there are more cells than pixels, else the one it lies in. */
function cellsOf(cells, pixels) {
  const [first, end] = [new Uint16Array(pixels), new Uint16Array(pixels)];
  if (cells > pixels) {
    const edges = cellEdges(pixels, cells);
    for (let at = 0; at < pixels; at++) [first[at], end[at]] = [edges[at], edges[at + 1]];
  } else {
    const edges = cellEdges(cells, pixels);
    for (let cell = 0; cell < cells; cell++) {
      first.fill(cell, edges[cell], edges[cell + 1]);
      end.fill(cell + 1, edges[cell], edges[cell + 1]);
    }
  }
  return {first, end};
}

function largestIn(data, offset, columns, y0, y1, x0, x1) {
  let most = 0;
  for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) most = Math.max(most, data[offset + y * columns + x]);
  return most;
}
