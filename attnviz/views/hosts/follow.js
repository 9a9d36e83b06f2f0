// Tells Python what is picked in a picture, for what is open under it: at first, and once the person has settled on
// something else.

import {lastPicked} from './picked.js';

const SETTLED_MS = 250;
const places = new WeakMap();

export default function follow({data, parentElement, setStateValue}) {
  const place = places.get(parentElement) ?? create(parentElement);
  Object.assign(place, {view: data.view, setStateValue});
  if (!place.said) tell(place);
  return () => {
    clearTimeout(place.timer);
    place.end.abort();
    places.delete(parentElement);
  };
}

function create(parentElement) {
  const place = {view: '', said: '', setStateValue: null, timer: 0, end: new AbortController()};
  document.addEventListener(
    'attnviz:picked',
    (event) => {
      const {detail} = /** @type {CustomEvent} */ (event);
      if (detail.view !== place.view) return;
      clearTimeout(place.timer);
      place.timer = setTimeout(() => tell(place), SETTLED_MS);
    },
    {signal: place.end.signal},
  );
  places.set(parentElement, place);
  return place;
}

function tell(place) {
  const link = lastPicked(place.view);
  const said = JSON.stringify(link ?? '');
  if (!link || said === place.said) return;
  place.said = said;
  setTimeout(() => place.setStateValue('picked', link)); // not while it is mounted: Streamlit may lose it
}
