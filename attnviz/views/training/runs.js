// The runs of a payload: weights, scores and losses by name instead of by offset. No DOM.

import {matrixTable} from '../kit/spreadsheet.js';
import {named} from '../kit/words.js';

/**
 * The runs with their numbers.
 * @param {Payload<TrainingHeader>} payload
 */
export function runsOf({header, arrays}) {
  return header.runs.map((run, index) => {
    const part = (name) => arrays[`${name}${index}`];
    const weights = part('weights');
    const [, layers, heads, n, m] = weights.shape;
    const unit = weights.data instanceof Uint16Array ? 1 / 65535 : 1;
    const [, moments] = part('scores').shape;
    const scored = (answer, at, layer, head) => part('scores').data[((answer * moments + at) * layers + layer) * heads + head];
    const places = run.checkpoints.map((step) => run.measured.indexOf(step));
    const map = (c, layer, head) => ((c * layers + layer) * heads + head) * n * m;
    return {
      ...run,
      index,
      n,
      m,
      steps: part('steps').data,
      loss: part('loss').data,
      smooth: part('smooth').data,
      weight: (c, layer, head, query, key) => weights.data[map(c, layer, head) + query * m + key] * unit,
      mapOf: (c, layer, head) => ({data: weights.data, start: map(c, layer, head), unit}),
      scored,
      score: (answer, c, layer, head) => scored(answer, places[c], layer, head),
    };
  });
}

/** Every [layer, head] of a run, in reading order. */
export function headsOf(run) {
  return Array.from({length: run.layers * run.heads}, (_, i) => [Math.floor(i / run.heads), i % run.heads]);
}

const CLEAR = 0.3; // a head is named by an answer that gets this share of its weight, and
const BEYOND = 2; // times what even weights give it
const isClear = (run, answer, share) => share >= Math.max(CLEAR, BEYOND * run.even[answer]);

/** What a head does at a checkpoint: {answer, share, even}; answer is null below a clear share, `even` that of even weights. */
export function doingOf(run, c, layer, head) {
  const best = ownAnswer(run, c, layer, head);
  const share = run.score(best, c, layer, head);
  return {answer: isClear(run, best, share) ? run.answers[best] : null, share, even: run.even[best]};
}

/** The answer a head is measured by: the one the task is about, unless another clearly gets more of its weight. */
export function ownAnswer(run, c, layer, head) {
  const shares = run.answers.map((_, answer) => run.score(answer, c, layer, head));
  const clear = Array.from(shares.keys()).filter((answer) => isClear(run, answer, shares[answer]));
  return clear.length ? clear.reduce((best, answer) => (shares[answer] > shares[best] ? answer : best)) : shares.length - 1;
}

/** [layer, head] with the largest share of an answer at a checkpoint, of the layers before `end`. */
export function bestHead(run, answer, c, end = run.layers) {
  const heads = headsOf(run).filter(([layer]) => layer < end);
  return heads.reduce((best, at) => (run.score(answer, c, ...at) > run.score(answer, c, ...best) ? at : best));
}

export const FORMED = 0.5; // a head has formed when it gives the answer more than half of its weight

/**
 * Of a task that takes two heads, the checkpoint where the second has formed, that head, and the one of an earlier layer
 * that then does most of the first answer: {c, second, first}; null where none has formed or no layer is before it.
 */
export function formedIn(run) {
  const second = bestHead(run, 1, run.checkpoints.length - 1);
  const c = run.checkpoints.findIndex((_, at) => run.score(1, at, ...second) > FORMED);
  return c < 0 || second[0] === 0 ? null : {c, second, first: bestHead(run, 0, c, second[0])};
}

/** The smoothed loss at a step: at the last point logged up to it. */
export function lossAt(run, step) {
  return run.smooth[Math.max(0, run.steps.findLastIndex((at) => at <= step))];
}

/** The share of held-out texts that were right at a step, by split, at the last measurement up to it. */
export function accuracyAt(run, split, step) {
  const known = run.accuracy[split].filter(([at]) => at <= step);
  return known.length ? known.at(-1)[1] : NaN;
}

/** The largest weight of a row: its key. */
export function topKey(run, c, layer, head, query) {
  let best = 0;
  for (let key = 1; key < run.m; key++)
    if (run.weight(c, layer, head, query, key) > run.weight(c, layer, head, query, best)) best = key;
  return best;
}

/** Whether a cell lies on the known answer of the person's own text. */
export function isExpected(run, answer, query, key) {
  return run.expected[answer].some(([row, keys]) => row === query && keys.includes(key));
}

/** One map as a table: keys across, a query a line. */
export function tableOf(run, c, layer, head, corner) {
  const weight = (query, key) => (run.isCausal && key > query ? null : run.weight(c, layer, head, query, key));
  return matrixTable(corner, run.queries.map(named), run.keys.map(named), weight);
}
