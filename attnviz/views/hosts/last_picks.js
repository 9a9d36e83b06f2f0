// What was picked last in each kind of picture, as the link says it, and what the last picture is of: for what follows it.

/** One for this document: each component loads this file under an address of its own. */
const last = () => (globalThis.attnvizPicked ??= new Map());

export const lastPicked = (view) => last().get(view)?.link;

/** The same where the person picked it, and not a link or a teacher. */
export const ownPicked = (view) => (last().get(view)?.isOwn ? lastPicked(view) : undefined);

/** The tokens of the picture that is on the page of this path, from the one read first; the second "the" is "the (2)". */
export const shownTokens = (path) => (last().get('tokens')?.path === path ? last().get('tokens').texts : []);

export function noteTokens(path, rows) {
  last().set('tokens', {path, texts: rows.map(({text, n}) => (n ? `${text} (${n})` : text))});
}

/** What the last picture on a page is of: the page, and what it was asked. */
export const shownLast = () => last().get('shown');

/** Note it, once its numbers are drawn, and tell whoever waits for it. @param {{page: string, asked: object} | undefined} link of the picture's header */
export function noteShown(link) {
  if (!link) return;
  last().set('shown', {page: link.page, asked: link.asked});
  document.dispatchEvent(new CustomEvent('attnviz:shown'));
}

/** From now on nothing was picked by the person. */
export function forgetOwn() {
  for (const pick of last().values()) pick.isOwn = false;
}

/** Note it, and tell whoever follows. */
export function notePicked(view, link, isOwnPick) {
  const wasOwn = Boolean(ownPicked(view));
  const isNew = JSON.stringify(link) !== JSON.stringify(lastPicked(view));
  const isOwn = isOwnPick || (wasOwn && !isNew);
  last().set(view, {link, isOwn});
  if (isNew || isOwn !== wasOwn) document.dispatchEvent(new CustomEvent('attnviz:picked', {detail: {view}}));
}
