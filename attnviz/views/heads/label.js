// A token as the reader sees it. Tokens are hostile text: always text nodes, always isolated from the text around them.

import {el} from '../kit/dom.js';
import {fillText, named, short, visible} from '../kit/words.js';

/** The token with its marks: a dot before a piece that continues a word, a dashed frame and ? if it is unknown. */
export function tokenNodes(token, text = visible(token.text)) {
  const kind = `token-text${token.special ? ' special' : ''}${token.unknown ? ' unknown' : ''}`;
  return [
    token.continues ? el('span', {class: 'mark', 'aria-hidden': 'true'}, '·') : null,
    el('bdi', {class: kind}, text),
    token.unknown ? el('sup', {class: 'mark', 'aria-hidden': 'true'}, '?') : null,
  ];
}

/** In a sentence: bold, with the number of its occurrence. */
export function tokenInText(token) {
  return el('b', {}, ...tokenNodes(token, short(visible(token.text))), token.n ? el('sub', {}, String(token.n)) : null);
}

/** What a screen reader says and a tooltip shows. */
export function tokenName(token, say) {
  const facts = [
    token.continues ? say('view-kit-continues-word') : null,
    token.unknown ? fillText(say('view-kit-unknown-token'), {read: token.read}) : null,
    token.special ? say('view-kit-special-token') : null,
  ].filter(Boolean);
  if (!facts.length) return named(token);
  const joined = facts.join(say('view-kit-list-separator'));
  return fillText(say('view-kit-token-facts'), {token: named(token), facts: joined});
}

/** The widest token at a font size of 1 px. */
export function widestToken(tokens, family) {
  const context = document.createElement('canvas').getContext('2d');
  context.font = `600 100px ${family}`;
  const wide = (token) => context.measureText(visible(token.text)).width + (token.continues || token.unknown ? 50 : 0);
  return Math.max(60, ...tokens.map(wide)) / 100;
}
