import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isNumbered} from '../../attnviz/views/kit/cells.js';
import {barPlaces, mapRoom, mapsAcross} from '../../attnviz/views/panel/block_layout.js';
import {count, figure} from '../../attnviz/views/panel/number_text.js';
import {takenRows} from '../../attnviz/views/panel/text_blocks.js';

const names = (n, prefix = '') => Array.from({length: n}, (_, i) => `${prefix}${i + 1}`);
const map = (rows, columns) => ({rows: names(rows, 'w'), columns: names(columns)});

for (const [x, expected] of [
  [0, '0'], [0.35, '0.35'], [12.5, '12.5'], [-0.02, '\u22120.02'], [4.21e-7, '4.2×10⁻⁷'], [99_999, '99999'],
  [123_456, '1.2×10⁵'], [0.1 + 0.2, '0.3'], [NaN, '–'], [-Infinity, '\u2212∞'],
])
  test(`${x} is written ${expected}`, () => assert.equal(figure(x), expected));

test('whole numbers are counted', () => {
  assert.deepEqual([count(10_000), count(999), count(1.5)], ['10,000', '999', '1.5']);
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
