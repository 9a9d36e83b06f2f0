// A view that fails says so in its place, with a button that mounts it anew; the page around it goes on.

import {el, svg} from './dom.js';

const known = {}; // words of the last view that could read its payload, for one that cannot

/** Keep the words of a view: a later one may fail before it has any. */
export function learnWords(strings) {
  for (const [id, text] of Object.entries(strings)) if (id.startsWith('view-kit-failed')) known[id] = text;
}

/** Put the failure in place of what `root` shows. `again()` is called by the button. */
export function showFailure(root, error, again) {
  const say = (id) => known[id] ?? '';
  const sign = svg('svg', {viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': 'true'}, svg('path', {d: 'M8 2.2l6.2 11.3H1.8zM8 6.5v3.2M8 11.6h.01'}));
  const button = el('button', {type: 'button', class: 'button primary', 'aria-label': say('view-kit-failed-again') || '↻'}, say('view-kit-failed-again') || '↻');
  button.addEventListener('click', again);
  root.classList.add('attnviz');
  root.replaceChildren(
    el(
      'div',
      {class: 'failure', role: 'alert'},
      el('p', {class: 'title small'}, sign, say('view-kit-failed')),
      el('p', {}, say('view-kit-failed-help')),
      button,
      el('details', {}, el('summary', {}, say('view-kit-failed-details') || '…'), el('pre', {lang: 'en', dir: 'ltr'}, String(error?.stack ?? error))),
    ),
  );
}
