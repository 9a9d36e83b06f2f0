// What is picked in the stepper, as the link says it. The server says tab, attention, what-ifs and part, fitted to the
// run, with each picture; the cell is the view's own.

export const NAMES = ['tab', 'site', 'cell', 'if', 'window', 'guessed', 'columns', 'present', 'draw'];

/** The value of every name in NAMES; '' for one that is left out. Places count from 1. */
export function toLink({step, row, key, feature, guessed = '', columns = '', present = ''}, {place}) {
  return {...place, cell: step ? [step, row + 1, key + 1, feature + 1].join('~') : '', guessed, columns, present};
}

const COMPARING = ['none', 'difference']; // 'both' is usual

/** How results are drawn, as a link says it: where the part of each axis begins, "a3.13", counted from 1; "all" where all is
 * drawn; whether the picked cell stands out; "rows.2" where the first two rows are played so far; and how a changed run is
 * compared. */
export const columnsText = ({windows, isWhole, isHeld, played, comparing, isArrows}) =>
  [...Object.entries(windows).map(([axis, first]) => `${axis}.${first + 1}`), isWhole && 'all', isHeld && 'held', played && `rows.${played}`, !isArrows && 'numbers', COMPARING.includes(comparing) && comparing].filter(Boolean).join('_');

/** The same read: {windows, isWhole, isHeld, played}, and {comparing} where the link says it. */
export function columnsIn(text) {
  const parts = text.split('_').map((part) => part.split('.'));
  const counted = parts.filter(([axis, first]) => axis && Number(first) > 0);
  const {rows: played = 0, ...firsts} = Object.fromEntries(counted.map(([axis, first]) => [axis, Number(first)]));
  const windows = Object.fromEntries(Object.entries(firsts).map(([axis, first]) => [axis, first - 1]));
  const says = (name) => parts.some(([word]) => word === name);
  const comparing = COMPARING.find(says);
  return {windows, isWhole: says('all'), isHeld: says('held'), isArrows: !says('numbers'), played, ...(comparing && {comparing})};
}

/** What a picture of another question begins with; the server chooses what is left out. */
export function carried(link, before, now) {
  if (before.model !== now.model) return {...NOTHING, tab: link.tab, present: link.present};
  if (before.text !== now.text || before.by_word !== now.by_word) return {...link, cell: '', window: '', guessed: '', columns: ''};
  return link;
}

const NOTHING = Object.fromEntries(NAMES.map((name) => [name, '']));
