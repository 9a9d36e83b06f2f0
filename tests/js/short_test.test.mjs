import {test} from 'node:test';
import assert from 'node:assert/strict';
import {rowsOf, shareOf, sumOf, totalsIn} from '../../attnviz/views/hosts/short_test.js';
import {toCsv} from '../../attnviz/views/kit/spreadsheet.js';

const items = (right) => Array.from({length: 8}, () => ({ask: '=1, "or" …', options: ['a', 'b', 'c'], right}));
const forms = {A: items(0), B: items(2)};
const counts = (...ofItem) => Array.from({length: 8}, () => ofItem);
const totals = {'before A': counts(3, 2, 1, 4), 'before B': counts(0, 0, 5, 5), 'after B': counts(1, 0, 9, 0)};

test('the share of right answers is that of all forms of a time together', () => {
  assert.deepEqual(shareOf(totals, forms, 'before', 0), {right: 8, n: 20});
  assert.deepEqual(shareOf(totals, forms, 'after', 7), {right: 9, n: 10});
  assert.deepEqual(shareOf({}, forms, 'after', 7), {right: 0, n: 0});
});

test('totals of two classes add up, and the same ones count once however often they are added', () => {
  const other = {'before A': counts(1, 1, 1, 0), 'after A': counts(4, 0, 0, 1)};
  const sum = {'before A': counts(4, 3, 2, 4), 'before B': counts(0, 0, 5, 5), 'after B': counts(1, 0, 9, 0), 'after A': counts(4, 0, 0, 1)};
  assert.deepEqual(sumOf([totals, other]), sum);
  assert.deepEqual(sumOf([totals, other, structuredClone(totals), {'after A': counts(4, 0, 0, 1)}]), sum);
  assert.deepEqual(sumOf([]), {});
});

test('saved totals are read back, also as a spreadsheet saves them, and nothing else is taken for some', () => {
  const csv = toCsv(rowsOf(totals, forms, 'not known'));
  assert.match(csv, /^test,form,item,choice,right,answers,question,option\r\n/);
  assert.match(csv, /^before,A,1,4,0,4,.*,not known\r$/m);
  assert.deepEqual(totalsIn(csv), totals);
  assert.deepEqual(totalsIn(csv.replace(/,(?=.*,.*,)/g, ';')), totals);
  assert.deepEqual(totalsIn('before,A,9,1,0,3,x\nbefore,C,1,1,0,3,x\nafter,A,1,1,0,-3,x\n__proto__'), {});
});
