import assert from 'node:assert/strict';
import {test} from 'node:test';
import {fmt, precise} from '../../attnviz/views/kit/number.js';
import {lexemes} from '../../attnviz/views/stepper/formula.js';
import {Axis, Matrix} from '../../attnviz/views/stepper/chain.js';
import {cut, labelOf, pieces} from '../../attnviz/views/stepper/names.js';
import {colourOf} from '../../attnviz/views/kit/colour.js';
import {cellText, factorOf} from '../../attnviz/views/stepper/number_matrix.js';
import {Player} from '../../attnviz/views/stepper/player.js';
import {stopsOf} from '../../attnviz/views/stepper/rail.js';
import {sizeOf} from '../../attnviz/views/stepper/transposed.js';
import {ranked, shareInBars} from '../../attnviz/views/stepper/cut_bars.js';
import {sentenceOf, subOf} from '../../attnviz/views/stepper/cell_wording.js';

test('a small number keeps its size where it is read closely', () => {
  assert.equal(precise(0.00042), '4.2×10⁻⁴');
  assert.equal(precise(-4.2e-7), '−4.2×10⁻⁷');
  assert.equal(precise(0.5), '0.50');
  assert.equal(precise(0), '0');
  assert.equal(precise(-Infinity), '−∞');
  assert.equal(fmt(0.00042), '0.00');
});

test('a formula is read as symbols with their indices, roots and brackets', () => {
  assert.deepEqual(lexemes('Q·Kᵀ'), [
    {base: 'Q', lower: '', isTurned: false},
    {op: '·'},
    {base: 'K', lower: '', isTurned: true},
  ]);
  assert.deepEqual(lexemes('W_Q')[0], {base: 'W', lower: 'Q', isTurned: false});
  const [a, slash, root, group] = lexemes('x/√(v + e)');
  assert.deepEqual([a.base, slash.op, root.op, group.group.length], ['x', '/', '√', 3]);
});

test('names keep their index below the line', () => {
  assert.deepEqual(pieces('W_Q'), [['W', ''], ['Q', 'sub']]);
  assert.deepEqual(pieces('QKᵀ'), [['QKᵀ', '']]);
  assert.deepEqual(pieces('W_Qᵀ'), [['W', ''], ['Q', 'sub'], ['ᵀ', '']]);
  assert.deepEqual(pieces('weights_2'), [['weights', ''], ['2', 'sub']]);
});

test('labels are cut between characters as a reader counts them', () => {
  assert.equal(cut('unbelievable', 6), 'unbel…');
  assert.equal(cut('👩‍👩‍👧cat', 3), '👩‍👩‍👧c…');
  assert.equal(labelOf(new Axis('d', {kind: 'feature', n: 3}), 2, 9).text, '3');
});

test('a token is shown as its own text with the number of its occurrence', () => {
  const axis = new Axis('t', {kind: 'token', n: 2, tokens: 'source'}, [
    {text: 'the', n: 1},
    {text: 'the', n: 2},
  ]);
  assert.equal(axis.name(1), 'the₂');
  assert.deepEqual(labelOf(axis, 1, 9), {text: 'the', number: 2, isNumber: false});
});

test('what a model does not know has the mark of what is unknown wherever a row is named, and says what was read', () => {
  const token = {text: '\u9f98', unknown: true, read: '<unk>'};
  const axis = new Axis('t', {kind: 'token', n: 1}, [token]);
  assert.deepEqual(labelOf(axis, 0, 9), {text: '\u9f98?', number: null, isNumber: false, token});
  assert.equal(axis.name(0), '\u9f98?');
});

test('steps of one group share a stop, wherever the group comes again it is another', () => {
  const steps = ['x', 'q', 'q', 'raw', 'q'].map((group) => ({group, stop: group}));
  assert.deepEqual(stopsOf(steps).map(({steps: own}) => own), [[0], [1, 2], [3], [4]]);
});

test('a matrix is copied with its labels and its whole numbers', () => {
  const rows = new Axis('t', {kind: 'token', n: 2, tokens: 's'}, [{text: 'a\tb'}, {text: 'c', writes: '<end>'}]);
  const columns = new Axis('d', {kind: 'feature', n: 2});
  const data = {data: Float32Array.from([0.1, -Infinity, 2, 3]), shape: [2, 2]};
  const table = new Matrix('m', {name: 'raw'}, data, rows, columns).table();
  assert.deepEqual(table, [['raw', '1', '2'], ['a⇥b', Math.fround(0.1), -Infinity], ['c → <end>', 2, 3]]);
});

test('a cell has as many decimals as its matrix needs', () => {
  assert.equal(cellText({kind: 'signed', max: 9}, 1.234), '1.23');
  assert.equal(cellText({kind: 'signed', max: 12}, 1.234), '1.2');
  assert.equal(cellText({kind: 'weights', max: 1}, 0.5), '0.50');
  assert.equal(cellText({kind: 'count', max: 90}, 17), '17');
});

test('a matrix of small numbers is printed in a power of ten, so that no coloured cell reads as nothing', () => {
  const mean = {kind: 'signed', max: 0.0042};
  assert.equal(factorOf(mean), '×10⁻³');
  assert.equal(cellText(mean, -0.0012), '−1.20');
  assert.equal(cellText(mean, 0.0042), '4.20');
  assert.equal(cellText(mean, 0), '0');
  assert.equal(factorOf({kind: 'signed', max: 0.5}), '');
  assert.equal(factorOf({kind: 'signed', max: 0}), '');
  assert.equal(factorOf({kind: 'weights', max: 0.01}), '');
});

test('no colour stands for what is no number', () => {
  assert.equal(colourOf('signed', -Infinity, 1, 'light'), null);
  assert.equal(colourOf('signed', NaN, 1, 'light'), null);
  assert.equal(colourOf('count', 3, 9, 'light'), null);
  assert.notDeepEqual(colourOf('signed', 0.5, 1, 'light'), colourOf('signed', -0.5, 1, 'light'));
  assert.deepEqual(colourOf('weights', 0.25, 1, 'light'), colourOf('weights', 0.25, 9, 'light'));
});

test('rows go forward and back by hand from the row the reader is at, and stay inside', () => {
  const seen = [];
  const player = new Player({shown: (until, fresh) => seen.push([until, fresh]), changed: () => {}});
  player.reset(3);
  player.step(1, 0);
  player.step(1, 1);
  player.step(1, 2);
  player.step(-1, 1);
  player.step(-1, 0);
  assert.deepEqual(seen, [[2, 1], [3, 2], [3, 2], [1, 0], [1, 0]]);
});

test('playing shows row after row, then all of them', (context) => {
  context.mock.timers.enable({apis: ['setTimeout']});
  const seen = [];
  const player = new Player({shown: (until) => seen.push(until), changed: () => {}});
  player.reset(2);
  player.toggle(false);
  assert.equal(player.isPlaying, true);
  for (let n = 0; n < 5; n++) context.mock.timers.tick(620);
  assert.deepEqual(seen, [1, 2, null]);
  assert.equal(player.isPlaying, false);
});

test('what is read aloud is whole sentences, each with its mark', () => {
  const words = {
    'view-stepper-said': '{cell}: {value}.',
    'view-stepper-said-so': '{cell}: {value}, {sub}.',
    'view-stepper-said-largest': 'The largest part is {product}, from {place}.',
    'view-stepper-said-share': '{own} of {total}.',
    'view-stepper-said-more': '{text}。',
  };
  const say = (id) => words[id];
  const largest = {term: {axis: new Axis('d', {kind: 'feature', n: 3}), index: 1}, product: '0.3'};
  const sum = sentenceOf({text: 'Q of cat, number 1', sub: '3 products and the bias'}, {form: 'sum'}, {total: '0.42', largest}, [], say);
  assert.equal(sum, 'Q of cat, number 1: 0.42, 3 products and the bias. The largest part is 0.3, from 2.');
  const texts = {value: '0.5', own: '1.0', total: '2.0'};
  const share = sentenceOf({text: 'a → b', sub: 'its share'}, {form: 'shares', facts: {}}, texts, ['+31 tokens 0.18', '', 'it writes 这'], say);
  assert.equal(share, 'a → b: 0.5, its share. 1.0 of 2.0. +31 tokens 0.18。 it writes 这。'); // the mark is the language’s
  assert.equal(sentenceOf({text: 'a → b', sub: ''}, {form: 'line', facts: {}}, {value: '1'}, [], say), 'a → b: 1.');
});

test('the small map of a weight keeps the ratio of its sides and is never a thread', () => {
  assert.deepEqual(sizeOf(16, 64), {width: 88, height: 28});
  assert.deepEqual(sizeOf(48, 64), {width: 88, height: 66});
  assert.deepEqual(sizeOf(64, 16), {width: 28, height: 88});
});

test('what is divided is said to be divided, and by what', () => {
  const axis = {kind: 'token', labels: null, name: String};
  const said = (factors) => {
    const step = {rule: 'scale', factors, result: {name: 'scores', role: '', rows: axis, columns: axis}};
    const words = {'view-stepper-of-pair': '', 'view-stepper-sub-divided': '÷ {by}', 'view-stepper-sub-undivided': 'as it is', 'view-stepper-sub-scale': '×'};
    return subOf(step, {terms: [], value: 1}, (id) => words[id]);
  };
  assert.equal(said({'1/√d_k': 0.5}), '÷ √dₖ');
  assert.equal(said({'1/√d_k': 0.5, '1/τ': 2}), '÷ √dₖ · τ');
  assert.equal(said({1: 1}), 'as it is');
  assert.equal(said({scale: 2}), '×');
});

test('a word of a choice says whether it is left, and how many are', () => {
  const say = (id) => ({'view-stepper-sub-kept': 'left, {n}, {share}', 'view-stepper-sub-left-out': 'out, {n}, {share}'})[id];
  const extras = {count: {at: () => 1234}, together: {at: () => 0.914}};
  const cell = (value) => ({value, form: 'line', facts: {}, terms: [{at: [{row: 0}]}]});
  assert.equal(subOf({rule: 'mask', extras}, cell(3), say), 'left, 1,234, 91%');
  assert.equal(subOf({rule: 'mask', extras}, cell(-Infinity), say), 'out, 1,234, 91%');
});

test('a rotated number names its pair from 0 and both numbers from 1', () => {
  const say = (id) => (id === 'view-stepper-sub-rotate' ? '{pair}: {first}, {second}' : id);
  const cell = {value: 1, form: 'line', facts: {pair: 0}, terms: [{at: [{column: 32}]}, {at: [{column: 0}]}]};
  assert.equal(subOf({rule: 'rotate', extras: {}}, cell, say), '0: 1, 33');
});

test('the likeliest words of a row stand in order, those that are left first', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const row = {columns: {name: (at) => names[at]}, at: (_, at) => [0.5, 0.3, 0.1, 0.9, 0.05, 0.01][at]};
  const step = {facts: {ranked: 3}, extras: {count: {at: (at) => [2, 7][at]}, ranked: row}};
  assert.deepEqual(ranked(step, 0), {words: [{name: 'a', share: 0.5, isLeft: true}, {name: 'b', share: 0.3, isLeft: true}, {name: 'c', share: 0.1, isLeft: false}], more: 0});
  assert.deepEqual(ranked(step, 1).words.map(({name, isLeft}) => [name, isLeft]), [['d', true], ['e', true], ['f', true]]);
  assert.equal(ranked(step, 1).more, 4);
});

test('the shares over the words that may be written add up to what is said of them together', () => {
  // the thirteen of “床前明月光……低头思故” that have 0.9 together; in whole percents they would be 92
  const shares = [0.3876, 0.2488, 0.0757, 0.0728, 0.0324, 0.0182, 0.0161, 0.0124, 0.01, 0.0082, 0.0069, 0.0062, 0.0058];
  const printed = shares.map((share) => Number(shareInBars(share).replace('%', ''))).reduce((all, x) => all + x, 0);
  assert.equal(Math.round(printed), 90);
  assert.equal(shareInBars(0.0004), '<0.1%');
});
