// Tells Python what is picked in a picture, for what is open under it: at first, and once the person comes to what stands
// there. Until then a pick runs no script, and what is behind it is drawn faint (shell.css).

import {lastPicked, ownPicked} from './last_picks.js';

const SETTLED_MS = 250;
const LOOK_MS = 50; // between two looks at whether a run goes on
const places = new WeakMap();

export default function follow({data, parentElement, setStateValue}) {
  const place = places.get(parentElement) ?? create(parentElement);
  Object.assign(place, {view: data.view, setStateValue});
  if (!place.said) tell(place);
  return () => {
    clearTimeout(place.timer);
    place.end.abort();
    delete document.documentElement.dataset.attnvizBehind;
    places.delete(parentElement);
  };
}

function create(parentElement) {
  const place = {view: '', said: '', setStateValue: null, timer: 0, isThere: false, end: new AbortController()};
  const root = parentElement.getRootNode();
  const here = root instanceof ShadowRoot ? root.host : parentElement;
  const listen = (name, act) => document.addEventListener(name, act, {signal: place.end.signal});
  listen('attnviz:picked', (event) => {
    if (/** @type {CustomEvent} */ (event).detail.view === place.view) settle(place);
  });
  for (const name of ['pointerover', 'focusin']) {
    listen(name, ({target}) => {
      const isThere = Boolean(here.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING);
      if (isThere === place.isThere) return;
      place.isThere = isThere;
      settle(place);
    });
  }
  places.set(parentElement, place);
  return place;
}

/** Wait until nothing changes; then tell, or say that what stands there is behind. */
function settle(place) {
  clearTimeout(place.timer);
  place.timer = setTimeout(() => {
    if (!place.said && !ownPicked(place.view)) place.said = JSON.stringify(lastPicked(place.view)); // what Python began with
    if (place.isThere) tell(place);
    else document.documentElement.toggleAttribute('data-attnviz-behind', isBehind(place));
  }, SETTLED_MS);
}

const isBehind = ({view, said}) => Boolean(lastPicked(view)) && JSON.stringify(lastPicked(view)) !== said;

function tell(place) {
  delete document.documentElement.dataset.attnvizBehind;
  if (!isBehind(place)) return;
  const link = lastPicked(place.view);
  place.said = JSON.stringify(link);
  setTimeout(() => send(place, link)); // not while it is mounted: Streamlit may lose it
}

/** Once no run goes on: Streamlit begins the next by dropping what the last has not sent, and keeps large parts, whose place is then missing. */
function send(place, link) {
  if (place.end.signal.aborted) return;
  const {testScriptState = 'notRunning'} = /** @type {HTMLElement} */ (document.querySelector('.stApp'))?.dataset ?? {};
  if (testScriptState === 'notRunning') place.setStateValue('picked', link);
  else setTimeout(() => send(place, link), LOOK_MS);
}
