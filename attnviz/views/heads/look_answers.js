// What stands beside a head instead of all heads, and what the server said of it, by what was asked. No DOM.

import {Pool} from '../kit/recent.js';
import {ownSentences} from './own_sentences.js';

const LONG = 64; // tokens above which a map is of those around a row
const answers = new Pool(64);
/** @param {any} asked */
const keyOf = ({look, layer, head, token, key, how, word}) => `${look}/${layer}.${head}/${token}/${key}/${how}/${word ?? ''}`;
const excitedKey = ({layer, head, source, typed}) => `excited/${layer}.${head}/${source}/${typed}`;

/** Keep an answer; `detail` is what the host hands over. */
export const keepLook = (detail) => answers.put(`${detail.revision}/${keyOf(detail.asked)}`, detail);

/** Sentences that excite a head; none come while its heads are measured. */
export function keepExcited(detail) {
  if (detail.each.length) answers.put(`${detail.revision}/${excitedKey(detail.asked)}`, detail);
}

export const lookOf = (revision, asked) => answers.get(`${revision}/${keyOf(asked)}`) ?? null;
export const excitedOf = (revision, asked) => answers.get(`${revision}/${excitedKey(asked)}`) ?? null;

/** What stands beside the head and how the head is changed there, of "effect-mean" or the like. */
export function besideIn({beside}) {
  const [look, how = 'silence'] = (beside ?? '').split('-');
  return {look, how};
}

/** What a look is asked for what is picked. */
export function askedFor({beside, layer, head, token, key}, {tokens}) {
  const {look, how} = besideIn({beside});
  const isLong = (tokens.target ?? tokens.source).length > LONG;
  if (look === 'rollout' || look === 'lens') return {look, layer: 0, head: 0, token: isLong ? token : null, key: null, how};
  const [, word] = /^word(\d)$/.exec(how) ?? [];
  return word ? {look, layer, head, token, key: null, how: 'silence', word: Number(word)} : {look, layer, head, token, key, how};
}

/** Silencing every head: it is of the prediction that was looked at when it began. */
export const silencingOf = ({token}) => ({look: 'silencing', layer: 0, head: 0, token, key: null, how: 'silence'});

/** What supports the kind of each head: one paragraph a head. */
export const SUPPORT = {look: 'support', layer: 0, head: 0, token: null, key: null, how: 'silence'};

/** Which sentences excite a head: of the person's own list where that is measured. */
export const excitedFor = ({layer, head}, source) => ({layer, head, source, typed: source === 'own' ? ownSentences() : ''});

/** [{path, body}] of what the open look lacks. `source`: on which sentences heads are measured; null while they are not. */
export function lookRequests(selection, header, source) {
  const asked = askedFor(selection, header);
  const {look} = asked;
  const isPressed = look !== 'effect' || selection.pressed === keyOf(asked);
  if (['why', 'rollout', 'lens', 'effect'].includes(look) && isPressed && !lookOf(header.revision, asked)) return [{path: 'heads/look', body: asked}];
  if (look !== 'sentences' || !source) return [];
  const excited = excitedFor(selection, source);
  return excitedOf(header.revision, excited) ? [] : [{path: 'heads/excited', body: excited}];
}

/** The value of `selection.pressed` once the effect of the selection has been requested. */
export const pressedFor = (selection, header) => keyOf(askedFor(selection, header));
