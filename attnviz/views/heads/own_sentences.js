// A person's own sentences: the draft, the list that is measured and the one before, for all pictures of this document.

const kept = () => (globalThis.attnvizOwn ??= {draft: '', typed: '', replaced: ''});
export const ownSentences = () => kept().typed;
export const ownDraft = () => kept().draft;
export const keepDraft = (text) => void (kept().draft = text);
export const replacedSentences = () => kept().replaced;

export function measureOwn(text) {
  const {typed} = kept();
  if (text !== typed) Object.assign(kept(), {typed: text, replaced: typed});
}
