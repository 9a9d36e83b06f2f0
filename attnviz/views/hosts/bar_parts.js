// What the bars at the bottom are made of: parts that are drawn again only where they say something else.

import {el, setText} from '../kit/dom.js';
import {keepFocus} from '../kit/focus.js';
import {fillText} from '../kit/words.js';

const SEEN_MS = 4000; // a receipt stands, and goes with its field
const places = new WeakMap();

/** What is kept of a component in its element, drawn with what `now` says, and again whenever `drawn` are called. */
export function mount(component, drawn, now, draw) {
  const {data, parentElement} = component;
  const place = places.get(parentElement) ?? {root: el('div', {class: 'attnviz-room'}), parts: {}};
  Object.assign(place, {data, component});
  if (!places.has(parentElement)) {
    place.draw = () => draw(place, now(), (id, values = {}) => fillText(place.data.words[id], values));
    place.end = () => {
      drawn.delete(place.draw);
      place.root.remove();
      places.delete(parentElement);
    };
    drawn.add(place.draw);
    parentElement.append(place.root);
    places.set(parentElement, place);
  }
  place.draw();
  return place;
}

/** Open what a button of the bar names, or fold it away. */
export function open(place, name) {
  place.opened = place.opened === name ? '' : name;
  place.draw();
  place.root.querySelector(`[name="${name}"]`)?.focus(); // its line was drawn again
}

/** A part of a place, drawn again only where it says something else, or in another language: typing goes on. */
export function part(place, name, says, build) {
  const said = JSON.stringify([says ?? null, place.data.lang]);
  const before = place.parts[name];
  if (before?.said === said) return before.node;
  const node = says === null || says === undefined || says === false ? el('span', {hidden: ''}) : build();
  place.parts[name] = {said, node};
  if (before) keepFocus(before.node, () => before.node.replaceWith(node), {after: node, otherwise: place.parts.status?.node});
  return node;
}

export const button = (text, press, attributes = {}) => el('button', {type: 'button', ...attributes, click: press}, text);

/** A line to write; once `take` was answered, `thanks` says so until `end`, and what was refused can be sent again. */
export function form(label, action, take, attributes = {}, thanks = '', end = () => {}) {
  const sent = el('span', {role: 'status'});
  const input = el(attributes.rows ? 'textarea' : 'input', {type: 'text', 'aria-label': label, placeholder: label, autocomplete: 'off', input: () => (sent.textContent = ''), ...attributes});
  const submit = async (event) => {
    event.preventDefault();
    if (!input.value.split('\n')[0].trim()) return input.focus(); // choices without a question are none
    const text = input.value.trim();
    input.value = '';
    if (await take(text)) {
      sent.textContent = thanks;
      setTimeout(() => sent.textContent && sent.isConnected && end(), SEEN_MS);
    } else input.value ||= text;
  };
  return el('form', {submit}, input, el('button', {type: 'submit'}, action), sent);
}

/** A form that outlives another page, and being folded. */
export function drafted(now, made) {
  const typed = made.querySelector('input, textarea');
  typed.value = now.draft;
  typed.addEventListener('input', () => (now.draft = typed.value));
  return made;
}

/** Have these children, in order, and move only those that have to: what is typed and focused stays. */
export function lay(root, nodes) {
  for (const child of [...root.children]) if (!nodes.includes(child)) child.remove();
  nodes.forEach((node, at) => root.children[at] !== node && root.insertBefore(node, root.children[at] ?? null));
}

/** One line that stays, so that a screen reader says each change of it, once. */
export function status(place, now, say, words) {
  const node = part(place, 'status', '', () => el('span', {role: 'status', tabindex: '-1'}));
  return setText(node, now.isLost ? say('view-room-lost') : now.state ? words : '');
}
