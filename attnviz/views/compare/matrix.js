// How alike every head of A is to every head of B: one canvas, one tab stop, a cell that arrows move.

import {css, sequential} from '../kit/colour.js';
import {el, sized} from '../kit/dom.js';
import {alikeness, cellUnder, matrixPlace} from './matrixplace.js';

const STEPS = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
const LARGE = 9; // px: from this size on a cell is framed, below it a ring shows where it is
const APART = 5; // px: from this size on cells stand apart

export class AlikeMatrix {
  /** `act`: hover({a, b} or null), pick({a, b}), both numbers of heads. */
  constructor(holder, {js, a, b, say, act}) {
    Object.assign(this, {holder, js, a, b, say, act, hovered: null});
    this.cells = el('canvas', {'aria-hidden': 'true'});
    this.marks = el('canvas', {class: 'marks', 'aria-hidden': 'true'});
    const facts = {role: 'application', tabindex: 0, 'aria-roledescription': say('view-kit-matrix'), 'aria-label': say('view-compare-alike-name')};
    this.stop = el('div', {class: 'stop', ...facts}, this.cells, this.marks);
    holder.replaceChildren(this.stop);
    this.listen();
  }

  listen() {
    const under = (event) => {
      const box = this.stop.getBoundingClientRect();
      const at = cellUnder(this.place, this.a, this.b, event.clientX - box.left, event.clientY - box.top);
      return at && {a: at.row, b: at.column};
    };
    this.stop.addEventListener('pointermove', (event) => event.pointerType !== 'touch' && this.act.hover(under(event)));
    this.stop.addEventListener('pointerleave', () => this.act.hover(null));
    this.stop.addEventListener('click', (event) => under(event) && this.act.pick(under(event)));
    this.stop.addEventListener('keydown', (event) => {
      const step = STEPS[event.key];
      if (!step || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.act.pick({a: this.a.inside(this.picked.a + step[0]), b: this.b.inside(this.picked.b + step[1])});
    });
  }

  layout({width, height, k, theme}) {
    const label = {left: 40 * k, top: 22 * k, right: 22 * k};
    const room = {width: width - label.left - label.right, height: height - label.top - 4 * k};
    this.place = matrixPlace({...room, a: this.a, b: this.b, k});
    Object.assign(this, {k, theme, label, room: {width, height}});
    const left = Math.max(label.left, (width - this.place.width) / 2);
    Object.assign(this.stop.style, {left: `${left}px`, top: `${label.top}px`, width: `${this.place.width}px`, height: `${this.place.height}px`});
    this.holder.style.height = `${Math.min(height, this.place.height + label.top + 6 * k)}px`;
    this.left = left;
    this.paint();
    this.names();
  }

  /** Every pair as a colour; where cells are smaller than a pixel, the most alike of those that share one. */
  paint() {
    const {place, a, b, js, cells, theme} = this;
    const context = sized(cells, place.width, place.height);
    const scale = cells.width / place.width;
    const image = context.createImageData(cells.width, cells.height);
    const pixels = new Uint32Array(image.data.buffer);
    const table = coloursOf(theme);
    const best = new Float32Array(pixels.length).fill(2);
    const inset = Math.min(place.cw, place.ch) >= APART ? 1 : 0; // device pixels
    const edges = (n, at, cell) => Array.from({length: n}, (_, i) => [Math.round(at(i) * scale), Math.max(Math.round(at(i) * scale) + 1, Math.round((at(i) + cell) * scale) - inset)]);
    const [rows, columns] = [edges(a.n, place.y, place.ch), edges(b.n, place.x, place.cw)];
    for (let row = 0; row < a.n; row++)
      for (let column = 0; column < b.n; column++) {
        const far = js[row * b.n + column];
        const colour = table[Math.round(255 * alikeness(far))];
        for (let y = rows[row][0]; y < Math.min(rows[row][1], cells.height); y++)
          for (let x = columns[column][0]; x < Math.min(columns[column][1], cells.width); x++) {
            const at = y * cells.width + x;
            if (far >= best[at]) continue;
            best[at] = far;
            pixels[at] = colour;
          }
      }
    context.putImageData(image, 0, 0);
    this.mark();
  }

  /** The numbers of layers on both sides. */
  names() {
    const {a, b, place, left, label, k} = this;
    const tick = (text, style, name = 'tick') => {
      const node = el('span', {class: name, 'aria-hidden': 'true'}, text);
      Object.assign(node.style, style);
      return node;
    };
    const gap = 15 * k; // px from one number to the next
    const apart = (heads, at, cell) => {
      let last = -Infinity;
      return heads.counts.flatMap((count, layer) => {
        const middle = (at(heads.starts[layer]) + at(heads.starts[layer] + count - 1) + cell) / 2;
        if (middle - last < gap) return [];
        last = middle;
        return [{layer, middle}];
      });
    };
    const rows = apart(a, place.y, place.ch).map(({layer, middle}) => tick(layer + 1, {left: `${left - 10 * k}px`, top: `${label.top + middle}px`}, 'tick row'));
    const columns = apart(b, place.x, place.cw).map(({layer, middle}) => tick(layer + 1, {left: `${left + middle}px`, top: `${label.top - 14 * k}px`}, 'tick column'));
    const sideA = tick('A', {left: `${left - 34 * k}px`, top: `${label.top + place.height / 2}px`}, ['sidename', 'a', 'row'].join(' '));
    const sideB = tick('B', {left: `${left + place.width + 13 * k}px`, top: `${label.top - 14 * k}px`}, ['sidename', 'b', 'column'].join(' '));
    for (const node of this.holder.querySelectorAll('.tick, .sidename')) node.remove();
    this.holder.append(...rows, ...columns, sideA, sideB);
  }

  select(picked, hovered) {
    Object.assign(this, {picked, hovered});
    if (this.place) this.mark();
  }

  /** The row and the column of the picked pair and of the one pointed at. */
  mark() {
    const {marks, place, picked, hovered, k} = this;
    const context = sized(marks, place.width, place.height);
    context.clearRect(0, 0, place.width, place.height);
    const style = getComputedStyle(this.stop);
    const ink = style.getPropertyValue('--ink');
    const band = (heads, alpha) => {
      context.globalAlpha = alpha;
      Object.assign(context, {strokeStyle: ink, lineWidth: k});
      const tall = Math.max(place.ch, 2 * k);
      const wide = Math.max(place.cw, 2 * k);
      if (heads.a >= 0) context.strokeRect(k / 2, place.y(heads.a) - k / 2, place.width - k, tall);
      if (heads.b >= 0) context.strokeRect(place.x(heads.b) - k / 2, k / 2, wide, place.height - k);
      if (heads.a < 0 || heads.b < 0) return;
      const [x, y] = [place.x(heads.b) + place.cw / 2, place.y(heads.a) + place.ch / 2];
      const reach = 5.5 * k;
      const within = (at, size) => Math.max(reach + k, Math.min(size - reach - k, at));
      context.globalAlpha = 1;
      for (const [colour, line] of [[style.getPropertyValue('--bg'), 4 * k], [ink, 2 * k]]) {
        Object.assign(context, {strokeStyle: colour, lineWidth: line});
        context.beginPath();
        if (Math.min(place.cw, place.ch) >= LARGE * k) context.rect(x - place.cw / 2 + k, y - place.ch / 2 + k, place.cw - 2 * k, place.ch - 2 * k);
        else context.arc(within(x, place.width), within(y, place.height), reach, 0, 2 * Math.PI);
        context.stroke();
      }
    };
    if (picked) band(picked, 0.8);
    if (hovered && !(hovered.a === picked?.a && hovered.b === picked?.b)) band(hovered, 0.45);
  }
}

const known = new Map();

/** 256 packed colours, from different to alike. */
function coloursOf(theme) {
  if (!known.has(theme)) {
    const bytes = new Uint8ClampedArray(256 * 4);
    for (let i = 0; i < 256; i++) bytes.set([...sequential(i / 255, theme), 255], i * 4);
    known.set(theme, new Uint32Array(bytes.buffer));
  }
  return known.get(theme);
}

/** The scale beside the title: from nothing in common to the same. */
export function drawAlikeScale(canvas, theme, k) {
  const [width, height] = [88 * k, 8 * k];
  const context = sized(canvas, width, height);
  for (let x = 0; x < width; x++) {
    context.fillStyle = css(sequential(x / (width - 1), theme));
    context.fillRect(x, 0, 1.5, height);
  }
}
