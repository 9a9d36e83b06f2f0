import assert from 'node:assert/strict';
import {test} from 'node:test';
import {CHART, LOWER, cellGeometry, chartHeight, thumbGeometry} from '../../attnviz/views/training/heads_layout.js';
import {plotOf} from '../../attnviz/views/training/charts_layout.js';

const run = {planned: 1500, smooth: Float32Array.of(3.75, 0.5, 0.0004)};
const even = {loss: false, steps: false};

test('all heads fit the room they are given', () => {
  for (const [layers, heads] of [[1, 2], [2, 2], [2, 4], [4, 8]])
    for (const height of [300, 420]) {
      const place = thumbGeometry({width: 800, height, layers, heads, n: 13, m: 13, k: 1});
      const last = place.at(layers - 1, heads - 1);
      assert.ok(last.x + place.w <= 800.5 && last.y + place.h + place.caption <= height + 0.5, `${layers} × ${heads}`);
      assert.equal(place.width, last.x + place.w);
    }
});

test('on a phone the heads of a layer take several lines before they are too small to hit', () => {
  const place = thumbGeometry({width: 358, height: null, layers: 2, heads: 8, n: 10, m: 10, k: 1});
  assert.ok(place.w >= 44 && place.columns < 8);
  assert.ok(place.at(0, 7).y > place.at(0, 0).y && place.at(1, 0).y > place.at(0, 7).y);
});

test('the cells of a map fit beside and below its labels', () => {
  for (const n of [5, 13, 42])
    for (const isCausal of [true, false]) {
      const place = cellGeometry({width: 500, height: 340, n, m: n, k: 1, wide: {row: 60, column: 9, added: 45}, isCausal});
      assert.ok(place.x0 + place.w * n <= 500.5 && place.y0 + place.h * n <= 340.5, `${n} ${isCausal}`);
      if (isCausal) assert.equal(place.w, place.h < 13 ? place.h : Math.max(27, place.h));
    }
});

test('words too wide for their column lean; only an added token stands upright above letters', () => {
  const at = (wide) => cellGeometry({width: 500, height: 340, n: 10, m: 8, k: 1, wide, isCausal: false});
  const letters = at({row: 40, column: 9, added: 60});
  const words = at({row: 40, column: 80, added: 0});
  const short = at({row: 40, column: 30, added: 40});
  assert.deepEqual([letters.isTurned, letters.isUpright], [false, true]);
  assert.deepEqual([words.isTurned, words.isUpright], [true, false]);
  const leaning = at({row: 40, column: 62, added: 90});
  assert.ok(leaning.isTurned && leaning.y0 >= 90 * 0.72); // what leans stays below the heading
  assert.deepEqual([short.isTurned, short.isUpright], [false, false]);
  const first = cellGeometry({width: 500, height: 340, n: 13, m: 13, k: 1, wide: {row: 45, column: 15, added: 45}, isCausal: true, isAddedFirst: true});
  assert.deepEqual([first.isUpright, first.isLeading], [false, true]);
});

test('the charts give way to a map with numbers in its cells, but keep their least height', () => {
  assert.equal(chartHeight(665, 711, 13, 1), 665 - 90 - 13 * 27);
  assert.equal(chartHeight(500, 550, 13, 1), CHART.least);
  assert.equal(chartHeight(LOWER + 230, 610, 42, 1), 230);
  assert.equal(chartHeight(900, 950, 8, 1), CHART.share * 950);
  assert.equal(chartHeight(LOWER + 194, 625, 6, 1), 194);
  assert.equal(chartHeight(LOWER + 100, 625, 6, 1), LOWER + 100 - 90 - 6 * 27);
});

test('rows too thin for their labels are labelled at a distance', () => {
  const place = cellGeometry({width: 300, height: 200, n: 42, m: 42, k: 1, wide: {row: 20, column: 9, added: 0}, isCausal: true});
  assert.ok(place.gap.row >= 9 && place.h < place.gap.row);
});

test('both charts share their steps and lie above each other', () => {
  const plot = plotOf({runs: [run], width: 1300, height: 300, k: 1, isLog: {loss: false, steps: true}, named: 186});
  assert.equal(plot.x(0), plot.left);
  assert.equal(plot.x(1500), plot.end);
  assert.ok(plot.upper.to < plot.lower.from && plot.lower.to < 300);
  assert.equal(plot.share(0), plot.lower.to);
  assert.equal(plot.y(0), plot.upper.to);
  assert.ok(plot.y(3.75) > plot.upper.from - 0.01);
});

test('the axes fit the longer of two runs and the larger of their losses', () => {
  const other = {planned: 3000, smooth: Float32Array.of(9, 2)};
  const plot = plotOf({runs: [run, other], width: 1300, height: 300, k: 1, isLog: even, named: 186});
  assert.equal(plot.planned, 3000);
  assert.ok(plot.y(9) >= plot.upper.from && plot.y(9) < plot.upper.from + 10);
});

test('a log axis of the loss ends at the smallest mean, and a run without a log has axes too', () => {
  const plot = plotOf({runs: [run], width: 1300, height: 300, k: 1, isLog: {loss: true, steps: false}, named: 186});
  assert.deepEqual(plot.ticks.loss, [0.001, 0.01, 0.1, 1]);
  const empty = plotOf({runs: [{planned: 10, smooth: new Float32Array(0)}], width: 390, height: 300, k: 1, isLog: even, named: 186});
  assert.ok(empty.isNarrow && empty.ticks.loss.length > 1 && empty.ticks.steps.at(-1) === 10);
});
