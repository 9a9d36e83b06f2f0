import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isNamed, lastStep, lossCurves, shareCurves} from '../../attnviz/views/training/curves.js';
import {wordHeights} from '../../attnviz/views/training/chart_words.js';
import {pathThrough} from '../../attnviz/views/kit/axis.js';
import {linkIn, valuesOf, written} from '../../attnviz/views/hosts/link.js';
import {fromLink, toLink} from '../../attnviz/views/training/picked_in_link.js';
import {evidenceOf} from '../../attnviz/views/training/top_line.js';
import {accuracyAt, bestHead, doingOf, formedIn, isExpected, lossAt, ownAnswer, runsOf, tableOf, topKey} from '../../attnviz/views/training/runs.js';

// Two checkpoints, one layer, two heads, two tokens; answers "previous" and "induction".
function payload(Weights = Float32Array, scale = 1) {
  const weights = [
    [1, 0, 0.5, 0.5], [1, 0, 0.25, 0.75], // checkpoint 0: head 0, head 1
    [1, 0, 0.125, 0.875], [1, 0, 0.9, 0.1], // checkpoint 10
  ].flat();
  const scores = [0.1, 0.2, 0.6, 0.2, 0.05, 0.1, 0.2, 0.9]; // [answer, checkpoint, layer, head]
  const run = {
    label: '', task: 'induction', outcome: 'finished', planned: 10, layers: 1, heads: 2, sites: ['decoder.0.self'],
    checkpoints: [0, 10], measured: [0, 10], answers: ['previous', 'induction'], even: [0.2, 0.1], accuracy: {sentences: [[0, 0], [10, 0.5]]},
    isCausal: true, expected: [[], [[1, [0]]]], phase: null, examples: 64,
    queries: [{text: 'a', n: 1}, {text: 'a', n: 2}], keys: [{text: 'a', n: 1}, {text: 'a', n: 2}],
  };
  return {
    header: {runs: [run]},
    arrays: {
      weights0: {data: Weights.from(weights, (w) => w * scale), shape: [2, 1, 2, 2, 2]},
      scores0: {data: Float32Array.from(scores), shape: [2, 2, 1, 2]},
      steps0: {data: Uint32Array.of(0, 4, 10), shape: [3]},
      loss0: {data: Float32Array.of(3, 2, 1), shape: [3]},
      smooth0: {data: Float32Array.of(3, 2.5, 1), shape: [3]},
    },
  };
}
const [run] = runsOf(payload());
const round = (x) => Math.round(x * 1000) / 1000;

test('a weight is found by checkpoint, layer, head, query and key', () => {
  assert.equal(run.weight(0, 0, 0, 1, 1), 0.5);
  assert.equal(run.weight(1, 0, 0, 1, 1), 0.875);
  assert.equal(round(run.weight(1, 0, 1, 1, 0)), 0.9);
});

test('weights that travelled as 16 bits are read as shares', () => {
  const [small] = runsOf(payload(Uint16Array, 65535));
  assert.ok(Math.abs(small.weight(1, 0, 0, 1, 1) - 0.875) < 1e-5);
  assert.equal(small.weight(1, 0, 0, 0, 0), 1);
});

test('a score is found by answer, checkpoint, layer and head', () => {
  assert.equal(round(run.score(0, 1, 0, 0)), 0.6);
  assert.equal(round(run.score(1, 1, 0, 1)), 0.9);
  assert.deepEqual(bestHead(run, 0, 1), [0, 0]);
  assert.deepEqual(bestHead(run, 1, 1), [0, 1]);
});

test('a head is named by an answer only where that gets a clear share of its weight', () => {
  assert.deepEqual([doingOf(run, 0, 0, 0).answer, doingOf(run, 1, 0, 0).answer], [null, 'previous']);
  assert.equal(doingOf(run, 1, 0, 1).answer, 'induction');
  assert.equal(ownAnswer(run, 0, 0, 0), 1); // no clear share: the answer that the task is about
  const even = {...run, even: [0.31, 0.1]}; // even weights would give the symbol before nearly as much
  assert.deepEqual([doingOf(even, 1, 0, 0).answer, ownAnswer(even, 1, 0, 0)], [null, 1]);
});

test('what was logged last up to a step is what holds there', () => {
  assert.deepEqual([0, 3, 4, 9, 10, 99].map((step) => lossAt(run, step)), [3, 3, 2.5, 2.5, 1, 1]);
  assert.deepEqual([0, 9, 10].map((step) => accuracyAt(run, 'sentences', step)), [0, 0, 0.5]);
});

test('the largest key of a row, and whether a cell lies on the known answer', () => {
  assert.deepEqual([topKey(run, 1, 0, 0, 1), topKey(run, 1, 0, 1, 1)], [1, 0]);
  assert.deepEqual([isExpected(run, 1, 1, 0), isExpected(run, 1, 1, 1), isExpected(run, 0, 1, 0)], [true, false, false]);
});

test('each head has a line on the answer it comes nearest to; the best of each answer are named', () => {
  const curves = shareCurves([run], {run: 0, layer: 0, head: 0});
  const heads = curves.filter(({kind}) => kind === 'head').map(({head, answer, isBest, isPicked}) => ({head, answer, isBest, isPicked}));
  assert.deepEqual(heads, [
    {head: 1, answer: 1, isBest: true, isPicked: false},
    {head: 0, answer: 0, isBest: true, isPicked: true}, // the picked one lies on top
  ]);
  assert.deepEqual(curves.filter(isNamed).map(({kind}) => kind), ['accuracy', 'head', 'head']);
  assert.equal(curves.at(-1).paint, 'answer-previous');
  assert.equal(round(curves.at(-1).valueAt(5)), 0.1);
});

test('of two runs only the answer that the task is about is drawn, in the colour of the run', () => {
  const both = [run, {...run, index: 1}];
  const curves = shareCurves(both, {run: 1, layer: 0, head: 0});
  assert.deepEqual(new Set(curves.map(({kind, answer}) => `${kind} ${answer}`)), new Set(['head 1']));
  assert.deepEqual(curves.filter(({isPicked}) => isPicked).map(({paint, head}) => [paint, head]), [['run-1', 0]]);
  assert.deepEqual(lossCurves(both).map(({paint}) => paint), ['run-0', 'run-1']);
});

test('a run without a checkpoint has no heads to draw, and one without a log no end', () => {
  const begun = {...run, checkpoints: [], steps: new Uint32Array(0)};
  assert.deepEqual(shareCurves([begun], {run: 0, layer: 0, head: 0}).filter(({kind}) => kind === 'head'), []);
  assert.equal(lastStep(lossCurves([begun])[0]), undefined);
  assert.equal(lastStep(lossCurves([run])[0]), 10);
});

test('a path goes through its points', () => {
  assert.equal(pathThrough([[0, 1], [10, 0.5]], (x) => x * 2, (y) => 100 - y), 'M0.0 99.0L20.0 99.5');
});

test('a map as a table has its tokens on both axes, and nothing where no query can attend', () => {
  assert.deepEqual(tableOf(run, 1, 0, 0, 'head'), [['head', 'a₁', 'a₂'], ['a₁', 1, null], ['a₂', 0.125, 0.875]]);
});

test('a second head has formed where it gives more than half to the answer, and the first is of an earlier layer', () => {
  const previous = [[[0.1, 0.1], [0.1, 0.1]], [[0.2, 0.4], [0.1, 0.9]], [[0.8, 0.6], [0, 0]]]; // [checkpoint, layer, head]
  const answer = [[[0, 0], [0, 0]], [[0, 0], [0.9, 0.8]], [[0, 0], [1, 0.9]]];
  const two = {layers: 2, heads: 2, checkpoints: [0, 200, 400], score: (a, c, layer, head) => [previous, answer][a][c][layer][head]};
  assert.deepEqual(formedIn(two), {c: 1, second: [1, 0], first: [0, 1]});
  const said = (more) => evidenceOf({task: 't', ...two, ...more}, (id) => (id === 'view-kit-head' ? '{layer}.{head}' : `${id.slice(23)} {first_head} {early} {end}`));
  assert.equal(said({}), 'induction-rises-on 1.2 40% 60%'); // it was not all that was needed
  const done = [previous[0], [[0.2, 0.55], [0.1, 0.9]], previous[2]];
  assert.equal(said({score: (a, c, layer, head) => [done, answer][a][c][layer][head]}), 'induction-formed 1.2 55% 60%');
  assert.equal(formedIn({...two, checkpoints: [0]}), null);
  const until = (checkpoints, answer) => evidenceOf({task: 't', ...two, checkpoints, score: (a, c, layer, head) => [done, answer][a][c][layer][head]}, (id) => (id === 'view-kit-head' ? '{layer}.{head}' : `${id.slice(23)} {first_head} {early} {second_head} {late} {step}`));
  const none = [0, 1].map(() => [[0.1, 0], [0.1, 0.2]]);
  assert.equal(until([0], none), 'induction-not-formed 1.1 10% 2.2 20% 0');
  assert.equal(until([0, 200], none), 'induction-half-formed 2.2 90% 2.2 20% 200');
  assert.equal(formedIn({...two, layers: 1, checkpoints: [0]}), null);
});

test('a link says which axes are logarithmic where they are not the usual ones and whether the presenter presents; a wrong one says nothing', () => {
  const picked = {step: 1500, layer: 0, head: 1, query: 7, key: 2, run: 0};
  const moment = {update: '1500', layer: '1', head: '2', token: '8', key: '3', side: 'a'};
  const read = (query, header = {}) => fromLink(valuesOf(linkIn('train', new URLSearchParams(query))), header);
  const links = [[false, true, ''], [true, true, 'both'], [true, false, 'loss'], [false, false, 'none']];
  for (const [loss, steps, log] of links) {
    for (const [isPresented, present] of [[false, ''], [true, '1']]) {
      assert.deepEqual(written('train', toLink({...picked, look: {loss, steps, isPresented}})), {...moment, log, present});
      assert.deepEqual(read({log, present}).look, {loss, steps, isPresented});
    }
  }
  assert.equal(read(moment, {selection: picked}).picked, picked);
  assert.equal(read({log: 'both'}, {selection: picked}).picked, undefined);
  for (const query of ['', 'log=constructor', 'log=%00']) assert.deepEqual(read(new URLSearchParams(query)).look, {loss: false, steps: true, isPresented: false});
});

test('no word beside the curves is on another, also of seven lines in a low window', () => {
  const share = [0.97, 0.71, 0.67, 0.28, 0.27, 0.08].map((value, at) => ({kind: at === 4 ? 'accuracy' : 'head', value}));
  const curves = [{kind: 'loss', value: 0.1}, ...share];
  const plot = {y: (loss) => 304 - 57 * loss, share: (part) => 373 - 37 * part, upper: {from: 247, to: 304}, lower: {from: 336, to: 373}};
  const heights = [...wordHeights(curves, plot, 1, ({value}) => value).values()].sort((a, b) => a - b);
  assert.equal(heights.length, 7);
  for (const [at, y] of heights.slice(1).entries()) assert.ok(y - heights[at] >= 16 - 1e-9, `${heights}`);
  assert.ok(heights[0] >= plot.upper.from - 12 && heights[6] <= plot.lower.to, `${heights}`);
});
