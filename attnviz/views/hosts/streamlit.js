// The dashboard's adapter (Streamlit custom components v2): one view instance a parent element.
// Streamlit calls it again for new data and for a new theme, and cleans up only when the element goes for good.

import {mount as compare} from '../compare/view.js';
import {mount as heads} from '../heads/view.js';
import {mount as panel} from '../panel/view.js';
import {mount as training} from '../training/view.js';
import {mount as stepper} from '../stepper/view.js';
import {keepPair} from '../compare/pairs.js';
import {keepPart} from '../heads/extras.js';
import {featuresOf} from '../heads/features.js';
import {keepKinds} from '../heads/kinds.js';
import {exactNumbers} from '../heads/numbers.js';
import {exactHeads, exactKey, headFeatures} from '../kit/pool.js';
import {unpack} from '../kit/unpack.js';

const SETTLED_MS = 250; // how long a selection rests before Python hears of it
const VIEWS = {
  stepper: {mount: stepper, styles: ['../kit/tokens.css', '../stepper/stepper.css', '../stepper/bar.css', '../stepper/stage.css', '../stepper/side.css']},
  heads: {mount: heads, styles: ['../kit/tokens.css', '../heads/frame.css', '../heads/overview.css', '../heads/lines.css', '../heads/filters.css', '../heads/written.css', '../heads/neurons.css', '../heads/map.css', '../heads/text.css']},
  compare: {mount: compare, styles: ['../kit/tokens.css', '../compare/compare.css', '../compare/pair.css']},
  panel: {mount: panel, styles: ['../kit/tokens.css', '../panel/panel.css', '../panel/figures.css']},
  training: {mount: training, styles: ['../kit/tokens.css', '../training/training.css', '../training/maps.css']},
};
const instances = new WeakMap();

export default function show({data, parentElement, setStateValue}) {
  const place = instances.get(parentElement) ?? create(parentElement);
  place.setStateValue = setStateValue;
  place.turn += 1;
  if (data) draw(place, unpack(data), place.turn);
  return () => close(parentElement);
}

function create(parentElement) {
  const place = {parentElement, turn: 0, timer: 0, told: 0, view: null, styles: null, setStateValue: null, tell: null};
  place.end = new AbortController();
  tellBefore(place, place.end);
  instances.set(parentElement, place);
  return place;
}

function close(parentElement) {
  const place = instances.get(parentElement);
  if (!place) return;
  place.turn = -1;
  place.end.abort();
  clearTimeout(place.timer);
  place.view?.destroy();
  instances.delete(parentElement);
}

async function draw(place, payload, turn) {
  const {header} = payload;
  if (header.view === 'exact') return handOver(payload);
  if (header.view === 'kinds') return handOverKinds(payload);
  if (header.view === 'window') return handOverPart(payload);
  if (header.view === 'neurons') return handOverFeatures(payload);
  if (header.view === 'pair') return handOverPair(payload);
  const kind = VIEWS[header.view];
  if (!kind) throw new Error(`no view named ${header.view}`);
  place.styles ??= styled(place.parentElement, kind.styles);
  await place.styles;
  if (place.turn !== turn) return; // newer data came meanwhile, or the element went
  place.revision = header.revision;
  header.is_heard = (header.heard ?? 0) >= place.told; // else the person has picked since: their pick stays
  if (place.view) place.view.update(payload);
  else place.view = kind.mount(rootIn(place.parentElement), payload, (selection, isUrgent) => emit(place, selection, isUrgent));
}

/** Where the person points may rest first; what the person asks for goes at once. Both say in which picture it was, and
 * have a number, larger than any before it in this browser, by which a picture says what of it was heard. */
function emit(place, selection, isUrgent = false) {
  place.told = Math.max(place.told + 1, Date.now());
  const said = {...selection, revision: place.revision, told: place.told};
  clearTimeout(place.timer);
  place.tell = () => {
    clearTimeout(place.timer);
    place.tell = null;
    place.setStateValue('selection', said);
  };
  if (isUrgent) place.tell();
  else place.timer = setTimeout(place.tell, SETTLED_MS);
}

/** What rests is told before a press elsewhere asks for something: another page, or the link to this one. */
function tellBefore(place, {signal}) {
  const isElsewhere = (event) => !event.composedPath().includes(place.parentElement);
  document.addEventListener('pointerdown', (event) => isElsewhere(event) && place.tell?.(), {capture: true, signal});
}

/** The small component: it draws nothing and hands its numbers to the view they belong to, now or when it mounts. */
function handOver({header, arrays}) {
  const {group, layer, head} = header;
  const [queries, keys] = arrays.head?.shape ?? arrays.top_keys?.shape ?? [];
  const numbers = exactNumbers(arrays, queries, keys);
  if (numbers) exactHeads.put(exactKey(group, layer, head), numbers);
  document.dispatchEvent(new CustomEvent('attnviz:exact', {detail: {group, layer, head, arrays}}));
}

/** The same for a part of a head over a long text. */
function handOverPart({header, arrays}) {
  const part = {...header, arrays};
  keepPart(part);
  document.dispatchEvent(new CustomEvent('attnviz:window', {detail: part}));
}

/** The same for the queries and keys of a head. */
function handOverFeatures({header, arrays}) {
  const {group, layer, head} = header;
  headFeatures.put(exactKey(group, layer, head), featuresOf(header, arrays));
  document.dispatchEvent(new CustomEvent('attnviz:neurons', {detail: {group, layer, head}}));
}

/** The same for two heads of a comparison. */
function handOverPair({header, arrays}) {
  const pair = {...header, arrays};
  keepPair(pair);
  document.dispatchEvent(new CustomEvent('attnviz:pair', {detail: pair}));
}

/** The same for kinds and metrics of all heads. */
function handOverKinds({header, arrays}) {
  keepKinds({...header, arrays});
  document.dispatchEvent(new CustomEvent('attnviz:kinds', {detail: {group: header.group}}));
}

function rootIn(parentElement) {
  const root = document.createElement('div');
  parentElement.append(root);
  return root;
}

/** Style sheets are files beside this one, so that the page needs no inline styles. */
function styled(parentElement, paths) {
  const links = paths.map((path) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = new URL(path, import.meta.url).href;
    return link;
  });
  parentElement.prepend(...links);
  return Promise.all(links.map(settled));
}

/** Loaded or failed: a view without its styles is better than none. */
function settled(link) {
  return new Promise((done) => {
    link.addEventListener('load', done, {once: true});
    link.addEventListener('error', done, {once: true});
  });
}
