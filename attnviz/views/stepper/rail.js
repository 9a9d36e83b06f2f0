// The rail: every step as a stop with a picture of its real matrix; steps of one group share a stop.

import {paintCells} from '../kit/cells.js';
import {colourOf} from '../kit/colour.js';
import {el, listen, sized, svg} from '../kit/dom.js';
import {guarded} from '../kit/guard.js';
import {evenPlace} from '../kit/matrix.js';
import {nameNodes} from './subscripts.js';

const PIXEL = 3.9; // px a cell at k = 1, where that fits
const TALL = 40;
const WIDE = 76;
const EMPTY = {dark: '#0b0e11', light: '#e4e3dc'}; // where there is no number

/** Steps that follow each other with one group: [{group, steps: [index, …]}]. No DOM. */
export function stopsOf(steps) {
  const stops = [];
  steps.forEach((step, index) => {
    const last = stops.at(-1);
    if (last && last.group === step.group) last.steps.push(index);
    else stops.push({group: step.group, label: step.stop, steps: [index]});
  });
  return stops;
}

export class Rail {
  box;

  /** `chosen(index)` is told which step was asked for. */
  constructor(box, {signal, chosen}) {
    Object.assign(this, {box, chosen});
    listen(box, 'click', (event) => {
      const button = event.target.closest('button');
      if (button) chosen(Number(button.dataset.first));
    }, {signal});
  }

  /** New stops at once; the pictures of stops that stay are painted after the stage, which is looked at first. */
  draw(steps, look) {
    this.stops = stopsOf(steps);
    const shape = JSON.stringify(this.stops.map(({label}) => label));
    const isSame = shape === this.shape;
    this.shape = shape;
    if (!isSame) this.build();
    this.turn = (this.turn ?? 0) + 1;
    const {turn} = this;
    const paint = () => turn === this.turn && this.paint(steps, look);
    if (isSame) setTimeout(guarded(this.box, paint));
    else paint();
  }

  build() {
    const nodes = this.stops.flatMap(({label, steps: own}, at) => {
      const facts = {type: 'button', class: 'stop', 'data-first': own[0]};
      const name = el('span', {class: 'stop-name'}, ...nameNodes(label));
      const stop = el('button', facts, el('span', {class: 'pictures'}), name);
      return at ? [arrow(), stop] : [stop];
    });
    this.box.replaceChildren(...nodes);
    this.buttons = [...this.box.querySelectorAll('button')];
  }

  paint(steps, {theme, k, isHidden}) {
    this.stops.forEach(({steps: own}, at) => {
      const shown = own.slice(0, 4);
      const pictures = shown.map((index) =>
        isHidden(index) ? el('i', {class: 'covered'}) : picture(steps[index].result, {theme, k, share: shown.length}),
      );
      this.buttons[at].dataset.first = own[0];
      this.buttons[at].firstChild.replaceChildren(...pictures);
    });
  }

  select(index) {
    this.stops.forEach(({steps}, at) => {
      const isHere = steps.includes(index);
      const button = this.buttons[at];
      if (isHere) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
      if (isHere) reveal(this.box, button);
    });
  }
}

/** Scroll the rail, and only the rail, until the stop is inside. */
function reveal(box, button) {
  const left = button.offsetLeft - box.offsetLeft;
  if (left < box.scrollLeft) box.scrollLeft = left - 12;
  else if (left + button.offsetWidth > box.scrollLeft + box.clientWidth)
    box.scrollLeft = left + button.offsetWidth - box.clientWidth + 12;
}

const arrow = () =>
  svg('svg', {class: 'next', viewBox: '0 0 13 8', 'aria-hidden': 'true'}, svg('path', {d: 'M0 4h11M8 1l3.2 3L8 7'}));

function picture(matrix, {theme, k, share}) {
  const canvas = el('canvas', {'aria-hidden': 'true'});
  const [rows, columns] = [matrix.rows.count, matrix.columns.count];
  const wide = (WIDE / share) * k;
  const height = Math.min(PIXEL * k * rows, TALL * k);
  const cell = height / rows;
  const seen = Math.min(columns, Math.max(1, Math.round(wide / cell)));
  const across = Math.min(columns, Math.max(seen, Math.min(columns, Math.floor(wide / 1.5))));
  const width = Math.min(wide, across * cell);
  const colourAt = (row, column) => colourOf(matrix.kind, matrix.at(matrix.rows.start + row, matrix.columns.start + column), matrix.max, theme);
  const place = evenPlace({rows, columns: across, cw: width / across, ch: cell});
  paintCells(sized(canvas, width, height), place, {rows: [0, rows], columns: [0, across], colourAt, k, hatch: EMPTY[theme]});
  return canvas;
}
