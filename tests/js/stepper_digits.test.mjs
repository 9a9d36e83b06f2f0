import assert from 'node:assert/strict';
import {test} from 'node:test';
import {rounded} from '../../attnviz/views/kit/rounded.js';
import {agreeing, shareTexts, sumTexts} from '../../attnviz/views/stepper/digits.js';
import {isPrinted, typed, value} from './calculator.mjs';

/** What a calculator gives for the printed arithmetic, rounded as the result is printed, is what is printed. */
const gives = (result, printed, about) => assert.ok(isPrinted(result, printed), `${about}: ${result} is not ${printed}`);

/** Numbers of every size, the same in each run. */
function* numbers(seed) {
  for (;;) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    const size = 10 ** ((seed / 2147483648) * 6 - 4);
    seed = (seed * 1103515245 + 12345) % 2147483648;
    yield Math.fround(seed / 2147483648 < 0.5 ? -size : size);
  }
}
const take = (source, n) => Array.from({length: n}, () => source.next().value);

test('a number is printed with three digits of its own, and the text says the value', () => {
  const table = [[1.55, '1.55'], [-0.0123456, '−0.0123'], [12.345, '12.3'], [412.34, '412.3'], [0.0042, '0.00420'],
    [7.7e-4, '7.7×10⁻⁴'], [-4.2e-9, '−4.2×10⁻⁹'], [0, '0'], [-Infinity, '−∞'], [123456, '1.23×10⁵'], [9.999, '10.0']];
  for (const [x, text] of table) assert.equal(rounded(x).text, text);
  assert.equal(rounded(0.5, 3, 3).text, '0.500');
  assert.equal(rounded(123.456, 3, 2).text, '123.46');
  for (const x of take(numbers(7), 500)) {
    const {text, value: said, unit} = rounded(x);
    assert.ok(Math.abs(said - value(text)) < 1e-12 * Math.max(1, Math.abs(said)));
    assert.ok(Math.abs(unit - typed(text).unit) < 1e-9 * unit, text);
    assert.ok(Math.abs(said - x) <= 0.5001 * unit, `${x} ${text}`);
  }
});

test('a line of printed numbers gives the printed result', () => {
  const source = numbers(3);
  const lines = [
    [4, (x, mean, gain, shift) => (x - mean) * gain + shift],
    [2, (a, b) => a + b],
    [2, (a, b) => a / b],
    [1, (x) => Math.tanh(x / 3) * 3],
  ];
  for (let n = 0; n < 400; n++)
    for (const [count, f] of lines) {
      const inputs = take(source, count);
      const line = agreeing(inputs, f(...inputs), f);
      gives(f(...line.inputs.map(({text}) => value(text))), line.result.text, inputs);
    }
});

test('the shift of a layer norm is not lost in the digits', () => {
  const f = (x, mean, variance, gain, shift) => ((x - mean) / Math.sqrt(variance + 1e-5)) * gain + shift;
  const inputs = [0.0942, 0.0021, 0.0087, 0.938, -0.0412];
  const {inputs: printed, result} = agreeing(inputs, f(...inputs), f);
  assert.equal(printed[2].text, '0.00870');
  gives(f(...printed.map(({text}) => value(text))), result.text);
});

test('each printed product is that of its factors, and they add up to the printed total', () => {
  const source = numbers(11);
  for (let n = 0; n < 300; n++) {
    const list = Array.from({length: 2 + (n % 11)}, () => {
      const [left, right] = take(source, 2);
      return {left, right, product: left * right};
    });
    const bias = source.next().value;
    list.push({isBias: true, left: bias, right: 1, product: bias});
    const rest = n % 2 ? {count: 3, product: source.next().value} : null;
    const exact = list.reduce((all, {product}) => all + product, rest?.product ?? 0);
    const {terms, rest: others, total} = sumTexts(exact, list, rest);
    for (const {left, right, product} of terms) gives(value(left) * (right === '' ? 1 : value(right)), product);
    gives([...terms.map(({product}) => product), ...(rest ? [others] : [])].map(value).reduce((a, b) => a + b), total, n);
  }
});

test('a weight too small for two decimals keeps its size before its value', () => {
  const list = [[0.00412, -1.24], [0.9, 0.5]].map(([left, right]) => ({left, right, product: left * right}));
  const {terms} = sumTexts(list[0].product + list[1].product, list, null);
  assert.deepEqual(terms[0], {left: '0.00412', right: '−1.24', product: '−0.00511'});
});

test('the factors of a sum have one number of decimals for each operand', () => {
  const list = [[-0.11, -1.29], [-1.394, 0.7178], [1.4965, 4.3984], [0.0241, 2.53], [-0.553, -0.0278]].map(([left, right]) => ({left, right, product: left * right}));
  const {terms} = sumTexts(list.reduce((all, {product}) => all + product, 0), list, null);
  for (const side of ['left', 'right']) assert.equal(new Set(terms.map((term) => term[side].split('.')[1].length)).size, 1);
});

test('what the fault showed: a share of nearly the whole, a small one, one that is multiplied by 1', () => {
  const share = (own, total) => agreeing([own, total], own / total, (a, b) => a / b, 3);
  for (const [own, total, digits] of [[1, 1.0006, 4], [1, 1.0187, 4], [3.36e-11, 1.0049, 3]]) {
    const {inputs, result} = share(own, total);
    gives(value(inputs[0].text) / value(inputs[1].text), result.text, own);
    assert.ok(inputs[1].text.length <= digits + 2, inputs[1].text);
  }
  const {inputs, result} = agreeing([36.2149], 36.2149, (x) => x);
  assert.deepEqual([inputs[0].text, result.text], ['36.21', '36.21']);
});

test('where the numbers that go in do not give the result, it is said to be rounded', () => {
  assert.equal(agreeing([1, 2], 3.5, (a, b) => a + b).isRounded, true);
  assert.equal(sumTexts(3.5, [{left: 1, right: 2, product: 2}], null).isRounded, true);
});

test('a row of softmax: the distance, its exponential, their sum and the share follow from one another', () => {
  for (const scores of [[12.8, 5.6, 7.1, -6.8], [0.1, 0.2, 0.3, 0.35], [3, -Infinity, 2.96, 1], [14.4, -5.47, 0.23, 1.06]])
    for (let own = 0; own < scores.length; own++) {
      const highest = Math.max(...scores);
      const terms = scores.map((s) => ({left: s, right: highest, product: s === -Infinity ? 0 : Math.exp(s - highest)}));
      const total = terms.reduce((all, {product}) => all + product, 0);
      const cell = {terms, own, value: terms[own].product / total, facts: {total, isBlocked: false}};
      const texts = shareTexts(cell, terms.map((term, at) => ({...term, isOwn: at === own})), null, 3);
      const top = texts.terms[scores.indexOf(highest)].left;
      for (const {left, right, product} of texts.terms) {
        if (left !== '−∞') assert.ok(Math.abs(value(left) - value(top) - value(right)) < 1e-9, `${left} − ${top} = ${right}`);
        gives(Math.exp(value(right)), product, scores);
        assert.ok(product === '0' || value(product) > 0, `${product} stands for a size that is not nothing`);
      }
      gives(texts.terms.reduce((all, {product}) => all + value(product), 0), texts.total, scores);
      gives(value(texts.own) / value(texts.total), texts.value, scores);
      assert.equal(texts.terms[own].product, texts.own);
      assert.equal(texts.isRounded, false);
    }
});

test('a row that may look at nothing is zeros', () => {
  const term = {left: -Infinity, right: -Infinity, product: 0};
  const cell = {terms: [term, term], own: 0, value: 0, facts: {total: 0, isBlocked: true}};
  const texts = shareTexts(cell, [{...term, isOwn: true}, term], null, 3);
  assert.deepEqual([texts.terms[0].product, texts.value], ['0', '0']);
});

test('a share that a float32 cannot hold is a rounded 0', () => {
  const terms = [146.6, 0].map((s) => ({left: s, right: 146.6, product: Math.exp(s - 146.6)}));
  const cell = {terms, own: 1, value: 0, facts: {total: 1, isBlocked: false}};
  const texts = shareTexts(cell, terms.map((term, at) => ({...term, isOwn: at === 1})), null, 3);
  assert.deepEqual([texts.value, texts.isRounded], ['0', true]);
});
