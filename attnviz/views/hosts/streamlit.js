// The dashboard's adapter (Streamlit custom components v2): one view instance a parent element.
// Streamlit calls it again for new data and for a new theme, and cleans up only when the element goes for good.
//
// What the person picks stays in the browser: it is written into the address bar at once, and numbers that are missing
// are fetched from the server's own routes. Python hears of nothing but what is asked.

import {address} from './address.js';
import {post} from './fetch.js';
import {atEnd} from './last_call.js';
import {kept, linkIn, pickedIn, shared, valuesOf} from './link.js';
import {fetched, forgetFailures, measure, request} from './missing_numbers.js';
import {fileOf} from './page_file.js';
import {notePicked, noteShown, noteTokens} from './last_picks.js';
import {VIEWS, loaded} from './views.js';
import {OWN} from './visit.js';
import {el} from '../kit/dom.js';
import {learnWords, showFailure} from '../kit/failure.js';
import {Pool} from '../kit/recent.js';
import {SIDES} from '../kit/spreadsheet.js';
import {unpack} from '../kit/unpack.js';

const SETTLED_MS = 60; // how long a selection rests before more is fetched for it, where arrows run over many
const ASKS = 'ask'; // in the link: what was chosen in a picture and is not answered yet
const MOST_ASKS = 256; // as the server reads
const instances = new WeakMap();
const picks = new Pool(16); // by revision: what was picked in the last pictures, for a page that comes back
/** Where what was picked last in a kind of picture is kept; lessons draw the pictures of other pages and have their own. */
const lastOf = ({view, link}) => `last ${link.page === 'lessons' ? 'lesson-' : ''}${view}`;
const taken = new Map(); // by session: the last selection that was taken over from Python
let released = Promise.resolve(); // once no button is held down: one that is drawn anew meanwhile would lose its press
let release = () => {};
document.addEventListener('pointerdown', hold, {capture: true});
for (const name of ['pointerup', 'pointercancel']) document.addEventListener(name, () => setTimeout(release), {capture: true});

function hold(event) {
  release();
  if (event.composedPath()[0].closest?.('button, a')) released = new Promise((done) => (release = () => done()));
}

export default function show(component) {
  const {data, parentElement, setStateValue} = component;
  const place = instances.get(parentElement) ?? create(parentElement);
  place.setStateValue = setStateValue;
  place.turn += 1;
  if (data) tryToDraw(place, data);
  return atEnd(component, () => close(parentElement));
}

function create(parentElement) {
  const place = {parentElement, turn: 0, timer: 0, poll: 0, view: null, styles: null, setStateValue: null, fetching: new Set(), failed: new Map(), asks: [], go: null, pickedAt: -1};
  place.end = new AbortController();
  place.again = () => askAgain(place);
  document.addEventListener('attnviz:go', (event) => goIn(place, /** @type {CustomEvent} */ (event)), {signal: place.end.signal});
  instances.set(parentElement, place);
  return place;
}

/** A link that asks what is asked already: what it picks is shown without Python. Any other is left to whoever sent it. */
function goIn(place, event) {
  const {kind, view, payload} = place;
  const {page, query} = event.detail;
  const asked = place.frame?.link?.asked ?? place.header?.link?.asked;
  if (address().isSettling) return; // another link was opened just now: this picture is not its own
  const isHere = asked && page === location.pathname && Object.entries(asked).every(([name, value]) => (query.get(name) ?? '') === value);
  if (!isHere || !view?.view || !(kind.picture || kind.selectionIn)) return;
  event.preventDefault();
  if (kind.picture) return void fetchPicture(place, linkIn(kind.page, query), false);
  const link = linkIn(kind.page, query);
  Object.assign(payload.header, {keeps_head: false, picked: kind.selectionIn(valuesOf(link), link)});
  unmount(place);
  put(place, payload);
}

function close(parentElement) {
  const place = instances.get(parentElement);
  if (!place) return;
  place.turn = -1;
  place.end.abort();
  clearTimeout(place.timer);
  clearTimeout(place.poll);
  unmount(place);
  instances.delete(parentElement);
}

/** What cannot be read, or is of a view that is not known, is said in its place. */
function tryToDraw(place, data) {
  draw(place, data, place.turn).catch((error) => {
    unmount(place);
    showFailure(rootIn(place), error, () => {
      unmount(place);
      tryToDraw(place, data);
    });
  });
}

async function draw(place, data, turn) {
  const payload = unpack(data);
  const {header} = payload;
  learnWords(header.strings);
  const kind = VIEWS[header.view];
  if (!kind) throw new Error(`no view named ${header.view}`);
  place.styles ??= styled(place.parentElement, [...kind.styles, ...(kind.served ?? [])]);
  await Promise.all([place.styles, loaded(kind), !kind.picture && released]);
  if (place.turn !== turn) return; // newer data came meanwhile, or the element went
  place.kind = kind;
  if (kind.picture) return question(place, header);
  adopt(place, kind, payload);
  write(place, header);
  put(place, payload);
}

/** What Python asks goes into the address bar. */
function write({kind}, {link}) {
  if (!link) return;
  address().begin(link.session);
  address().ask(link.page, link.asked, link.heard, [...pickedIn(kind.page), ASKS]);
  link.changed = link.page === kind.page ? (address().said.get('if') ?? '') : ''; // a lesson changes a run of its own
}

/** Draw a picture, write what is picked in it into the link and fetch what it lacks. */
function put(place, payload) {
  const {kind} = place;
  const {header} = payload;
  if (header.revision !== place.header?.revision) forgetFailures(place);
  Object.assign(place, {header, payload});
  if (place.view) place.view.update(payload);
  else place.view = kind.mount(rootIn(place), payload, (selection, isUrgent) => emit(place, selection, isUrgent));
  place.view.host = hostOf(place);
  if (!header.link) return;
  noteTokens(location.pathname, header.tokens?.source ?? []);
  noteShown(header.link);
  const {view} = place.view;
  if (!view) return; // it failed, and says so
  const picked = kind.selectionOf?.(view);
  if (picked) tellPicked(place, picked, false);
  if (kind.requestsFor) request(place, kind.requestsFor(picked, header, view));
  if (kind.measurementsFor) measure(place, kind.measurementsFor(picked, header));
}

/** What a picture can be exported as besides its image and its data: a link, a file, traces. */
function hostOf({view, kind, header}) {
  const {question, lang} = header;
  const picked = () => kind.selectionOf?.(view.view) ?? null;
  const link = () => {
    const selection = kind.toLink ? picked() : null;
    const href = selection ? address().hrefOf(kind.toLink(selection, header)) : address().href;
    return shared(href, header.link?.network);
  };
  const file = (facts) => {
    const {look = header.look, guessed, columns} = picked() ?? {};
    const {source, n, kinds, metrics, arrays = {}} = kind.measuredOf?.(view.view) ?? {};
    const entries = {picked: picked() ?? header.picked, look, place: guessed === undefined ? header.place : {...header.place, guessed, columns}, address: link(), ...(kinds && {kinds: {source, n, kinds, metrics}})};
    const shown = Object.fromEntries(Object.entries(arrays).map(([name, array]) => [`kinds.${name}`, array]));
    return fileOf(view.payload, entries, kind.rest ? {path: kind.rest, body: {...question, lang}} : null, shown, facts);
  };
  const traces = (kind.tracesFor?.(question ?? {}, header.place) ?? []).map(({name, path, body}, side) => ({
    name,
    ending: name ? `trace-${name.toLowerCase()}.safetensors` : 'safetensors',
    bytes: (facts) => post(path, {...body, facts: name ? factsOf(side, facts) : facts, lang}),
  }));
  return {link, file, traces};
}

/** What the file of one side says: the model and the place of its own. */
function factsOf(side, facts) {
  const ofSide = (said) => said.split(SIDES)[side];
  return {...facts, model: ofSide(facts.model), place: ofSide(facts.place)};
}

/**
 * Whose selection a picture begins with. A link, an example or another model brings one (`link.brings` grows): it is
 * taken over once. Else the person's own stays, also where they picked while the picture was on its way or left the page.
 */
function adopt(place, kind, {header, arrays}) {
  const {link} = header;
  if (!link) return;
  const isBrought = takes(link) && !isPickedSince(place, link);
  const before = picks.get(lastOf(header));
  if (isBrought) {
    header.keeps_head = false;
    const isOpened = !before || address().isSettling;
    const opened = isOpened ? inAddress(kind) : header.place && {...header.place, ...ownOf(kind)}; // what a lesson brings
    if (opened) Object.assign(header, kind.fromLink?.(valuesOf({...opened, ...header.place, ...ownOf(kind)}), header));
    else if (before.look) header.look = before.look; // a table leads to another pair: what is open stays open
    if (before && link.carry) Object.assign(header, {picked: carried(link.carry, header.selection, before), look: header.look ?? before.look});
    if (place.header?.revision === header.revision) unmount(place); // the same picture with another selection
    return;
  }
  header.keeps_head = true;
  header.is_heard = place.header?.revision !== header.revision; // the same picture: its selection is the person's own
  if (place.view) return;
  const pick = picks.get(`${header.view} ${header.revision}`);
  if (pick) Object.assign(header, {picked: pick, look: pick.look});
  else if (before && kind.pickedAtFirst) header.picked = kind.pickedAtFirst(header, before, arrays);
  const along = address().along(link.page, link.asked);
  if (!along || !kind.takenAlong) return;
  const isOtherPart = link.asked.part && along.part && along.part !== link.asked.part;
  if (isOtherPart) setTimeout(() => place.setStateValue('go', {to: {part: along.part}, picked: along, at: Date.now()}));
  else header.picked = kind.takenAlong(valuesOf(along), header);
}

const inAddress = (kind) => linkIn(kind.page, address().said);

/** How this person sees a picture of this kind, as the address says it: no link that is brought says another. */
const ownOf = (kind) => Object.fromEntries(Object.entries(inAddress(kind)).filter(([name, said]) => OWN.includes(name) && said));

/** Whether a picture brings a selection that was not taken over before; it is now. */
function takes({session, brings}) {
  const before = taken.get(session) ?? 0;
  taken.set(session, Math.max(brings, before));
  return brings > before;
}

/** Whether the person picked something in this picture since a link was opened that asks for the same one. */
function isPickedSince({pickedAt, frame, header}, {asked}) {
  const before = (frame ?? header)?.link.asked;
  const isSame = before && Object.entries(asked).every(([name, value]) => before[name] === value || (name === 'told' && !value)); // but an answer brings what it speaks of
  return Boolean(isSame) && address().isSettling && pickedAt === address().opened;
}

/** Take over a question of Python's, and fetch the picture for it unless it is there. */
function question(place, header) {
  const before = place.shown ?? picks.get(lastOf(header));
  const isTaken = takes(header.link) && !isPickedSince(place, header.link);
  const isBrought = !before || isTaken;
  const opened = !before || address().isSettling ? asksIn(address().said) : [];
  const along = isTaken ? null : address().along(header.link.page, header.link.asked);
  write(place, header);
  const asked = JSON.stringify([header.question, header.lang]);
  const isThere = asked === place.asked && !isBrought && !along;
  Object.assign(place, {asked, frame: header});
  if (isThere) {
    if (!place.asking) noteShown(header.link);
    released.then(() => place.view?.redraw()); // the theme may be another one
    return place.view?.view && tellPicked(place, place.kind.selectionOf(place.view.view), false);
  }
  if (isBrought) place.asks = opened;
  const link = isBrought ? {...header.place, ...(place.view ? {} : ownOf(place.kind))} : kept(before.link, questionOf(before.question), questionOf(header.question));
  fetchPicture(place, along ? place.kind.takenAlong(link, along) : link, !isBrought && !along);
}

/** A text that is read by word is another one to what is picked. */
const questionOf = ({model, text, by_word: isByWord}) => ({model, text: `${isByWord} ${text}`});

/** What the person chose in a picture that the server has to draw; what is not answered yet stays chosen. */
function choose(place, ask) {
  place.asks.push(ask);
  address().pick({[ASKS]: JSON.stringify(place.asks)}, place.frame.link.page);
  fetchPicture(place, place.shown.link, true);
}

/** What an opened link asks beside what it picks: it was left before the answer came. It may say anything. */
function asksIn(said) {
  try {
    const asks = JSON.parse(said.get(ASKS) ?? '[]');
    return asks.slice(0, MOST_ASKS).filter((ask) => ask && typeof ask === 'object');
  } catch {
    return [];
  }
}

/** Fetch the picture of what is picked and of what was chosen in it since; only the newest counts. */
async function fetchPicture(place, link, keepsPlace) {
  const {frame, kind} = place;
  place.asking?.abort();
  const asking = (place.asking = new AbortController());
  place.shown = {link, question: frame.question};
  place.header ??= frame;
  if (place.root) place.root.dataset.busy = ''; // the picture there is of before
  const signal = AbortSignal.any([asking.signal, place.end.signal]);
  const payload = await fetched(place, kind.picture, {picked: link, asks: place.asks}, frame, signal);
  await released;
  if (signal.aborted) return;
  if (place.asks.length) address().pick({[ASKS]: ''}, frame.link.page);
  Object.assign(place, {asking: null, asks: []});
  if (payload) {
    const {header} = payload;
    const isHere = ['tab', 'text'].every((name) => header[name] === place.header[name]);
    const {link, question} = place.frame; // the same question, which may be asked in another place by now
    Object.assign(header, {link, question, keeps_place: keepsPlace && isHere});
    put(place, payload);
  } else delete place.root?.dataset.busy;
  const {go} = place;
  place.go = null;
  if (go && place.view?.view) emit(place, {...kind.selectionOf(place.view.view), go});
}

/** A selection that Python brings, with what it leaves to the browser: see url.bring. */
function carried(carry, brought, before) {
  if (carry === 'look') return {...before, ...brought};
  if (carry === 'swap') return {...brought, ...before, a: before.b, b: before.a};
  return {...before, token: brought.token, key: null, released: false};
}

/**
 * What is picked goes into the link at once. Its numbers are fetched at once too, unless others are on their way: then, as
 * for what takes a measurement, once the selection rests. What was pressed waits for nothing.
 */
function emit(place, selection, isUrgent = false) {
  const {kind, header} = place;
  const {window, ask: chosen, go, ...picked} = selection;
  if (go && place.asking) return void (place.go = go); // once the picture that is asked for has come
  if (go) return place.setStateValue('go', {to: go, picked: kind.toLink?.(picked, header), at: Date.now()}); // a question to Python
  place.pickedAt = address().opened;
  if (header.link && kind.toLink) tellPicked(place, picked, true);
  if (chosen !== undefined) return choose(place, chosen);
  clearTimeout(place.timer);
  const ask = () => {
    if (kind.requestsFor && place.view?.view) request(place, kind.requestsFor(selection, header, place.view.view));
  };
  const settle = () => {
    ask();
    if (kind.measurementsFor) measure(place, kind.measurementsFor(selection, header));
  };
  if (isUrgent) return settle();
  if (!place.fetching.size) ask();
  place.timer = setTimeout(settle, SETTLED_MS);
}

/** Into the link, and to what is open under the picture. */
function tellPicked(place, picked, isOwn) {
  const {kind, header} = place;
  const link = kind.toLink(picked, header);
  if (kind.picture) {
    if (!place.asking) place.shown = {link, question: header.question};
    picks.put(lastOf(header), place.shown);
  } else {
    picks.put(`${header.view} ${header.revision}`, picked);
    picks.put(lastOf(header), picked);
  }
  const {view} = place.view ?? {};
  if (view && kind.shows) address().offer(kind.shows(view));
  address().pick(link, header.link.page);
  notePicked(header.view, link, isOwn);
}

/** Fetch once more what could not be fetched. */
function askAgain(place) {
  const {kind, view} = place;
  if (kind.picture) return void fetchPicture(place, place.shown.link, true);
  place.measured = null;
  emit(place, kind.selectionOf(view.view), true);
}

function rootIn(place) {
  place.root = el('div');
  place.parentElement.append(place.root);
  const host = /** @type {ShadowRoot} */ (place.parentElement.getRootNode()).host;
  host?.toggleAttribute('data-drawn', true); // the page keeps room for it until then: shell.css
  return place.root;
}

function unmount(place) {
  place.view?.destroy();
  place.root?.remove();
  place.view = null;
}

/** Style sheets are files beside this one: a page needs no inline styles. A view without them is better than none. */
function styled(parentElement, paths) {
  const links = paths.map((path) => el('link', {rel: 'stylesheet', href: new URL(path, import.meta.url)}));
  const settled = (link) => new Promise((done) => (link.onload = link.onerror = done));
  const all = Promise.all(links.map(settled));
  parentElement.prepend(...links);
  return all;
}
