// Tells Python what is picked in a picture, for what is open under it: at first, and once the person comes to what stands
// there. Until then a pick runs no script, and what is behind it is drawn faint (shell.css). It stands after all of that:
// so it comes when all of it has come.

import {address} from './address.js';
import {atEnd} from './last_call.js';
import {lastPicked, ownPicked} from './last_picks.js';

const SETTLED_MS = 250;
const places = new WeakMap();

export default function follow(component) {
  const {data, parentElement, setStateValue} = component;
  const place = places.get(parentElement) ?? create(parentElement);
  Object.assign(place, {...data, setStateValue});
  if (!place.said) tell(place);
  return atEnd(component, () => {
    clearTimeout(place.timer);
    place.end.abort();
    delete document.documentElement.dataset.attnvizBehind;
    places.delete(parentElement);
  });
}

function create(parentElement) {
  const place = {view: '', below: '', said: '', link: null, setStateValue: null, timer: 0, isThere: false, isRunning: false, end: new AbortController()};
  const listen = (target, name, act) => target.addEventListener(name, act, {signal: place.end.signal});
  listen(document, 'attnviz:picked', ({detail}) => detail.view === place.view && settle(place));
  for (const name of ['pointerover', 'focusin']) {
    listen(document, name, ({target}) => {
      const isThere = target.closest?.(`.st-key-${place.below}`) != null;
      if (isThere === place.isThere) return;
      place.isThere = isThere;
      settle(place);
    });
  }
  // What Streamlit tells the page that it stands in, and itself, whenever a run of the script begins or ends.
  listen(window, 'message', ({data, source}) => {
    if (source !== window || data?.stCommVersion !== 1 || data.type !== 'SCRIPT_RUN_STATE_CHANGED') return;
    place.isRunning = data.scriptRunState !== 'notRunning';
    send(place);
  });
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
  place.link = lastPicked(place.view);
  place.said = JSON.stringify(place.link);
  setTimeout(() => send(place)); // not while it is mounted: Streamlit may lose it
}

/** Once no run goes on: Streamlit begins the next by dropping what the last has not sent, and keeps large parts, whose place is then missing. */
function send(place) {
  if (!place.link || place.isRunning || place.end.signal.aborted || address().isLeaving) return;
  place.setStateValue('picked', place.link);
  place.link = null;
}
