// The payload as a chain of steps over matrices: every index is absolute, whatever part of a matrix travelled. No DOM.

import {matrixTable} from '../kit/spreadsheet.js';
import {UNKNOWN, named} from '../kit/words.js';
import {writesOf} from './names.js';

/** One axis of a matrix: what its places are called, how many there are, and which of them travelled. */
export class Axis {
  id; kind; letter; n; start; count; labels; tokens; isSecret;

  /**
   * @param {string} id
   * @param {StepAxis} entry
   */
  constructor(id, {kind, n, start = 0, count = n, labels, letter = ''}, tokens = null) {
    Object.assign(this, {id, kind, n, start, count, labels: labels ?? null, letter, tokens, isSecret: false});
  }

  /** The token at a place, null where the axis has none. */
  token(index) {
    return this.tokens?.[index] ?? null;
  }

  /** What a place is called: a token's own text, a label, or its number from 1. */
  name(index) {
    const token = this.token(index);
    if (token) return named(token) + (token.unknown ? UNKNOWN : '');
    return this.labels?.[index - this.start] ?? String(index + 1);
  }

  get hidden() {
    return this.n - this.count;
  }

  /** The places that travelled. */
  get places() {
    return Array.from({length: this.count}, (_, at) => this.start + at);
  }

  holds(index) {
    return index >= this.start && index < this.start + this.count;
  }
}

/** Heads that share a head of keys and one of values, all counted from 1; which one is null where no step says it. @typedef {{n: number, first: number, last: number, keyHead: number | null}} KeyGroup */

/** A matrix of float32 as it is read in one step, transposed where the step reads it so. */
export class Matrix {
  id; entry; array; isTurned; like; rows; columns; keyGroup;

  constructor(id, entry, array, rows, columns, isTurned = false) {
    Object.assign(this, {id, entry, array, isTurned, like: null, keyGroup: null});
    [this.rows, this.columns] = isTurned ? [columns, rows] : [rows, columns];
    this.kind = entry.kind ?? 'signed';
    this.role = entry.role ?? '';
    this.name = (isTurned && entry.turned) || entry.name;
  }

  /** The number at absolute places; NaN where it did not travel. */
  at(i, j) {
    if (!this.rows.holds(i) || !this.columns.holds(j)) return NaN;
    const [row, column] = [i - this.rows.start, j - this.columns.start];
    const {data, shape} = this.array;
    return this.isTurned ? data[column * shape[1] + row] : data[row * shape[1] + column];
  }

  /** The largest size of any of its numbers, also of those that did not travel: the end of its colour scale. */
  get max() {
    return this.like?.max ?? this.entry.max ?? 1;
  }

  /** The same as it is kept, where it is read transposed. */
  get stored() {
    return new Matrix(this.id, this.entry, this.array, this.columns, this.rows);
  }

  /** Its numbers as they travelled, under and beside its labels. */
  table() {
    const {rows, columns} = this;
    const rowNames = rows.places.map((row) => [rows.name(row), writesOf(rows, row)].filter(Boolean).join(' → '));
    const columnNames = columns.places.map((column) => columns.name(column));
    const valueAt = (row, column) => this.at(rows.start + row, columns.start + column);
    return matrixTable(this.name, rowNames, columnNames, valueAt);
  }
}

/** Whether a step reads a matrix the other way round than it is kept. */
const isStoredTurned = ({isTurned, entry}) => isTurned && entry.stored === true;

/** How many rows a matrix of a step has; of a table only the rows that were read are here. */
export const rowsOf = ({rule, operands, facts}, matrix) => (rule === 'lookup' && matrix === operands[1] && facts.size) || matrix.rows.n;

/** The largest size of any number of an array that has one. */
const largestOf = (data) => data.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);

/** What a change did to each cell, on the scale of the run or of what changed more: after minus before; two −∞ do not differ. */
function differenceOf(before, after) {
  const data = after.array.data.map((value, at) => (value === before.array.data[at] ? 0 : value - before.array.data[at]));
  const entry = {...after.entry, kind: 'signed', max: Math.max(largestOf(data), after.kind === 'weights' ? 1 : after.max)};
  return new Matrix(`${after.id}@difference`, entry, {...after.array, data}, after.rows, after.columns);
}

const NOTICED = 0.01; // of the largest value: a change that is marked

/** Whether a cell is another one than in the untouched run, by enough to be seen. */
export function isChanged({before, result}, row, column) {
  const [was, is] = [before.at(row, column), result.at(row, column)];
  return was !== is && !(Math.abs(is - was) < NOTICED * result.max);
}

/** The group of each matrix of a grouped head, by its id: heads that share a head of keys and one of values. */
const keyGroupsOf = (steps) =>
  Object.fromEntries([
    ...steps.filter(({rule, facts}) => rule === 'concat' && facts?.group_size).flatMap(joined),
    ...steps.filter(({facts}) => facts?.key_head !== undefined).map(({result, facts}) => [result, keyGroupOf(facts)]),
  ]);

/** @returns {KeyGroup} */
const keyGroupOf = ({key_group: group, group_size: size, key_head: keyHead = null}) =>
  ({n: group + 1, first: group * size + 1, last: (group + 1) * size, keyHead: keyHead === null ? null : keyHead + 1});

/** The groups of heads that are joined, of which a chain may have no other step. */
const joined = ({operands, facts}) =>
  operands.map((id, head) => [id, keyGroupOf({...facts, key_group: Math.floor(head / facts.group_size)})]);

/** The payload's tables as objects: `matrix(reading)` where a reading is an id or {id, turned}. */
export class Chain {
  /** @param {Payload<StepperHeader>} payload */
  constructor({header, arrays}) {
    this.header = header;
    this.arrays = arrays;
    this.keyGroups = keyGroupsOf(header.steps);
    this.axes = Object.fromEntries(
      Object.entries(header.axes).map(([id, entry]) => [id, new Axis(id, entry, (entry.tokens && header.tokens[entry.tokens]) || null)]),
    );
    this.steps = header.steps.map((entry) => this.step(entry));
    this.steps.forEach((step, at) => (step.siblings = this.siblingsOf(step, at)));
    this.steps.forEach((step, at) => (step.follows = this.followed(step, at)));
    const first = this.steps.find((step) => step.operands.some(isStoredTurned));
    if (first) first.stored = first.operands.find(isStoredTurned); // shown turning over once in a chain
  }

  /** The steps that do the same for the other heads, with their places; the step itself is among them. */
  siblingsOf(step, at) {
    const isSame = (other) =>
      other.kind === step.kind &&
      other.group === step.group &&
      (step.rule !== 'split' || other.operands[0].id === step.operands[0].id);
    const first = this.steps.slice(0, at).findLastIndex((other) => !isSame(other) && other.group !== step.group) + 1;
    const siblings = [];
    for (let index = first; index < this.steps.length && this.steps[index].group === step.group; index++)
      if (isSame(this.steps[index])) siblings.push({index, matrix: this.steps[index].result});
    return siblings.length > 1 ? siblings : [];
  }

  /** The places of the steps before whose results a step reads. */
  followed({operands, bias, rest, extras}, at) {
    const read = new Set([...operands, bias, rest, ...Object.values(extras)].map((matrix) => matrix?.id));
    return this.steps.slice(0, at).flatMap(({result}, index) => (read.has(result.id) ? [index] : []));
  }

  matrix(reading) {
    const {id, turned = false} = typeof reading === 'string' ? {id: reading} : reading;
    const entry = this.header.matrices[id];
    if (!entry || !this.arrays[id]) throw new Error(`no matrix ${id}`);
    const made = new Matrix(id, entry, this.arrays[id], this.axes[entry.rows], this.axes[entry.columns], turned);
    return Object.assign(made, {keyGroup: this.keyGroups[id] ?? null});
  }

  before(result) {
    const array = this.arrays[`${result.id}@before`];
    if (!array) return null;
    const entry = {...result.entry, max: Math.max(result.max, largestOf(array.data))};
    const before = new Matrix(`${result.id}@before`, entry, array, result.rows, result.columns);
    result.like = before; // one scale for both
    return before;
  }

  step(entry) {
    const optional = (reading) => (reading ? this.matrix(reading) : null);
    const operands = entry.operands.map((reading) => this.matrix(reading));
    const result = this.matrix(entry.result);
    const before = this.before(result);
    if (entry.rule === 'scale') (before ?? result).like = operands[0]; // what shrinks is to look smaller
    return {
      ...this.header.words?.[entry.words], // what steps of many heads have in common
      ...entry,
      operands,
      result,
      before, // the same in the untouched run; null where that is no other
      difference: before && differenceOf(before, result),
      bias: optional(entry.bias),
      rest: optional(entry.rest), // what the hidden terms of each cell add up to
      facts: entry.facts ?? {},
      factors: entry.factors ?? {},
      ids: entry.ids ?? [],
      extras: Object.fromEntries(
        Object.entries(entry.extras ?? {}).map(([name, reading]) => [name, this.matrix(reading)]),
      ),
    };
  }
}
