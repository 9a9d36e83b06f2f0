// The line of arithmetic of one cell, drawn; under an activation its curve with the cell's place on it.

import {el, svg} from '../kit/dom.js';
import {arithmeticOf, curveName} from './arithmetic.js';
import {CURVES} from './cell_arithmetic.js';
import {cut, nameNodes, roleClass} from './subscripts.js';
import {digitsWidth} from './terms.js';
import {equals} from './wording.js';

const TYPE = 19; // px of a line's type, at k = 1
const GAP = 10; // px between its parts
const PLACE = 20; // characters of a token

const placeOf = (names) => `[${names.join(', ')}]`;
const DRAWN = {
  number: ({text, matrix}) => el('span', {class: roleClass(matrix)}, text),
  sign: ({text}) => el('span', {class: 'op'}, text),
  symbol: ({text}) => el('span', {class: 'symbol'}, ...nameNodes(text)),
  function: ({text}) => el('span', {class: 'fn'}, text),
  matrix: ({text, matrix}) => el('span', {class: roleClass(matrix)}, ...nameNodes(text)),
  place: ({text}) => el('bdi', {class: 'op', title: placeOf(text)}, placeOf(text.map((name) => cut(name, PLACE)))),
};

/** The line of one cell, in `width` px at k = 1: {nodes, texts: {value, isRounded}}. */
export function lineOf(step, cell, {k, width}) {
  const {pieces, result, input, isRounded = false} = arithmeticOf(step, cell);
  const drawn = pieces.map((piece) => DRAWN[piece.kind](piece));
  const equal = pieces.length ? [DRAWN.sign({text: equals(isRounded)})] : [];
  const nodes = [...drawn, ...equal, el('b', {}, result.text)];
  const line = el('div', {class: 'line'}, ...nodes);
  const needed = nodes.reduce((all, {textContent}) => all + digitsWidth(textContent, TYPE) + GAP, 0);
  if (needed > width) line.style.fontSize = `${Math.max(0.6, width / needed) * TYPE * k}px`;
  const texts = {value: result.text, isRounded};
  if (cell.sign !== 'activation') return {nodes: [line], texts};
  return {nodes: [el('div', {class: 'line wide'}, line, curve(cell, {input, result}))], texts};
}

/** The curve of the activation with the cell's place on it. */
function curve(cell, {input, result}) {
  const {curve: name} = cell.facts;
  const f = CURVES[name];
  const [width, height] = [150, 84];
  const x = (v) => ((Math.max(-4, Math.min(4, v)) + 4) / 8) * width;
  const y = (v) => height - 8 - ((Math.max(-1, Math.min(4, v)) + 1) / 5) * (height - 16);
  const points = Array.from({length: 81}, (_, n) => -4 + n / 10).map((v) => `${x(v).toFixed(1)} ${y(f(v)).toFixed(1)}`);
  const at = cell.terms[0].left;
  return svg(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      class: 'curve',
      role: 'img',
      'aria-label': `${curveName(name)}(${input.text}) = ${result.text}`,
    },
    svg('path', {d: `M0 ${y(0)}H${width}M${x(0)} 0V${height}`, class: 'axis'}),
    svg('path', {d: `M${points.join('L')}`, class: 'trace'}),
    svg('circle', {cx: x(at), cy: y(cell.value), r: 4, class: 'dot'}),
  );
}
