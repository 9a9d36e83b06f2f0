// Says beside the words of a lesson's step that the picture is of something else than they speak of, with one press back.

import {el} from '../kit/dom.js';
import {atEnd} from './last_call.js';
import {lastPicked, shownLast} from './last_picks.js';

const OTHER = ['model', 'text', 'words', 'part', 'layer', 'head']; // another one of these, or else something was changed in it
const EVENTS = ['attnviz:picked', 'attnviz:shown'];
const places = new WeakMap();

export default function away(component) {
  const {data, parentElement, setStateValue} = component;
  const place = places.get(parentElement) ?? create(parentElement);
  Object.assign(place, {data, setStateValue});
  place.look();
  return atEnd(component, () => {
    for (const name of EVENTS) document.removeEventListener(name, place.look);
    place.node.remove();
    places.delete(parentElement);
  });
}

function create(parentElement) {
  const node = el('div', {class: 'elsewhere', role: 'status'});
  const place = {node, data: null, setStateValue: null, look: () => queueMicrotask(() => show(place))}; // once all is noted of a picture that has come
  for (const name of EVENTS) document.addEventListener(name, place.look);
  places.set(parentElement, place);
  parentElement.append(node);
  return place;
}

function show({node, data, setStateValue}) {
  const said = whatElse(data, shownLast()?.asked ?? {}, lastPicked(data.view) ?? {});
  if (node.dataset.says === said) return;
  node.dataset.says = said;
  const back = () => setStateValue('back', Date.now());
  node.replaceChildren(...(said ? [el('p', {dir: 'auto'}, data.words[said]), el('button', {type: 'button', click: back}, data.words.back)] : []));
}

/**
 * What the picture is of, where the words speak of something else: 'other' or 'changed'; '' where they speak of it, and while
 * the picture of their step is still to come.
 *
 * @param {{asked: Record<string, string>, spokenOf: Record<string, string>[]}} words what their step asks, and of which pictures they speak
 * @param {Record<string, string>} asked of the picture that is shown
 * @param {Record<string, string>} picked in it
 */
export function whatElse({asked: step, spokenOf}, asked, picked) {
  const shown = {...asked, ...picked};
  const differ = (link) => Object.keys(link).filter((name) => (shown[name] ?? link[name]) !== link[name]); // a picture that is still to come has picked nothing
  if (differ(step).length) return '';
  const differences = spokenOf.map(differ);
  if (differences.some(({length}) => !length)) return '';
  return differences.every((names) => names.some((name) => OTHER.includes(name))) ? 'other' : 'changed';
}
