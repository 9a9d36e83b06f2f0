// What the server says of every head at once, as metrics beside those that are measured: the weight at the picked cell, what each
// head moves from there into the likeliest word of the row, what it adds to that in all, and, where that was measured, what
// silencing each does. No DOM.

import {fillText, named} from '../kit/words.js';
import {goesOn} from './first_pick.js';
import {WHOLE_HEAD} from './head_store.js';
import {lookOf, silencingOf} from './look_answers.js';
import {OF_CELL, optionsOf} from './overview_options.js';

const OF_ALL = {layer: 0, head: 0, key: null, how: 'silence'};
const UNITS = {cell: 'share', moved: 'logits', adds: 'logits', silencing: 'points'};

/** Whether a row says a word that is ahead of another. */
export const isPredicted = (predicted, row) => row !== null && predicted?.rows[row]?.length > 1;

/** What each is asked for with what is picked; null where there is nothing to ask. */
const ASKS = {
  cell: ({token, key}) => (token === null || key === null ? null : {...OF_ALL, look: 'cell', token, key}),
  moved({token, key}, {predicted}) {
    return token === null || key === null || !isPredicted(predicted, token) ? null : {...OF_ALL, look: 'moved', token, key};
  },
  adds({token}, {predicted}) {
    const row = token ?? predicted?.first ?? null;
    return isPredicted(predicted, row) ? {...OF_ALL, look: 'adds', token: row} : null;
  },
  silencing({overview}) {
    const {silenced} = optionsOf(overview);
    return silenced && silencingOf(silenced);
  },
};

/** Whether all heads are coloured or sorted by one of them. */
export function isByOne(name, overview) {
  const {sort, overlay} = optionsOf(overview);
  return name === sort || name === overlay;
}

/** Whether heads are by what they add to the next word where nobody chose: not of a long text, which takes seconds. */
const isAddsFirst = (header) => goesOn(header) && header.tokens.source.length <= WHOLE_HEAD;

/** Whether all heads are, or would be, coloured by it. */
function isAsked(name, {overview}, header) {
  const {sort, overlay} = optionsOf(overview);
  if (OF_CELL.includes(name)) return OF_CELL.some((one) => isByOne(one, overview));
  return isByOne(name, overview) || (name === 'adds' && !sort && !overlay && isAddsFirst(header));
}

/** What is said of the row that is looked at, of what each head adds to its word; null while that is not here. */
export function addsOf(picked, header) {
  const asked = ASKS.adds(picked, header);
  return asked && lookOf(header.revision, asked);
}

/** [{path, body}] of those by which all heads are coloured or sorted, and which are not here. */
export function requestsOfAll(picked, header) {
  const asked = [...OF_CELL, 'adds'].filter((name) => isAsked(name, picked, header)).map((name) => ASKS[name](picked, header));
  return asked.filter((one) => one && !lookOf(header.revision, one)).map((body) => ({path: 'heads/look', body}));
}

/**
 * They as metrics of all heads, [{metric, values, of, isFirst}]; without a number, and with `why`, where there is none. One that is first
 * is taken where nobody chose. `before` are the last
 * ones: they stand until there is another answer.
 */
export function metricsOfAll(picked, data, say, before) {
  const {header, queries, keys} = data;
  const title = (name, asked) => {
    if (!asked || name === 'silencing') return say(name === 'silencing' ? 'view-heads-effect-metric' : `view-heads-all-${name}-none`);
    const words = {query: named(queries[asked.token]), key: asked.key === null ? '' : named(keys[asked.key]), word: header.predicted?.rows[asked.token]?.[0]?.[0].trim() ?? ''};
    return fillText(say(`view-heads-all-${name}`), words);
  };
  const made = (name) => {
    const asked = ASKS[name](picked, header);
    const answer = asked && lookOf(header.revision, asked);
    if (name === 'silencing' ? !answer?.blocks.length : ['adds', 'moved'].includes(name) && !header.predicted) return [];
    const last = before.find(({metric, revision}) => metric.name === name && revision === header.revision);
    if (asked && !answer && last?.isHere) return [last];
    const drawn = answer?.blocks.find(({kind}) => kind === 'maps')?.maps[0];
    const why = !asked ? title(name, asked) : answer && !drawn ? answer.blocks[0].text : undefined;
    const said = OF_CELL.includes(name) ? answer?.blocks.find(({kind}) => kind === 'prose')?.text : '';
    const metric = {name, title: title(name, asked), says: drawn?.title ?? '', note: said ?? '', isFor: name === 'moved', unit: UNITS[name], formula: '', source: '', why};
    const values = drawn ? byLayer(answer.arrays[drawn.values], drawn) : new Float32Array(header.model.layers * header.model.heads).fill(NaN);
    return [{metric, values, isHere: Boolean(drawn), isFirst: name === 'adds' && Boolean(drawn) && isAddsFirst(header), revision: header.revision, of: answer ?? metric.title}];
  };
  return Object.keys(ASKS).flatMap(made);
}

/** The numbers of a map of heads layer by layer, whichever way its layers go. */
export function byLayer({data, shape: [rows, columns]}, {leads}) {
  const across = (_, at) => data[(at % rows) * columns + Math.floor(at / rows)];
  return leads === 'across' ? Float32Array.from(data, across) : data;
}
