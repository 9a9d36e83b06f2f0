// The word whose curves Home shows, as the link says it: counted from 1, and left out where nobody picked one.

export const NAMES = ['word'];

export const toLink = ({word}, {selection}) => ({word: word === undefined || word === selection.token ? '' : String(word + 1)});

/** What an opened link says is picked; null where that is nothing. @param {URLSearchParams} query */
export function fromLink(query) {
  const word = /^[1-9][0-9]{0,3}$/.test(query.get('word') ?? '') ? Number(query.get('word')) - 1 : null;
  return word === null ? null : {word};
}
