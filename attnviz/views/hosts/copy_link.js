// The dashboard's button that copies the address of what is on the screen. As the one component on every page it also
// tells the document its language, and whether it is light or dark: Streamlit's pop-ups stand outside the app's element.
// It names the manifest too, by which a browser installs the page; Streamlit's own page has no place for it.
// It has Enter show a sentence. It tells Python when the person goes back or forward, and keeps the language and size the person chose, and for this tab
// what a reload would lose: a text that could not be shown, the answers in the lessons, who started a training.

import {copyText} from '../kit/clipboard.js';
import {el, setText} from '../kit/dom.js';
import {address} from './address.js';
import {holdDialogs} from './dialogs.js';
import {enterShows} from './enter_key.js';
import {atEnd} from './last_call.js';
import {keep, kept} from './storage.js';

const SAID_MS = 2000; // how long "copied" stands
const CHOSEN = 'attnviz.chosen';
const DRAFT = 'attnviz.draft';
// Of this tab: who started a training may stop it after a reload, and what was answered in the lessons stays.
const VISITOR = 'attnviz.visitor';
const ANSWERS = 'attnviz.answers';
const places = new WeakMap();
let remembered = null; // of what was kept, once a document: what Python is to be told, {} where it has been

export default function show(component) {
  const {data, parentElement, setStateValue} = component;
  const place = places.get(parentElement) ?? create(parentElement, data);
  place.data = data;
  place.setStateValue = setStateValue;
  place.button.title = data.help;
  place.skip.textContent = data.skip;
  place.skip.hidden = data.asked !== null; // a page without a picture
  if (!place.timer) setText(place.label, data.label);
  document.documentElement.lang = data.lang;
  address().begin(data.url.session, data.asked !== null);
  if (data.asked) address().ask(data.url.page, data.asked, data.url.heard, null);
  tellOpened(place);
  if (!remembered) {
    document.head.append(el('link', {rel: 'manifest', href: 'app/static/manifest.webmanifest'}));
    enterShows(document);
    holdDialogs();
    remembered = recalled(data);
  }
  if (Object.keys(remembered).length) setTimeout(() => tellRemembered(place)); // not while it is mounted
  keepAll(data);
  document.querySelector('[data-testid="stMain"]')?.setAttribute('tabindex', '-1'); // else a stop on which nothing is shown
  requestAnimationFrame(() => {
    document.documentElement.style.colorScheme = getComputedStyle(parentElement.getRootNode().host ?? parentElement).colorScheme;
  });
  return atEnd(component, () => {
    clearTimeout(place.timer);
    place.end();
    place.skip.remove(); // it may be shown here again
    place.button.remove();
    places.delete(parentElement);
  });
}

function create(parentElement, first) {
  const toPicture = () => document.dispatchEvent(new CustomEvent('attnviz:skip', {cancelable: true}));
  const copy = async () => {
    await copyText(address().href, parentElement);
    label.textContent = place.data.copied;
    clearTimeout(place.timer);
    place.timer = setTimeout(() => {
      place.timer = 0;
      label.textContent = place.data.label;
    }, SAID_MS);
  };
  const skip = el('button', {type: 'button', class: 'skip', style: 'position: absolute; clip-path: inset(50%)', click: toPicture}); // before its sheet is there
  const label = el('span', {'aria-live': 'polite'});
  const button = el('button', {type: 'button', click: copy}, label);
  const place = {skip, button, label, data: first, timer: 0, told: '', before: 0};
  place.end = address().onOpened(() => {
    place.before = place.data.url.run;
    tellOpened(place);
  });
  parentElement.append(skip, button);
  places.set(parentElement, place);
  return place;
}

/**
 * Back or Forward, once Streamlit has come to the page it leads to: told before that, it would lead back to the page that
 * was left. What the page said before the person left it does not count: of the page between, nothing may have come yet.
 * A later run that still has not heard of it is told again.
 */
function tellOpened(place) {
  const {opened, query, isOtherPage} = address();
  const {session, heard, page, run} = place.data.url;
  const told = `${opened} ${run}`;
  if (opened <= heard || told === place.told || page !== address().here || (isOtherPage && run === place.before) || address().isLeaving) return;
  place.told = told;
  place.setStateValue('opened', {session, n: opened, query});
}

/** A link to another page that was pressed first comes first: the next call tells it there. */
function tellRemembered(place) {
  if (address().isLeaving || !Object.keys(remembered).length) return;
  place.setStateValue('remembered', remembered);
  remembered = {};
}

/** What was kept, where the link leaves room for it; a text only for the page that was loaded again. */
export function recalled({isSilent, draft, visitor, answers, ...shown}) {
  const said = {};
  const chosen = isSilent ? kept('localStorage', CHOSEN) : null;
  for (const name of ['lang', 'size'])
    if (typeof chosen?.[name] === 'string' && chosen[name] !== shown[name]) said[name] = chosen[name];
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
  const left = visit?.type === 'reload' ? kept('sessionStorage', DRAFT) : null;
  if (typeof left?.draft === 'string' && left.shown === shownText() && left.draft !== draft) said.draft = left.draft;
  const before = kept('sessionStorage', VISITOR);
  if (typeof before === 'string' && before !== visitor) said.visitor = before;
  else keep('sessionStorage', VISITOR, visitor);
  const answered = kept('sessionStorage', ANSWERS);
  if (answered && JSON.stringify(answered) !== JSON.stringify(answers)) said.answers = answered;
  return said;
}

function keepAll({lang, size, isChosen, draft, answers}) {
  if (isChosen) keep('localStorage', CHOSEN, {lang, size});
  if (Object.keys(answers).length) keep('sessionStorage', ANSWERS, answers);
  keep('sessionStorage', DRAFT, draft === null ? null : {draft, shown: shownText()});
}

function shownText() {
  return new URLSearchParams(location.search).get('text');
}
