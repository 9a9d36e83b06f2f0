// What is picked in the stepper, as the link says it. The server says tab, attention, what-ifs and part, fitted to the
// run, with each picture; the cell is the view's own.

export const NAMES = ['tab', 'site', 'cell', 'if', 'window'];

/** The value of every name in NAMES; '' for one that is left out. Places count from 1. */
export function toLink({step, row, key, feature}, {place}) {
  return {...place, cell: step ? [step, row + 1, key + 1, feature + 1].join('~') : ''};
}

/** What a picture of another question begins with; the server chooses what is left out. */
export function carried(link, before, now) {
  if (before.model !== now.model) return {...NOTHING, tab: link.tab};
  if (before.text !== now.text || before.by_word !== now.by_word) return {...link, cell: '', window: ''};
  return link;
}

const NOTHING = Object.fromEntries(NAMES.map((name) => [name, '']));
