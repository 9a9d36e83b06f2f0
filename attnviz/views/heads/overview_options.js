// How the overview is looked at, as it stands in a link: "kind-previous sort-first show-entropy many zoomed silenced-5". No DOM.

const SOURCES = {many: 'many', own: 'own', one: 'sentence'}; // the word of a link, and whose sentences it means
export const OF_CELL = ['moved', 'cell']; // numbers of the picked cell: both are known where heads are by one of them
const PREFIXES = {kinds: 'kind-', sort: 'sort-', overlay: 'show-'};
const SILENCED = /^silenced(?:-([1-9]\d{0,6}))?$/;

/** From a link; what is no word of ours is left out. */
export function optionsOf(link = '') {
  const words = link.split(' ');
  const after = (prefix) => words.filter((word) => word.startsWith(prefix)).map((word) => word.slice(prefix.length));
  return {
    kinds: after(PREFIXES.kinds),
    sort: after(PREFIXES.sort)[0] ?? '',
    overlay: after(PREFIXES.overlay)[0] ?? '',
    source: SOURCES[words.find((word) => Object.hasOwn(SOURCES, word))] ?? '', // '': many where they were measured
    isZoomed: words.includes('zoomed'), // a band of the layers at a time
    silenced: silencedIn(words),
  };
}

/** {token}: every head is silenced, for the prediction of a row, null where none was pinned; null where that was not asked. */
function silencedIn(words) {
  const match = words.map((word) => SILENCED.exec(word)).find(Boolean);
  return match ? {token: match[1] ? Number(match[1]) - 1 : null} : null;
}

/** For another text: silencing every head is asked for one text. */
export const forAnotherText = (link) => toLink({...optionsOf(link), silenced: null});

/** The same for a link; empty where nothing is chosen. */
export function toLink({kinds, sort, overlay, source, isZoomed, silenced}) {
  const words = kinds.map((kind) => PREFIXES.kinds + kind);
  if (sort) words.push(PREFIXES.sort + sort);
  if (overlay) words.push(PREFIXES.overlay + overlay);
  if (source) words.push(source === 'sentence' ? 'one' : source);
  if (isZoomed) words.push('zoomed');
  if (silenced) words.push(silenced.token === null ? 'silenced' : `silenced-${silenced.token + 1}`);
  return words.join(' ');
}

/** With one kind more among those that are looked for, or one less. */
export function toggledKind(options, name) {
  const without = options.kinds.filter((other) => other !== name);
  return {...options, kinds: without.length < options.kinds.length ? without : [...options.kinds, name]};
}

/** Whether a head of this kind stands out; without a choice all do. */
export const isMeant = (options, kind) => !options.kinds.length || options.kinds.includes(kind);
