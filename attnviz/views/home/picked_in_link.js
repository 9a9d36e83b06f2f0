// Where the story on Home is and the word whose row it tells, as the link says them: left out at first. Where the story has
// one row alone, another that was picked on another page, `taken`, goes along.

export const toLink = ({word, taken, scene}, {selection}) => ({token: taken ?? (word === undefined || word === selection.token ? null : word), scene: scene || null});

/** What an opened link says is picked. */
export function fromLink({token, scene}) {
  if (token === null && scene === null) return {};
  return {picked: {...(token !== null && {word: token, taken: token}), ...(scene !== null && {scene})}};
}

/** The same, where it was picked on another page. */
export const takenAlong = ({token}, {picked}) => (token === null ? picked : {...picked, word: token, taken: token});
