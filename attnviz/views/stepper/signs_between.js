// What stands between two matrices: the operator, an arrow, a small picture of what is added; and the hatching.

import {svg} from '../kit/dom.js';
import {colourOf, css} from '../kit/colour.js';
import {fmt} from '../kit/number.js';
import {widthOf} from '../kit/words.js';
import {curveName} from './names.js';

/** The pattern of cells that hold no number: −∞, not computed, not shown. */
export function hatch() {
  const pattern = {id: 'hatch', width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)'};
  const line = {x1: 0, x2: 0, y1: 0, y2: 5, stroke: 'var(--line-2)', 'stroke-width': 1.6};
  return svg(
    'defs',
    {},
    svg('pattern', pattern, svg('rect', {width: 5, height: 5, fill: 'var(--sunken)'}), svg('line', line)),
  );
}

/** The operator of a step as it is written: "÷ 5.66", "+ M", "softmax", "+", "=". */
function operatorText(step, sign) {
  const isDrawn = step.rule === 'mask' && step.result.columns.kind !== 'token' && !sign.aside?.length; // a matrix like the others
  if (OPERATORS[step.rule] && sign.isLast && !isDrawn) return OPERATORS[step.rule](step);
  if (DOWN.has(step.rule)) return '↓';
  if (step.rule === 'times' && !sign.isLast) return '×';
  return sign.isLast && step.operands.length > 1 ? '=' : '+';
}

const DOWN = new Set(['norm row', 'rms row', 'rotate']);

const OPERATORS = {
  scale: ({factors}) => Object.values(factors).map(factorText).join(' '),
  mask: ({operands}) => `+ ${operands.at(-1).name}`,
  cap: ({facts}) => `${fmt(facts.cap, 0)} · tanh`,
  'softmax row': () => 'softmax',
  activation: ({facts}) => curveName(facts.curve),
};

/** × 0.18 is how the code says it; a reader divides by √d. */
function factorText(factor) {
  if (factor === 1) return '× 1';
  return factor > 0 && factor < 1 ? `÷ ${fmt(1 / factor, 2)}` : `× ${fmt(factor, 2)}`;
}

export function drawOperator(sign, step, {k, theme}) {
  const {x, y, width, isLast, isSmall} = sign;
  const group = svg('g', {class: 'sign'});
  const operator = operatorText(step, sign);
  const fits = isSmall ? 17 * k : Math.min(17 * k, Math.max(9 * k, (width - 6 * k) / widthOf(operator)));
  const at = {x, y: isSmall ? y : y - 10 * k, 'text-anchor': 'middle', 'font-size': fits};
  const text = svg('text', {...at, class: isSmall ? 'op quiet' : 'op'}, operator);
  group.append(text);
  if (isSmall) return group;
  if (isLast) {
    const half = Math.min(22 * k, width * 0.3);
    const path = `M${x - half} ${y + 8 * k}H${x + half}m${-6 * k} ${-5 * k}l${6 * k} ${5 * k}l${-6 * k} ${5 * k}`;
    group.append(svg('path', {d: path, class: 'arrow'}));
  }
  for (const operand of sign.aside)
    group.append(...picture(step.operands[operand], {x, y: y + 26 * k, side: Math.min(60 * k, width * 0.6), theme}));
  return group;
}

/** A matrix that needs no numbers of its own, such as a mask, as a picture. */
function picture(matrix, {x, y, side, theme}) {
  const [rows, columns] = [matrix.rows.count, matrix.columns.count];
  const cell = Math.min(side / columns, side / rows);
  const left = x - (columns * cell) / 2;
  const frame = {
    x: left - 1,
    y: y - 1,
    width: columns * cell + 1.5,
    height: rows * cell + 1.5,
    fill: 'none',
    stroke: 'var(--line-2)',
  };
  const inner = Math.max(0.5, cell - 0.5);
  const cells = matrix.rows.places.flatMap((row, i) =>
    matrix.columns.places.map((column, j) => {
      const fill = colourOf(matrix.kind, matrix.at(row, column), matrix.max, theme);
      const place = {x: left + j * cell, y: y + i * cell, width: inner, height: inner};
      return svg('rect', {...place, fill: fill ? css(fill) : 'var(--line-2)'});
    }),
  );
  return [svg('rect', frame), ...cells];
}
