import assert from 'node:assert/strict';
import {test} from 'node:test';
import {rounded} from '../../attnviz/views/kit/number.js';
import {agreeing, shareTexts, sumTexts} from '../../attnviz/views/stepper/digits.js';

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A printed number as a reader types it into a calculator, and one of its last digit. */
function typed(text) {
  const [mantissa, power = ''] = text.replace('−', '-').split('×10');
  const exponent = Number([...power].map((c) => (c === '⁻' ? '-' : RAISED.indexOf(c))).join('') || 0);
  if (mantissa.endsWith('∞')) return {x: -Infinity, unit: 0};
  const decimals = mantissa.split('.')[1]?.length ?? 0;
  return {x: Number(mantissa) * 10 ** exponent, unit: text === '0' ? 0.01 : 10 ** (exponent - decimals)};
}

const value = (text) => typed(text).x;

/** The result of the printed arithmetic is what is printed, or one off in its last digit. */
function gives(result, printed, about) {
  const {x, unit} = typed(printed);
  if (result === x) return;
  assert.ok(Math.abs(result - x) <= unit * 1.00001, `${about}: ${result} is not ${printed}`);
}

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

test('a row of softmax: the distance, its exponential, their sum and the share follow from one another', () => {
  for (const isTight of [false, true])
    for (const scores of [[12.8, 5.6, 7.1, -6.8], [0.1, 0.2, 0.3, 0.35], [3, -Infinity, 2.96, 1], [14.4, -5.47, 0.23, 1.06]])
      for (let own = 0; own < scores.length; own++) {
        const highest = Math.max(...scores);
        const terms = scores.map((s) => ({left: s, right: highest, product: s === -Infinity ? 0 : Math.exp(s - highest)}));
        const total = terms.reduce((all, {product}) => all + product, 0);
        const cell = {terms, own, value: terms[own].product / total, facts: {total, isBlocked: false}};
        const list = terms.map((term, at) => ({...term, isOwn: at === own}));
        const texts = shareTexts(cell, list, null, {least: 3, isTight});
        const top = texts.terms[scores.indexOf(highest)].left;
        for (const {left, right, product} of texts.terms) {
          gives(value(left) - value(top), right, scores);
          gives(Math.exp(value(right)), product, scores);
        }
        gives(texts.terms.reduce((all, {product}) => all + value(product), 0), texts.total, scores);
        gives(value(texts.own) / value(texts.total), texts.value, scores);
        assert.equal(texts.terms[own].product, texts.own);
      }
});

test('in little room a share keeps two digits, and only what is under 0.001 is written as nothing', () => {
  const terms = [0, -5.65, -7.11, -19.6].map((s) => ({left: s, right: 0, product: Math.exp(s)}));
  const total = terms.reduce((all, {product}) => all + product, 0);
  const cell = {terms, own: 2, value: terms[2].product / total, facts: {total, isBlocked: false}};
  const texts = shareTexts(cell, terms.map((term, at) => ({...term, isOwn: at === 2})), null, {least: 3, isTight: true});
  assert.deepEqual(texts.terms.map(({product}) => product), ['1.00', '0.0035', '8.2×10⁻⁴', '0.00']);
});

test('a row that may look at nothing is zeros', () => {
  const term = {left: -Infinity, right: -Infinity, product: 0};
  const cell = {terms: [term, term], own: 0, value: 0, facts: {total: 0, isBlocked: true}};
  const texts = shareTexts(cell, [{...term, isOwn: true}, term], null, {least: 3, isTight: false});
  assert.deepEqual([texts.terms[0].product, texts.value], ['0', '0']);
});
