// The row of a text in which a head does what its kind says. No DOM.

const isMark = ({text, special}) => Boolean(special) || /^\p{P}+$/u.test(text.trim());

const isSame = (one, other) => one.text.toLowerCase() === other.text.toLowerCase();

/** Which keys a kind is about, by query, key and the tokens of both sides. */
const MEANT = {
  previous: (query, key) => key === query - 1 && key > 0, // the first token could be meant as a place to rest
  next: (query, key) => key === query + 1,
  'same-word': (query, key, {queries, keys}) => key !== query && isSame(keys[key], queries[query]),
  induction: (query, key, {queries, keys}) => key > 0 && key < query && isSame(keys[key - 1], queries[query]),
  aligned: (_query, key, {keys}) => !isMark(keys[key]),
  end: (_query, key, {keys}) => key === keys.length - 1,
  delimiter: (_query, key, {keys}) => key > 0 && isMark(keys[key]),
  sink: (_query, key) => key === 0,
};

/** The word whose largest weight on such a key is largest; null where the kind is about no row, or no weights are here. */
export function rowThatShows(kind, weight, tokens) {
  if (kind === 'broad' && weight) return mostEvenRow(weight, tokens);
  const isMeant = MEANT[kind];
  if (!isMeant || !weight) return null;
  let [best, most] = [null, 0];
  tokens.queries.forEach((token, query) => {
    if (isMark(token)) return;
    tokens.keys.forEach((_, key) => {
      if (isMeant(query, key, tokens) && weight(query, key) > most) [best, most] = [query, weight(query, key)];
    });
  });
  return best;
}

/** The word whose weight, apart from the first token's, is spread most evenly: over most keys, by 1 / Σ share². */
function mostEvenRow(weight, {queries, keys}) {
  let [best, most] = [null, 0];
  queries.forEach((token, query) => {
    if (isMark(token)) return;
    const row = keys.map((_, key) => weight(query, key)).slice(1);
    const sum = row.reduce((all, one) => all + one, 0);
    const spread = sum > 0 ? sum ** 2 / row.reduce((all, one) => all + one ** 2, 0) : 0;
    if (spread > most) [best, most] = [query, spread];
  });
  return best;
}
