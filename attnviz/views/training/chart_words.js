// The words in and beside the charts: headings, names at the ends of lines, the phase change.

import {el, setLengths, svg} from '../kit/dom.js';
import {spread} from '../kit/label_thinning.js';
import {fmt, pct, precise} from '../kit/number.js';
import {fillText} from '../kit/words.js';
import {LETTERS, MARKS, lastStep} from './curves.js';
import {VALUE} from './charts_layout.js';

const WORD = 16; // px from one word to the next
const SMALL_LOSS = 0.1; // below it two decimals would say nothing

/** The three headings with the switches of their axes: built once, placed at each drawing. */
export function headings(say, bend) {
  const isLogButton = (name) =>
    el('button', {type: 'button', class: 'bend', 'aria-label': say(`view-training-log-${name}`), title: say(`view-training-log-${name}`), click: () => bend(name)}, say('view-training-log'));
  const [byLoss, bySteps] = [isLogButton('loss'), isLogButton('steps')];
  const smoothed = el('span', {class: 'caption'}, say('view-training-smoothed'));
  const loss = el('div', {class: 'heading'}, el('b', {}, say('view-training-loss')), smoothed, byLoss);
  const measured = el('span', {class: 'caption'});
  const share = el('div', {class: 'heading'}, el('b', {}, say('view-training-share')), measured);
  const steps = el('div', {class: 'heading steps'}, el('span', {class: 'caption'}, say('view-training-steps')), bySteps);
  const move = (node, x, y) => setLengths(node, {left: x, top: y});
  const place = ({upper, lower, left, end, isNarrow, width}, k, isLog, runs) => {
    move(loss, left, upper.from - 36 * k); // above the knob, wherever that stands
    move(share, left, lower.from - 27 * k);
    move(steps, isNarrow ? left : end + 10 * k, isNarrow ? lower.to + 20 * k : lower.to + 4 * k);
    measured.textContent = fillText(say('view-training-measured'), {n: runs[0].examples});
    measured.hidden = width < 480 * k;
    byLoss.setAttribute('aria-pressed', String(isLog.loss));
    bySteps.setAttribute('aria-pressed', String(isLog.steps));
  };
  return {nodes: [loss, share, steps], place};
}

/**
 * Heights for words beside the curves of both charts, none on another: curve -> px; `wanted(curve)` is the value it belongs
 * to. Where the lower chart has too little room for its words, they go up beside the upper one, and the words of that before
 * them.
 */
export function wordHeights(curves, plot, k, wanted) {
  const gap = WORD * k;
  const panels = [[['head', 'accuracy'], plot.share, plot.lower], [['loss'], plot.y, plot.upper]];
  let above = Infinity; // where the words of the lower chart begin
  return new Map(panels.flatMap(([kinds, place, {from, to}]) => {
    const words = curves.filter(({kind}) => kinds.includes(kind)).map((curve) => ({curve, want: place(wanted(curve))}));
    words.sort((a, b) => a.want - b.want);
    const last = Math.min(to - gap / 4, above - gap);
    const first = Math.min(from - 0.75 * gap, last - (words.length - 1) * gap);
    const ys = spread(words.map(({want}) => want), gap, first, last);
    above = ys[0] ?? Infinity;
    return words.map(({curve}, at) => [curve, ys[at]]);
  }));
}

/** The name of each line beside its end, on a narrow page in a list: what a line came to is read at the cursor. */
export function endNames(curves, plot, k, say, areTwo) {
  const heights = wordHeights(curves, plot, k, lastValue);
  return curves.map((curve) => {
    const kind = `${curve.paint}${curve.isPicked ? ' picked' : ''}`;
    const name = nameOf(curve, say, areTwo);
    if (plot.isNarrow) return el('li', {class: kind}, el('i', {class: 'swatch', 'aria-hidden': 'true'}), name);
    return setLengths(el('span', {class: `end ${kind}`}, name), {left: plot.end + (VALUE + 10) * k, top: heights.get(curve) - 8 * k});
  });
}

/** A thin line from the end of each curve to its name, curve -> path: between them is the room for the number at the cursor. */
export function leaders(curves, plot, k) {
  if (plot.isNarrow) return new Map();
  const heights = wordHeights(curves, plot, k, lastValue);
  return new Map(curves.map((curve) => {
    const y = (curve.kind === 'loss' ? plot.y : plot.share)(lastValue(curve));
    const d = `M${plot.x(lastStep(curve))} ${y}H${plot.end + 2 * k}L${plot.end + 8 * k} ${heights.get(curve)}H${plot.end + (VALUE + 6) * k}`;
    return [curve, svg('path', {class: `leader ${curve.paint}`, d})];
  }));
}

const lastValue = (curve) => (curve.kind === 'loss' ? curve.valueAt(Infinity) : curve.points.at(-1)[1]);

/** "induction, 2.2", "right on new sentences", "● A, 2.2". */
export function nameOf({kind, run, split, answer, layer, head}, say, areTwo) {
  const whose = areTwo ? `${MARKS[run.index]} ${LETTERS[run.index]}` : '';
  if (kind === 'loss') return areTwo ? whose : say('view-training-loss');
  if (kind === 'accuracy') return fillText(say(`view-training-right-${run.counted}-${split}`), {n: run.examples});
  if (areTwo) return ofHead(whose, layer, head, say);
  const does = say(`view-training-does-${run.answers[answer]}`);
  return fillText(say('view-training-curve-even'), {curve: ofHead(does, layer, head, say), even: pct(run.even[answer])});
}

const ofHead = (what, layer, head, say) => fillText(say('view-training-curve'), {what, layer: layer + 1, head: head + 1});

/** The number of a line at a step. Away from the names, where lines can stand in another order, a head's has its own: "2.1 91%". */
export function valueText(curve, step, isByName) {
  const value = curve.valueAt(step);
  if (curve.kind === 'head' && !isByName) return `${curve.layer + 1}.${curve.head + 1} ${pct(value)}`;
  if (curve.kind !== 'loss') return pct(value);
  return precise(value, value < SMALL_LOSS ? 3 : 2);
}

/** The name of the phase change and its numbers, beside its band where the curve leaves room; in a list if narrow. */
export function phaseWords({phase, answers}, {x, upper, left, end, isNarrow}, k, say) {
  const [a, b] = [x(phase.first), x(phase.last)];
  const isRight = end - b > a - left;
  const at = isRight ? {x: b + 9 * k, 'text-anchor': 'start'} : {x: a - 9 * k, 'text-anchor': 'end'};
  const y = isRight ? upper.from + 7 * k : upper.to - 24 * k;
  const values = {
    what: ofHead(say(`view-training-does-${answers.at(-1)}`), phase.layer, phase.head, say),
    drop: fmt(phase.drop, 1), low: pct(phase.low), high: pct(phase.high),
  };
  const numbers = fillText(say('view-training-phase-numbers'), values);
  const title = svg('text', {class: 'phase', ...at, y}, say('view-training-phase'));
  if (isNarrow) return {nodes: [title], item: el('li', {}, numbers)};
  return {nodes: [title, svg('text', {class: 'phase more', ...at, y: y + 16 * k}, numbers)], item: null};
}
