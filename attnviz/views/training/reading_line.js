// The reading line: one cell now and at the first checkpoint, and whether the known answer lies there. Never empty.

import {across, mark} from '../kit/chart.js';
import {el, setAttributes, svg} from '../kit/dom.js';
import {pct} from '../kit/number.js';
import {fill} from '../kit/words.js';
import {tokenInText} from '../kit/token.js';
import {isExpected, topKey} from './runs.js';
import {pathThrough, stepAxis} from '../kit/axis.js';

const CUT = 20; // characters of a token before it is cut

/** Say what the cell {query, key} of a head does at checkpoint c. */
export function read(line, run, c, {layer, head}, {query, key}, answer, say) {
  const at = (moment) => pct(run.weight(moment, layer, head, query, key));
  const values = {
    step: el('b', {}, String(run.checkpoints[c])),
    query: tokenInText(run.queries[query], CUT),
    key: tokenInText(run.keys[key], CUT),
    percent: el('b', {}, at(c)),
  };
  const first = {step: String(run.checkpoints[0]), percent: at(0)};
  const more = [fill(document, say('view-training-reading-first'), first)];
  const top = topKey(run, c, layer, head, query);
  const most = () => ({key: plain(run.keys[top]), percent: pct(run.weight(c, layer, head, query, top))});
  if (isExpected(run, answer, query, key)) more.push(' · ', say('view-training-reading-answer'));
  else if (top !== key) more.push(' · ', fill(document, say('view-training-reading-most'), most()));
  line.replaceChildren(
    el('span', {class: 'said'}, fill(document, say('view-training-reading-looks'), values)),
    ' ',
    el('span', {class: 'baseline'}, ...more),
  );
}

/** A token that is not what the sentence is about. */
function plain(token) {
  const node = tokenInText(token, CUT);
  node.className = 'plain';
  return node;
}

/** The weight of one cell over all checkpoints, as wide as the steps axis bends. */
export function drawTrail(sheet, run, c, {layer, head}, {query, key}, isLog, {width, height, k}) {
  const left = 41 * k;
  const x = stepAxis(run.planned, left + 4 * k, width - 5 * k, isLog);
  const y = (share) => height - 5 * k - share * (height - 10 * k);
  const share = (moment) => run.weight(moment, layer, head, query, key);
  const d = pathThrough(run.checkpoints.map((step, i) => [step, share(i)]), x, y);
  const now = `translate(${x(run.checkpoints[c])} ${y(share(c))})`;
  setAttributes(sheet, {viewBox: `0 0 ${width} ${height}`, width, height});
  sheet.replaceChildren(...across([0, 1], y, {left, end: width}, pct, k), svg('path', {class: 'line cell', d}), mark(0, 3.5 * k, {class: 'dot cell', transform: now}));
}
