// A button whose press tells Python what is picked in a picture at that moment; one for the person's own pick waits for it.
// {a} and {b} in its label are the two heads that are picked.

import {el} from '../kit/dom.js';
import {fillText} from '../kit/words.js';
import {atEnd} from './last_call.js';
import {lastPicked, ownPicked} from './last_picks.js';

const places = new WeakMap();

export default function press(component) {
  const {data, parentElement, setStateValue} = component;
  const place = places.get(parentElement) ?? create(parentElement, data, setStateValue);
  Object.assign(place, {data, setStateValue});
  place.follow();
  return atEnd(component, () => {
    document.removeEventListener('attnviz:picked', place.follow);
    place.button.remove();
    places.delete(parentElement);
  });
}

function create(parentElement, data, setStateValue) {
  const click = () => place.setStateValue('pressed', {at: Date.now(), picked: lastPicked(place.data.view) ?? {}});
  const button = el('button', {type: 'button', click});
  const follow = () => {
    const {label, view, own: needsOwn} = place.data;
    const {layer, head, layer2, head2} = lastPicked(view) ?? {};
    const [a, b] = layer ? [`${layer}.${head}`, `${layer2}.${head2}`] : ['', ''];
    button.textContent = fillText(label, {a, b});
    button.disabled = needsOwn ? !ownPicked(view) : label.includes('{a}') && !a; // the heads come with the picture
  };
  const place = {button, data, setStateValue, follow};
  document.addEventListener('attnviz:picked', follow);
  places.set(parentElement, place);
  parentElement.append(button);
  return place;
}
