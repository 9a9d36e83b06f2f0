// A person's own sentences: the draft, the list that is measured and the one before, for all pictures of this document.

const own = () => (globalThis.attnvizOwn ??= {draft: '', typed: '', replaced: ''});
export const ownSentences = () => own().typed;
export const ownDraft = () => own().draft;
export const keepDraft = (text) => void (own().draft = text);
export const replacedSentences = () => own().replaced;

export function measureOwn(text) {
  const {typed} = own();
  if (text !== typed) Object.assign(own(), {typed: text, replaced: typed});
}
