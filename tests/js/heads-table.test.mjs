import assert from 'node:assert/strict';
import {test} from 'node:test';
import {cellsOf, shortest, toCsv, toTsv} from '../../attnviz/views/heads/table.js';

const tokens = [{text: '[CLS]'}, {text: 'a, "b"', n: 2}];
const words = {row: 'row', query: 'query', column: 'column', key: 'key'};

test('a weight is written so that reading it back gives the same 32 bits', () => {
  const drawn = Float32Array.from({length: 500}, (_, i) => Math.exp(-i / 7) * ((i * 7919) % 97) / 97);
  for (const weight of drawn) assert.equal(Math.fround(Number(shortest(weight))), weight);
  assert.equal(shortest(Math.fround(0.1)), '0.1');
  assert.equal(shortest(0), '0');
});

test('a whole head is a matrix with its tokens on two sides', () => {
  const weights = [[1, 0], [0.25, 0.75]];
  const rows = cellsOf({weight: (query, key) => weights[query][key], floor: 0.5}, tokens, tokens, 'head 2.9', words);
  assert.deepEqual(rows, [['head 2.9', '[CLS]', 'a, "b"₂'], ['[CLS]', '1', ''], ['a, "b"₂', '', '0.75']]);
  assert.equal(toTsv(rows).split('\n')[2], 'a, "b"₂\t\t0.75');
  assert.equal(toCsv(rows).split('\r\n')[0], 'head 2.9,[CLS],"a, ""b""₂"');
});

test('what a filter hides is empty, and a weight of 0 is 0', () => {
  const rows = cellsOf({weight: (_, key) => key / 2, isTaken: (key) => key === 1}, tokens, tokens, 'head 2.9', words);
  assert.deepEqual(rows[1], ['[CLS]', '0', '']);
});

test('of a long head it is a line for each weight that is here', () => {
  const numbers = {weight: null, keys: (query) => [{index: 1 - query, weight: 0.5}, {index: query, weight: 0}]};
  const rows = cellsOf(numbers, tokens, tokens, 'head 0.0', words);
  assert.deepEqual(rows[1], ['0', '[CLS]', '1', 'a, "b"₂', '0.5']);
  assert.equal(rows.length, 3);
});

test('a token that a spreadsheet would run stays text, and numbers stay numbers', () => {
  assert.equal(toCsv([['=1+1', '-0.5', '-', '@cmd']]), "'=1+1,-0.5,-,'@cmd");
});
