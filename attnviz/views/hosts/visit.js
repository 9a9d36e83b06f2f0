// To a page of ours, as a link leads there.

export const OWN = ['lang', 'size', 'present', 'from']; // of a link: each person's own

/** A page of ours with what a query asks, in this person's own language, size and view. */
export function addressOf(page, query = '') {
  const here = new URLSearchParams(location.search);
  const url = new URL(page || '.', document.baseURI);
  url.search = query;
  for (const [name, value] of here) if (OWN.includes(name)) url.searchParams.set(name, value);
  return url;
}

/** To a page of ours as with a link: Streamlit and our address bar hear the same event as with Back. */
export function visit(url) {
  history.pushState(history.state, '', url);
  window.dispatchEvent(new PopStateEvent('popstate', {state: history.state}));
}
