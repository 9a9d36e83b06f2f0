// Where the story on Home is, the word whose row it tells and the heads that are off in its last scene, as the link says them:
// left out at first. Where the story has one row alone, another that was picked on another page, `taken`, goes along.

export const toLink = ({word, taken, scene, off}, {selection}) => ({token: taken ?? (word === undefined || word === selection.token ? null : word), scene: scene || null, if: off});

/** What an opened link says is picked. */
export function fromLink({token, scene, if: off}) {
  if (token === null && scene === null) return {};
  return {picked: {...(token !== null && {word: token, taken: token}), ...(scene !== null && {scene, off})}};
}

/** The same, where it was picked on another page. */
export const takenAlong = ({token}, {picked}) => (token === null ? picked : {...picked, word: token, taken: token});
