import assert from 'node:assert/strict';
import {test} from 'node:test';
import {gridOf} from '../../attnviz/views/heads/byte_grids.js';
import {coarseOf, gapBefore, paragraphs, weightsOf} from '../../attnviz/views/heads/text_flow.js';

const words = (text) => text.split(' ').map((piece, i) => ({text: piece, ...(i ? {space: 1} : {})}));

test('paragraphs end where lines end, and long ones at the end of a sentence', () => {
  const tokens = words('One two . Three four . Five six .');
  tokens[6].space = 2;
  assert.deepEqual(paragraphs(tokens), [[0, 6], [6, 9]]);
  assert.deepEqual(paragraphs(words('a b . c d e f . g h'), 5), [[0, 3], [3, 8], [8, 10]]);
  assert.deepEqual(paragraphs(words('a b c d e f g'), 3), [[0, 3], [3, 6], [6, 7]]);
});

test('every token stands in one paragraph, however long the text is', () => {
  const tokens = Array.from({length: 4096}, (_, i) => ({text: i % 17 ? 'w' : '。'}));
  const found = paragraphs(tokens);
  assert.equal(found[0][0], 0);
  assert.equal(found.at(-1)[1], 4096);
  found.forEach(([first, end], i) => assert.ok(end > first && end - first <= 160 && (i === 0 || found[i - 1][1] === first)));
});

test('blanks stand where the text has them: none inside a word or between Chinese characters', () => {
  const tokens = [{text: '[CLS]', special: true}, {text: 'un'}, {text: 'seen', continues: true}, {text: '猫', space: 1}, {text: '坐'}];
  assert.deepEqual(tokens.map((_, i) => gapBefore(tokens, i)), ['', ' ', '', ' ', '']);
});

test('what a word looks at, and what looks at it, come from the whole head', () => {
  const weights = [[0.5, 0.5], [0.25, 0.75]];
  const numbers = {weight: (query, key) => weights[query][key]};
  assert.deepEqual(weightsOf({side: 'query', index: 1}, numbers, [], 2, 2), {items: [{index: 0, weight: 0.25}, {index: 1, weight: 0.75}], isAll: true});
  assert.deepEqual(weightsOf({side: 'key', index: 0}, numbers, [], 2, 2).items.map(({weight}) => weight), [0.5, 0.25]);
});

test('of a long head a column comes from the rows that have it among their largest, until it came itself', () => {
  const rows = [[{index: 1, weight: 0.5}], [{index: 0, weight: 0.75}], [{index: 1, weight: 0.25}]];
  const numbers = {weight: null, keys: (query) => rows[query]};
  assert.deepEqual(weightsOf({side: 'key', index: 1}, numbers, [], 3, 2), {items: [{index: 0, weight: 0.5}, {index: 2, weight: 0.25}], isAll: false});
  const parts = [{rows: [0, 3], columns: [1, 2], weights: new Float32Array([0.5, 0.125, 0.25])}];
  const {items, isAll} = weightsOf({side: 'key', index: 1}, numbers, parts, 3, 2);
  assert.equal(isAll, true);
  assert.deepEqual(items.map(({weight}) => weight), [0.5, 0.125, 0.25]);
  assert.equal(weightsOf({side: 'key', index: 0}, numbers, parts, 3, 2).isAll, false);
});

test('until numbers come a row and a column are read from the coarse picture', () => {
  const grid = gridOf(new Uint8Array([0, 255, 51, 0]), [2, 2], [0, 0], [4, 4]);
  assert.deepEqual(coarseOf({side: 'query', index: 1}, grid).map(({weight}) => weight), [0, 0, 1, 1]);
  assert.deepEqual(coarseOf({side: 'key', index: 0}, grid).map(({weight}) => Number(weight.toFixed(2))), [0, 0, 0.04, 0.04]);
});
