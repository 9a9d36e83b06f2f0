// What a picture on the dashboard lacks is fetched from the server's own routes and handed to the views that keep it; what
// could not be fetched is said in a line, with a button that asks again.

import {Refused, post} from './fetch.js';
import {el} from '../kit/dom.js';
import {unpack} from '../kit/unpack.js';

const POLL_MS = 1000; // between two questions how far a measurement is, which every answer says; while it goes on alone

/** Fetch what this picture lacks, each thing once at a time, and hand it to the view. */
export function request(place, wanted) {
  for (const {path, body} of wanted) {
    const key = JSON.stringify([place.header.revision, path, body]);
    if (place.fetching.has(key)) continue;
    place.fetching.add(key);
    fetched(place, path, body, place.header, place.end.signal)
      .then((payload) => payload && handOver(place.kind, payload))
      .finally(() => place.fetching.delete(key));
  }
}

/** Fetch measurements that may take a while; the newest question counts, and it is asked again until it is answered. */
export function measure(place, wanted) {
  const {revision, lang} = place.header;
  const key = JSON.stringify([revision, lang, wanted]);
  if (place.measured === key) return;
  place.measured = key;
  clearTimeout(place.poll);
  const look = async ({path, body}) => {
    const payload = await fetched(place, path, body, place.header, place.end.signal);
    if (!payload || place.measured !== key) return;
    handOver(place.kind, payload);
    const {arrays, header} = payload;
    const isComing = body.starts && !Object.keys(arrays).length && !header.blocks?.length && !header.reason;
    if (isComing) place.poll = setTimeout(() => look({path, body}), POLL_MS);
  };
  for (const one of wanted) look(one);
}

/** One answer; null where there is none, or where asking failed, which the view's place then says in a sentence. */
export async function fetched(place, path, body, {question, lang, strings}, signal) {
  try {
    const bytes = await post(path, {...question, ...body, lang}, signal);
    say(place, path, '');
    return bytes.length ? unpack(bytes) : null; // 204: this model has no such numbers
  } catch (error) {
    if (!signal.aborted) say(place, path, error instanceof Refused ? error.message : strings['view-kit-offline']);
    return null;
  }
}

/** Numbers for the views of a picture; each keeps what belongs to it. */
function handOver(kind, {header, arrays}) {
  const detail = {...header, arrays};
  kind.keeps?.[header.view]?.(detail);
  document.dispatchEvent(new CustomEvent(`attnviz:${header.view}`, {detail}));
}

/** Forget what failed, so that it is asked for again. */
export function forgetFailures(place) {
  place.failed.clear();
  place.line?.remove();
}

/** A line over the foot of the window for what could not be fetched, until the same path answers. */
function say(place, path, sentence = '') {
  if (sentence) place.failed.set(path, sentence);
  else place.failed.delete(path);
  const text = [...place.failed.values()].at(-1);
  if (!text) return void place.line?.remove();
  if (!place.line?.isConnected) place.line = el('p', {class: 'attnviz attnviz-line', role: 'alert'});
  else if (place.line.firstChild.textContent === text) return;
  const again = el('button', {type: 'button', class: 'button'}, (place.header ?? place.frame).strings['view-kit-failed-again']);
  again.addEventListener('click', place.again);
  place.line.dataset.theme = place.root?.dataset.theme ?? '';
  place.line.replaceChildren(el('span', {}, text), again);
  place.parentElement.append(place.line);
}
