import assert from 'node:assert/strict';
import {test} from 'node:test';
import * as layout from '../../attnviz/views/heads/line_geometry.js';
import {spread} from '../../attnviz/views/kit/label_thinning.js';

test('rows of tokens shrink while all of them fit so, and then the column scrolls at ease', () => {
  const rows = (n) => layout.lineGeometry({width: 600, height: 640, n, widest: 4});
  assert.equal(rows(5).row, 66);
  assert.ok(rows(13).height <= 640);
  assert.ok(rows(40).height <= 640 && rows(40).row < 17); // not a line cut in half
  assert.equal(rows(64).row, 17);
  assert.ok(rows(64).height > 640);
});

test('text of a row is never smaller than 11 px, and on a projector than 13 px', () => {
  for (const n of [40, 64]) assert.ok(layout.lineGeometry({width: 600, height: 640, n, widest: 4}).font >= 11);
  assert.ok(layout.lineGeometry({width: 600, height: 640, n: 64, widest: 4, k: 1.25}).font >= 13);
});

test('the lines have room between the columns however wide the tokens', () => {
  for (const width of [320, 358, 600, 900])
    for (const widest of [1, 5, 40]) {
      const place = layout.lineGeometry({width, height: 640, n: 12, widest});
      assert.ok(place.x2 - place.x1 > width * 0.1, `${width} ${widest}: ${place.x1} ${place.x2}`);
    }
});

test('the shorter of two columns stands in the middle of the longer one', () => {
  const place = layout.lineGeometry({width: 600, height: 640, n: 3, nKeys: 5, widest: 4});
  assert.equal(place.y(1), place.yKey(2));
  assert.equal(place.y(1) - place.y(0), place.row);
  assert.ok(place.yKey(4) < place.height && place.yKey(0) > 0);
  const same = layout.lineGeometry({width: 600, height: 640, n: 5, widest: 4});
  assert.equal(same.y(4), same.yKey(4));
});

test('many tokens fit the height and two labels are at least their own height apart', () => {
  const place = layout.rowGeometry({width: 600, height: 640, n: 250, widest: 5});
  assert.ok(place.y(249) < 640);
  assert.equal(place.near, 7);
  assert.ok(place.near * place.row >= place.gap);
  assert.equal(layout.rowGeometry({width: 600, height: 2000, n: 66, widest: 5}).near, 1);
});

test('labels are spread apart, in order and inside', () => {
  assert.deepEqual(spread([10, 50, 90], 15, 0, 100), [10, 50, 90]);
  assert.deepEqual(spread([0, 0, 0], 10, 0, 100), [0, 10, 20]);
  assert.deepEqual(spread([100, 100, 100], 10, 0, 100), [80, 90, 100]);
  assert.deepEqual(spread([50, 50, 50, 90], 10, 0, 100), [40, 50, 60, 90]);
  const tight = spread([5, 5, 5, 5], 50, 0, 30);
  assert.ok(tight.every((y, i) => y >= 0 && y <= 30 && (i === 0 || y >= tight[i - 1])));
  assert.deepEqual(spread([], 10, 0, 100), []);
});

test('a line is as wide as its weight and never invisible', () => {
  assert.equal(layout.lineWidth(0.5, 40), 16);
  assert.equal(layout.lineWidth(0.001, 40), 0.8);
});
