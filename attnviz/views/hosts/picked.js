// What was picked last in each kind of picture, as the link says it: for the components of a page that follow a picture.

/** One for this document: each component loads this file under an address of its own. */
const last = () => (globalThis.attnvizPicked ??= new Map());

export const lastPicked = (view) => last().get(view);

/** Note it, and tell whoever follows. */
export function notePicked(view, link) {
  const isNew = JSON.stringify(link) !== JSON.stringify(lastPicked(view));
  last().set(view, link);
  if (isNew) document.dispatchEvent(new CustomEvent('attnviz:picked', {detail: {view}}));
}
