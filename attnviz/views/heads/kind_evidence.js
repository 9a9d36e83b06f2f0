// What stands behind a head's kind: its measure over many sentences, and what the text on screen says beside it. No DOM.

import {fillText} from '../kit/words.js';
import {fmt, pct} from '../kit/number.js';

const REPEATED = '_repeated'; // ends the name of a metric on random tokens; without it, of the same on any text

/** How much of its kind's pattern a head shows, as it is printed; '' where the kind has no measure here. */
function shareOf(measured, {metric}, index) {
  return Number.isNaN(measured.value(metric, index)) ? '' : measured.saidWithError(metric, index);
}

/** What the first token takes, where the kind is measured without it and it takes most; else ''. */
function restsOnFirst(measured, {metric}, index) {
  return metric.endsWith('_left') && measured.value('first', index) >= 0.5 ? measured.saidOf('first', index) : '';
}

/** In words: `many` over many sentences, null where the kind is the text's own; `one` of this text, null while it is on its way. */
export function evidence(many, one, index, say) {
  const tell = (id, values) => fillText(say(id), values);
  const kind = (many ?? one).kindOf(index);
  if (one && !many) return [shareOf(one, kind, index), evenly(one, kind, tell), tell('view-heads-rests-on', {n: one.rowsOf(index)})].filter(Boolean).join(' · ');
  const percent = shareOf(many, kind, index);
  const first = restsOnFirst(many, kind, index);
  const over = tell(first ? 'view-heads-kind-beside' : !percent ? 'view-heads-source-many' : kind.metric.endsWith(REPEATED) ? 'view-heads-kind-random' : 'view-heads-kind-over', {percent, first, n: many.n});
  return [over, evenly(many, kind, tell), one ? here(kind, one, index, tell) : ''].filter(Boolean).join(' · ');
}

/** The baseline of a kind that is a known answer; '' of any other. */
function evenly(measured, {metric}, tell) {
  const even = measured.metric(metric)?.even;
  return even === undefined ? '' : tell('view-heads-kind-even', {percent: pct(even)});
}

/** What this text says of the kind that many sentences gave; where it would be another one, why. */
function here(kind, one, index, tell) {
  const ownKind = one.kindOf(index);
  const values = {n: one.rowsOf(index), kind: ownKind.title};
  if (ownKind.name === 'short') return tell('view-heads-here-short', values);
  if (kind.metric.endsWith(REPEATED)) {
    const percent = shareOf(one, {metric: kind.metric.slice(0, -REPEATED.length)}, index);
    return tell(percent ? 'view-heads-here-repeated' : 'view-heads-here-no-repeat', {...values, percent});
  }
  const [shown, other] = [shareOf(one, kind, index), shareOf(one, ownKind, index)];
  if (ownKind.name === kind.name) return tell(shown ? 'view-heads-here' : 'view-heads-here-same', {...values, percent: shown});
  if (shown && one.value(kind.metric, index) >= kind.least) return tell('view-heads-here-short', values); // in too few rows
  if (other) return tell('view-heads-here-other', {...values, percent: other});
  return shown ? tell('view-heads-here-less', {...values, percent: below(one, kind, index) ?? shown}) : tell('view-heads-here-none', values);
}

/** A share that rounds to what its kind takes and is less, with a decimal: 49.6 % is not 50 %. */
function below(measured, {metric, least}, index) {
  const percent = 100 * measured.value(metric, index);
  return Math.round(percent) >= 100 * least ? `${fmt(percent, 1)}%` : null;
}
