// The word whose curves Home shows, as the link says it: counted from 1, and left out where nobody picked one.

export const NAMES = ['word'];

export const toLink = ({word}, {selection}) => ({word: word === undefined || word === selection.token ? '' : String(word + 1)});

/** What an opened link says is picked. @param {URLSearchParams} query */
export function fromLink(query) {
  const word = query.get('word') ?? '';
  return /^[1-9][0-9]{0,3}$/.test(word) ? {picked: {word: Number(word) - 1}} : {};
}
