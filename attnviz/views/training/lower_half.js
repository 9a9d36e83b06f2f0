// The lower half: all heads at one checkpoint, one of them large, and what its picked cell says. Draws what it is told.

import {scaleColour, tableOf} from '../kit/colour.js';
import {pct} from '../kit/number.js';
import {fillText} from '../kit/words.js';
import {Detail} from './one_head.js';
import {Maps} from './all_heads.js';
import {drawTrail, read} from './reading_line.js';
import {doingOf, ownAnswer} from './runs.js';

const GUTTER = 24; // px beside each half, as in maps.css
const LEAST_DETAIL = {square: 652, oblong: 590}; // px: the narrowest the one map gets beside all others; a square one stands beside its reading
const BESIDE = {few: 800, many: 650}; // px: from here on the reading stands beside a map of few or many rows, not below
const MANY = 12; // rows: more of them need the height
const SIDE = 250; // px: the width of that reading, as in maps.css
const LEAST_TRAIL = 3; // checkpoints: of two the reading says both
const ABOVE_TRAIL = 178; // px: the reading and its heading above the trail, as in maps.css

export class Lower {
  parts; say;
  /** @type {{k: number, width: number, height: number}} */
  trail;

  /** `act` has choose(layer, head), hover(cell or null), pick(cell) and move(dQuery, dKey). */
  constructor(parts, say, signal, act) {
    Object.assign(this, {parts, say});
    this.maps = new Maps(parts.maps, say, signal, (layer, head) => act.choose(layer, head));
    this.detail = new Detail(parts.detail, {say, signal, act});
  }

  /** Lay out for a run in the room there is. */
  layout(run, {k, theme, room, family}) {
    const {parts} = this;
    this.table = tableOf('weights', theme);
    const kind = run.isCausal ? 'self' : 'cross';
    parts.kind.textContent = this.say(`view-training-attention-${kind}`);
    const heightOf = (part) => (room.isSide ? part.clientHeight : null);
    const most = room.isSide ? room.width - (LEAST_DETAIL[run.isCausal ? 'square' : 'oblong'] + 2 * GUTTER) * k : room.width - 32;
    const used = this.maps.layout(run, {k, width: most, height: heightOf(parts.maps)}) + 2 * GUTTER * k;
    parts.bottom.style.setProperty('--overview', `${used}px`);
    const isBeside = room.isSide && room.width - used > BESIDE[run.n > MANY ? 'many' : 'few'] * k;
    parts.detailSide.dataset.reading = isBeside ? 'beside' : 'below';
    parts.detailSide.classList.toggle('few', run.checkpoints.length < LEAST_TRAIL);
    const tall = Math.max(50 * k, Math.min(150 * k, parts.detail.clientHeight - ABOVE_TRAIL * k));
    this.trail = isBeside
      ? {k, width: SIDE * k, height: tall}
      : {k, width: Math.min(190 * k, 0.34 * room.width), height: 50 * k};
    this.detail.layout(run, {k, theme, height: heightOf(parts.detail), family});
    parts.legend.draw({width: 96, k, colourAt: (share) => scaleColour('weights', share, theme)});
  }

  select({layer, head}, hasFocus) {
    this.maps.select(layer, head, hasFocus);
  }

  /** Every head at checkpoint `c`. */
  showAll(run, c) {
    this.maps.show(run, c, this.table);
  }

  /** The picked head, and of it the hovered cell or else the picked one. */
  showOne(run, c, picked, hovered, isLog) {
    const {parts, say} = this;
    const {layer, head} = picked;
    const {answer, share, even} = doingOf(run, c, layer, head);
    parts.title.textContent = fillText(say('view-training-title'), {layer: layer + 1, head: head + 1});
    const what = say(`view-training-does-${answer ?? 'nothing'}`);
    parts.doing.textContent = answer === null ? what : fillText(say('view-training-doing'), {what, percent: pct(share), even: pct(even)});
    parts.doing.dataset.answer = answer ?? '';
    const known = ownAnswer(run, run.checkpoints.length - 1, layer, head);
    parts.known.hidden = !run.expected[known].length;
    parts.known.dataset.answer = run.answers[known];
    const cell = hovered ?? picked;
    this.detail.show(c, layer, head, known, cell, hovered !== null);
    read(parts.reading, run, c, picked, cell, known, say);
    drawTrail(parts.trail, run, c, picked, cell, isLog, this.trail);
  }
}
