// The names beside the rows and above the columns of a matrix: as many as have room, those that matter always.

import {BAND} from './bands.js';
import {el} from './dom.js';
import {apart, thinned} from './label_thinning.js';
import {tokenName, tokenNodes} from './token.js';

const GAP = 10.5; // px from one name to the next
const BOLD = 1.09; // times as wide is the name of a column that is pointed at; beside a row there is room
const TURN = (62 * Math.PI) / 180; // the names of columns stand up, as in tokens.css

/** The room for names and cells, in CSS pixels. `widest` is the widest token at 1 px font size; `height` null: as tall as it is wide; `hasBands`:
 * bands of groups stand between names and cells. */
export function roomForNames({width, height, n, m, k, widest, hasBands = false}) {
  const gap = GAP * k;
  const easy = Math.min(13 * k, Math.max(11 * k, (width * 0.75) / Math.max(n, m) * 0.5));
  const long = widest * easy;
  const band = hasBands ? (BAND + 3) * k : 0;
  const left = Math.min(long + 12 * k, width * 0.26) + band;
  const column = Math.min(long * BOLD, (height ?? width) * 0.26, 120 * k);
  const top = column * Math.sin(TURN) + 14 * k + band;
  const right = column * Math.cos(TURN) * 0.8 + 4 * k; // the last label leans out
  const room = {width: Math.max(60, width - left - right), height: 0};
  room.height = Math.max(60, (height ?? Math.min(640 * k, top + (room.width * n) / m + 8 * k)) - top - 8 * k);
  return {left, top, right, room, gap, font: easy, column, band};
}

/**
 * Of tokens first…end at `pitch` px each, those whose names have `gap` between them; the marked ones in any case.
 * @param {number[]} marked
 */
export function namesIn(tokens, [first, end], pitch, gap, marked = []) {
  const near = Math.max(1, Math.ceil(gap / pitch - 1e-6));
  const inSight = (index) => index >= first && index < end;
  if (near === 1) return Array.from({length: end - first}, (_, i) => first + i);
  return apart([...marked.filter(inSight), ...thinned(tokens, near).filter(inSight)], near);
}

/** The names of tokens beside the rows or above the columns (`side`); `kind` is a further class of one. */
export const tokenNames = (holder, side, tokens, say, kind = (_) => '') =>
  new Names(holder, (index) => el('span', {class: `${side}name ${kind(tokens[index])}`, title: tokenName(tokens[index], say)}, ...tokenNodes(tokens[index])));

export class Names {
  holder; made; nodes;

  /** `made(index)` is the element of a name. */
  constructor(holder, made) {
    Object.assign(this, {holder, made, nodes: new Map()});
  }

  /**
   * Show the names of these places. `place(index)` is their style; `marked` are places in the order in which they matter,
   * and where `isPointed`, all others step back.
   * @param {Iterable<number>} indices
   * @param {((index: number) => any) | null} place none where all names go
   * @param {{marked?: number[], isPointed?: boolean, pinned?: number | null}} how
   */
  show(indices, place, {marked = [], isPointed = false, pinned = null} = {}) {
    const wanted = new Set(indices);
    for (const [index, node] of this.nodes)
      if (!wanted.has(index)) {
        node.remove();
        this.nodes.delete(index);
      }
    for (const index of indices) {
      const node = this.nodes.get(index) ?? this.add(index);
      Object.assign(node.style, place?.(index));
      node.dataset.level = marked[0] === index ? 'strong' : !isPointed ? '' : marked.includes(index) ? 'some' : 'faint';
      node.classList.toggle('pinned', index === pinned);
    }
  }

  /** Take all names away. */
  clear() {
    this.show([], null);
  }

  add(index) {
    const node = this.made(index);
    node.dataset.index = String(index);
    node.setAttribute('aria-hidden', 'true');
    this.nodes.set(index, node);
    this.holder.append(node);
    return node;
  }
}
