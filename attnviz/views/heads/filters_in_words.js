// What is done to the numbers on screen, in words: always said, never only seen. Plain text.

import {pct} from '../kit/number.js';
import {groupName} from '../kit/token.js';
import {fillText, named} from '../kit/words.js';
import {groupsOf} from './filter_settings.js';

/**
 * Sentences for the head line: `numbers` from the lens, `settings` and `tokens` as it used them, `asked` as the person
 * chose them.
 */
export function saidFilters(numbers, isOverlaid, {settings, tokens}, asked, say) {
  const list = (names) => names.join(say('view-kit-list-separator'));
  const said = [];
  if (numbers?.heads) {
    said.push(fillText(say(`view-heads-said-${wayOf(numbers, isOverlaid, settings)}`), {heads: list(numbers.heads)}));
  }
  const hidden = tokens.keys.filter((token) => (settings.special && token.special) || (settings.sinks && token.sink));
  if (hidden.length) {
    const names = list(hidden.map(named));
    const share = numbers?.isExact && !settings.to ? numbers.removedOnAverage : null; // else it is that of the group too
    const id = share === null ? 'hidden' : settings.rescaled ? 'hidden-rescaled' : 'hidden-share';
    said.push(fillText(say(`view-heads-said-${id}`), {tokens: names, percent: pct(share ?? 0)}));
  } else if (settings.rescaled) said.push(say('view-heads-said-nothing-hidden'));
  if (settings.from || settings.to) said.push(saidBetween(numbers, settings, tokens, say));
  if (settings.words) said.push(say('view-heads-said-words'));
  if (settings.threshold) said.push(fillText(say('view-heads-said-below'), {percent: pct(settings.threshold)}));
  const isRefused = asked.rescaled !== settings.rescaled || asked.words !== settings.words;
  if (isRefused) said.push(say('view-heads-said-too-long'));
  return said;
}

/** Which part of the head is shown, and how much of its rows lies outside. */
function saidBetween(numbers, {from, to}, tokens, say) {
  const name = (side, at) => (at ? groupName(groupsOf(tokens[side])[at - 1] ?? '', say) : say('view-heads-filter-every'));
  const share = numbers?.isExact && to ? numbers.removedOnAverage : null;
  const names = {from: name('queries', from), to: name('keys', to), percent: pct(share ?? 0)};
  return fillText(say(share === null ? 'view-heads-said-between' : 'view-heads-said-between-share'), names);
}

/** How several heads were brought together; rows of the largest weights that were rescaled do sum to 100%. */
function wayOf({together, removedOnAverage, isExact}, isOverlaid, {rescaled}) {
  if (together === 'overlay') return isOverlaid ? 'overlay' : 'overlay-mean';
  const isRescaled = rescaled && isExact && (removedOnAverage ?? null) !== null;
  return together === 'max' && isRescaled ? 'max-rescaled' : together;
}

/** What of one row lies on hidden tokens; null where nothing is hidden. */
export function saidOfRow(numbers, query, say) {
  if (!numbers.removed || !numbers.isExact) return null;
  return fillText(say('view-heads-said-row'), {percent: pct(numbers.removed(query))});
}

/** Whether a row has nothing outside the hidden tokens. */
export const isAllHidden = (numbers, query) => Boolean(numbers.removed) && numbers.removed(query) > 1 - 1e-6;

/** Whether all that could be drawn lies below the threshold; overlaid heads are drawn each by itself. */
export function isAllBelow(numbers, focus, nQueries, isOverlaid = false) {
  if (!numbers?.floor) return false;
  if (isOverlaid && numbers.layers) return numbers.layers.every((head) => isAllBelow(head, focus, nQueries));
  const largest = (query) => numbers.keys(query, 1)[0]?.weight ?? 0;
  const most = focus?.side === 'query' ? largest(focus.index)
    : focus?.side === 'key' ? (numbers.queries?.(focus.index, 1)[0]?.weight ?? 1)
    : Math.max(...Array.from({length: nQueries}, (_, query) => largest(query)));
  return most < numbers.floor;
}
