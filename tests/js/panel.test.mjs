import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isNumbered} from '../../attnviz/views/kit/cells.js';
import {barPlaces, chartsAcross, mapRoom, mapsAcross} from '../../attnviz/views/panel/block_layout.js';
import {isPlaced, pieces, plotOf} from '../../attnviz/views/panel/chart_layout.js';
import {count, figure, power} from '../../attnviz/views/panel/number_text.js';
import {takenRows} from '../../attnviz/views/panel/text_blocks.js';

const names = (n, prefix = '') => Array.from({length: n}, (_, i) => `${prefix}${i + 1}`);
const map = (rows, columns) => ({rows: names(rows, 'w'), columns: names(columns)});

for (const [x, expected] of [
  [0, '0'], [0.35, '0.35'], [12.5, '12.5'], [-0.02, '\u22120.02'], [4.21e-7, '4.2×10⁻⁷'], [99_999, '99999'],
  [123_456, '1.2×10⁵'], [0.1 + 0.2, '0.3'], [NaN, '–'], [-Infinity, '\u2212∞'],
])
  test(`${x} is written ${expected}`, () => assert.equal(figure(x), expected));

test('whole numbers are counted, powers of ten named by their exponent', () => {
  assert.deepEqual([count(10_000), count(999), count(1.5), power(1e6), power(1e-3)], ['10,000', '999', '1.5', '10⁶', '10⁻³']);
});

test('maps stand side by side while their numbers have room, and one under the other on a telephone', () => {
  const three = [map(8, 8), map(8, 8), map(8, 8)];
  assert.equal(mapsAcross(three, 1200).n, 3);
  assert.equal(mapsAcross(three, 340).n, 1);
  assert.equal(mapsAcross([map(8, 24), map(8, 24), map(8, 64)], 1200).n, 2);
});

test('cells print numbers from 27 px on, at any size of type', () => {
  const isPrinted = (columns, width, k = 1) => {
    const {cw, ch} = mapRoom(map(8, columns), width, k);
    return isNumbered(cw, ch);
  };
  assert.deepEqual([isPrinted(8, 290), isPrinted(8, 290, 1.25), isPrinted(64, 600)], [true, true, false]);
});

test('words over the columns turn upright before one of them is left out, and none is while each has 12 px', () => {
  const words = ['[CLS]', 'the', 'cat', 'sat', 'on', 'the', 'mat', 'because', 'it', 'was', 'tired', '.', '[SEP]'];
  const short = ['a', 'b', 'to', 'it', 'on', 'at', 'by', 'of', 'so', 'as', 'is', 'we', 'us'];
  for (const columns of [words, short])
    for (let width = 300; width <= 700; width += 10) {
      const room = mapRoom({rows: columns, columns}, width);
      if (room.cw >= 12) assert.ok(room.columnGap <= room.cw && room.rowGap <= room.ch);
    }
});

for (const [rows, columns, width] of [[1, 1, 300], [8, 64, 280], [64, 64, 1200], [64, 2, 300]])
  test(`a map of ${rows} × ${columns} fits ${width} px`, () => {
    const room = mapRoom(map(rows, columns), width);
    assert.ok(room.width <= width + 0.01);
    assert.ok(room.height <= 560 + 80);
  });

test('charts share a line while each is wide enough, and none is wider than a line needs', () => {
  assert.equal(chartsAcross(3, 1200).n, 3);
  assert.deepEqual(chartsAcross(3, 340), {n: 1, width: 340});
  assert.equal(chartsAcross(1, 1200).width, 620);
});

const curves = [{name: 'a', y: [1, 10, 1000]}, {name: 'b', y: [2, null, 0]}];

test('a chart holds its points, and on a logarithm leaves out what is not above 0', () => {
  const plot = plotOf({x: [10, 100, 1000], curves, log_x: true, log_y: true}, 500);
  assert.equal(plot.x(10), plot.left);
  assert.equal(plot.x(1000), plot.end);
  assert.ok(plot.x(100) - plot.x(10) - (plot.x(1000) - plot.x(100)) < 1e-9);
  assert.ok(plot.y(1000) > plot.top && plot.y(1) < plot.bottom);
  assert.deepEqual(plot.ticks.y, [1, 10, 100, 1000]);
  assert.deepEqual([2, null, 0, NaN].map((y) => isPlaced(y, true)), [true, false, false, false]);
});

test('a line is broken where a point has no place', () => {
  assert.deepEqual(pieces([1, 2, 3, 4], [5, null, 7, 8], false), [[[1, 5]], [[3, 7], [4, 8]]]);
  assert.deepEqual(pieces([1, 2], [0, null], true), []);
});

test('an even axis starts at 0, and shows numbers below it where there are some', () => {
  const even = (y) => plotOf({x: [0, 1], curves: [{name: 'a', y}], log_x: false, log_y: false}, 500).ticks.y;
  assert.deepEqual([even([0.5, 0.9])[0], even([0.5, 0.9]).at(-1)], [0, 1]);
  assert.ok(even([-0.04, 0.13])[0] < 0 && even([-0.04, 0.13]).includes(0));
  assert.deepEqual(even([-0.141, 0.0326]), [-0.15, -0.1, -0.05, 0, 0.05]);
  assert.deepEqual(even([0, 0])[0], 0);
});

test('bars begin at one zero line, and from the lowest end to the highest they fill the room', () => {
  const {zero, places} = barPlaces([3, -1, 0, 2]);
  assert.equal(zero, 0.25);
  assert.deepEqual(places, [{from: 0.25, width: 0.75}, {from: 0, width: 0.25}, {from: 0.25, width: 0}, {from: 0.25, width: 0.5}]);
  assert.equal(barPlaces([0, 0]).zero, 0);
  assert.equal(barPlaces([-2, -4]).zero, 1);
});

test('numbers leave the page as a program reads them, in full where they have a bar', () => {
  assert.deepEqual(takenRows([['−a', '−0.442', '+1.531']], []), [['−a', '-0.442', '1.531']]);
  assert.deepEqual(takenRows([['head 1.1', '+6.065']], [6.0651]), [['head 1.1', 6.0651]]);
});
