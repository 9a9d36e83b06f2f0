// Templates, tokens and marks as text. `fill` is the only one that needs a document, and it makes text nodes only.

/** The pieces of a template, a value in place of each {name}; one without a value stays visible, so that it is noticed. */
const filled = (template, values) =>
  template
    .split(/\{([A-Za-z][\w-]*)\}/)
    .map((piece, at) => (at % 2 === 0 ? piece : Object.hasOwn(values, piece) ? values[piece] : `{${piece}}`));

/** The template as plain text. */
export const fillText = (template, values) => filled(template, values).map(String).join('');

/** The template as nodes: values are text, numbers or nodes (or arrays of them), never markup. */
export function fill(document, template, values) {
  const fragment = document.createDocumentFragment();
  fragment.append(...filled(template, values).flat());
  return fragment;
}

/** A head in a sentence, counted from 1: "3.10" in English; Chinese says its layer and its number with their measure words.
 * @param {(id: string) => string} say @param {number[]} place */
export const headInWords = (say, [layer, head]) => fillText(say('view-kit-head'), {layer: layer + 1, head: head + 1});

/** 12 -> "₁₂". */
export const lowered = (n) => [...String(n)].map((digit) => String.fromCodePoint(0x2080 + Number(digit))).join('');

const NAMED = {' ': '␣', '\n': '⏎', '\r': '⏎', '\t': '⇥', '': '∅'};
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** A token as it can be seen: blanks get a sign, characters that would turn or hide text their code. */
export function visible(text) {
  if (Object.hasOwn(NAMED, text)) return NAMED[text];
  const code = (c) => `U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  const shown = text.replace(INVISIBLE, (c) => NAMED[c] ?? code(c));
  return shown.trim() === '' ? shown.replace(/\s/g, '␣') : shown;
}

/** A text where there is room for one line: a sign where each line ends. */
export const oneLine = (text) => text.replace(/\r\n?|[\n\u0085\u2028\u2029]/g, '⏎');

/** A rough width in ems: Han characters are twice as wide as letters. */
export const widthOf = (text) => [...text].reduce((total, c) => total + (c.codePointAt(0) > 0x2e80 ? 1.02 : 0.56), 0);

const WIDE = 0x2e80; // code points from here on: Chinese, which is written without blanks
const isWide = (text, at) => (text.codePointAt(at < 0 ? text.length - 1 : 0) ?? 0) > WIDE;

/** What stands between two words of a text: a blank, unless both sides are Chinese. */
export const gapOf = (before, after) => (isWide(before, -1) && isWide(after, 0) ? '' : ' ');

/** Words after one another, as their language sets them. */
export const inRow = (words) => words.reduce((said, word, at) => said + (at ? gapOf(said, word) : '') + word, '');

const graphemes = new Intl.Segmenter('und', {granularity: 'grapheme'});

/** The characters of a text, as a reader counts them. */
export const charactersOf = (text) => Array.from(graphemes.segment(text), ({segment}) => segment);

/** A long token in a sentence: its beginning and its end, in whole characters as a reader counts them. */
export function short(text, limit = 24) {
  if (text.length <= limit) return text;
  const characters = charactersOf(text);
  if (characters.length <= limit) return text;
  const end = Math.floor((limit - 1) / 3);
  return `${characters.slice(0, limit - 1 - end).join('')}…${characters.slice(characters.length - end).join('')}`;
}

/** How a token is named where nobody can see its row: text, and its number among equal ones. */
export const named = (token) => visible(token.text) + (token.n ? lowered(token.n) : '');
export const UNKNOWN = '?'; // beside a token that the model does not know
