// Works out sheets of By hand, for a Python test to hold against decimal arithmetic and torch: node byhand_sheets.mjs.
// A list of sheets comes on stdin: what is switched and, where `numbers` are given, those of the link.

import {readFileSync} from 'node:fs';
import {computed, power, powersTable, texts, weightWrittenOut, writtenOut} from '../../attnviz/views/byhand/arithmetic.js';
import {fromLink, toLink} from '../../attnviz/views/byhand/picked_in_link.js';
import {torchLines} from '../../attnviz/views/byhand/torch_lines.js';

const sentences = ['she eats a red apple now'.split(' ')];
const all = (rows, columns, cell) => Array.from({length: rows}, (_, row) => Array.from({length: columns}, (_, column) => cell({row, column})));

const answers = JSON.parse(readFileSync(0, 'utf8')).map((link) => {
  const {picked} = fromLink(link, {sentences});
  const {sheet} = picked;
  const made = computed(sheet);
  const printed = (matrices) => Object.fromEntries(Object.entries(matrices).map(([m, matrix]) => [m, texts(m, Array.isArray(matrix[0]) ? matrix : [matrix])]));
  const {heads, ...shared} = made;
  const cells = (m, head) => all(m === 'S' ? sheet.n : sheet.n, m === 'S' ? sheet.n : sheet.d, (at) => writtenOut(made, head, {m, ...at}));
  return {
    shared: printed(shared), heads: heads.map(printed), link: toLink(picked), torch: torchLines(sheet, 'two decimals'),
    cells: heads.map((_, head) => Object.fromEntries(['Q', 'K', 'V', 'S', 'O'].map((m) => [m, cells(m, head)]))),
    last: made.Y ? cells('Y', 0) : null,
    weights: heads.map((_, head) => all(sheet.n, sheet.n, (at) => weightWrittenOut(made, head, at))),
    powers: heads.map((_, head) => powersTable(made, head)),
  };
});
console.log(JSON.stringify({answers, powers: Array.from({length: 3001}, (_, x) => power(-x))}));
