import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Heads} from '../../attnviz/views/compare/side_heads.js';
import {alikePlace, alikeness, layerSpans} from '../../attnviz/views/compare/similarity_matrix_layout.js';
import {pooledPair, rowEnds, tableOf, tellingCell, wholePair} from '../../attnviz/views/compare/pair_numbers.js';
import {Pairs, keepPair} from '../../attnviz/views/compare/pair_store.js';
import {nearestPoint, placedPoints} from '../../attnviz/views/compare/head_map_points.js';
import {takenAlong} from '../../attnviz/views/compare/picked_in_link.js';
import {bits, end, points, share} from '../../attnviz/views/compare/format.js';

const f32 = (...values) => new Float32Array(values);
const close = (a, b, far = 1e-6) => assert.ok(Math.abs(a - b) <= far, `${a} is not ${b}`);

test('heads are numbered through layers of any size and named from 1', () => {
  const heads = new Heads([2, 3], 'A');
  assert.equal(heads.n, 5);
  assert.deepEqual([0, 1, 2, 3, 4].map((at) => heads.place(at)), [[0, 0], [0, 1], [1, 0], [1, 1], [1, 2]]);
  assert.deepEqual([0, 1, 2, 3, 4].map((at) => heads.number(heads.place(at))), [0, 1, 2, 3, 4]);
  assert.equal(heads.fullName(4), 'A 2.3');
  assert.deepEqual(heads.names, ['1.1', '1.2', '2.1', '2.2', '2.3']);
  assert.ok(heads.isLike(new Heads([2, 3])) && !heads.isLike(new Heads([3, 2])) && !heads.isLike(new Heads([2])));
});

test('a pair opens where a word looks at something most differently, and else anywhere', () => {
  const numbers = wholePair(f32(0.9, 0.1, 0, 0, 0.5, 0.5, 0, 0.2, 0.8), f32(0, 1, 0, 0.6, 0.4, 0, 0, 0.5, 0.5), 3, f32(0, 0, 0), f32(0, 0, 0));
  const [mark, word] = [{text: '[CLS]', special: true}, {text: 'cat'}];
  assert.deepEqual(tellingCell(numbers, [mark, word, word]), {query: 1, key: 0});
  assert.equal(tellingCell(numbers, [mark, mark, mark]), numbers.most[0]);
  assert.equal(tellingCell(numbers, [mark, word, word], 2).query, 2); // in a row that was picked
});

test('the cell that was picked on another page is this page’s, by the words that stand beside each other; of a row alone its telling cell', () => {
  const header = {selection: {a: [1, 1], b: [1, 1], query: 0, key: 0}, a: {heads: [2, 2]}, b: {heads: [2, 2]}, first_tokens: [0, 1, 4], last_tokens: [0, 2, 4]};
  const said = {part: '', layer: 0, head: 1, layer2: null, head2: null};
  const pair = {a: [0, 1], b: [0, 1]};
  assert.deepEqual(takenAlong({...said, token: 4, key: 2}, header), {...pair, query: 2, key: 1, row: null});
  assert.deepEqual(takenAlong({...said, token: 4, key: null}, header), {...pair, query: 2, key: 2, row: 2});
  assert.deepEqual(takenAlong({...said, token: 4, key: 3}, header), {...pair, query: 2, key: 2, row: 2}); // the other side lacks that token
  assert.deepEqual(takenAlong({...said, token: 3, key: 2}, header), {...pair, query: 0, key: 0});
  assert.deepEqual(takenAlong({...said, token: null, key: null}, header), {...pair, query: 0, key: 0});
});

test('a row is read by what it looks at more in A and what in B, and of equal rows nothing is read', () => {
  const numbers = wholePair(f32(0.5, 0.5, 0, 1), f32(0.25, 0.75, 0, 1), 2, f32(0, 0), f32(0, 0));
  assert.deepEqual(rowEnds(numbers, 0), {a: {key: 0, a: 0.5, b: 0.25, more: 0.25}, b: {key: 1, a: 0.5, b: 0.75, more: 0.25}});
  assert.deepEqual(rowEnds(numbers, 1), {a: null, b: null});
  assert.equal(rowEnds({...numbers, side: 1}, 0), null); // in blocks
});

test('a sink is neither the cell to begin with nor a word that is named, while another word differs', () => {
  const numbers = wholePair(f32(0.6, 0.3, 0.1, 0.5, 0.2, 0.3, 0.6, 0.3, 0.1), f32(0.2, 0.6, 0.2, 0.5, 0.2, 0.3, 0.1, 0.5, 0.4), 3, f32(0, 0, 0), f32(0, 0, 0));
  assert.equal(tellingCell(numbers, [{}, {}, {}], 0, [0]).key, 1);
  const ends = rowEnds(numbers, 0, [0]);
  assert.equal(ends.b.key, 1);
  assert.equal(ends.a.key, 0); // no other word loses weight
  const between = wholePair(f32(0.5, 0.3, 0.2), f32(0.1, 0.2, 0.7), 3, f32(0), f32(0));
  assert.deepEqual([rowEnds(between, 0, [0]).a.key, rowEnds(between, 0, [0]).b.key], [1, 2]);
});

test('a step stays in its layer, and over layers takes the nearest head there is', () => {
  const heads = new Heads([2, 3]);
  assert.equal(heads.stepped(4, 0, 1), 2); // round the end
  assert.equal(heads.stepped(4, -1, 0), 1); // the layer above has two
  assert.equal(heads.stepped(1, -1, 0), 1); // there is none above
});

test('every cell of the matrix is found under its own middle, and a gap belongs to a layer', () => {
  for (const counts of [[[12, 12, 12], [12, 12, 12]], [[4], [16, 16]], [Array(24).fill(16), Array(24).fill(16)]]) {
    const [a, b] = counts.map((each) => new Heads(each));
    const place = alikePlace({width: 330, height: 330, a, b});
    assert.ok(place.width <= 330 && place.height <= 330);
    for (const row of [0, 3, a.n - 1])
      for (const column of [0, 15, b.n - 1])
        assert.deepEqual(place.at(place.x(column) + place.cw / 2, place.y(row) + place.ch / 2), {row, column});
    assert.equal(place.at(-1, 5), null);
    assert.equal(place.at(5, place.height + 1), null);
    assert.ok(place.at(place.x(b.n - 1) - place.gap / 2, 1) !== null);
  }
});

test('a pixel at least is left between any two layers, wherever their edges are rounded to', () => {
  const heads = new Heads(Array(6).fill(12));
  for (const width of [200, 219, 233.4, 260])
    for (const scale of [1, 1.25, 2]) {
      const {ch, gap} = alikePlace({width, height: width, a: heads, b: heads});
      const spans = layerSpans(heads, ch, gap, scale);
      for (let layer = 1; layer < 6; layer++) assert.ok(spans[layer][0] > spans[layer - 1][0] + spans[layer - 1][1]);
      assert.ok(spans[5][0] + spans[5][1] <= Math.round((72 * ch + 5 * gap) * scale) + 1);
    }
});

test('alike runs from 1 for the same to 0 for no key in common', () => {
  assert.deepEqual([0, 1, 2].map(alikeness), [1, 0, 0]);
  assert.ok(alikeness(0.01) > alikeness(0.02));
});

test('rows count where either head has a choice', () => {
  const one = wholePair(f32(1, 0, 0.5, 0.5), f32(1, 0, 1, 0), 2, f32(0, 0), f32(0, 0));
  close(one.js, 0.75 * Math.log2(4 / 3) + 0.25 * 2 - 0.5); // of the second row alone: H(¾, ¼) − ½
  close(one.cosine, 0.5 / Math.sqrt(0.5));
  assert.ok(Number.isNaN(one.correlation)); // one of the maps is the same everywhere it counts
  assert.equal(one.largest, 0.5);
  assert.deepEqual(one.most.slice(0, 2).map(({query, key}) => [query, key]), [[1, 0], [1, 1]]);
  const none = wholePair(f32(1, 0, 0, 1), f32(0, 1, 1, 0), 2, f32(0, 0), f32(0, 0));
  assert.ok(Number.isNaN(none.js));
});

test('a pair laid over itself is at no distance', () => {
  const a = f32(0.7, 0.3, 0.2, 0.8);
  const same = wholePair(a, a, 2, f32(0, 0), f32(0, 0));
  close(same.js, 0, 1e-12);
  close(same.cosine, 1);
  close(same.correlation, 1);
  assert.equal(same.largest, 0);
});

test('a block of a long text is read by its largest difference', () => {
  const grid = (...data) => ({data, shape: [2, 2]});
  const arrays = {pooled_a: grid(255, 0, 0, 51), pooled_b: grid(0, 0, 0, 0), cells: grid(5, 2, 8, 15), cells_a: grid(1, 0, 0, 0.04), cells_b: grid(0, 0, 0, 0)};
  const pair = pooledPair({js: 0.5, cosine: null, correlation: 0.1, largest: 1, most: [[1, 1, 1, 0]]}, arrays, 4, [], []);
  assert.deepEqual(pair.cellOf(0), {query: 1, key: 1});
  assert.equal(pair.indexOf(3, 3), 3);
  assert.equal(pair.indexOf(0, 2), 1);
  assert.equal(pair.lookA(0), 1);
  close(pair.lookA(3), 0.04);
  assert.ok(Number.isNaN(pair.cosine));
  assert.deepEqual(pair.most, [{query: 1, key: 1, a: 1, b: 0}]);
});

test('a pair is taken out of all maps, or kept when it comes alone', () => {
  const [a, b] = [new Heads([1, 1]), new Heads([1])];
  const header = {units: [{}], revision: 'r1', selection: {a: [0, 0], b: [0, 0], pair: {}}};
  const own = {pair_a: {data: f32(0.25)}, pair_b: {data: f32(1)}, left_a: {data: f32(0)}, left_b: {data: f32(0)}};
  const alone = new Pairs({header, arrays: own}, a, b);
  assert.equal(alone.of([0, 0], [0, 0]).a[0], 0.25);
  assert.equal(alone.of([1, 0], [0, 0]), null);
  keepPair({revision: 'r1', a: [1, 0], b: [0, 0], pair: {}, arrays: {...own, pair_a: {data: f32(0.75)}}});
  assert.equal(alone.of([1, 0], [0, 0]).a[0], 0.75);
  const all = {...own, all_a: {data: f32(0.1, 0.2)}, all_b: {data: f32(0.3)}, all_left_a: {data: f32(0, 0.5)}, all_left_b: {data: f32(0)}};
  const whole = new Pairs({header: {...header, revision: 'r2'}, arrays: all}, a, b).of([1, 0], [0, 0]);
  assert.deepEqual([whole.a[0], whole.b[0], whole.leftA[0]], [Math.fround(0.2), Math.fround(0.3), 0.5]);
});

test('points keep their distances: both axes have one scale, and all lie inside', () => {
  const placed = placedPoints(f32(0, 0, 3, 0, 0, 1), {width: 200, height: 100, margin: 10});
  const far = (i, j) => Math.hypot(placed[i].x - placed[j].x, placed[i].y - placed[j].y);
  close(far(0, 1), 3 * far(0, 2), 1e-4);
  for (const {x, y} of placed) assert.ok(x >= 9.99 && x <= 190.01 && y >= 9.99 && y <= 90.01);
  assert.equal(nearestPoint(placed, placed[1].x + 2, placed[1].y, 16), 1);
  assert.equal(nearestPoint(placed, -500, 0, 16), -1);
  assert.ok(placedPoints(f32(0, 0, 0, 0), {width: 10, height: 10, margin: 1}).every(({x}) => Number.isFinite(x)));
});

test('differences are said in points with their sign, and small ones keep their size', () => {
  assert.deepEqual([0.4153, -0.812, 0].map(points), ['+41.5', '−81.2', '0']);
  assert.equal(points(3.2e-7), '+3×10⁻⁵');
  assert.equal(points(-0.0003), '−0.030');
  assert.deepEqual([0.712, 0, 1].map(share), ['71.2%', '0%', '100.0%']);
  assert.equal(bits(0.1324), '0.132');
  assert.equal(end(1e-5), '1×10⁻⁵');
  assert.equal(end(0.8123), '0.81');
});

test('a table names both sides', () => {
  const units = [{text: 'the', n: 1}, {text: 'the', n: 2}];
  const pair = wholePair(f32(1, 0, 0.5, 0.5), f32(0.5, 0.5, 1, 0), 2, f32(0, 0), f32(0, 0));
  assert.deepEqual(tableOf(pair, units, (i) => pair.a[i] - pair.b[i], 'A − B', []), [['A − B', 'the₁', 'the₂'], ['the₁', 0.5, -0.5], ['the₂', -0.5, 0.5]]);
});
