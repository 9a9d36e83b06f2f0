import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {computed, decimalsOf, texts, unrounded, written, writtenOut, writtenProduct} from '../../attnviz/views/byhand/arithmetic.js';
import {pickedIn} from '../../attnviz/views/hosts/link.js';
import {plan, sourcesOf} from '../../attnviz/views/byhand/layout.js';
import {TELLING, fromLink, toLink} from '../../attnviz/views/byhand/picked_in_link.js';
import {Player, cellsOfRow} from '../../attnviz/views/byhand/player.js';
import {begun, isOfSeed, numberOf, pasted, seeded, withNumbers, withWords, wordOf} from '../../attnviz/views/byhand/sheet.js';
import {torchLines} from '../../attnviz/views/byhand/torch_lines.js';

const WORDS = 'she eats a red apple now'.split(' ');
const header = {sentences: [WORDS]};
const first = begun(WORDS);

test('two words and two numbers, by hand', () => {
  const square = (a, b, c, d) => [[a, b], [c, d]].map((row) => row.map((x) => 100 * x));
  const sheet = {...begun(WORDS, {n: 2, d: 2}), X: square(1, 0, 0, 2), heads: [{WQ: square(1, 0, 0, 1), WK: square(1, 1, 0, 1), WV: square(3, 0, 0, 1)}]};
  const [{S, D, powers, sums, A, O}] = computed(sheet).heads;
  assert.deepEqual(S, [[100, 0], [200, 400]]); // Q = X, K = [[1, 1], [0, 2]]
  assert.deepEqual(D, [[71, 0], [142, 284]]); // ÷ 1.41
  assert.deepEqual([powers, sums], [[[100, 49], [24, 100]], [149, 124]]); // e^−0.71, e^−1.42
  assert.deepEqual(A, [[67, 33], [19, 81]]);
  assert.deepEqual(O, [[201, 66], [57, 162]]); // V = [[3, 0], [0, 2]]
});

test('the numbers of a seed are whole, small and always the same', () => {
  assert.deepEqual(seeded({...first, seed: 3}), first);
  assert.notDeepEqual(seeded({...first, seed: 4}).X, first.X);
  assert.deepEqual([first, {...first, seed: 4}, withNumbers(first, 'WO', 0, 0, 0, [[900]])].map(isOfSeed), [true, false, false]);
  assert.equal(decimalsOf([first.X, first.P, first.WO, ...first.heads.flatMap(Object.values)].flat(2)), 0);
  const {heads: [{A}], Y, WO} = computed(begun(WORDS, {count: 2, hasOutput: true}));
  assert.deepEqual([A.length, WO.length, WO[0].length, Y.length], [5, 8, 4, 5]); // W_O 8 → 4
});

test('a number is whole or has at most two decimals, from −9 to 9, however it was typed', () => {
  const typed = {1: 100, '-2': -200, '−2': -200, '–2': -200, '＋３': 300, '－３．５': -350, '.5': 50, '3.': 300, '1.250': 125, ' 7 ': 700, '-0': 0};
  for (const [text, number] of Object.entries(typed)) assert.equal(numberOf(text), number, text);
  for (const text of ['', '-', '.', '10', '9.01', '-9.5', '1.255', '1e1', '0x1', '1,5', 'x', '∞', 'NaN', '--1', '1 2']) assert.equal(numberOf(text), null, text);
});

test('a block from a spreadsheet is taken whole or not at all', () => {
  assert.deepEqual(pasted('1\t-2\r\n0\t0.5\r\n', 4, 4), {block: [[100, -200], [0, 50]]});
  assert.deepEqual(pasted('1 2 3', 1, 3), {block: [[100, 200, 300]]});
  assert.deepEqual(pasted('1,2;3', 1, 3), {block: [[100, 200, 300]]});
  assert.deepEqual(pasted('1\t2\n3', 4, 4), {refused: 'ragged'});
  assert.deepEqual(pasted('1\ttwelve\n3\t4', 4, 4), {refused: 'number', wrong: 'twelve'});
  assert.deepEqual(pasted('1\t\n3\t4', 4, 4), {refused: 'number', wrong: ''});
  assert.deepEqual(pasted('1\t2\t3\n4\t5\t6', 4, 2), {refused: 'room', size: '2 × 3', room: '4 × 2'});
});

test('a block goes where it was put, of W_O in the rows of the head that it is of', () => {
  const sheet = begun(WORDS, {d: 2, count: 2, hasOutput: true});
  const changed = withNumbers(sheet, 'WO', 0, 2, 0, [[700, 800]]);
  assert.deepEqual(computed(changed).WO[2], [700, 800]);
  assert.deepEqual(computed(changed).WO.toSpliced(2, 1), computed(sheet).WO.toSpliced(2, 1));
  assert.deepEqual(computed(withNumbers(sheet, 'WV', 1, 1, 1, [[900]])).heads[1].WV[1][1], 900);
  assert.notEqual(changed, sheet);
});

test('a row and a column that were taken away come back as they were', () => {
  assert.deepEqual(computed({...first, n: 2, d: 2}).X, first.X.slice(0, 2).map((row) => row.slice(0, 2)));
});

test('a link brings everything back', () => {
  const sheet = {...withNumbers(begun([...WORDS].with(0, 'a|b c'.replace('|', '')), {n: 3, d: 3, count: 2, isMasked: true, hasPositions: true, hasOutput: true, isDivided: false, seed: 77}), 'WQ', 1, 0, 0, [[-25]])};
  const picked = {sheet, at: {m: 'O', row: 2, column: 1}, part: 1, isPresented: true};
  const link = toLink(picked);
  assert.deepEqual(Object.keys(link), pickedIn('byhand'));
  assert.deepEqual(fromLink(link, header).picked, picked);
});

test('a word is text, one line of what can be seen, and a link has it as it is', () => {
  const typed = {'  red  fish ': 'red fish', '<b>&': '<b>&', 'a\u202eb\u0000\u200b': 'ab', '🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂': '🙂'.repeat(12), '{word}': '{word}', '\n\t': '', '\ud83d': ''};
  for (const [text, word] of Object.entries(typed)) assert.equal(wordOf(text), word, text);
  const words = ['a|b', '100%7C', '%', '$&', '苹果', 'now'];
  const link = toLink({sheet: {...first, words}, at: TELLING, part: 0});
  assert.deepEqual(fromLink(link, header).picked.sheet.words, words);
});

test('words are put one under another, an empty one is what it was at first', () => {
  assert.deepEqual(withWords(first, 3, ['x', 'y', 'z'], WORDS).words, ['she', 'eats', 'a', 'x', 'y', 'now']); // five are shown
  assert.deepEqual(withWords(withWords(first, 0, ['x'], WORDS), 0, [' '], WORDS).words, WORDS);
  assert.equal(withWords(first, 0, ['she'], WORDS), first);
});

test('a wrong link opens a sheet that is right', () => {
  const wrong = ['', 'x', '7x4_1_seed3', '5x5_1_seed3', '5x4_3_seed3', '5x4_1_seed0', '5x4_1_seed99999', '5x4_1', '<b>', '5x4_1_seed3_mask_mask_mask_mask_mask'];
  for (const hand of wrong) assert.deepEqual(fromLink({hand, numbers: '1*2', named: 'a', pick: 'S_9_9_out'}, header), {picked: {isPresented: false}}, hand);
  const open = (rest) => fromLink({hand: '5x4_1_seed3', ...rest}, header).picked;
  for (const numbers of ['', '1', '1_2*3', 'x'.repeat(5000), toLink({sheet: first, at: {m: 'S', row: 0, column: 0}, part: 0}).numbers.replace('1', '10')]) assert.deepEqual(open({numbers}).sheet, first, numbers);
  for (const named of ['', 'a|b', 'a|b|c|d|', '|'.repeat(999)]) assert.deepEqual(open({named}).sheet.words, WORDS, named);
  assert.equal(open({named: `${'z'.repeat(99)}|b|c|d|e`}).sheet.words[0].length, 12);
  for (const pick of ['', 'S', 'Z_1_1_1', 'S_0_1_1', 'S_1_1_7']) assert.deepEqual(open({pick}).at, TELLING, pick);
  assert.equal(fromLink({hand: '5x4_2_seed3'}, header).picked.sheet.hasOutput, true); // two heads are projected
});

test('numbers are written with the decimals that they need, products exactly', () => {
  assert.deepEqual([written(-50, 1), written(null, 2), writtenProduct(-1250), writtenProduct(20_000), writtenProduct(-31_5000)], ['−0.5', '−∞', '−0.125', '2', '−31.5']);
  assert.deepEqual(texts('D', [[0, -250, null]]), [['0', '−2.5', '−∞']]);
  assert.deepEqual(texts('O', [[0, -250]]), [['0.00', '−2.50']]);
});

test('a half goes away from zero', () => {
  const sheet = {...begun(WORDS, {n: 2, d: 2}), X: [[50, 0], [-50, 0]], heads: [{WQ: [[1, 3], [0, 0]], WK: [[0, 0], [0, 0]], WV: [[0, 0], [0, 0]]}]};
  assert.deepEqual(computed(sheet).heads[0].Q, [[1, 2], [-1, -2]]); // 0.005 and 0.015, and below zero
  assert.equal(writtenOut(computed(sheet), 0, {m: 'Q', row: 1, column: 1}).isExact, false);
});

test('what nothing rounded would give is computed without it', () => {
  const {O} = unrounded(first, computed(first));
  const printed = computed(first).heads[0].O;
  for (const [i, row] of O[0].entries()) for (const [j, x] of row.entries()) assert.ok(Math.abs(100 * x - printed[i][j]) < 8, `${i} ${j}`);
});

const textsOf = (sheet) => {
  const {heads: [{sums: _sums, most: _most, powers: _powers, ...head}], ...shared} = computed(sheet);
  return Object.fromEntries(Object.entries({...shared, ...head}).map(([m, matrix]) => [m, texts(m, matrix)]));
};

test('all matrices fit into a screen, none lies on another, and each result stands where its row and its column meet', () => {
  for (const n of [2, 3, 4, 5, 6])
    for (const d of [2, 3, 4])
      for (const hasPositions of [false, true]) {
        const sheet = begun(WORDS, {n, d, hasPositions});
        for (const [width, height] of [[1318, 530], [1392, 640], [1872, 860]]) {
          const {placed, f, ...made} = plan(sheet, textsOf(sheet), 0, {width, height}, false);
          assert.ok(made.width <= width && made.height <= height && f >= 11, `${n} ${d} ${width}`);
          for (const a of placed) for (const b of placed) assert.ok(a === b || a.x + a.columns * a.w <= b.x || b.x + b.columns * b.w <= a.x || a.y + a.rows * a.h <= b.y || b.y + b.rows * b.h <= a.y, `${a.id} ${b.id}`);
          const {left, above} = sourcesOf({m: 'S', row: 1, column: 1}, placed);
          const [S, L, T] = ['S', left.id, above.id].map((id) => placed.find((one) => one.id === id));
          assert.ok(S.y === L.y && S.x === T.x && S.w === T.w);
        }
      }
});

test('on a phone nothing is wider than it', () => {
  for (const part of [0, 2]) {
    const sheet = begun(WORDS, {n: 6, hasPositions: true, hasOutput: true, count: 2});
    const {placed} = plan(sheet, textsOf(sheet), part, {width: 358, height: Infinity}, true);
    for (const {id, x, columns, w} of placed) assert.ok(x + columns * w <= 359, `${id} ${x + columns * w}`);
  }
});

test('a row is played in the order in which it is computed, on and back, and its results wait', () => {
  const cells = cellsOfRow({n: 2, d: 2}, 1);
  assert.deepEqual(cells.map(({m, column}) => m + column).join(' '), 'Q0 Q1 K0 K1 V0 V1 S0 S1 D0 D1 A0 A1 O0 O1');
  const player = new Player({shown: async (done) => done(), changed: () => 0, root: new EventTarget()});
  player.begin(cells, true);
  assert.deepEqual([player.isPlaying, player.isOpen, player.hides(cells[0]), player.hides(cells[1])], [false, true, false, true]);
  player.step(1);
  assert.deepEqual([player.hides(cells[1]), player.hides(cells[2])], [false, true]);
  player.step(-1);
  assert.deepEqual([player.at, player.hides(cells[1])], [0, true]);
  player.at = cells.length - 1;
  player.step(1);
  assert.deepEqual([player.isOpen, player.hides(cells.at(-1))], [false, false]);
});

test('the program has five lines of attention, and rounds nothing that is whole', () => {
  const lines = torchLines(first, '').split('\n');
  assert.deepEqual(lines.slice(-7, -2), ['Q, K, V = X @ W_Q, X @ W_K, X @ W_V', 'S = r(Q @ K.T / 2)', 'E = r((S - S.amax(1, keepdim=True)).exp())', 'A = r(E / E.sum(1, keepdim=True))', 'out = r(A @ V)']);
  assert.match(torchLines(withNumbers(first, 'WQ', 0, 0, 0, [[50]]), ''), /Q, K, V = r\(X @ W_Q\)/);
});

test('what lesson 1 says of its sheets is what they show, to the printed digit', () => {
  const {steps: [{show, claims}]} = JSON.parse(readFileSync(new URL('../../app/lessons/lesson-1.json', import.meta.url), 'utf8'));
  const found = Object.fromEntries(claims.map(({name, at, row, key, text}) => {
    const {picked: {sheet}} = fromLink({...show, ...(text && {numbers: text})}, {sentences: [['a', 'b', 'c', 'd', 'e', 'f']]});
    const matrix = {scores: 'S', divided: 'D', weights: 'A', output: 'O'}[at.slice(5)] ?? at.slice(5);
    return [name, written(computed(sheet).heads[0][matrix][row][key], 2)];
  }));
  assert.deepEqual(found, {was: '0.00', k1: '2.00', k2: '2.00', score: '4.00', divided: '2.84', weight: '0.68', out: '5.20', same: '4.00', less: '0.18'});
});
