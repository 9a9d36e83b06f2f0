// What was measured of all heads: kinds, metrics and how a value is said. No DOM.

import {fmt} from '../kit/number.js';
import {Pool} from '../kit/recent.js';
import {orderBy} from './head_order.js';

export const KIND = 'kind'; // an order of heads that is no metric
const DIGITS = {bits: 2, tokens: 1, norm: 2, points: 1, logits: 2};
const kept = new Pool(8); // of the last pictures, one or two each: a page that comes back has them at once

/**
 * Keep a message about the heads of one picture; the newest about each set of sentences counts.
 * @param {KindFacts & {revision: string, arrays: Arrays}} message
 */
export function keepKinds({revision, source, without_sinks: isLeft, ...said}) {
  kept.put(`${revision}/${isLeft ? 'left' : source}`, {source, ...said});
}

/** What is known of a picture: {sentence, many, own}, and `left`, of this text what its sinks leave; each null, a measurement that goes on, or `Measured`. */
export function kindsOf(revision) {
  const known = (source) => {
    const said = kept.get(`${revision}/${source}`);
    return said?.arrays?.kinds ? new Measured(said) : (said ?? null);
  };
  return {sentence: known('sentence'), many: known('many'), own: known('own'), left: known('left')};
}

export class Measured {
  n; source; kinds; metrics; arrays; layers; heads; size;

  constructor({source, n, kinds, metrics, arrays}) {
    Object.assign(this, {source, n, kinds, metrics, arrays});
    [this.layers, this.heads] = arrays.kinds.shape;
    this.size = this.layers * this.heads;
  }

  /** The kind of a head; heads are numbered layer by layer from 0. */
  kindOf(index) {
    return this.kinds[this.arrays.kinds.data[index]];
  }

  /** On how many rows of this text the kind of a head rests; undefined over many sentences. */
  rowsOf(index) {
    return this.arrays.rows?.data[index];
  }

  /** The head that shows most of a kind, of one without a measure the first; null where there is none. */
  strongest(name) {
    const {metric} = this.kinds.find((kind) => kind.name === name) ?? {};
    const members = Array.from({length: this.size}, (_, index) => index).filter((index) => this.kindOf(index).name === name);
    if (!members.length || !metric || !this.metric(metric)) return members[0] ?? null;
    return members.reduce((best, index) => (this.value(metric, index) > this.value(metric, best) ? index : best));
  }

  /** How many heads are of each kind, in the order of the table. */
  counts() {
    const counts = this.kinds.map((kind) => ({kind, n: 0}));
    for (const at of this.arrays.kinds.data) counts[at].n += 1;
    return counts;
  }

  /** The metric of that name; undefined where none is meant. */
  metric(name) {
    return this.metrics.find((metric) => metric.name === name);
  }

  /** NaN where the metric means nothing at this head. */
  value(name, index) {
    return this.arrays.values.data[this.metrics.findIndex((metric) => metric.name === name) * this.size + index];
  }

  /** The standard error of a mean over texts; NaN where there is none. */
  error(name, index) {
    const at = this.metrics.findIndex((metric) => metric.name === name) * this.size + index;
    return this.arrays.errors ? this.arrays.errors.data[at] : NaN;
  }

  /** A value as it is printed; "" where there is no such metric. */
  saidOf(name, index) {
    const metric = this.metric(name);
    return metric ? said(metric.unit, this.value(name, index)) : '';
  }

  /** The same with its standard error, where it is a mean over texts. */
  saidWithError(name, index) {
    const error = this.metric(name) ? this.error(name, index) : NaN;
    return [this.saidOf(name, index), ...(Number.isNaN(error) ? [] : [saidError(this.metric(name).unit, error)])].join(' ± ');
  }

  /** With one metric more; `values` has one of each head. */
  with(metric, values) {
    const longer = ({shape, data}, added) => ({shape: [shape[0] + 1, ...shape.slice(1)], data: Float32Array.of(...data, ...added)});
    const {errors} = this.arrays;
    const arrays = {...this.arrays, values: longer(this.arrays.values, values), ...(errors && {errors: longer(errors, values.map(() => NaN))})};
    return new Measured({...this, metrics: [...this.metrics, metric], arrays});
  }

  /** In which order heads are by a metric, the largest first; of changes the size counts, unless it is for a word or against it. By kind, what shows most of it first. */
  order(name) {
    if (name === KIND) return orderBy(this.size, (index) => 0.99 * (this.value(this.kindOf(index).metric, index) || 0) - this.arrays.kinds.data[index]);
    const size = isChange(this.metric(name)) && !this.metric(name).isFor ? Math.abs : Number;
    return orderBy(this.size, (index) => size(this.value(name, index)));
  }

  /** The size at the upper end of the scale: 1 for shares, else the largest there is. */
  most(name) {
    if (this.metric(name).unit === 'share') return 1;
    let most = 0;
    for (let index = 0; index < this.size; index++) most = Math.max(most, Math.abs(this.value(name, index)) || 0);
    return most || 1;
  }
}

/** A standard error as it is printed: of a share with a decimal where it is less than one percent. */
export const saidError = (unit, error) => (unit === 'share' && error < 0.00995 ? (error < 0.0005 ? '<0.1%' : `${fmt(100 * error, 1)}%`) : said(unit, error));

/** Whether a metric has both signs. */
export const isChange = ({unit}) => unit === 'points' || unit === 'logits';

/** A value as it is printed: shares in whole percents, an en dash where there is none. */
export function said(unit, value) {
  const sign = isChange({unit}) && value >= (unit === 'points' ? 0.05 : 0.005) ? '+' : '';
  if (unit !== 'share' || Number.isNaN(value)) return sign + fmt(value, DIGITS[unit] ?? 2);
  return `${fmt(Math.sign(value) * Math.round(Math.abs(value) * 100), 0)}%`;
}
