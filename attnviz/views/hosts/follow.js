// Tells Python what is picked in a picture, for what is open under it: once the person has settled on something.

const SETTLED_MS = 250;
const places = new WeakMap();

export default function follow({data, parentElement, setStateValue}) {
  const place = places.get(parentElement) ?? create(parentElement);
  Object.assign(place, {view: data.view, setStateValue});
  return () => {
    clearTimeout(place.timer);
    place.end.abort();
    places.delete(parentElement);
  };
}

function create(parentElement) {
  const place = {view: '', setStateValue: null, timer: 0, n: 0, end: new AbortController()};
  document.addEventListener(
    'attnviz:picked',
    ({detail}) => {
      if (detail.view !== place.view) return;
      clearTimeout(place.timer);
      place.timer = setTimeout(() => place.setStateValue('picked', ++place.n), SETTLED_MS); // the link says what
    },
    {signal: place.end.signal},
  );
  places.set(parentElement, place);
  return place;
}
