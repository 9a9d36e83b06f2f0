// What is picked in the compare view, as the link says it: places count from 1.

export const NAMES = ['pair', 'spot'];

const counted = (places) => places.map((place) => place + 1);

/** The value of every name in NAMES; '' for one that is left out. `a` and `b` are [layer, head]. */
export function toLink({a, b, query, key}) {
  const isSpot = Number.isInteger(query) && Number.isInteger(key);
  return {pair: `${counted(a).join('.')}-${counted(b).join('.')}`, spot: isSpot ? counted([query, key]).join('-') : ''};
}

/** The numbers of a pair that are not here yet. */
export function requestsFor({a, b}, _header, view) {
  return view.pairs.of(a, b) ? [] : [{path: 'compare/pair', body: {pair: [...a, ...b]}}];
}
