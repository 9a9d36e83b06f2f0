// Whose selection a new picture brings: the page's own, or an echo of what the person picked here a moment ago. No DOM.

const MOMENT_MS = 3000; // after which nothing that was told is on its way any more

/** `say(selection)` when something is told; `isTheirs(selection, isNew)` when a picture comes. */
export function echoes(now = () => performance.now()) {
  let last = null; // what the page said last
  let waiting = []; // told, and not yet heard of
  return {
    say(selection) {
      waiting.push({said: JSON.stringify(selection), at: now()});
    },
    isTheirs(selection, isNew) {
      const said = JSON.stringify(selection);
      const isMoved = said !== last;
      last = said;
      waiting = waiting.filter(({at}) => now() - at < MOMENT_MS);
      const at = waiting.findLastIndex((told) => told.said === said);
      if (at >= 0) waiting = waiting.slice(at + 1);
      return isNew || (isMoved && at < 0);
    },
  };
}
