// What is picked in the stepper, as the link says it. The server says tab, attention, what-ifs and part, fitted to the
// run, with each picture; the cell is the view's own.

/** The values by their names; see link.py. */
export function toLink({step, row, key, feature, guessed = '', columns = '', present = ''}, {place}) {
  const cell = step ? {matrix: step, token: row, key, feature: feature || null} : {matrix: '', token: null, key: null, feature: null};
  return {...place, ...cell, guessed, columns, present};
}

/** What was picked on another page, in the link of this one, with what is changed in the run: its cell stays where its row does. */
export function takenAlong(link, {layer, head, part = '', token, key = '', if: changed = ''}) {
  const placed = {...link, if: changed, ...((layer || head) && {part, layer: layer ?? '', head: head ?? ''})};
  const isOther = token && (token !== placed.token || (key && key !== placed.key));
  return isOther ? {...placed, token: token === 'none' ? '' : token, key, feature: ''} : placed;
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
