// What is picked in the compare view, as the link says it: places count from 1.

export const NAMES = ['pair', 'spot', 'colours', 'lines'];
export const LOOK = {colours: ['kind', 'model'], lines: ['partners', 'same']}; // how all heads are drawn
export const USUAL = {colours: 'kind', lines: 'partners'};

const counted = (places) => places.map((place) => place + 1);

/** The value of every name in NAMES; '' for one that is left out. `a` and `b` are [layer, head]. */
export function toLink({a, b, query, key, look}) {
  const isSpot = Number.isInteger(query) && Number.isInteger(key);
  const unusual = (group) => (look[group] === USUAL[group] ? '' : look[group]);
  return {
    pair: `${counted(a).join('.')}-${counted(b).join('.')}`, spot: isSpot ? counted([query, key]).join('-') : '',
    colours: unusual('colours'), lines: unusual('lines'),
  };
}

/** What an opened link says of the look; Python reads the rest. @param {URLSearchParams} query */
export function fromLink(query) {
  const said = (group) => LOOK[group].find((name) => name === query.get(group)) ?? USUAL[group];
  return {look: {colours: said('colours'), lines: said('lines')}};
}

/** The numbers of a pair that are not here yet. */
export function requestsFor({a, b}, _header, view) {
  return view.pairs.of(a, b) ? [] : [{path: 'compare/pair', body: {pair: [...a, ...b]}}];
}
