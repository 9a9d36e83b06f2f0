import assert from 'node:assert/strict';
import {test} from 'node:test';
import {shortest} from '../../attnviz/views/kit/number.js';
import {toCsv, toTsv} from '../../attnviz/views/kit/spreadsheet.js';

const HOSTILE = ['=1+1', '+1+1', '-1+1', '@cmd', '\t=1', '\r=1', '\n=1', '=', '-', '+', '@', '-inf', '＝1+1', '+41.5 points'];
const PLAIN = ['a', '−0.5', "it's", '', ' =1', '–', '1 kB'];
const NUMBERS = ['-0.5', '+3', '-1e-5', '-.5', '12', '-50%', '1,000'];

for (const cell of HOSTILE)
  test(`${JSON.stringify(cell)} stays text`, () => {
    assert.match(toTsv([['x', cell]]), /^x\t"?'/);
    assert.match(toCsv([['x', cell]]), /^x,"?'/);
  });

test('plain text and numbers stay as they are', () => {
  assert.equal(toTsv([[...PLAIN, ...NUMBERS]]), [...PLAIN, ...NUMBERS].join('\t'));
  assert.equal(toTsv([[-0.5, 1e-7, 0, null, -Infinity, NaN]]), '-0.5\t1e-7\t0\t\t−∞\t');
});

test('a cell never ends its line or its column, and keeps its own lines', () => {
  assert.equal(toTsv([['a\tb', 1], ['user\nWhat', '"'], ['a "b"', 2]]), '"a\tb"\t1\n"user\nWhat"\t""""\na "b"\t2');
  assert.equal(toCsv([['a "b"', 'c,d'], ['e\nf', -1]]), '"a ""b""","c,d"\r\n"e\nf",-1');
});

test('a number is written so that reading it back gives the same 32 bits', () => {
  const drawn = Float32Array.from({length: 500}, (_, i) => Math.exp(-i / 7) * ((i * 7919) % 97) / 97);
  for (const weight of drawn) assert.equal(Math.fround(Number(shortest(weight))), weight);
  assert.deepEqual([shortest(Math.fround(0.1)), shortest(0), shortest(-2.5)], ['0.1', '0', '-2.5']);
});
