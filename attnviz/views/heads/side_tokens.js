// Which tokens stand on a side of the picture under the filters, and of which of the model's tokens each is made. No DOM.

import {groupsOf, isOutside} from './filter_settings.js';

/**
 * A side under the filters: `tokens` as they are labelled, `groups[i]` the model's tokens that shown token i is made of,
 * `at(original)` where one of the model's tokens is shown, or null.
 */
export function sideUnder(tokens, {special, sinks, words, from = 0, to = 0}, isKeys) {
  const groups = [];
  const parts = groupsOf(tokens);
  const isTaken = (token) => sinks && isKeys && Boolean(token.sink);
  tokens.forEach((token, i) => {
    if ((special && token.special) || isOutside(token, isKeys ? to : from, parts)) return;
    const isHidden = isTaken(token); // stands where it stood, crossed out, so that rows and columns stay level
    const before = groups.at(-1);
    const isPiece = words && before && before.at(-1) === i - 1 && !isTaken(tokens[i - 1]) && isSameWord(tokens, i);
    if (isPiece && !isHidden) before.push(i);
    else groups.push([i]);
  });
  const named = groups.map((group) => merged(group.map((i) => tokens[i])));
  const shown = words ? numbered(named) : named;
  groups.forEach(([one], at) => isTaken(tokens[one]) && (shown[at] = {...shown[at], hidden: true}));
  const places = new Map(groups.flatMap((group, at) => group.map((i) => [i, at])));
  return {tokens: shown, groups, at: (original) => places.get(original) ?? null};
}

const isSameWord = (tokens, i) => tokens[i].word >= 0 && tokens[i].word === tokens[i - 1].word;

/**
 * The pieces of one word as one token.
 * @param {Token[]} pieces
 * @returns {Token}
 */
function merged(pieces) {
  if (pieces.length === 1) return pieces[0];
  const text = pieces.map((piece) => piece.text).join('');
  const {continues, n, ...first} = pieces[0];
  const isUnknown = pieces.some((piece) => piece.unknown);
  return {...first, text, ...(isUnknown ? {unknown: true, read: pieces.map((piece) => piece.read ?? piece.text).join('')} : {})};
}

/**
 * Repeated words are counted anew, as pieces became words.
 * @param {Token[]} tokens
 */
function numbered(tokens) {
  /** @param {Token} token */
  const name = ({text, continues}) => `${continues ? '·' : ''}${text}`;
  const [total, seen] = [new Map(), new Map()];
  for (const token of tokens) total.set(name(token), (total.get(name(token)) ?? 0) + 1);
  return tokens.map(({n, ...token}) => {
    const count = (seen.get(name(token)) ?? 0) + 1;
    seen.set(name(token), count);
    return total.get(name(token)) > 1 ? {...token, n: count} : token;
  });
}
