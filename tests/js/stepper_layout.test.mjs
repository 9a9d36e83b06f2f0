import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isNumbered} from '../../attnviz/views/kit/cells.js';
import {everyOf} from '../../attnviz/views/stepper/labels.js';
import {arranged, boxOf, cellAt, layoutOf} from '../../attnviz/views/stepper/layout.js';
import {Axis, Matrix} from '../../attnviz/views/stepper/chain.js';
import {acrossOf} from '../../attnviz/views/stepper/placement.js';
import {listedTerms} from '../../attnviz/views/stepper/listed_terms.js';
import {cellsOf, densityOf, productSlots, shownOf} from '../../attnviz/views/stepper/axis_windows.js';

const tokens = (n, id = 't', more = {}) => new Axis(id, {kind: 'token', n, letter: 'T', ...more});
const features = (n, id = 'd') => new Axis(id, {kind: 'feature', n, letter: 'd_model'});
const matrix = (rows, columns, id = 'm') =>
  new Matrix(
    id,
    {name: id, max: 1},
    {data: new Float32Array(rows.count * columns.count), shape: [rows.count, columns.count]},
    rows,
    columns,
  );

const stepOf = (rule, operands, result) => ({rule, operands, result, bias: null, extras: {}, facts: {}, siblings: []});

/** Q·Kᵀ of n tokens with heads of width d. */
function product(n, d) {
  const [t, f] = [tokens(n), features(d)];
  return stepOf('product', [matrix(t, f, 'q'), matrix(f, t, 'k')], matrix(t, t, 'raw'));
}

const ROOM = {width: 1040, height: 500, k: 1};
const block = (plan, key) => plan.blocks.find((one) => one.key === key);

test('a product stands as at school: A left of the result, B above it, sharing its rows and its columns', () => {
  const plan = arranged(product(10, 32), ROOM);
  const [a, b, c] = [block(plan, 0), block(plan, 1), block(plan, 'result')];
  assert.equal(plan.kind, 'school');
  assert.equal(a.y, c.y);
  assert.equal(b.x, c.x);
  assert.ok(a.x + cellsOf(a.columns) * a.cw < c.x);
  assert.ok(b.y + cellsOf(b.rows) * b.ch < c.y);
  assert.deepEqual(a.columns.list, b.rows.list);
});

test('up to 12 tokens every cell prints its number, inside the room, at any usual size', () => {
  for (const [width, height, k] of [
    [1040, 500, 1],
    [1470, 640, 1.25],
    [900, 440, 1],
  ])
    for (const n of [2, 5, 12])
      for (const d of [2, 8, 32, 64]) {
        const plan = arranged(product(n, d), {width, height, k});
        for (const {cw, ch, x, y, columns, rows} of plan.blocks) {
          assert.ok(isNumbered(cw, ch), `${n} tokens, ${d} features in ${width} × ${height}: ${cw} × ${ch}`);
          assert.ok(
            x >= 0 && y >= 0 && x + cellsOf(columns) * cw <= width + 0.5 && y + cellsOf(rows) * ch <= height + 0.5,
          );
        }
      }
});

test('from 13 tokens cells are colours, and no token is left out up to 64', () => {
  const plan = arranged(product(40, 32), ROOM);
  assert.equal(plan.density, 'colours');
  assert.equal(block(plan, 'result').rows.list.length, 40);
  assert.equal(block(plan, 'result').columns.list.length, 40);
  const features = block(plan, 0).columns;
  assert.ok(features.list.length >= 8 && block(plan, 0).ch >= 8); // rows keep 8 px, so some features stand in one cell
  assert.equal(features.list.length + features.hidden, 32);
});

test('of a long text the part that travelled is drawn, and one cell stands for the rest', () => {
  const part = tokens(300, 't', {start: 64, count: 64});
  const shown = shownOf(part, 300);
  assert.deepEqual([shown.list[0], shown.list.at(-1), shown.hidden], [64, 127, 236]);
  assert.equal(cellsOf(shown), 65);
});

test('a window stays inside its axis', () => {
  assert.deepEqual(shownOf(features(64), 13, 60).list, Array.from({length: 12}, (_, i) => 52 + i));
  assert.deepEqual(shownOf(features(64), 13, -5).first, 0);
  assert.equal(shownOf(features(8), 13).hidden, 0);
});

test('features share the width, tokens are never cut', () => {
  const [t, d, f] = [tokens(10), features(64), features(32, 'f')];
  const slots = productSlots({rows: t, inner: d, columns: f, extra: 1, across: 26, down: 24, most: 13});
  assert.deepEqual(slots, {rows: 10, inner: 13, columns: 13});
  assert.equal(productSlots({rows: t, inner: t, columns: f, extra: 0, across: 14, down: 24, most: 13}).inner, 10);
});

test('a telephone prints numbers where there is room, one matrix under the other, else colours that a finger can hit', () => {
  const room = {width: 358, height: 400, k: 1};
  const [t, d, m] = [tokens(8), features(96), tokens(8, 'm')];
  const weights = stepOf('softmax row', [matrix(t, m)], matrix(t, m));
  for (const step of [weights, stepOf('add', [matrix(t, d), matrix(t, d)], matrix(t, d))]) {
    const {blocks, signs, height} = arranged(step, room);
    assert.ok(blocks.every(({cw, ch, x, columns}) => isNumbered(cw, ch) && x + cellsOf(columns) * cw <= room.width));
    blocks.slice(1).forEach((one, at) => assert.ok(one.y >= blocks[at].y + 8 * blocks[at].ch));
    assert.ok(blocks.at(-1).y + 8 * blocks.at(-1).ch <= height);
    assert.equal(signs.length, blocks.length - 1);
  }
  const plan = arranged(product(8, 32), room);
  assert.equal(plan.density, 'narrow');
  assert.ok(block(plan, 'result').cw >= 8);
});

test('the reader may ask for the whole of a wide matrix', () => {
  assert.equal(densityOf(product(5, 64), true), 'colours');
  assert.equal(block(arranged(product(5, 64), ROOM, {isWhole: true}), 0).columns.list.length, 64);
});

test('steps over pairs of tokens stand side by side, long rows under each other, heads beside their whole', () => {
  const [t, d] = [tokens(5), features(16)];
  assert.equal(layoutOf({rule: 'softmax row', result: matrix(t, t)}), 'beside');
  assert.equal(layoutOf({rule: 'add', result: matrix(t, d)}), 'stacked');
  assert.equal(layoutOf({rule: 'concat', result: matrix(t, d)}), 'parts');
  assert.equal(layoutOf({rule: 'lookup', result: matrix(t, d)}), 'school');
  assert.equal(layoutOf({rule: 'softmax row', result: matrix(t, t), siblings: [1, 2]}), 'gallery');
});

test('a mask is no matrix of its own on the stage', () => {
  const t = tokens(6);
  const plan = arranged(stepOf('mask', [matrix(t, t, 'scores'), matrix(t, t, 'M')], matrix(t, t, 'masked')), ROOM);
  assert.deepEqual(plan.blocks.map(({key}) => key), [0, 'result']);
  assert.deepEqual(plan.signs[0].aside, [1]);
});

test('three long matrices give way to a part of each when their rows would be too flat', () => {
  const [t, d] = [tokens(12), features(64)];
  const step = stepOf('add', [matrix(t, d, 'E'), matrix(t, d, 'P')], matrix(t, d, 'X'));
  const plan = arranged(step, {width: 1040, height: 480, k: 1});
  assert.equal(new Set(plan.blocks.map(({y}) => y)).size, 1);
  assert.ok(plan.blocks.every(({cw, ch}) => isNumbered(cw, ch)));
});

test('a point finds its cell and a cell its box', () => {
  const plan = arranged(product(4, 8), ROOM);
  const c = block(plan, 'result');
  const box = boxOf(c, 2, 3);
  assert.deepEqual(cellAt(c, box.x + box.width / 2, box.y + box.height / 2), {row: 2, column: 3});
  assert.equal(cellAt(c, c.x - 1, c.y + 1), null);
  assert.equal(boxOf(c, 9, 0), null);
  assert.equal(boxOf(c, 2, null).width, cellsOf(c.columns) * c.cw);
});

const sum = (products) => ({form: 'sum', terms: products.map((product, index) => ({index, product})), rest: null});

test('terms that are drawn are listed, the others are added up', () => {
  const {list, rest} = listedTerms(sum([1, 2, 3, 4]), {shown: [1, 2], room: 10});
  assert.deepEqual(list.map(({index}) => index), [1, 2]);
  assert.deepEqual(rest, {count: 2, product: 5});
});

test('where not all fit the largest are listed, in their own order, and nothing is lost', () => {
  const {list, rest} = listedTerms(sum([0.1, -9, 0.2, 8, 0.3]), {shown: null, room: 3});
  assert.deepEqual(list.map(({index}) => index), [1, 3]);
  assert.equal(rest.count, 3);
  assert.ok(Math.abs(rest.product - 0.6) < 1e-12);
});

test('a softmax row always lists the cell itself and the bias of a sum is never hidden', () => {
  const shares = {form: 'shares', own: 0, terms: [0, 5, 6, 7].map((product, index) => ({index, product})), rest: null};
  assert.ok(listedTerms(shares, {shown: null, room: 3}).list.some(({isOwn}) => isOwn));
  const biased = {
    form: 'sum',
    terms: [{index: 0, product: 3}, {index: 1, product: 4}, {isBias: true, product: 0}],
    rest: null,
  };
  assert.ok(listedTerms(biased, {shown: [], room: 5}).list.some(({isBias}) => isBias));
});

test('the one key that is masked is listed, of several those that fit', () => {
  const of = (...left) => ({form: 'shares', own: 4, terms: left.map((x, index) => ({index, left: x, right: 4, product: Math.exp(x - 4)})), rest: null});
  const places = (cell) => listedTerms(cell, {shown: null, room: 4}).list.map(({index}) => index);
  assert.deepEqual(places(of(1, -Infinity, 2, 3, 4, 0)), [1, 3, 4]);
  assert.deepEqual(places(of(1, -Infinity, 2, 3, 4, -Infinity)), [2, 3, 4]);
});

test('all labels of few rows stand, of many those that do not touch', () => {
  assert.equal(everyOf(9, 11, 1), 1);
  assert.equal(everyOf(12, 8, 1), 1);
  assert.equal(everyOf(40, 8, 1), 2);
  assert.equal(everyOf(40, 13, 1), 1);
});

/** The results of n heads in groups of `size`, 0 where each has keys of its own. */
function heads(n, size, columns = tokens(5, 'k')) {
  const keyGroup = (at) => size && {n: Math.floor(at / size) + 1, first: at - (at % size) + 1, last: at - (at % size) + size, keyHead: 1};
  return Array.from({length: n}, (_, at) => Object.assign(matrix(tokens(5), columns, `h${at}`), {keyGroup: keyGroup(at) || null}));
}

test('grouped heads stand in lines of whole groups, or of equal parts of one', () => {
  assert.deepEqual([...new Set(acrossOf(heads(9, 3)))], [9, 3, 1]);
  assert.ok(acrossOf(heads(32, 8)).every((across) => across % 8 === 0 || 8 % across === 0));
  assert.deepEqual([...new Set(acrossOf(heads(5, 0)))], [5, 3, 2, 1]); // each has keys of its own
});

test('heads of a group stand closer together than two groups, under one line, wherever all heads are drawn', () => {
  const made = heads(9, 3, features(64, 'a'));
  const siblings = made.map((one, index) => ({index, matrix: one}));
  const whole = matrix(tokens(5), features(576, 'all'));
  const split = {...stepOf('split', [whole], made[0]), siblings, facts: {first: 0}};
  const concat = stepOf('concat', made, whole);
  const scores = {...stepOf('softmax row', [], heads(9, 3)[0]), siblings: heads(9, 3).map((one, index) => ({index, matrix: one}))};
  for (const room of [ROOM, {width: 358, height: 500, k: 1}, {width: 1500, height: 700, k: 1.25}])
    for (const step of [split, concat, {...scores, operands: [matrix(tokens(5), tokens(5, 'k'))]}]) {
      const {blocks, groups} = arranged(step, room);
      const own = blocks.filter((one) => one.matrix.keyGroup);
      assert.equal(own.length, 9);
      assert.deepEqual([...new Set(groups.map(({keyGroup}) => keyGroup.n))], [1, 2, 3]);
      const gapAfter = (at) => own[at + 1].x - own[at].x - cellsOf(own[at].columns) * own[at].cw;
      if (own[3].y === own[2].y) assert.ok(gapAfter(2) > 1.8 * gapAfter(1));
      for (const {keyGroup, x, y, width} of groups) {
        const line = own.filter((one) => one.matrix.keyGroup === keyGroup || one.matrix.keyGroup.n === keyGroup.n);
        assert.ok(line.some((one) => one.x === x && y < one.name.y));
        assert.ok(x + width <= room.width + 0.5);
      }
    }
});

test('of a whole that is cut into heads the part is drawn that the head on the stage is cut from', () => {
  const made = heads(9, 0, features(64, 'a'));
  const whole = matrix(tokens(5), features(576, 'all'));
  const split = {...stepOf('split', [whole], made[4]), siblings: made.map((one, index) => ({index, matrix: one})), facts: {first: 256}};
  assert.ok(block(arranged(split, ROOM), 0).columns.list.includes(256));
  assert.equal(block(arranged(split, ROOM, {windows: {all: 3}}), 0).columns.first, 3); // where the reader moved it
});
