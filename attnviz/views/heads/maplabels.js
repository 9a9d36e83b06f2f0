// The tokens beside a heatmap: where they stand, and which of them are shown where cells are narrower than a line.

import {el} from '../kit/dom.js';
import {tokenName, tokenNodes} from './label.js';
import {apart, thinned} from './thinned.js';

const GAP = 12.5; // px from one label to the next
const TURN = 62; // degrees the labels of columns stand up

/** The room for labels and cells. `widest` is the widest token at 1 px font size; `height` null: as tall as it is wide. */
export function mapLabels({width, height, n, m, k, widest}) {
  const gap = GAP * k;
  const easy = Math.min(13 * k, Math.max(11 * k, (width * 0.75) / Math.max(n, m) * 0.5));
  const long = widest * easy;
  const left = Math.min(long + 12 * k, width * 0.26);
  const column = Math.min(long, (height ?? width) * 0.2, 120 * k);
  const top = column * Math.sin((TURN * Math.PI) / 180) + 14 * k;
  const right = column * Math.cos((TURN * Math.PI) / 180) * 0.8 + 4 * k; // the last label leans out
  const room = {width: Math.max(60, width - left - right), height: 0};
  room.height = Math.max(60, (height ?? Math.min(640 * k, top + (room.width * n) / m + 8 * k)) - top - 8 * k);
  return {left, top, right, room, gap, font: easy, column};
}

/** Of tokens first…end at `cell` px each, those whose labels have `gap` between them; the marked ones in any case. */
export function labelled(tokens, first, end, cell, gap, marked = []) {
  const near = Math.max(1, Math.ceil(gap / cell - 1e-6));
  const inSight = (index) => index >= first && index < end;
  if (near === 1) return Array.from({length: end - first}, (_, i) => first + i);
  return apart([...marked.filter(inSight), ...thinned(tokens, near).filter(inSight)], near);
}

/** Put the labels of a map where its cells are now. */
export function placeLabels(map) {
  const {place, zoom, sight, tokens, focus, pinned, labels, sheet} = map;
  sheet.style.setProperty('--font', `${place.font}px`);
  sheet.style.setProperty('--turn', `${-TURN}deg`);
  sheet.classList.toggle('thinly', zoom.cell < place.gap);
  const marked = {query: [], key: []};
  if (focus) {
    marked[focus.side].push(focus.index);
    if (focus.other !== undefined) marked.key.push(focus.other);
  }
  if (pinned) marked[pinned.side].push(pinned.index);
  const range = (start, count, n) => [Math.ceil(start - 0.5), Math.min(n, Math.floor(start + count + 0.5))];
  const rows = labelled(tokens.queries, ...range(sight.row, sight.rows, map.n), zoom.cell, place.gap, marked.query);
  const columns = labelled(tokens.keys, ...range(sight.column, sight.columns, map.m), zoom.cell, place.gap, marked.key);
  put(map, labels.rows, 'query', rows, marked.query, (i) => ({top: `${place.top + (i + 0.5 - sight.row) * zoom.cell}px`, width: `${place.left - 6 * map.k}px`}));
  put(map, labels.columns, 'key', columns, marked.key, (i) => ({left: `${place.left + (i + 0.5 - sight.column) * zoom.cell}px`, top: `${place.top - 5 * map.k}px`, width: `${place.column}px`}));
}

function put({tokens, say, pinned, isPointed}, holder, side, shown, marked, where) {
  const list = side === 'query' ? tokens.queries : tokens.keys;
  const kept = new Map([...holder.children].map((node) => [Number(node.dataset.index), node]));
  for (const [index, node] of kept) if (!shown.includes(index)) node.remove();
  for (const index of shown) {
    let node = kept.get(index);
    if (!node) {
      node = el('span', {class: side, 'data-index': index, title: tokenName(list[index], say), 'aria-hidden': 'true'}, ...tokenNodes(list[index]));
      holder.append(node);
    }
    Object.assign(node.style, where(index));
    node.dataset.level = !isPointed ? (marked[0] === index ? 'strong' : '') : marked[0] === index ? 'strong' : marked.includes(index) ? 'some' : 'faint';
    node.classList.toggle('pinned', pinned?.side === side && pinned.index === index);
  }
}
