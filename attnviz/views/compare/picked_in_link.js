// What is picked in the compare view, as the link says it.

export const LOOK = {colours: ['kind', 'model'], lines: ['partners', 'same']}; // how all heads are drawn
export const DOORS = ['heads', 'alike', 'map', 'numbers']; // what opens beside the pictures; one at a time
export const USUAL = {door: '', colours: 'kind', lines: 'partners'};

/** The values by their names; see link.py. `a` and `b` are [layer, head], and a token is one of A's. */
export function toLink({a, b, query, key, look}, {first_tokens: tokens}) {
  const unusual = (group) => (look[group] === USUAL[group] ? '' : look[group]);
  const [layer, head, layer2, head2] = [...a, ...b];
  return {layer, head, layer2, head2, token: tokens[query], key: tokens[key], door: unusual('door'), colours: unusual('colours'), lines: unusual('lines')};
}

/** What an opened link says of the look; Python reads the rest. */
export function fromLink(values) {
  const said = (group) => LOOK[group].find((name) => name === values[group]) ?? USUAL[group];
  const door = DOORS.find((name) => name === values.door) ?? USUAL.door;
  return {look: {door, colours: said('colours'), lines: said('lines')}};
}

/**
 * The pair that the picture begins with, where a head was picked on another page: on both sides the same one; and the cell. Where only
 * a row was picked, `row`, its cell is chosen once the numbers are here.
 */
export function takenAlong({part, layer, head, layer2, head2, token, key}, {selection, a, b, first_tokens: first, last_tokens: last}) {
  const isHere = ([layer, head], {heads}) => layer !== null && head !== null && head < heads[layer];
  if (['cross', 'decoder'].includes(part) || !isHere([layer, head], a)) return undefined;
  const other = isHere([layer2, head2], b) ? [layer2, head2] : isHere([layer, head], b) ? [layer, head] : selection.b;
  const unit = (token) => (token === null ? -1 : first.findIndex((from, at) => from <= token && token <= last[at]));
  const [row, column] = [unit(token), unit(key)];
  const cell = row < 0 ? {} : {query: row, key: column < 0 ? row : column, row: column < 0 ? row : null};
  return {...selection, a: [layer, head], b: other, ...cell};
}

/** The numbers of a pair that are not here yet. */
export function requestsFor({a, b}, _header, view) {
  return view.pairs.of(a, b) ? [] : [{path: 'compare/pair', body: {pair: [...a, ...b]}}];
}
