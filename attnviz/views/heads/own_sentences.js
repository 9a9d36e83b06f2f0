// A person's own sentences: the draft, and the list that is measured, for all pictures of this document.

const own = () => (globalThis.attnvizOwn ??= {draft: '', typed: ''});
export const ownSentences = () => own().typed;
export const ownDraft = () => own().draft;
export const keepDraft = (text) => void (own().draft = text);
export const measureOwn = (text) => void (own().typed = text);
