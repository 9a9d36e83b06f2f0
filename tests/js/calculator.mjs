// A pupil with a calculator: reads the printed numbers of a cell, types them in and rounds as the result is printed.

import {arithmeticOf} from '../../attnviz/views/stepper/arithmetic_line.js';
import {CURVES} from '../../attnviz/views/stepper/cell_arithmetic.js';
import {fittedTerms} from '../../attnviz/views/stepper/listed_terms.js';
import {valueDigits} from '../../attnviz/views/stepper/cell_wording.js';
import {rotatedTexts} from '../../attnviz/views/stepper/rotated_pair.js';

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const POWER = /×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g;
const plain = (power) => [...power].map((c) => (c === '⁻' ? '-' : RAISED.indexOf(c))).join('');

/** A printed number as it is typed, and one of its last digit. */
export function typed(text) {
  const [mantissa, power = ''] = text.replace('−', '-').split('×10');
  const exponent = Number(plain(power) || 0);
  if (mantissa.endsWith('∞')) return {x: mantissa.startsWith('-') ? -Infinity : Infinity, unit: 0};
  const decimals = mantissa.split('.')[1]?.length ?? 0;
  return {x: Number(`${mantissa}e${exponent}`), unit: text === '0' ? 0.01 : 10 ** (exponent - decimals)};
}

export const value = (text) => typed(text).x;

/** Whether a result, rounded as `printed` is, is `printed`: no last digit to spare. */
export function isPrinted(result, printed) {
  const {x, unit} = typed(printed);
  return result === x || Math.abs(result - x) < unit / 2;
}

/** What a calculator gives for a line of printed arithmetic. */
export function calculated(line, curve) {
  const code = line.replaceAll(POWER, (_, power) => `e${plain(power)}`).replaceAll('−', '-').replaceAll('×', '*')
    .replaceAll('÷', '/').replaceAll('·', '*').replaceAll('√', 'sqrt').replaceAll('∞', 'Infinity');
  const {sqrt, tanh, max, sin, cos, exp} = Math;
  return new Function('sqrt', 'tanh', 'max', 'sin', 'cos', 'exp', 'Φ', 'GELU', 'SiLU', `return ${code}`)(sqrt, tanh, max, sin, cos, exp, (x) => CURVES.gelu(x) / x, CURVES[curve], CURVES.silu);
}

const added = (texts) => texts.reduce((all, text) => all + value(text), 0);

function* wrongSum({terms, rest, total}) {
  for (const {left, right, product} of terms)
    if (!isPrinted(value(left) * (right === '' ? 1 : value(right)), product)) yield `${left} × ${right} = ${product}`;
  const parts = [...terms.map(({product}) => product), ...(rest ? [rest] : [])];
  if (!isPrinted(added(parts), total)) yield `${parts.join(' + ')} = ${total}`;
}

function* wrongShares({terms, rest, own, total, value: share}, list) {
  const top = terms[list.findIndex(({left, right}) => left === right)]?.left;
  for (const {left, right, product} of terms) {
    if (top !== undefined && value(left) !== -Infinity && Math.abs(value(left) - value(top) - value(right)) > 1e-9)
      yield `${left} − ${top} = ${right}`;
    if (!isPrinted(Math.exp(value(right)), product)) yield `exp(${right}) = ${product}`;
  }
  const parts = [...terms.map(({product}) => product), ...(rest ? [rest] : [])];
  if (!isPrinted(added(parts), total)) yield `${parts.join(' + ')} = ${total}`;
  if (!isPrinted(value(own) / value(total), share)) yield `${own} ÷ ${total} = ${share}`;
}

function* wrongLine({facts}, {pieces, result}) {
  const line = pieces.filter(({kind}) => kind !== 'symbol').map(({text}) => text).join(' ');
  if (!line.split('=').every((side) => isPrinted(calculated(side, facts.curve), result.text))) yield `${line} = ${result.text}`;
}

/** The angle, its cosine and sine, and both numbers of a rotated pair. */
function* wrongPair({position}, {angle, frequency, cos, sin, pair, turned, size}) {
  const [a, c, s, x, y, by] = [angle, cos, sin, ...pair, size].map((one) => one && value(one.text));
  if (!isPrinted(position * value(frequency.text), angle.text)) yield `${position} × ${frequency.text} = ${angle.text}`;
  if (!isPrinted(Math.cos(a), cos.text)) yield `cos ${angle.text} = ${cos.text}`;
  if (!isPrinted(Math.sin(a), sin.text)) yield `sin ${angle.text} = ${sin.text}`;
  for (const [at, one] of [c * x - s * y, s * x + c * y].entries())
    if (!isPrinted((by ?? 1) * one, turned[at].text)) yield `number ${at + 1} of the pair = ${turned[at].text}`;
}

/** {wrong, isRounded}: the printed lines of a cell that a calculator does not give, in a strip of `width` px. */
export function mistakes(step, cell, width = 800) {
  if (cell.form === 'copy' || cell.sign === 'replaced') return {wrong: [], isRounded: false};
  if (cell.sign === 'rotate') {
    const texts = rotatedTexts(step, cell);
    return {wrong: texts.isRounded ? [] : [...wrongPair(cell.facts, texts)], isRounded: texts.isRounded};
  }
  if (cell.form === 'line') {
    const line = arithmeticOf(step, cell);
    return line.isRounded ? {wrong: [], isRounded: true} : {wrong: [...wrongLine(cell, line)], isRounded: false};
  }
  const {list, texts} = fittedTerms(cell, {shown: null, width, beside: () => 100, least: valueDigits(step)});
  const {isRounded} = texts;
  if (isRounded || cell.facts.isBlocked) return {wrong: [], isRounded};
  return {wrong: [...(cell.form === 'sum' ? wrongSum(texts) : wrongShares(texts, list))], isRounded};
}
