// The place that a person keeps from step to step: the cell it means, the part of a long axis it is in, and the next step.

import {clamp} from '../kit/number.js';

const FIRST = {head: 0, heads: 1};

/** A place moved into the part of an axis that is here. */
export const within = (x, {start, count}) => clamp(x, start, start + count - 1);

/** Which of a place's columns a step has. */
export const columnOf = ({result}) => (result.columns.kind === 'token' ? 'key' : 'feature');

/** The row and column of a step's result that are picked: a token, and a token or a feature, kept from step to step. */
export function pickedIn(step, place) {
  const {rows, columns} = step.result;
  return {row: within(place.row, rows), column: within(place[columnOf(step)], columns)};
}

/**
 * The place in a step that is gone to: where a row of words that may come next is entered, at its largest number; where one
 * such step follows another, as it was. A number of one head is looked for where it lies among those of all heads. No DOM.
 */
export function entered(steps, from, to, place) {
  if (to.rule === 'concat') return joined(steps, from, to, place);
  if (from.rule === 'concat') return {...place, feature: place.feature % from.operands[0].columns.n};
  const {rows, columns} = to.result;
  if (columns.kind !== 'vocabulary' || from.result.columns.kind === 'vocabulary') return place;
  const row = within(place.row, rows);
  let feature = columns.start;
  for (let at = feature; at < columns.start + columns.count; at++) if (to.result.at(row, at) > to.result.at(row, feature)) feature = at;
  return {...place, feature};
}

/** Where all heads are joined, to the same number of the head one was at. */
function joined(steps, from, to, place) {
  const {columns} = to.operands[0];
  const source = to.follows.length === 1 ? steps[to.follows[0]] : from;
  const head = to.operands.findIndex(({id}) => id === source.result.id);
  if (head < 0 || (from.result.columns.n !== columns.n && place.feature >= columns.n)) return place;
  return {...place, feature: head * columns.n + within(place.feature, columns)};
}

/** The cell that a number on the stage belongs to: itself, or where its row or its column of what goes in leads. */
export function targetOf(kind, picked, {key, row, column}) {
  if (key === 'rest') return {row, column: picked.column};
  if (key === 'result') return {row, column};
  if (String(key).startsWith('step:')) return {row, column, sibling: Number(key.slice(5))};
  const isSchool = kind === 'school';
  if ((isSchool && key === 0) || kind === 'parts' || key === 'mean' || key === 'variance' || key === 'square')
    return {row, column: picked.column};
  const isColumn = isSchool || key === 'gain' || key === 'shift' || key === 'frequency';
  return isColumn ? {row: picked.row, column} : {row, column};
}

/** The place a person is at, moved into `count` places of an axis from `first` on; all tokens are cut alike. No DOM. */
export function placeIn({rows, columns}, place, {axis, first, count}) {
  const isCut = (other) => (axis.kind === 'token' ? other.kind === 'token' && other.n > count : other.id === axis.id);
  const inside = (x, other) => within(x, {start: Math.min(first, other.n - count), count});
  const moved = {...place};
  if (isCut(rows)) moved.row = inside(place.row, rows);
  if (columns.kind !== 'token' && isCut(columns)) moved.feature = inside(place.feature, columns);
  const keys = columns.kind === 'token' ? columns : axis;
  if (axis.kind === 'token' && isCut(keys)) moved.key = inside(place.key, keys);
  return moved;
}

/** Show the part of an axis from `first` on, with the cell that is meant in it. */
export function showPart(view, {axis, count}, first, place = view.place) {
  view.place = placeIn(view.step.result, place, {axis, first, count});
  if (axis.holds(first) && axis.holds(first + count - 1)) {
    view.windows = {...view.windows, [axis.id]: first};
    view.redraw();
    view.host.tell();
  } else view.host.ask(axis.kind === 'token' ? {first_token: first} : {first_feature: first});
}

/** Where the part has to begin that holds a place beyond what is here; null where it is here or there is no such. */
export function firstBeyond({start, count, n}, index) {
  if (index >= start + count && index < n) return Math.min(n - count, start + count);
  if (index < start && index >= 0) return Math.max(0, start - count);
  return null;
}

/**
 * The step on or back from one: heads lie side by side, so those that do the same are one step, and the head stays. With
 * `isAsked(index)` a head whose question is open is a step of its own. `picked` is the head of the menu. null beyond the
 * ends. No DOM.
 */
export function neighbour(steps, at, by, isAsked = (_index) => false, picked = FIRST) {
  const siblings = steps[at].siblings;
  const isPassed = (index) => siblings.some((one) => one.index === index) && !isAsked(index);
  let next = at + by;
  while (steps[next] && isPassed(next)) next += by;
  if (!steps[next]) return null;
  const there = steps[next].siblings;
  if (there.some(({index}) => isAsked(index))) return by < 0 && !isAsked(next) ? there[0].index : next;
  return ofHead(steps, next, headOn(siblings, at, picked));
}

/** Which head is on the stage: that of the menu where all heads are, or where it reads the keys of this one. No DOM. */
export function headOn(siblings, at, picked = FIRST) {
  const head = siblings.findIndex(({index}) => index === at);
  return head < 0 || partOf(picked, siblings.length) === head ? picked : {head, heads: siblings.length};
}

/** Of the steps that do the same for all heads, that of one head, or of the group whose keys and values it reads. No DOM. */
export function ofHead(steps, index, picked = FIRST) {
  const {siblings} = steps[index];
  return siblings.length ? siblings[partOf(picked, siblings.length)].index : index;
}

const partOf = ({head, heads}, n) => Math.floor((head * n) / heads);
