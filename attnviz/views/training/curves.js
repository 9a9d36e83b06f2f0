// Which lines the charts hold, how each is painted and what stands at its end. No DOM.

import {accuracyAt, bestHead, headsOf, lossAt, ownAnswer} from './runs.js';

export const MARKS = ['●', '◇'];
export const LETTERS = ['A', 'B'];

/** The lines of the upper chart, one a run: {kind: 'loss', run, paint, valueAt(step)}. */
export function lossCurves(runs) {
  return runs.map((run) => ({kind: 'loss', run, paint: paintOf(runs, run, 'loss-only'), valueAt: (step) => lossAt(run, step)}));
}

/**
 * The lines of the lower chart: a head's weight on the known answer at each checkpoint, and how often the model is
 * right. Each: {kind, run, paint, points: [[step, share]], isBest, isPicked, answer, layer, head, split, valueAt(step)}.
 */
export function shareCurves(runs, picked) {
  const curves = runs.flatMap((run) => [...(runs.length === 1 ? accuracyCurves(run) : []), ...headCurves(runs, run, picked)]);
  return curves.sort((a, b) => rank(a) - rank(b)); // the later ones lie on top
}

function accuracyCurves(run) {
  return Object.entries(run.accuracy).map(([split, points]) => ({
    kind: 'accuracy', run, split, points, paint: `accuracy ${split}`, valueAt: (step) => accuracyAt(run, split, step),
  }));
}

/** One line a head, on the answer it comes nearest to; and each answer's best head on that answer. */
function headCurves(runs, run, picked) {
  const last = run.checkpoints.length - 1;
  if (last < 0) return [];
  const main = run.answers.length - 1;
  const shown = runs.length === 1 ? run.answers.map((_, answer) => answer) : [main];
  const best = new Map(shown.map((answer) => [answer, bestHead(run, answer, last)]));
  /** @param {number[]} head */
  const drawnOn = ([layer, head]) => (runs.length === 1 ? ownAnswer(run, last, layer, head) : main);
  return headsOf(run).flatMap((at) => {
    const isPicked = run.index === picked.run && isSame(at, [picked.layer, picked.head]);
    return shown
      .filter((answer) => answer === drawnOn(at) || isSame(best.get(answer), at))
      .map((answer) => headCurve(runs, run, answer, at, {
        isBest: isSame(best.get(answer), at),
        isPicked: isPicked && answer === drawnOn(at),
      }));
  });
}

/** @param {any[]} runs @param {any} run @param {number} answer @param {number[]} head @param {{isBest: boolean, isPicked: boolean}} role */
function headCurve(runs, run, answer, [layer, head], role) {
  const points = run.measured.map((step, at) => [step, run.scored(answer, at, layer, head)]);
  const valueAt = (step) => points.findLast(([at]) => at <= step)?.[1] ?? points[0][1];
  return {kind: 'head', run, answer, layer, head, points, valueAt, paint: paintOf(runs, run, `answer-${run.answers[answer]}`), ...role};
}

const paintOf = (runs, run, alone) => (runs.length === 1 ? alone : `run-${run.index}`);
const rank = (curve) => Number(curve.isBest ?? false) + 2 * Number(curve.isPicked ?? false);
/** @param {number[]} a @param {number[]} b */
const isSame = (a, b) => a[0] === b[0] && a[1] === b[1];

/** The lines that have their name beside their end. */
export const isNamed = (curve) => curve.kind !== 'head' || curve.isBest || curve.isPicked;

/** The step at which a line ends; undefined where it has not begun. */
export const lastStep = ({kind, run, points}) => (kind === 'loss' ? run.steps.at(-1) : points.at(-1)?.[0]);

/** [step, value] from a typed array of each. */
export const pairs = (steps, values) => Array.from(steps, (step, i) => [step, values[i]]);
