// One head's map with its tokens on both axes: cells on a canvas, tokens as text, one tab stop that arrows move.

import {css, textOn, weightColour} from '../kit/colour.js';
import {el, sized} from '../kit/dom.js';
import {fmt} from '../kit/number.js';
import {visible} from '../kit/words.js';
import {tokenName, tokenNodes} from '../heads/label.js';
import {cellGeometry} from './geometry.js';

const NUMBERS = 29; // px: from this width on a cell has its number in it
const FADED = 0.36;
const NUMBERED = 17; // px: on narrower cells the labels go without the number of their occurrence

export class Detail {
  constructor(holder, say) {
    Object.assign(this, {holder, say});
    this.canvas = el('canvas');
    this.frame = el('div', {class: 'picked', 'aria-hidden': 'true'});
    this.stop = el('div', {class: 'cells', role: 'application', tabindex: 0, 'aria-roledescription': say('view-training-matrix'), 'aria-label': say('view-training-cells')}, this.canvas, this.frame);
  }

  /** Lay out the tokens of a run; `height` is null where the page may scroll. */
  layout(run, {k, theme, height, family}) {
    Object.assign(this, {run, k, theme, family});
    const {queries, keys, n, m, isCausal} = run;
    const width = this.holder.clientWidth;
    const isDense = Math.min(width / m, (height ?? Infinity) / n) < NUMBERED * k;
    const widest = (tokens) => widestOf(tokens, family, k, !isDense);
    const wide = {
      row: widest(queries),
      column: widest(keys.filter(({special}) => !special)),
      added: widest(keys.filter(({special}) => special)),
    };
    const place = cellGeometry({width, height, n, m, k, wide, isCausal});
    const label = (side, i, token) => el('span', {class: `token ${side}`, title: tokenName(token, this.say)}, ...tokenNodes(token));
    this.rows = queries.map((token, i) => label('row', i, token));
    this.columns = keys.map((token, i) => label('column', i, token));
    this.rows.forEach((node, i) => Object.assign(node.style, {top: `${place.y0 + (i + 0.5) * place.h}px`, width: `${place.x0 - 8 * k}px`}));
    this.columns.forEach((node, i) => Object.assign(node.style, {left: `${place.x0 + (i + 0.5) * place.w}px`, top: `${place.y0 - 6 * k}px`}));
    this.holder.classList.toggle('turned', place.isTurned);
    this.holder.classList.toggle('dense', isDense);
    this.columns.forEach((node, i) => node.classList.toggle('upright', place.isUpright && Boolean(keys[i].special)));
    this.holder.style.height = height === null ? `${place.height + 4}px` : '';
    Object.assign(this.stop.style, {left: `${place.x0}px`, top: `${place.y0}px`, width: `${place.w * m}px`, height: `${place.h * n}px`});
    this.holder.replaceChildren(...this.rows, ...this.columns, this.stop);
    this.place = place;
  }

  /** Draw head (layer, head) at checkpoint c. `focus` = {query, key} is framed; the other rows fade if `isAlone`. */
  show(c, layer, head, answer, focus, isAlone) {
    const {run, place, theme, k} = this;
    const {w, h} = place;
    const context = sized(this.canvas, w * run.m, h * run.n);
    context.clearRect(0, 0, w * run.m, h * run.n);
    const gap = w > 6 ? 1 : 0;
    for (let query = 0; query < run.n; query++) {
      context.globalAlpha = isAlone && query !== focus.query ? FADED : 1;
      for (let key = 0; key < run.m; key++) {
        if (run.isCausal && key > query) continue;
        const weight = run.weight(c, layer, head, query, key);
        const fill = weightColour(weight, theme);
        context.fillStyle = css(fill);
        context.fillRect(key * w, query * h, w - gap, h - gap);
        if (w >= NUMBERS * k && h >= 14 * k) this.number(context, weight, fill, key, query);
      }
    }
    context.globalAlpha = 1;
    this.outline(context, run.expected[answer] ?? [], run.answers[answer]);
    this.mark(focus);
  }

  number(context, weight, fill, key, query) {
    const {w, h} = this.place;
    context.font = `450 ${Math.min(w * 0.31, 12.5 * this.k)}px ${this.family}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillStyle = textOn(fill);
    context.fillText(fmt(weight), (key + 0.5) * w, (query + 0.5) * h);
  }

  /** Where the known answer lies in this text. */
  outline(context, expected, answer) {
    const {w, h} = this.place;
    this.holder.dataset.answer = answer;
    context.strokeStyle = getComputedStyle(this.holder).getPropertyValue('--paint');
    const wide = Math.max(1.2, Math.min(2 * this.k, w * 0.12));
    const inset = wide / 2;
    context.lineWidth = wide;
    for (const [query, keys] of expected)
      for (const key of keys) context.strokeRect(key * w + inset, query * h + inset, w - 1 - wide, h - 1 - wide);
  }

  mark({query, key}) {
    const {w, h, every} = this.place;
    Object.assign(this.frame.style, {left: `${key * w - 1}px`, top: `${query * h - 1}px`, width: `${w + 1}px`, height: `${h + 1}px`});
    const said = (nodes, chosen, step) =>
      nodes.forEach((node, i) => {
        node.classList.toggle('chosen', i === chosen);
        node.classList.toggle('thinned', i !== chosen && (i % step !== 0 || Math.abs(i - chosen) < step));
      });
    said(this.rows, query, every.row);
    said(this.columns, key, every.column);
  }

  /** The cell under a pointer; null where no query may look. */
  under(event) {
    const box = this.stop.getBoundingClientRect();
    const {w, h} = this.place;
    const [query, key] = [Math.floor((event.clientY - box.top) / h), Math.floor((event.clientX - box.left) / w)];
    const {n, m, isCausal} = this.run;
    if (query < 0 || query >= n || key < 0 || key >= m || (isCausal && key > query)) return null;
    return {query, key};
  }
}

function widestOf(tokens, family, k, isNumbered) {
  const context = document.createElement('canvas').getContext('2d');
  context.font = `600 ${12.5 * k}px ${family}`;
  return Math.max(0, ...tokens.map((token) => context.measureText(visible(token.text)).width + (token.n && isNumbered ? 8 * k : 0)));
}
