import assert from 'node:assert/strict';
import {test} from 'node:test';
import {filtered} from '../../attnviz/views/heads/filters.js';
import {exactNumbers} from '../../attnviz/views/heads/head_weights.js';
import {isAllBelow, saidFilters} from '../../attnviz/views/heads/filters_in_words.js';
import {combined} from '../../attnviz/views/heads/several_heads.js';
import {OPEN, possible, settingsOf, toLink} from '../../attnviz/views/heads/filter_settings.js';
import {sideUnder} from '../../attnviz/views/heads/side_tokens.js';

const array = (data, shape) => ({data, shape});
const token = (text, word, more = {}) => ({text, word, ...more});
const TOKENS = [
  token('[CLS]', -1, {special: true, sink: true}),
  token('un', 0),
  token('happy', 0, {continues: true}),
  token('cat', 1, {n: 1}),
  token('cat', 2, {n: 2}),
  token('[SEP]', -1, {special: true}),
];
const ROWS = [
  [0.5, 0.1, 0.1, 0.1, 0.1, 0.1],
  [0.4, 0.2, 0.1, 0.1, 0.1, 0.1],
  [0.2, 0.3, 0.1, 0.2, 0.1, 0.1],
  [1, 0, 0, 0, 0, 0],
  [0.25, 0.25, 0.25, 0.25, 0, 0],
  [0.1, 0.1, 0.1, 0.1, 0.1, 0.5],
];
const head = () => exactNumbers({head: array(new Float32Array(ROWS.flat()), [6, 6])}, 6);

function under(changes, numbers = head(), tokens = TOKENS) {
  const settings = {...OPEN, ...changes};
  const [queries, keys] = [sideUnder(tokens, settings, false), sideUnder(tokens, settings, true)];
  const shown = filtered(numbers, queries, keys, settings, tokens);
  const row = (query) => keys.tokens.map((_, key) => shown.weight(query, key));
  const sum = (query) => row(query).reduce((total, weight) => total + weight, 0);
  return {shown, queries, keys, row, sum};
}

const near = (a, b, tolerance = 1e-6) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

test('without a filter the numbers are the ones that came, and nothing was removed', () => {
  const numbers = head();
  const {shown, keys} = under({threshold: 0.03}, numbers);
  assert.equal(shown.weight, numbers.weight);
  assert.equal(shown.floor, 0.03);
  assert.equal(shown.removed, null);
  assert.equal(keys.tokens.length, 6);
});

test('special tokens leave both sides, and what they had is stated for each row and on average', () => {
  const {shown, queries, keys, row} = under({special: true});
  assert.deepEqual(keys.tokens.map(({text}) => text), ['un', 'happy', 'cat', 'cat']);
  assert.deepEqual(queries.groups, [[1], [2], [3], [4]]);
  near(shown.removed(0), 0.5);
  near(shown.removed(2), 1);
  near(shown.removedOnAverage, (0.5 + 0.3 + 1 + 0.25) / 4);
  row(0).forEach((weight, key) => near(weight, ROWS[1][key + 1])); // the rest is the model's own
});

test('a sink keeps its place, crossed out and without weight', () => {
  const {shown, keys, row, sum} = under({sinks: true});
  assert.equal(keys.tokens.length, 6);
  assert.equal(keys.tokens[0].hidden, true);
  assert.equal(row(1)[0], 0);
  near(shown.removed(1), 0.4);
  near(sum(1), 0.6);
  assert.equal(TOKENS[0].hidden, undefined);
});

test('rows that are brought back to 1 sum to 1, and one that has nothing left stays empty', () => {
  for (const changes of [{sinks: true}, {special: true}, {special: true, sinks: true, words: true}]) {
    const {shown, queries, sum} = under({...changes, rescaled: true});
    queries.groups.forEach(([query], at) => {
      if (query === 3) return;
      near(sum(at), 1);
      assert.ok(shown.removed(at) > 0);
    });
    near(sum(queries.at(3)), 0);
    near(shown.removed(queries.at(3)), 1);
  }
  const {row} = under({sinks: true, rescaled: true});
  near(row(1)[1], 0.2 / 0.6);
});

test('pieces of a word: rows are averaged, columns summed, and rows still sum to 1', () => {
  const {queries, keys, row, sum, shown} = under({words: true});
  assert.deepEqual(keys.tokens.map(({text}) => text), ['[CLS]', 'unhappy', 'cat', 'cat', '[SEP]']);
  assert.deepEqual(keys.tokens.map(({n}) => n), [undefined, undefined, 1, 2, undefined]);
  near(row(0)[1], 0.2);
  near(row(1)[0], (0.4 + 0.2) / 2);
  near(row(1)[1], (0.3 + 0.4) / 2);
  queries.groups.forEach((_, at) => near(sum(at), 1));
  assert.equal(shown.removed, null);
  assert.equal(queries.at(2), 1);
  near(shown.mean(1), row(0)[1] / 5 + row(1)[1] / 5 + row(2)[1] / 5 + row(3)[1] / 5 + row(4)[1] / 5);
});

test('a sink that is a piece of a word is hidden alone', () => {
  const words = [token('un', 0, {sink: true}), token('happy', 0, {continues: true}), token('cat', 1)];
  const numbers = exactNumbers({head: array(new Float32Array([0.5, 0.3, 0.2, 0.5, 0.25, 0.25, 1, 0, 0]), [3, 3])}, 3);
  const {keys, queries, row, shown} = under({sinks: true, words: true}, numbers, words);
  assert.deepEqual(keys.groups, [[0], [1], [2]]);
  assert.deepEqual(queries.groups, [[0, 1], [2]]);
  near(row(0)[1], 0.275);
  near(shown.removed(0), 0.5);
});

test('several sinks are taken out wherever they stand, and nothing is where none was found', () => {
  const tokens = TOKENS.map((one, at) => ({...one, sink: at === 0 || at === 5}));
  const {shown, keys, row, sum} = under({sinks: true, rescaled: true}, head(), tokens);
  assert.deepEqual(keys.tokens.map(({hidden}) => Boolean(hidden)), [true, false, false, false, false, true]);
  near(shown.removed(1), 0.5);
  near(row(1)[1], 0.4);
  near(sum(1), 1);
  const none = under({sinks: true}, head(), TOKENS.map(({sink, ...one}) => one));
  assert.equal(none.shown.removed, null);
  near(none.row(0)[0], 0.5);
});

test('special tokens are never joined, and equal words that follow each other stay two', () => {
  const tokens = [token('<s>', -1, {special: true}), token('</s>', -1, {special: true}), token('a', 0), token('a', 1)];
  assert.deepEqual(sideUnder(tokens, {...OPEN, words: true}, true).groups, [[0], [1], [2], [3]]);
});

test('with the largest of each row alone, columns are left out and their share is what was sent', () => {
  const numbers = exactNumbers({
    top_keys: array(new Uint16Array([0, 3, 1, 0, 2, 1]), [2, 3]),
    top_weights: array(new Float32Array([0.5, 0.25, 0.125, 0.9, 0.05, 0.01]), [2, 3]),
    received: array(new Float32Array([0.7, 0.1, 0.1, 0.1, 0, 0]), [6]),
    aside: array(new Float32Array([0.5, 0.02, 0.9, 0.03]), [2, 2]),
  }, 2, 6);
  assert.deepEqual(possible({...OPEN, special: true, words: true, rescaled: true}, false), {...OPEN, special: true});
  const settings = {...OPEN, special: true};
  const queries = sideUnder([token('x', 0), token('y', 1)], settings, false);
  const keys = sideUnder(TOKENS, settings, true);
  const shown = filtered(numbers, queries, keys, settings, TOKENS);
  assert.deepEqual(shown.keys(0, 20), [{index: 2, weight: 0.25}, {index: 0, weight: 0.125}]); // cat and un as shown
  near(shown.removed(0), 0.52);
  near(shown.removedOnAverage, (0.52 + 0.93) / 2);
  const sink = filtered(numbers, queries, sideUnder(TOKENS, {...OPEN, sinks: true}, true), {...OPEN, sinks: true}, TOKENS);
  near(sink.removed(1), 0.9);
  assert.equal(sink.mean(0), 0);
});

test('8-bit colours stay colours under filters', () => {
  const {shown} = under({words: true}, {...head(), isExact: false});
  assert.equal(shown.isExact, false);
});

test('filters are read back from a link as written, and nothing else is taken over', () => {
  const settings = {...OPEN, sinks: true, words: true, threshold: 0.07};
  assert.equal(toLink(settings), 'sinks words below-7');
  assert.deepEqual(settingsOf(toLink(settings)), settings);
  assert.deepEqual(settingsOf('below-99 <b> special'), {...OPEN, special: true, threshold: 0.5});
  assert.equal(toLink(OPEN), '');
  assert.deepEqual(settingsOf(undefined), OPEN);
});

test('all is below a threshold only where the row, the column or the head has nothing above it', () => {
  const {shown} = under({threshold: 0.3});
  assert.equal(isAllBelow(shown, {side: 'query', index: 4}, 6), true); // 0.25 at most
  assert.equal(isAllBelow(shown, {side: 'query', index: 2}, 6), false);
  assert.equal(isAllBelow(shown, {side: 'key', index: 4}, 6), true);
  assert.equal(isAllBelow(shown, null, 6), false);
  assert.equal(isAllBelow({...shown, floor: 0}, {side: 'query', index: 4}, 6), false);
  const over = {...shown, layers: [shown, {...shown, floor: 0.2}]};
  assert.equal(isAllBelow(over, {side: 'query', index: 4}, 6, true), false);
  assert.equal(isAllBelow(over, {side: 'query', index: 4}, 6), true);
});

test('rows of the largest weights of several heads sum to more than 1: what is hidden is its part of them, and rescaled they are said to sum to 1', () => {
  const [one, other] = [head(), exactNumbers({head: array(new Float32Array(36).fill(1 / 6), [6, 6])}, 6, 6)];
  const most = combined([one, other], 'max', 6, 6);
  const {shown, row} = under({special: true}, most);
  const all = (query) => TOKENS.reduce((sum, _, key) => sum + most.weight(query, key), 0);
  const own = (query) => TOKENS.reduce((sum, {special}, key) => sum + (special ? most.weight(query, key) : 0), 0);
  assert.ok(all(1) > 1.05);
  near(shown.removed(0), own(1) / all(1)); // the row of 'un': the special tokens have none of their own
  const say = (id) => id;
  const settings = {...OPEN, special: true, rescaled: true};
  const {shown: rescaled, row: full} = under(settings, most);
  near(full(1).reduce((sum, weight) => sum + weight, 0), 1);
  const said = (numbers, used) => saidFilters({...numbers, heads: ['1.1', '1.2'], together: 'max'}, false, {settings: used, tokens: {keys: TOKENS}}, used, say)[0];
  assert.equal(said(rescaled, settings), 'view-heads-said-max-rescaled');
  assert.equal(said(shown, {...OPEN, special: true}), 'view-heads-said-max');
  assert.equal(said({...most, removedOnAverage: null}, {...OPEN, rescaled: true}), 'view-heads-said-max'); // nothing hidden, nothing rescaled
  assert.ok(row(1).length === 4);
});

test('what is hidden is named with its share, which waits for exact numbers', () => {
  const strings = {'view-heads-said-hidden-share': '{tokens}: {percent}', 'view-heads-said-hidden': '{tokens}', 'view-kit-list-separator': ', '};
  const say = (id) => strings[id] ?? id;
  const {shown, keys} = under({special: true});
  const lens = {settings: {...OPEN, special: true}, tokens: {keys: TOKENS}};
  assert.deepEqual(saidFilters(shown, false, lens, lens.settings, say), ['[CLS], [SEP]: 51%']);
  assert.deepEqual(saidFilters({...shown, isExact: false}, false, lens, lens.settings, say), ['[CLS], [SEP]']);
  assert.equal(keys.tokens.length, 4);
  const asked = {...OPEN, words: true};
  assert.deepEqual(saidFilters(shown, false, {settings: OPEN, tokens: {keys: TOKENS}}, asked, say), ['view-heads-said-too-long']);
});

const PAIR = TOKENS.map((each, at) => ({...each, group: at < 3 ? 'A' : 'B'}));
const [A, B] = [[0, 1, 2], [3, 4, 5]];

for (const [from, to, rows, columns] of [[1, 1, A, A], [1, 2, A, B], [2, 1, B, A], [2, 2, B, B]])
  test(`from group ${from} to group ${to} only those tokens stand there, with the model's weights, and the rest is said`, () => {
    const {queries, keys, row, shown} = under({from, to}, head(), PAIR);
    assert.deepEqual(queries.groups.flat(), rows);
    assert.deepEqual(keys.groups.flat(), columns);
    rows.forEach((query, at) => {
      row(at).forEach((weight, key) => near(weight, ROWS[query][columns[key]]));
      near(shown.removed(at), 1 - columns.reduce((sum, key) => sum + ROWS[query][key], 0));
    });
  });

test('a side that is not chosen keeps all tokens, and a group that a text has not hides none', () => {
  const {queries, keys} = under({from: 2}, head(), PAIR);
  assert.deepEqual([queries.groups.flat(), keys.groups.length], [B, 6]);
  assert.equal(under({from: 9, to: 9}, head(), PAIR).queries.groups.length, 6);
  assert.equal(under({from: 1, to: 2}).keys.groups.length, 6); // of one text
});

test('rescaled, a row between two groups sums to 1', () => {
  const {sum} = under({from: 1, to: 2, rescaled: true}, head(), PAIR);
  [0, 1, 2].forEach((query) => near(sum(query), 1));
});

test('groups are read back from a link as written, and where columns are not known there are none', () => {
  const settings = {...OPEN, from: 1, to: 2};
  assert.equal(toLink(settings), 'from-1 to-2');
  assert.deepEqual(settingsOf(toLink(settings)), settings);
  assert.deepEqual(settingsOf('from-0 to-x from-12'), OPEN);
  assert.deepEqual(possible(settings, false), OPEN);
});
