// All heads of the known answer's sites as they were at one checkpoint: buttons with one tab stop.

import {codeOf} from '../kit/colour.js';
import {el, listen, setLengths, sized} from '../kit/dom.js';
import {fadeOver} from '../kit/fade.js';
import {pct} from '../kit/number.js';
import {pictureOf} from '../kit/pixels.js';
import {fillText} from '../kit/words.js';
import {thumbGeometry} from './heads_layout.js';
import {doingOf, headsOf} from './runs.js';

export class Maps {
  holder; say;
  /** @type {any[]} */
  buttons;
  /** @type {HTMLElement[]} */
  ticks;
  /** @type {ReturnType<typeof thumbGeometry>} */
  place;
  /** @type {{run: any, c: number} | null} */
  shown;

  constructor(holder, say, signal, chosen) {
    Object.assign(this, {holder, say, buttons: [], shape: '', shown: null});
    listen(holder, 'click', (event) => {
      const button = event.target.closest('button');
      if (button) chosen(button.place.layer, button.place.head);
    }, {signal});
  }

  /** Returns the width that the thumbnails take of `width`. */
  layout(run, {k, width, height}) {
    const {layers, heads, n, m} = run;
    const place = thumbGeometry({width, height, layers, heads, n, m, k});
    const shape = `${layers}x${heads}`;
    if (this.shape !== shape) this.build(run);
    this.shape = shape;
    this.holder.style.height = height === null ? `${place.height}px` : '';
    this.buttons.forEach((button) => {
      const {x, y} = place.at(button.place.layer, button.place.head);
      setLengths(button, {left: x, top: y, width: place.w, height: place.h + place.caption});
      button.dataset.room = place.w >= 118 * k ? 'wide' : place.w >= 56 * k ? 'some' : 'little';
    });
    this.ticks.forEach((tick, layer) => {
      tick.hidden = place.left === 0;
      tick.style.top = `${place.at(layer, 0).y + place.h / 2 - 9 * k}px`;
    });
    this.place = place;
    return place.width;
  }

  build(run) {
    this.buttons = headsOf(run).map(([layer, head]) => {
      const canvas = el('canvas', {'aria-hidden': 'true'});
      const parts = {name: el('b', {}, `${layer + 1}.${head + 1}`), does: el('span', {class: 'does'}), share: el('span', {class: 'value'})};
      const button = el('button', {type: 'button', class: 'thumb'}, canvas, el('span', {class: 'caption', 'aria-hidden': 'true'}, ...Object.values(parts)));
      return Object.assign(button, {place: {layer, head}, canvas, parts});
    });
    this.ticks = Array.from({length: run.layers}, (_, layer) =>
      el('span', {class: 'tick', 'aria-hidden': 'true'}, fillText(this.say('view-training-layer'), {layer: layer + 1})),
    );
    this.holder.replaceChildren(...this.ticks, ...this.buttons);
  }

  /** Paint every head at checkpoint `c`; from one checkpoint to another of the same run the maps fade. */
  show(run, c, table) {
    const paint = painter(this.place, run);
    const isStep = this.shown !== null && this.shown.run === run && this.shown.c !== c;
    this.shown = {run, c};
    for (const button of this.buttons) {
      if (isStep) button.before = fadeOver(button.canvas, {width: this.place.w, height: this.place.h}, button.before);
      const {layer, head} = button.place;
      paint(button.canvas, run.mapOf(c, layer, head), table);
      const {answer, share} = doingOf(run, c, layer, head);
      const does = answer === null ? this.say('view-training-does-nothing') : this.say(`view-training-does-${answer}`);
      const {parts} = button;
      parts.does.textContent = answer === null ? '–' : does;
      parts.share.textContent = answer === null ? '' : pct(share);
      button.dataset.answer = answer ?? '';
      const said = answer === null ? 'view-training-head' : 'view-training-head-does';
      button.setAttribute('aria-label', fillText(this.say(said), {layer: layer + 1, head: head + 1, what: does, percent: pct(share)}));
    }
  }

  select(layer, head, hasFocus = false) {
    for (const button of this.buttons) {
      const isPicked = button.place.layer === layer && button.place.head === head;
      button.setAttribute('aria-pressed', String(isPicked));
      button.tabIndex = isPicked ? 0 : -1;
      if (isPicked && hasFocus) button.focus();
    }
  }
}

/** Paints maps of one size; cells that no query can attend to stay empty. */
function painter({w, h}, {n, m, isCausal}) {
  const codes = new Int16Array(n * m);
  return (canvas, {data, start, unit}, table) => {
    for (let at = 0; at < n * m; at++) codes[at] = isCausal && at % m > at / m ? -1 : codeOf('weights', data[start + at] * unit, 1);
    const context = sized(canvas, w, h);
    context.putImageData(pictureOf([canvas.width, canvas.height], {codes, rows: n, columns: m}, table), 0, 0);
  };
}
