// All heads of both models on a plane: ● A, ◇ B, or the glyphs of their kinds in a circle and in a diamond. Near each other
// stands what looks at the same words.

import {cellsOf} from '../kit/kind_glyph.js';
import {Matrix} from '../kit/matrix.js';
import {clamp} from '../kit/number.js';
import {nearestPoint, placedPoints} from './head_map_points.js';

const REACH = 16; // px from the pointer to a point

export class Cloud {
  holder; points; a; b; hovered; k; theme; width; placed; radius; picked;

  /** `points` [N, 2], A's first; `act`: hover(index or null), pick(index), step(dLayer, dHead). */
  constructor(holder, {points, a, b, say, signal, act}) {
    Object.assign(this, {holder, points, a, b, hovered: null});
    const hover = (point) => {
      this.stop.style.cursor = point ? 'pointer' : '';
      act.hover(point?.index ?? null);
    };
    const step = (...by) => by.every(Number.isFinite) && act.step(...by); // a plane has no ends to go to
    const facts = {say, signal, label: say('view-compare-map-name'), role: say('view-compare-map-role')};
    this.matrix = new Matrix({...facts, act: {hover, pick: ({index}) => act.pick(index), step}});
    this.stop = this.matrix.stop;
    holder.replaceChildren(this.stop);
  }

  /** `colourOf(index)`, `kindOf(index)`, null where sides are told apart alone, and `lines`, pairs of points. */
  layout({width, height, k, theme, colourOf, kindOf, lines}) {
    const placed = placedPoints(this.points, {width, height, margin: 22 * k});
    const radius = clamp(62 / Math.sqrt(placed.length), 2, 4.2) * k;
    Object.assign(this, {k, theme, width, placed, radius});
    this.holder.style.height = `${height}px`;
    const at = (x, y) => {
      const index = nearestPoint(placed, x, y, REACH * k);
      return index < 0 ? null : {index};
    };
    const context = this.matrix.lay({width, height, at}, {k});
    const style = getComputedStyle(this.stop);
    Object.assign(context, {strokeStyle: style.getPropertyValue('--line-2'), lineWidth: k, globalAlpha: lines.length > 150 ? 0.6 : 1});
    context.beginPath();
    for (const [from, to] of lines) {
      context.moveTo(placed[from].x, placed[from].y);
      context.lineTo(placed[to].x, placed[to].y);
    }
    context.stroke();
    context.globalAlpha = 1;
    const isA = (index) => index < this.a.n;
    placed.forEach((at, i) => (kindOf ? this.glyph(context, at, kindOf(i), isA(i), style.getPropertyValue('--bg')) : this.point(context, at, colourOf(i), isA(i))));
    this.mark();
  }

  /** The picture of its kind, in a circle for A and in a diamond for B. */
  glyph(context, {x, y}, kind, isA, ground) {
    const scale = Math.max(1, window.devicePixelRatio || 1);
    const cell = Math.max(1, Math.round((this.radius / 2.8) * scale)) / scale; // whole device pixels
    const half = 2.5 * cell;
    const [left, top] = [x, y].map((middle) => Math.round((middle - half) * scale) / scale);
    context.beginPath();
    if (isA) context.arc(left + half, top + half, half * Math.SQRT2, 0, 2 * Math.PI);
    else diamond(context, left + half, top + half, 2 * half);
    Object.assign(context, {fillStyle: ground, strokeStyle: kind[this.theme], lineWidth: this.k});
    context.globalAlpha = 0.8;
    context.fill();
    context.globalAlpha = 0.5;
    context.stroke();
    context.globalAlpha = 1;
    context.fillStyle = kind[this.theme];
    for (const at of cellsOf(kind.glyph)) context.fillRect(left + at.x * cell, top + at.y * cell, cell, cell);
  }

  /** ● for A, ◇ for B. */
  point(context, {x, y}, colour, isA) {
    const {radius, k} = this;
    context.beginPath();
    if (isA) {
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fillStyle = colour;
      context.fill();
      return;
    }
    diamond(context, x, y, radius * 1.4);
    Object.assign(context, {strokeStyle: colour, lineWidth: 1.5 * k}); // not filled: an A may lie at the same place
    context.stroke();
  }

  select(picked, hovered) {
    Object.assign(this, {picked, hovered});
    if (this.placed) this.mark();
  }

  mark() {
    const {placed, picked, hovered, k, a, b} = this;
    const context = this.matrix.mark([]);
    if (!picked) return;
    const style = getComputedStyle(this.stop);
    const [ink, ground] = [style.getPropertyValue('--ink'), style.getPropertyValue('--bg')];
    const chosen = [{at: placed[picked.a], text: a.fullName(picked.a)}, {at: placed[a.n + picked.b], text: b.fullName(picked.b)}];
    const pointed = hovered ? [hovered.a >= 0 ? placed[hovered.a] : null, hovered.b >= 0 ? placed[a.n + hovered.b] : null].filter(Boolean) : [];
    Object.assign(context, {strokeStyle: ink, lineWidth: 1.5 * k});
    join(context, chosen[0].at, chosen[1].at);
    context.globalAlpha = 0.5;
    if (pointed.length === 2) join(context, ...pointed);
    context.globalAlpha = 1;
    for (const at of pointed) this.ring(context, at, ink, ground, 1.2);
    for (const {at} of chosen) this.ring(context, at, ink, ground, 2);
    this.tags(context, chosen, style, ink, ground);
  }

  ring(context, {x, y}, ink, ground, wide) {
    for (const [colour, line] of [[ground, (wide + 2.5) * this.k], [ink, wide * this.k]]) {
      Object.assign(context, {strokeStyle: colour, lineWidth: line});
      context.beginPath();
      context.arc(x, y, this.radius + 5 * this.k, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  /** The names of the picked two, where they cover neither the other's ring nor each other. */
  tags(context, chosen, style, ink, ground) {
    const {k, width, radius} = this;
    Object.assign(context, {font: `620 ${13 * k}px ${style.fontFamily}`, textBaseline: 'middle', lineJoin: 'round'});
    const [one, other] = chosen.map(({at}) => at);
    const isLevel = Math.abs(one.y - other.y) < 22 * k && Math.abs(one.x - other.x) < 100 * k;
    let before = null;
    chosen.forEach(({at, text}, i) => {
      const wide = context.measureText(text).width;
      const away = radius + 9 * k;
      const isFirst = isLevel ? at.x < chosen[1 - i].at.x || (at.x === chosen[1 - i].at.x && i === 0) : false;
      const isLeft = at.x + away + wide > width || (isFirst && at.x - away - wide > 0);
      context.textAlign = isLeft ? 'right' : 'left';
      const x = at.x + (isLeft ? -away : away);
      const isOver = before && before.isLeft === isLeft && Math.abs(before.x - x) < wide && Math.abs(before.y - at.y) < 16 * k;
      const y = isOver ? before.y + 16 * k : at.y;
      before = {x, y, isLeft};
      Object.assign(context, {strokeStyle: ground, lineWidth: 4 * k, fillStyle: ink});
      context.strokeText(text, x, y);
      context.fillText(text, x, y);
    });
  }
}

function diamond(context, x, y, far) {
  context.moveTo(x, y - far);
  for (const [dx, dy] of [[far, 0], [0, far], [-far, 0]]) context.lineTo(x + dx, y + dy);
  context.closePath();
}

function join(context, a, b) {
  context.beginPath();
  context.moveTo(a.x, a.y);
  context.lineTo(b.x, b.y);
  context.stroke();
}
