// Names of matrices and of rows: W_Q with its subscript, tokens as their own text and never as markup.

import {el, svg} from '../kit/dom.js';
import {UNKNOWN, charactersOf, visible} from '../kit/words.js';

/** "W_Qᵀ" -> [['W', ''], ['Q', 'sub'], ['ᵀ', '']]; what follows a blank or a sign is on the line again. */
export function pieces(name) {
  return name
    .split(/(_(?:(?!ᵀ)[\p{L}\p{N}])+)/u)
    .filter(Boolean)
    .map((piece) => (piece.startsWith('_') ? [piece.slice(1), 'sub'] : [piece, '']));
}

/** The name as SVG text spans, `after` px from what stands before it. */
export function nameSpans(name, after = 0) {
  let lowered = 0;
  return pieces(name).map(([text, place], at) => {
    const dy = place === 'sub' ? 3 : 0;
    const attributes = {dx: at === 0 && after ? after : null, dy: dy - lowered || null, 'font-size': place === 'sub' ? '0.74em' : null};
    lowered = dy;
    return svg('tspan', attributes, text);
  });
}

/** What tells a name from others of its line: "8" of context₈, and a name without a number whole. */
export const numberOf = (name) => pieces(name).find(([, place]) => place === 'sub')?.[0] ?? name;

/** The name as HTML nodes and text. */
export const nameNodes = (name) => pieces(name).map(([text, place]) => (place === 'sub' ? el('sub', {}, text) : text));

/** The class that gives queries, keys and values their ink; null for all others. */
export const roleClass = (matrix) => (matrix?.role ? `role-${matrix.role}` : null);

const CURVES = {relu: 'ReLU', gelu: 'GELU', gelu_tanh: 'GELU', silu: 'SiLU'};

/** What an activation is called; both ways to compute GELU have one name. */
export const curveName = (curve) => CURVES[curve] ?? curve;

/** A label cut to `limit` characters as a reader counts them. */
export function cut(text, limit) {
  const characters = charactersOf(text);
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join('')}…`;
}

/** What stands beside a row: {text, number} where the number counts a repeated token; with its `token` where the model does not know it. */
export function labelOf(axis, index, limit) {
  const token = axis.token(index);
  if (!token)
    return {text: cut(axis.name(index), limit), number: null, isNumber: axis.kind !== 'token' && !axis.labels};
  const text = cut(visible(token.text), limit);
  return {text: token.unknown ? text + UNKNOWN : text, number: token.n ?? null, isNumber: false, ...(token.unknown && {token})};
}

/**
 * What the row of a token of a decoder writes next, as it stands beside the token; "" where it writes nothing.
 * @param {'writes' | 'wrote'} [when] in this run, or in the untouched one
 */
export function writesOf(axis, index, limit = Infinity, when = 'writes') {
  const writes = axis.isSecret ? undefined : axis.token(index)?.[when]; // secret while it is to be guessed
  return writes === undefined ? '' : cut(visible(writes), limit);
}
