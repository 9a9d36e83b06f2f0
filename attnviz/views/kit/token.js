// A token as the reader sees it. Tokens are hostile text: always text nodes, always isolated from the text around them.

import {contextOf, el} from './dom.js';
import {UNKNOWN, fillText, named, short, visible} from './words.js';

/**
 * The token with its marks: a dot before a piece that continues a word, a dashed frame and ? if it is unknown, the
 * number of its occurrence if it is repeated, and what its row of a decoder writes. The marks are elements of their own:
 * a token that is cut keeps them.
 */
export function tokenNodes(token, text = visible(token.text)) {
  const kinds = ['special', 'unknown', 'hidden', 'written'].filter((name) => token[name]);
  return [
    token.continues ? el('span', {class: 'mark', 'aria-hidden': 'true'}, '·') : null,
    el('bdi', {class: ['token-text', ...kinds].join(' ')}, text),
    token.unknown ? el('sup', {class: 'mark', 'aria-hidden': 'true'}, UNKNOWN) : null,
    token.n ? el('sub', {class: 'mark'}, String(token.n)) : null,
    token.writes === undefined ? null : el('span', {class: 'mark writes'}, '→ ', el('bdi', {}, visible(token.writes))),
  ];
}

/** Whether a token is marks alone: in a sentence it stands in quotation marks, where it would be one of the sentence's own. */
export const quoted = (text) => (/^\p{P}+$/u.test(text) ? {'data-quoted': ''} : {});

/** In a sentence: bold, and cut in the middle where it is longer than `limit` characters. */
export function tokenInText(token, limit) {
  const text = visible(token.text);
  const said = short(text, limit);
  return el('b', {...quoted(text), title: said === text ? null : text}, ...tokenNodes(token, said));
}

const ROLES = ['system', 'user', 'assistant', 'tool'];
const COLOURS = {A: 0, B: 1, user: 0, assistant: 1, system: 2, tool: 3}; // of groups, by their place in a picture's series
const OTHER_ROLE = 3;

/** A group of tokens: a text of two, or a role in the reader's language where it is a known one. */
export const groupName = (group, say) => (ROLES.includes(group) ? say(`view-kit-role-${group}`) : group);

/** The colour of a group: the same on both sides, whatever else is shown. */
export const groupColour = (group) => `var(--series-${Object.hasOwn(COLOURS, group) ? COLOURS[group] : OTHER_ROLE})`;

const MEANS = /^(?:<\|?(?:(start|s|bos|begin_of_text)|(end|\/s|eos|endoftext)|unk)\|?>|\[(?:(CLS)|(SEP)|UNK)\])$/; // as of panels.py

/** What a token stands for that is no word of a text, by its name; null of any other. */
export function meaningOf(text, say) {
  const found = MEANS.exec(text);
  return found && say(`view-kit-token-${found[1] ?? found[3] ? 'start' : found[2] ?? found[4] ? 'end' : 'unknown'}`);
}

/** A word that is predicted or written, with what it stands for where that is no word. */
export function wordName(text, say) {
  const facts = meaningOf(text, say);
  return facts ? fillText(say('view-kit-token-facts'), {token: text, facts}) : visible(text);
}

/** What a screen reader says and a tooltip shows. */
export function tokenName(token, say) {
  const facts = [
    token.continues ? say('view-kit-continues-word') : null,
    token.unknown ? fillText(say('view-kit-unknown-token'), {read: token.read}) : null,
    token.written ? say('view-kit-written-token') : null,
    token.special ? meaningOf(token.text, say) : null,
    token.special ? say('view-kit-special-token') : null,
    token.hidden ? say('view-kit-hidden-token') : null,
    token.group ? groupName(token.group, say) : null,
    token.writes === undefined ? null : fillText(say('view-kit-row-writes'), {token: wordName(token.writes, say)}),
  ].filter(Boolean);
  if (!facts.length) return named(token);
  const joined = facts.join(say('view-kit-list-separator'));
  return fillText(say('view-kit-token-facts'), {token: named(token), facts: joined});
}

/** The name of a token that says less than it, or may be cut as it is longer than `longest`; else null. */
export function tooltip(token, say, longest = Infinity) {
  const name = tokenName(token, say);
  return name !== named(token) || token.text.length > longest ? name : null;
}

/** The widest token at a font size of 1 px. */
export function widestToken(tokens, family) {
  const context = contextOf(document.createElement('canvas'));
  context.font = `660 100px ${family}`;
  const number = (n) => (n ? 8 + 45 * String(n).length : 0);
  const next = (writes) => (writes === undefined ? 0 : 150 + context.measureText(visible(writes)).width);
  const marks = ({continues, unknown, n, writes}) => (continues ? 45 : 0) + (unknown ? 110 : 0) + number(n) + next(writes);
  const beside = new Map(); // of each text the widest marks: a long text says few words many times
  for (const token of tokens) beside.set(token.text, Math.max(beside.get(token.text) ?? 0, marks(token)));
  let widest = 60;
  for (const [text, wide] of beside) widest = Math.max(widest, context.measureText(visible(text)).width + wide);
  return widest / 100;
}
