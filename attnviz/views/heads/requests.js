// What the heads view needs from the server for what is picked, and is not here yet; and where each answer is kept.

import {exactHeads, exactKey, headFeatures} from '../kit/recent.js';
import {optionsOf} from './overview_options.js';
import {SUPPORT, keepExcited, keepLook, lookRequests, silencingOf} from './look_answers.js';
import {ownSentences, replacedSentences} from './own_sentences.js';
import {keepKinds, kindsOf} from './measured_heads.js';
import {keepPart} from './preview_and_parts.js';
import {exactNumbers} from './head_weights.js';
import {featuresOf} from './vectors.js';
import {requestsOfAll} from './every_head.js';
import {settingsOf} from './filter_settings.js';
import {headsOf} from './several_heads.js';

const LONG = 64; // tokens beyond which the vectors of one row come at a time, not of all

/** [{path, body}] for a selection in the picture of this header. */
export function requestsFor(selection, header) {
  const {layer, head, token, window} = selection;
  const wanted = headsOf(selection)
    .filter(([layer, head]) => !exactHeads.get(exactKey(header.revision, layer, head)))
    .map(([layer, head]) => ({path: 'heads/exact', body: {layer, head}}));
  if (window) wanted.push({path: 'heads/window', body: {layer, head, rows: window.slice(0, 2), columns: window.slice(2)}});
  if (selection.view === 'neurons' && lacksVectors(selection, header)) wanted.push({path: 'heads/neurons', body: {layer, head, token}});
  return [...wanted, ...requestsOfAll(selection, header), ...lookRequests(selection, header, excitingSource(selection, header))];
}

/** On which sentences heads are measured, of which some excite a head; null while that goes on. */
function excitingSource({overview}, {revision}) {
  const source = optionsOf(overview).source === 'own' && ownSentences() ? 'own' : 'many';
  return kindsOf(revision)[source]?.counts ? source : null;
}

function lacksVectors({layer, head, token}, {revision, tokens}) {
  const features = headFeatures.get(exactKey(revision, layer, head));
  const isLong = (tokens.target ?? tokens.source).length > LONG;
  return !features || (isLong && token !== null && !features.why && (token < features.first || token >= features.first + features.rows));
}

/** The measurements of all heads: of this text, over many sentences, over one's own, and what silencing each one does. */
export function measurementsFor({overview, beside, filter, stops, supports}) {
  const {source, silenced} = optionsOf(overview);
  const silences = silenced ?? stops;
  const [typed, replaced] = [ownSentences(), replacedSentences()];
  const isOverMany = source === 'many' || (beside === 'sentences' && source !== 'own');
  return [
    {path: 'heads/kinds', body: {source: 'sentence'}},
    ...(settingsOf(filter).sinks ? [{path: 'heads/kinds', body: {source: 'sentence', without_sinks: true}}] : []),
    {path: 'heads/kinds', body: {source: 'many', starts: isOverMany, ...(replaced && {replaced})}},
    ...(source === 'own' && typed ? [{path: 'heads/kinds', body: {source: 'own', typed, starts: true}}] : []),
    ...(supports ? [{path: 'heads/look', body: {...SUPPORT, starts: true}}] : []),
    ...(silences ? [{path: 'heads/look', body: {...silencingOf(silences), starts: Boolean(silenced), stops: !silenced}}] : []),
  ];
}

/** Exact numbers of one head. */
function keepExact({revision, layer, head, arrays}) {
  const [queries, keys] = arrays.head?.shape ?? arrays.top_keys?.shape ?? [];
  const numbers = exactNumbers(arrays, queries, keys);
  if (numbers) exactHeads.put(exactKey(revision, layer, head), numbers);
}

/** Queries and keys of one head. */
function keepFeatures({revision, layer, head, arrays, ...facts}) {
  headFeatures.put(exactKey(revision, layer, head), featuresOf({...facts, layer, head}, arrays));
}

/** By what an answer says of itself: each is kept, and the view is told. */
export const keeps = {exact: keepExact, window: keepPart, neurons: keepFeatures, kinds: keepKinds, look: keepLook, excited: keepExcited};
