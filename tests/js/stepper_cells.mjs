// Writes out cells of a packed stepper payload, for a Python test to hold against its own: node stepper_cells.mjs FILE.
// A list of [step, row, column] comes on stdin; the answer on stdout has a row for each, whose `wrong` is what of its
// printed arithmetic a calculator gives otherwise.

import {readFileSync} from 'node:fs';
import {unpack} from '../../attnviz/views/kit/unpack.js';
import {Chain} from '../../attnviz/views/stepper/chain.js';
import {cellOf} from '../../attnviz/views/stepper/cell_arithmetic.js';
import {mistakes} from './calculator.mjs';

const [path] = process.argv.slice(2);
const chain = new Chain(unpack(new Uint8Array(readFileSync(path))));
const cells = JSON.parse(readFileSync(0, 'utf8')).map(([step, row, column]) => {
  const cell = cellOf(chain.steps[step], row, column);
  const {value, again, terms, rest} = cell;
  return {value, again, products: [...terms, ...(rest ? [rest] : [])].map(({product}) => product), ...mistakes(chain.steps[step], cell)};
});
console.log(JSON.stringify(cells, (_, x) => (typeof x === 'number' && !Number.isFinite(x) ? String(x) : x)));
