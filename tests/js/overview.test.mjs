import assert from 'node:assert/strict';
import {test} from 'node:test';
import {cellsOf} from '../../attnviz/views/kit/kind_glyph.js';
import {gridPlace, linesIn} from '../../attnviz/views/heads/thumbnail_layout.js';
import {Measured, keepKinds, kindsOf, said} from '../../attnviz/views/heads/measured_heads.js';
import {evidence} from '../../attnviz/views/heads/kind_evidence.js';
import {forAnotherText, isMeant, optionsOf, toLink, toggledKind} from '../../attnviz/views/heads/overview_options.js';
import {orderBy, rowsOf, stepped} from '../../attnviz/views/heads/head_order.js';
import {byLayer} from '../../attnviz/views/heads/every_head.js';
import {measurementsFor} from '../../attnviz/views/heads/requests.js';
import {measureOwn} from '../../attnviz/views/heads/own_sentences.js';

const inside = ({at, size, lines, columns}, {width, layers, heads}) => {
  for (let head = 0; head < heads; head++) {
    const {x} = at(Math.floor(head / columns), head % columns);
    assert.ok(x + size <= width, `${head}: ${x} + ${size} > ${width}`);
  }
  assert.ok(columns * lines >= heads && layers > 0);
};

test('six layers of twelve heads fit a window, a line a layer, large enough to hit', () => {
  const room = {width: 702, height: 560, layers: 6, heads: 12};
  const place = gridPlace(room);
  assert.equal(place.lines, 1);
  assert.ok(place.size >= 44);
  assert.ok(place.height <= 560);
  inside(place, room);
});

test('in a low window and on a projector all heads are still seen at once, as long as their patterns can be told apart', () => {
  for (const room of [{width: 640, height: 400}, {width: 640, height: 400, isSorted: true}, {width: 640, height: 328}, {width: 690, height: 480, k: 1.25}]) {
    const place = gridPlace({...room, layers: 6, heads: 12});
    assert.ok(place.size >= 26 * (room.k ?? 1) && place.columns === 12, JSON.stringify(room));
    assert.ok(place.height <= room.height, JSON.stringify(room));
    inside(place, {...room, layers: 6, heads: 12});
  }
});

test('where there is no room, heads stay large enough to hit and the grid is taller than the window', () => {
  const place = gridPlace({width: 702, height: 560, layers: 80, heads: 64});
  assert.equal(Math.floor(place.size) >= 44, true);
  assert.ok(place.height > 560);
  inside(place, {width: 702, layers: 80, heads: 64});
});

test('every head of a model of up to 48 layers of 32 heads is in sight at once, layers down or across', () => {
  for (const [width, height] of [[690, 410], [728, 540], [860, 720]])
    for (const [layers, heads] of [[12, 12], [24, 16], [30, 9], [32, 32], [48, 32], [48, 12]]) {
      const room = {width, height, layers, heads};
      const place = gridPlace(room);
      const rows = rowsOf({...room, ...place, order: null});
      assert.ok(place.size >= 8 && place.height <= height, JSON.stringify({...room, size: place.size}));
      assert.equal(rows.length, place.nRows);
      assert.deepEqual(rows.flatMap(({items}) => items).sort((a, b) => a - b), Array.from({length: layers * heads}, (_, i) => i));
      for (const {items} of rows) assert.ok(place.at(0, items.length - 1).x + place.size <= width);
      assert.ok(place.column >= place.size && place.row >= place.size + place.below);
    }
  assert.equal(gridPlace({width: 690, height: 410, layers: 30, heads: 9}).isAcross, true);
  assert.deepEqual(rowsOf({layers: 3, heads: 2, columns: 3, order: null, isAcross: true}), [{items: [0, 2, 4], layer: 0}, {items: [1, 3, 5], layer: 1}]);
});

test('zoomed, a band of the layers is in sight, large enough to hit, and the others are there by scrolling', () => {
  for (const [width, height, layers, heads] of [[690, 410, 30, 9], [728, 540, 24, 16], [860, 720, 48, 32]]) {
    const room = {width, height, layers, heads, isZoomed: true};
    const place = gridPlace(room);
    assert.ok(!place.isPacked && place.size >= 44 && place.height > height, JSON.stringify(room));
    assert.ok(place.row * 2 < height);
    inside(place, room);
  }
});

test('on a telephone the heads of a layer wrap', () => {
  const room = {width: 358, height: Infinity, layers: 6, heads: 12};
  const place = gridPlace(room);
  assert.equal(place.lines, 2);
  assert.ok(place.size >= 44);
  inside(place, room);
});

test('thumbnails never overlap, captions included', () => {
  for (const width of [320, 358, 500, 702, 1010, 1400])
    for (const heads of [1, 2, 8, 12, 16, 64])
      for (const isSorted of [false, true]) {
        const place = gridPlace({width, height: 640, layers: 6, heads, isSorted});
        assert.ok(place.column >= place.size, `${width} ${heads}`);
        assert.ok(place.row >= place.size + place.below, `${width} ${heads}`);
      }
});

test('sorted heads lie in as many lines as they need, and shrink before they scroll', () => {
  const room = {width: 702, height: 560, layers: 5, heads: 7};
  const sorted = gridPlace({...room, isSorted: true});
  assert.ok(sorted.height <= 560 && sorted.size >= 44);
  assert.equal(sorted.nRows, Math.ceil(35 / sorted.columns));
});

test('sorted heads have room for the number that sorts, unless that would put some out of sight', () => {
  const numbered = (room) => gridPlace({...room, isSorted: true}).hasNumbers;
  assert.equal(numbered({width: 702, height: 560, layers: 5, heads: 7}), true);
  assert.equal(numbered({width: 690, height: 410, layers: 30, heads: 9}), true); // it scrolls either way
  assert.equal(numbered({width: 640, height: 400, layers: 6, heads: 12}), false);
  assert.equal(gridPlace({width: 702, height: 560, layers: 5, heads: 7}).hasNumbers, false);
});

test('of many lines those are there that can be seen, and half a window more on either side', () => {
  const place = gridPlace({width: 702, height: 560, layers: 80, heads: 64});
  const [from, to] = linesIn(place, 10_000, 560);
  assert.ok(place.at(from, 0).y <= 10_000 - 280 && place.at(to - 1, 0).y + place.row >= 10_560 + 280);
  assert.ok(to - from < 40);
  assert.equal(linesIn(place, 0, 560)[0], 0);
  assert.equal(linesIn(place, place.height, 560)[1], place.nRows);
});

test('heads are sorted by a value, the largest first, those without one last', () => {
  const values = [0.2, NaN, 0.9, 0.2, -0.1];
  assert.deepEqual(orderBy(5, (index) => values[index]), [2, 0, 3, 4, 1]);
});

test('lines by layer carry the layer once; sorted ones carry none', () => {
  assert.deepEqual(rowsOf({layers: 2, heads: 3, columns: 2, order: null}), [
    {items: [0, 1], layer: 0},
    {items: [2], layer: null},
    {items: [3, 4], layer: 1},
    {items: [5], layer: null},
  ]);
  assert.deepEqual(rowsOf({layers: 2, heads: 2, columns: 3, order: [3, 1, 0, 2]}), [
    {items: [3, 1, 0], layer: null},
    {items: [2], layer: null},
  ]);
});

test('arrows go by layer and head, and where heads are sorted by what is seen', () => {
  const byLayer = {layers: 6, heads: 12, columns: 7, order: null};
  assert.equal(stepped(13, 1, 0, byLayer), 25);
  assert.equal(stepped(13, -1, 0, byLayer), 1);
  assert.equal(stepped(11, 0, 1, byLayer), 11);
  const sorted = {layers: 2, heads: 3, columns: 4, order: [5, 2, 0, 1, 4, 3]};
  assert.equal(stepped(2, 0, 1, sorted), 0);
  assert.equal(stepped(5, 1, 0, sorted), 4);
  assert.equal(stepped(0, 1, 0, sorted), 0); // nothing lies below
  assert.equal(stepped(1, 0, 1, sorted), 4); // on to the next line
  assert.equal(stepped(3, 0, 1, sorted), 3);
});

test('how all heads are looked at survives a link; other words are nothing', () => {
  const looks = {kinds: ['previous', 'same-word'], sort: 'same_token_over', overlay: 'first', source: 'many', isZoomed: true, silenced: {token: 4}};
  assert.deepEqual(optionsOf(toLink(looks)), looks);
  assert.deepEqual(optionsOf('silenced').silenced, {token: null});
  assert.equal(optionsOf(forAnotherText(toLink(looks))).silenced, null);
  assert.equal(toLink(optionsOf('')), '');
  assert.equal(toLink(optionsOf('<b> x sort-')), '');
});

test('a kind is chosen, another beside it, and both are let go', () => {
  const one = toggledKind(optionsOf(), 'broad');
  const two = toggledKind(one, 'mixed');
  assert.deepEqual(two.kinds, ['broad', 'mixed']);
  assert.ok(isMeant(two, 'mixed') && !isMeant(two, 'next') && isMeant(optionsOf(), 'next'));
  assert.deepEqual(toggledKind(toggledKind(two, 'broad'), 'mixed').kinds, []);
});

const grid = (shape, data, Type = Float32Array) => ({shape, data: Type.from(data)});
const message = {
  revision: 'abc', source: 'many', n: 204,
  kinds: [{name: 'broad'}, {name: 'mixed'}],
  metrics: [{name: 'first', unit: 'share'}, {name: 'entropy', unit: 'bits'}],
  arrays: {
    kinds: grid([2, 2], [0, 1, 1, 1], Uint8Array),
    values: grid([2, 2, 2], [0.5, 0.25, 1, NaN, 2, 4, 1, 3]),
    errors: grid([2, 2, 2], [0.1, 0.2, 0, NaN, 1, 1, 1, 1]),
  },
};

test('kinds of a picture are kept under it, each set of sentences for itself', () => {
  keepKinds(message);
  keepKinds({revision: 'abc', source: 'sentence', n: 1, share: 0.4, arrays: {}});
  const known = kindsOf('abc');
  assert.ok(known.many instanceof Measured);
  assert.equal(known.sentence.share, 0.4);
  assert.equal(kindsOf('other').many, null);
});

test('counts, values and errors are those of the head', () => {
  const measured = new Measured(message);
  assert.deepEqual(measured.counts().map(({kind, n}) => [kind.name, n]), [['broad', 1], ['mixed', 3]]);
  assert.equal(measured.kindOf(2).name, 'mixed');
  assert.equal(measured.value('entropy', 1), 4);
  assert.equal(measured.error('first', 0).toFixed(2), '0.10');
  assert.equal(measured.most('first'), 1);
  assert.equal(measured.most('entropy'), 4);
  assert.deepEqual(['mixed', 'broad', 'sink'].map((name) => measured.strongest(name)), [1, 0, null]); // without a measure the first
});

test('a change of every head is one metric more: its size orders the heads, its sign is kept', () => {
  const measured = new Measured(message).with({name: 'silencing', unit: 'points'}, Float32Array.of(0.5, -12.25, 3, 0));
  assert.equal(measured.value('entropy', 1), 4);
  assert.equal(measured.value('silencing', 1), -12.25);
  assert.ok(Number.isNaN(measured.error('silencing', 1)));
  assert.equal(measured.most('silencing'), 12.25);
  assert.deepEqual(measured.order('silencing'), [1, 2, 0, 3]);
  assert.deepEqual(measured.order('entropy'), [1, 3, 0, 2]);
});

test('values are printed in their unit', () => {
  assert.equal(said('share', 0.876), '88%');
  assert.equal(said('share', -0.03), '−3%');
  assert.equal(said('share', -0.001), '0%');
  assert.equal(said('share', NaN), '–');
  assert.equal(said('bits', 2.345), '2.35');
  assert.equal(said('tokens', 3.21), '3.2');
  assert.deepEqual([3, -12.25, 0.04].map((value) => said('points', value)), ['+3.0', '−12.3', '0.0']);
});

test('a glyph is the cells of its picture', () => {
  assert.deepEqual(cellsOf(['#....', '.....', '..#..', '.....', '....#']), [{x: 0, y: 0}, {x: 2, y: 2}, {x: 4, y: 4}]);
});

test('kinds of many sentences stand beside what this text says, with a word on why where they differ', () => {
  const kinds = ['previous', 'mixed', 'short'].map((name, at) => ({name, title: name, metric: at ? '' : 'previous_left', least: at ? null : 0.5}));
  const of = (source, kind, value, rows) =>
    new Measured({source, n: 204, kinds, metrics: [{name: 'previous_left', unit: 'share'}], arrays: {kinds: grid([1, 1], [kind], Uint8Array), values: grid([1, 1, 1], [value]), rows: rows && grid([1, 1], [rows], Uint16Array)}});
  const say = (id) => `${id.replace('view-heads-', '')} {percent} {kind} {n}`;
  const told = (many, one) => evidence(many, one, 0, say).trim();
  const many = of('many', 0, 0.58);
  assert.match(told(many, of('sentence', 0, 0.62, 12)), /^kind-over 58% .*204 · here 62%/);
  assert.match(told(many, of('sentence', 1, 0.31, 12)), /here-less 31% mixed 12$/);
  assert.match(told(many, of('sentence', 1, 0.4962, 12)), /here-less 49.6%/); // 50% would be enough
  assert.match(told(many, of('sentence', 1, 1, 6)), /here-short/); // all of it, in too few rows
  assert.match(told(many, of('sentence', 1, NaN, 12)), /here-none/);
  assert.match(told(many, of('sentence', 2, 1, 1)), /here-short/);
  assert.match(told(of('many', 1, 0.4), of('sentence', 0, 0.6, 12)), /^source-many .*here-other 60% previous 12$/);
  assert.match(told(null, of('sentence', 0, 0.62, 12)), /^62% · rests-on/);
  const repeated = new Measured({source: 'many', n: 204, kinds: [{name: 'induction', metric: 'induction_repeated', least: 0.4}], metrics: [{name: 'induction_repeated', unit: 'share'}], arrays: {kinds: grid([1, 1], [0], Uint8Array), values: grid([1, 1, 1], [0.91])}});
  assert.match(told(repeated, null), /^kind-random 91%/); // not over these sentences
  const here = (value) => new Measured({source: 'sentence', n: 1, kinds: [{name: 'mixed', metric: '', title: ''}], metrics: [{name: 'induction', unit: 'share'}], arrays: {kinds: grid([1, 1], [0], Uint8Array), values: grid([1, 1, 1], [value]), rows: grid([1, 1], [12], Uint16Array)}});
  assert.match(told(repeated, here(0.37)), /here-repeated 37%/);
  assert.match(told(repeated, here(NaN)), /here-no-repeat/);
  const metrics = ['previous_left', 'first'].map((name) => ({name, unit: 'share'}));
  const resting = new Measured({source: 'many', n: 204, kinds, metrics, arrays: {kinds: grid([1, 1], [0], Uint8Array), values: grid([2, 1, 1], [0.77, 0.69])}});
  assert.match(told(resting, null), /^kind-beside 77%/); // of the rest: most of the weight is on the first token
});

test('a list of one’s own that another one replaces is told the server, once as another', () => {
  const asked = () => measurementsFor({overview: 'own'}).map(({body}) => body);
  measureOwn('one');
  assert.deepEqual(asked().slice(1), [{source: 'many', starts: false}, {source: 'own', typed: 'one', starts: true}]);
  measureOwn('two');
  measureOwn('two');
  assert.deepEqual(asked().slice(1), [{source: 'many', starts: false, replaced: 'one'}, {source: 'own', typed: 'two', starts: true}]);
  measureOwn('');
  assert.deepEqual(asked().slice(1), [{source: 'many', starts: false, replaced: 'two'}]);
});

test('a number of every head is that of the same head, whichever way the layers of its map go', () => {
  const [down, across] = [{data: Float32Array.of(1, 2, 3, 4, 5, 6), shape: [3, 2]}, {data: Float32Array.of(1, 3, 5, 2, 4, 6), shape: [2, 3]}];
  assert.deepEqual([...byLayer(across, {leads: 'across'})], [...byLayer(down, {leads: 'down'})]);
});
