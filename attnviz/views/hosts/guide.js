// A first look in six steps over the real pages, for who comes alone. A bar at the bottom says what there is to try, and
// outlines it. It begins with a press on Home, ends whenever it is left, and never comes by itself.

import {button, lay, mount, part} from './bar_parts.js';
import {atEnd} from './last_call.js';
import {keep, kept} from './storage.js';
import {addressOf, visit} from './visit.js';
import {el} from '../kit/dom.js';

const STEP = 'attnviz.guide'; // of this tab alone, so that a reload goes on
const STEPS = [
  ['', 'home-stage', 'view-guide-curves'],
  ['', 'ask', 'view-guide-type'],
  ['step', '', 'view-guide-step'],
  ['heads', 'stage', 'view-guide-heads'],
  ['compare', '', 'view-guide-compare'],
  ['lessons', 'lesson-words', 'view-guide-lessons'],
];
let leads = false; // a press leads the focus to the bar, a reload does not
const drawn = new Set(); // what draws each place again

export default function show(component) {
  const {launches} = component.data;
  const place = mount(component, drawn, step, launches ? launch : bar);
  place.root.onkeydown ??= ({key}) => launches || key !== 'Escape' || go(-1);
  return atEnd(component, () => {
    place.changes?.disconnect();
    place.end();
  });
}

/** The page may have changed, or what is outlined may have come. */
function watch(place) {
  const at = step();
  const isThere = at !== null && isHere(at);
  outline(at);
  if (isThere !== place.isThere) Object.assign(place, {isThere}).draw();
}

/** Which step, from 0; null where nobody asked for it. */
function step() {
  const at = Number(kept('sessionStorage', STEP) ?? Number.NaN);
  return STEPS[at] ? at : null;
}

/** Whether the page that a step speaks of is here, and not one that the person went to. */
const isHere = (at) => addressOf(STEPS[at][0]).pathname === location.pathname;

/** To a step and its page. */
function go(at) {
  leads = true;
  keep('sessionStorage', STEP, STEPS[at] ? at : null);
  if (STEPS[at] && !isHere(at)) visit(addressOf(STEPS[at][0]));
  outline(step());
  for (const draw of drawn) draw();
  leads = false;
  if (!STEPS[at]) /** @type {HTMLElement | null} */ (document.querySelector('.stMain'))?.focus({preventScroll: true});
}

/** Mark what the step speaks of, and bring it into view once. */
function outline(at) {
  const shown = document.querySelector('[data-attnviz-guided]');
  const name = at === null || !isHere(at) ? '' : STEPS[at][1];
  const there = name && document.querySelector(`.st-key-${name}`);
  if (shown === (there || null)) return;
  shown?.removeAttribute('data-attnviz-guided');
  if (!there) return;
  there.setAttribute('data-attnviz-guided', '');
  const {top} = there.getBoundingClientRect();
  if (top < 0 || top > innerHeight / 2) there.scrollIntoView({block: 'start'});
}

function launch(place, at, say) {
  const start = () => button(say('view-guide-start'), () => go(0), {class: 'quiet'});
  lay(place.root, [part(place, 'start', at === null, start)]);
}

function bar(place, at, say) {
  const {root} = place;
  place.changes ??= new MutationObserver(() => watch(place));
  if (at === null) place.changes.disconnect();
  else place.changes.observe(document.body, {childList: true, subtree: true});
  root.classList.toggle('guide', at !== null);
  root.role = at === null ? null : 'region';
  root.ariaLabel = at === null ? null : say('view-guide-name');
  const build = () => (isHere(at) ? told(at, say) : away(at, say));
  lay(root, at === null ? [] : [part(place, 'step', [at, isHere(at)], build)]);
  document.body.style.setProperty('--av-guide', `${at === null ? 0 : root.offsetHeight}px`);
  outline(at);
  if (leads) root.querySelector('.next')?.focus();
}

/** What there is to try on this page. */
function told(at, say) {
  const isLast = at + 1 === STEPS.length;
  const place = el('b', {}, say('view-guide-place', {n: at + 1, of: STEPS.length}));
  return el('div', {class: 'line'},
    el('p', {role: 'status'}, place, ' ', say(STEPS[at][2])),
    el('span', {class: 'line'},
      at ? button(say('view-guide-back'), () => go(at - 1)) : null,
      button(say(isLast ? 'view-guide-done' : 'view-guide-next'), () => go(at + 1), {class: 'next'}),
      isLast ? null : button(say('view-guide-leave'), () => go(-1))));
}

/** On any other page: the way back, and out. */
function away(at, say) {
  return el('div', {class: 'line'},
    button(say('view-guide-return'), () => go(at)), button(say('view-guide-leave'), () => go(-1), {class: 'quiet'}));
}
