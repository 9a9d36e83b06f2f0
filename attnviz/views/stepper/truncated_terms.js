// What of a row or a column is not drawn: one cell at its end, hatched, with its number where it has one.

import {svg} from '../kit/dom.js';
import {fmt, precise} from '../kit/number.js';
import {fillText} from '../kit/words.js';
import {cellOf} from './cell_arithmetic.js';

/**
 * What the columns of a row that are not drawn hold together: {count, share}; null where a step has no such number.
 * `drawn` are the columns that are, null where all of them are.
 */
export function restOf(step, row, drawn) {
  if (step.rule !== 'softmax row' || !drawn) return null;
  const {terms, rest, facts} = cellOf(step, row, step.result.columns.start);
  const others = terms.filter(({axis, index}) => axis && !drawn.includes(index));
  const product = others.reduce((all, term) => all + term.product, rest?.product ?? 0);
  return {count: others.length + (rest?.count ?? 0), share: facts.total > 0 ? product / facts.total : 0};
}

/** The same in words: "31 not drawn: 0.18"; nothing where there is none. */
export function restText(step, row, drawn, say) {
  const rest = restOf(step, row, drawn);
  return rest ? fillText(say('view-stepper-rest-share'), {n: rest.count, value: precise(rest.share)}) : '';
}

/**
 * The cells of a block for what is hidden. `shareOf(row)` is the number of a row, null where rows have none;
 * `font` is the size in which numbers stand in cells, null where they do not.
 */
export function restCells({rows, columns, x, y, cw, ch}, {font, shareOf, isBelow = true}) {
  const [down, across] = [rows.list.length, columns.list.length];
  const cell = (r, c, text) => {
    const place = {x: x + c * cw + 0.5, y: y + r * ch + 0.5, width: Math.max(0.5, cw - 1), height: Math.max(0.5, ch - 1)};
    const node = svg('g', {class: 'cell rest'}, svg('rect', {...place, rx: 1.5, fill: 'url(#hatch)'}));
    if (font) {
      const at = {x: x + (c + 0.5) * cw, y: y + (r + 0.5) * ch + 0.5, 'font-size': font, fill: 'var(--ink-2)'};
      node.append(svg('text', {class: 'num', ...at}, text));
    }
    return node;
  };
  const own = (row) => (shareOf ? fmt(shareOf(row), 2) : '…');
  return [
    ...(columns.hidden ? rows.list.map((row, r) => cell(r, across, own(row))) : []),
    ...(rows.hidden && isBelow ? columns.list.map((_, c) => cell(down, c, '…')) : []),
  ];
}
