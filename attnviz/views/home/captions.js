// What each scene of the story says: a title and a sentence with the run's own numbers, and the names in its ledger.

import {el} from '../kit/dom.js';
import {MINUS, pct} from '../kit/number.js';
import {quoted} from '../kit/token.js';
import {fill, fillText, headInWords, short, visible} from '../kit/words.js';

/** A share with a decimal: these are compared. */
export const percent = (share) => (share > 0 && share < 0.0005 ? '<0.1%' : `${(100 * share).toFixed(1)}%`);
/** A part of a sum with its sign. */
export const signed = (x, digits = 2) => (Number(x.toFixed(digits)) === 0 ? (0).toFixed(digits) : (x < 0 ? MINUS : '+') + Math.abs(x).toFixed(digits));
const headOf = ([layer, head]) => `${layer + 1}.${head + 1}`;
const bold = (text) => el('b', quoted(text), el('bdi', {}, text));
const word = (text) => bold(short(visible(text)));
/** What stands between two sentences. */
const gap = ({lang}) => (lang.startsWith('zh') ? '' : ' ');

const isPlace = (place, {layer, head}) => place?.[0] === layer && place[1] === head;

/**
 * The rows of the ledger: parts of a lead, or what silencing each of some heads changed; none before they are known.
 * @returns {{name: string, value: number, said: string, isOwn: boolean}[]}
 */
export function ledgerOf({story, say, selection}) {
  const {added, effects, measure, start} = story?.header ?? {};
  if (added) {
    const name = ({kind, n, place}) => fillText(say(`view-home-part-${kind}`), {n, head: place ? headOf(place) : ''});
    return added.map((part) => ({name: name(part), value: part.value, said: signed(part.value), isOwn: isPlace(part.place, selection)}));
  }
  if (!effects) return [];
  const nameOf = ({place}) => fillText(say('view-home-part-head'), {head: headOf(place)});
  const turned = (after) => ({value: 1 - after, said: (1 - after).toFixed(4)});
  const moved = (after) => ({value: after - start, said: percent(after)});
  const bars = effects.map((one, at) => ({name: nameOf(one), isOwn: !at, ...(measure === 'cosine' ? turned : moved)(one.after)}));
  return bars.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
}

/** Whether the head of the story brings the word from before: it was chosen for that among all, of a text that is shown whole. */
const looksBack = ({header, story}) => story?.header.moved > 0 && story.header.key < story.header.selection.token && !header.before;

export function titleOf(view, step) {
  const {say, header, toldOf} = view;
  if (step === 'word') return say(header.is_next ? 'view-home-word-title' : 'view-home-blank-title');
  if (step === 'arcs') return say(looksBack(view) ? 'view-home-back-title' : 'view-home-arcs-title');
  if (step === 'score') return toldOf ? fillText(say('view-home-score-title'), {percent: pct(toldOf.header.score.weight)}) : say('view-home-name-score');
  if (step === 'adds') return fillText(say('view-home-adds-title'), {word: visible(header.candidates[0].text)});
  return say(step === 'row' ? 'view-home-row-title' : 'view-home-off-title');
}

/** The sentence of a scene as nodes. */
export function captionOf(view, step) {
  const {say, header, story, toldOf, row, key} = view;
  const said = (id, values = {}) => fill(document, say(id), values);
  const token = (at) => word(header.tokens[at].text);
  const waits = () => said(story?.header.reason ? 'view-home-reason' : 'view-home-computing', {reason: story?.header.reason ?? ''});
  const {layer, head} = view.selection;
  const place = {layer: layer + 1, head: head + 1};
  if (step === 'word') {
    const [first, second] = header.candidates;
    const numbers = {model: header.model, first: word(first.text), percent: bold(percent(first.share)), second: word(second?.text ?? ''), less: percent(second?.share ?? 0)};
    const rest = header.before ? [gap(header), fillText(say('view-home-before'), {n: header.before})] : [];
    return joined(said(header.is_trained ? 'view-home-word' : 'view-home-word-untrained', numbers), ...rest);
  }
  if (step === 'arcs') {
    if (!view.hasArcs) return said('view-home-computing');
    const weight = {query: token(row), key: token(key), percent: bold(pct(view.weight(row, key))), ...place};
    if (view.isTold()) {
      if (!looksBack(view)) return said(header.is_next ? 'view-home-arcs' : 'view-home-arcs-blank', weight);
      if (story.header.is_same_place) return said('view-home-back-place', {...weight, from: token(key), ...leadOf(view)});
      return said('view-home-back', {...weight, n: header.heads});
    }
    const ends = [header.is_trained ? '' : say('view-home-untrained'), header.writes ? fillText(say('view-home-writes'), {text: short(header.writes, 80)}) : '', header.after ? fillText(say('view-home-hidden'), {n: header.after}) : ''];
    return joined(said('view-home-reading', {...weight, ...rest(view, token)}), ...ends.filter(Boolean).flatMap((end) => [gap(header), end]));
  }
  if (step === 'row') return view.hasArcs ? said('view-home-row', {query: token(row), ...place}) : said('view-home-computing');
  if (step === 'score') return toldOf ? said('view-home-score', {query: token(row), key: token(key)}) : said('view-home-computing');
  if (step === 'adds') {
    if (!story?.header.added) return waits();
    const part = story.header.added.find(({place}) => isPlace(place, view.selection));
    return said('view-home-adds', {...leadOf(view), part: bold(signed(part.value)), key: token(story.header.key), named_head: headInWords(say, [layer, head])});
  }
  if (story?.header.without) return without(view, said);
  if (!toldOf?.header.effects) return waits();
  const {effects, measure, watched, start} = toldOf.header;
  const others = effects.slice(1).map(({after}) => after);
  if (measure === 'cosine') return said('view-home-off-cosine', {named_head: headInWords(say, [layer, head]), after: bold(effects[0].after.toFixed(4)), n: others.length, low: Math.min(...others).toFixed(4), high: Math.max(...others).toFixed(4)});
  return said('view-home-off-probability', {named_head: headInWords(say, [layer, head]), word: word(watched), after: bold(percent(effects[0].after)), before: percent(start), n: others.length, low: percent(Math.min(...others)), high: percent(Math.max(...others))});
}

/** The lead of the likeliest word over the next, and what the head moved into it from where it looks. */
function leadOf({header, story}) {
  const [first, second] = header.candidates;
  const {lead, moved} = story.header;
  return {word: word(first.text), other: word(second.text), lead: lead.toFixed(2), moved: signed(moved)};
}

/** What the run without some heads predicts, and what the next press does. */
function without(view, said) {
  const {runs, run, header, say} = view;
  const [first] = header.candidates;
  const before = percent(first.share);
  if (!run) return said('view-home-off-all', {word: word(first.text), percent: bold(before)});
  const {heads, text, share, is_other} = runs[run - 1];
  const after = view.shareIn(run, 0);
  const numbers = {heads: namesOf(heads), word: word(first.text), after: bold(percent(after)), before, other: word(text), percent: bold(percent(share))};
  const id = is_other ? 'view-home-off-changes' : after < first.share ? 'view-home-off-falls' : 'view-home-off-rises';
  const end = goesOn(view);
  return joined(said(id, numbers), gap(header), say('view-home-off-ran'), end && gap(header), end);
}

/** Whether another word comes with more heads off, and which press silences the next. */
function goesOn({runs, run, say, optionOf}) {
  const {heads, is_other} = runs[run - 1];
  const last = runs[runs.length - 1];
  if (is_other || run === runs.length) return is_other ? '' : say('view-home-off-still');
  const button = optionOf(run);
  return fillText(say(last.is_other ? 'view-home-off-soon' : 'view-home-off-next'), {heads: namesOf(last.heads.slice(heads.length)), button});
}

const namesOf = (heads) => heads.map(headOf).join(' + ');

/** What a row looks at next after the most, and the word that it looks at most, averaged over the rows of the picture. */
function rest(view, token) {
  const at = Array.from(view.header.tokens.keys());
  const other = at.filter((one) => one !== view.key).sort((a, b) => view.weight(view.row, b) - view.weight(view.row, a))[0] ?? view.key;
  const mean = at.reduce((sum, query) => sum + view.weight(query, view.key), 0) / at.length;
  return {other: token(other), less: pct(view.weight(view.row, other)), again: token(view.key), all: pct(mean)};
}

function joined(...nodes) {
  const fragment = document.createDocumentFragment();
  fragment.append(...nodes);
  return fragment;
}
