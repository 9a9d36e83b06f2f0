// A rotated number in the strip: the angle of its pair, and the pair before and after as a product of matrices.

import {el} from '../kit/dom.js';
import {fillText} from '../kit/words.js';
import {cellOf} from './cell_arithmetic.js';
import {equals, valueDigits} from './cell_wording.js';
import {turnedTexts} from './digits.js';
import {roleClass} from './names.js';
import {angleText} from './pair_arrows.js';

/** The numbers of a rotated cell's pair as they are printed, and which of the two the cell is: 0 or 1. No DOM. */
export function rotatedTexts(step, cell) {
  const {facts, terms} = cell;
  const isSecond = facts.sign > 0;
  const [first, other] = terms.map(({left, at: [{row, column}]}) => ({left, row, column}));
  const partner = cellOf(step, other.row, other.column, facts.position).value;
  const ordered = (pair) => (isSecond ? pair.reverse() : pair);
  const numbers = {...facts, pair: ordered([first.left, other.left]), turned: ordered([cell.value, partner])};
  return {...turnedTexts(numbers, valueDigits(step)), at: isSecond ? 1 : 0};
}

/** A number after a sign, and turned round. */
const next = ({text}) => (text.startsWith('−') ? `(${text})` : text);
const negative = ({text, value}) => (value === 0 ? text : text.startsWith('−') ? text.slice(1) : `−${text}`);

const matrix = (kind, rows) => el('span', {class: `bracketed ${kind ?? ''}`}, ...rows.flat());
const number = (text) => el('span', {}, text);

/** {nodes, texts: {value, isRounded}} of a rotated cell. */
export function rotatedLine(step, cell, say) {
  const {position, pair} = cell.facts;
  const {angle, frequency, cos, sin, pair: [x, y], turned, size, isRounded, at} = rotatedTexts(step, cell);
  const equal = ` ${equals(isRounded)} `;
  const {theta, table, width} = step.facts;
  const law = theta && !table ? [`${position} × ${theta}`, el('sup', {}, `−${2 * pair}/${width}`), ' = '] : [];
  const line = el(
    'div',
    {class: 'angle'},
    el('span', {class: 'op'}, `${say('view-stepper-angle')} = `),
    ...law,
    `${position} × ${frequency.text}${equal}`,
    el('b', {}, angle.text),
    el('span', {class: 'op'}, ` ${fillText(say('view-stepper-radians'), {degrees: angleText(cell.facts.angle, say)})}`),
  );
  const [from, to] = [step.operands[0], step.result].map(roleClass);
  const picked = (texts) => texts.map((node, row) => el(row === at ? 'b' : 'span', {}, node));
  const sums = [
    [cos.text, x, '−', sin, y],
    [sin.text, x, '+', cos, y],
  ].map(([a, b, sign, c, d]) => `${a} × ${next(b)} ${sign} ${next(c)} × ${next(d)}`);
  const factor = size ? [el('span', {class: 'op'}, `${size.text} ×`)] : [];
  const product = el(
    'div',
    {class: 'turning'},
    ...factor,
    matrix('wide', [[cos.text, negative(sin)], [sin.text, cos.text]].map((row) => row.map(number))),
    matrix(from, [x.text, y.text].map(number)),
    el('span', {class: 'op'}, equals(isRounded)),
    matrix(to, picked(turned.map(({text}) => text))),
    el('span', {class: 'sums'}, ...picked(sums.map((text, row) => (size ? `${size.text} × (${text})` : text) + equal + turned[row].text))),
  );
  return {nodes: [el('div', {class: 'rotated'}, line, product)], texts: {value: turned[at].text, isRounded}};
}
