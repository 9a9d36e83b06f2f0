// Where the story on Home is, the word whose row it tells and the heads that are off in its last scene, as the link says them:
// left out at first. Where the story has one row alone, another that was picked on another page, `taken`, goes along, and before
// its last scene what is changed in the run there.

export const toLink = ({word, taken, scene, off}, {selection}) => ({token: taken ?? (word === undefined || word === selection.token ? null : word), scene: scene || null, if: off});

/** What an opened link says is picked. */
export function fromLink({token, scene, if: off}) {
  if (token === null && scene === null && !off) return {};
  return {picked: {off, ...(token !== null && {word: token, taken: token}), ...(scene !== null && {scene})}};
}

/** The same, where it was picked on another page: with other heads off than in the scene that was left, the story begins anew. */
export function takenAlong({token, if: off = ''}, {picked}) {
  const isOther = off !== (picked?.off ?? '');
  return {...picked, ...(token !== null && {word: token, taken: token}), ...(isOther && {off, scene: off ? 0 : picked?.scene})};
}
