// What a link says, by the table of properties: which names a page picks, how a value stands in a link, and what of a link
// stays where something else is asked.

import {PROPERTIES} from './properties.js';

const of = (test) => Object.keys(PROPERTIES).filter((name) => test(PROPERTIES[name]));
export const pickedIn = (page) => of(({picked}) => picked.includes(page));
export const ALONG = of(({along}) => along);
export const QUIET = of(({quiet}) => quiet);
const WHOLE = /^[1-9][0-9]{0,6}$/;
const QUESTION = ['model', 'text'];
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** The values of all that a page picks, as a link says them; '' for one that is left out. */
export const written = (page, values) => Object.fromEntries(pickedIn(page).map((name) => [name, said(PROPERTIES[name].type, values[name])]));

function said(type, value) {
  if (type === 'index' && typeof value === 'number') return String(value + 1);
  return value === true ? '1' : value || '';
}

/** All that a page picks, as a query says it. @param {URLSearchParams} query */
export const linkIn = (page, query) => Object.fromEntries(pickedIn(page).map((name) => [name, query.get(name) ?? '']));

/** The values of such a link: an index from 0, null where there is none. */
export const valuesOf = (link) => Object.fromEntries(Object.entries(link).map(([name, text]) => [name, read(PROPERTIES[name].type, text)]));

function read(type, text) {
  if (type === 'index') return WHOLE.test(text) ? Number(text) - 1 : null;
  return type === 'flag' ? text === '1' : text;
}

/** What a link said without what says nothing of what is asked now: of another model, or of another text. */
export function kept(link, before, now) {
  const [isOtherModel, isOtherText] = QUESTION.map((name) => (before[name] ?? '') !== (now[name] ?? ''));
  const isGone = (name) => (PROPERTIES[name]?.of === 'model' && isOtherModel) || (PROPERTIES[name]?.of === 'text' && (isOtherModel || isOtherText));
  return Object.fromEntries(Object.entries(link).filter(([name]) => !isGone(name)));
}

/** An address for whoever opens it elsewhere: this machine by its name in the `network`, or left out where it has none. */
export function shared(href, network = '') {
  const url = new URL(href);
  if (!LOOPBACK.includes(url.hostname)) return href;
  if (!network || LOOPBACK.includes(network)) return url.pathname + url.search;
  url.hostname = network;
  return url.href;
}
