import assert from 'node:assert/strict';
import {test} from 'node:test';
import {headTable} from '../../attnviz/views/heads/head_table.js';
import {toCsv, toTsv} from '../../attnviz/views/kit/spreadsheet.js';

const tokens = [{text: '[CLS]'}, {text: 'a, "b"', n: 2}];
const headings = ['row', 'query', 'column', 'key'];

test('a whole head is a matrix with its tokens on two sides', () => {
  const weights = [[1, 0], [0.25, 0.75]];
  const rows = headTable({weight: (query, key) => weights[query][key], floor: 0.5}, tokens, tokens, 'head 2.9', headings);
  assert.deepEqual(rows, [['head 2.9', '[CLS]', 'a, "b"₂'], ['[CLS]', 1, null], ['a, "b"₂', null, 0.75]]);
  assert.equal(toTsv(rows).split('\n')[2], 'a, "b"₂\t\t0.75');
  assert.equal(toCsv(rows).split('\r\n')[0], 'head 2.9,[CLS],"a, ""b""₂"');
});

test('what a filter hides is empty, and a weight of 0 is 0', () => {
  const rows = headTable({weight: (_, key) => key / 2, isTaken: (key) => key === 1}, tokens, tokens, 'head 2.9', headings);
  assert.deepEqual(rows[1], ['[CLS]', 0, null]);
});

test('of a long head it is a line for each weight that is here', () => {
  const numbers = {weight: null, keys: (query) => [{index: 1 - query, weight: 0.5}, {index: query, weight: 0}]};
  const rows = headTable(numbers, tokens, tokens, 'head 0.0', headings);
  assert.deepEqual(rows[1], [1, '[CLS]', 2, 'a, "b"₂', 0.5]);
  assert.equal(rows.length, 3);
});
