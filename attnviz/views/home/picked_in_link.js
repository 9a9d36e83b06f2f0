// Where the story on Home is and the word whose row it tells, as the link says them: left out at first.

export const toLink = ({word, scene}, {selection}) => ({token: word === undefined || word === selection.token ? null : word, scene: scene || null});

/** What an opened link says is picked. */
export function fromLink({token, scene}) {
  if (token === null && scene === null) return {};
  return {picked: {...(token !== null && {word: token}), ...(scene !== null && {scene})}};
}

/** The same, where it was picked on another page. */
export const takenAlong = ({token}) => (token === null ? undefined : {word: token});
