// What the browser keeps as JSON: `localStorage` for a later visit, `sessionStorage` for this tab. Either may be full,
// forbidden, or hold what somebody else wrote there; then nothing is kept.

/** @param {'localStorage' | 'sessionStorage'} where */
export function kept(where, name) {
  try {
    return JSON.parse(globalThis[where].getItem(name) ?? 'null');
  } catch {
    return null;
  }
}

/** Keep a value; null takes it away. @param {'localStorage' | 'sessionStorage'} where */
export function keep(where, name, value) {
  try {
    if (value === null) globalThis[where].removeItem(name);
    else globalThis[where].setItem(name, JSON.stringify(value));
  } catch {
    // until the page is left it goes on without
  }
}
