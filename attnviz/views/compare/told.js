// Whose selection a new picture brings: the page's own, or an echo of what the person picked here a moment ago. No DOM.

/** `say(selection)` when something is told; `isTheirs(selection, isNew)` when a picture comes. */
export function echoes() {
  let last = null; // what the page said last
  let waiting = []; // told, and not yet heard of
  return {
    say(selection) {
      waiting.push(JSON.stringify(selection));
    },
    isTheirs(selection, isNew) {
      const said = JSON.stringify(selection);
      const isMoved = said !== last;
      last = said;
      const at = waiting.lastIndexOf(said);
      if (at >= 0) waiting = waiting.slice(at + 1);
      return isNew || (isMoved && at < 0);
    },
  };
}
