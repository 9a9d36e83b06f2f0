// What the heads view needs from the server for what is picked, and is not here yet.

import {exactHeads, exactKey, headFeatures} from '../kit/pool.js';
import {optionsOf} from './overview_options.js';
import {headsOf} from './several.js';

const LONG = 64; // tokens beyond which the vectors of one row come at a time, not of all

/** [{path, body}] for a selection in the picture of this header. */
export function requestsFor(selection, header) {
  const {layer, head, token, window} = selection;
  const wanted = headsOf(selection)
    .filter(([layer, head]) => !exactHeads.get(exactKey(header.revision, layer, head)))
    .map(([layer, head]) => ({path: 'heads/exact', body: {layer, head}}));
  if (window) wanted.push({path: 'heads/window', body: {layer, head, rows: window.slice(0, 2), columns: window.slice(2)}});
  if (selection.view === 'neurons' && lacksVectors(selection, header)) wanted.push({path: 'heads/neurons', body: {layer, head, token}});
  return wanted;
}

function lacksVectors({layer, head, token}, {revision, tokens}) {
  const found = headFeatures.get(exactKey(revision, layer, head));
  const isLong = (tokens.target ?? tokens.source).length > LONG;
  return !found || (isLong && token !== null && !found.why && (token < found.first || token >= found.first + found.rows));
}

/** The measurements of all heads that the overview shows: of this text, and over many sentences. */
export function measurementsFor({overview}) {
  const isOverMany = optionsOf(overview).source === 'many';
  return [
    {path: 'heads/kinds', body: {source: 'sentence'}},
    {path: 'heads/kinds', body: {source: 'many', starts: isOverMany}},
  ];
}
