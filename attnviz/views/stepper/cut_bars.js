// Under the line of a word that may be written or not: the likeliest words of its row, likeliest first, and where the
// choice cuts them off.

import {svg} from '../kit/dom.js';
import {cut} from './names.js';

const [HIGH, NAME] = [28, 5]; // px of the largest bar; characters of a word's name
const FOOT = 14; // px under a bar, for the name
const BESIDE = 58; // px for how many more
const OVER = 14; // px over a bar, for its number
const USUAL = {wide: 38, type: 10.5, most: Infinity}; // px of a word and of its type; words at most
const NARROW = {...USUAL, most: 9};
const PRESENTED = {wide: 46, type: 12, most: 7}; // a room reads it

/** A share with a decimal: a dozen in whole percents would add up to others than what is said of them together. */
export const shareInBars = (share) => (share > 0 && share < 0.0005 ? '<0.1%' : `${(100 * share).toFixed(1)}%`);

/**
 * The likeliest words of a row: [{name, share, isLeft}], and how many more are left beyond them. No DOM.
 * @returns {{words: {name: string, share: number, isLeft: boolean}[], more: number}}
 */
export function ranked({extras, facts}, row, most = Infinity) {
  const count = extras.count.at(row, 0);
  const words = Array.from({length: Math.min(facts.ranked, most)}, (_, rank) => {
    const column = row * facts.ranked + rank;
    return {name: extras.ranked.columns.name(column), share: extras.ranked.at(0, column), isLeft: rank < count};
  });
  return {words, more: Math.max(0, count - words.length)};
}

/** The words of the picked cell's row as bars, a line where they are cut off; null where the step has none. */
export function cutBars(step, row, {isNarrow, isPresented}) {
  const {wide, type, most} = isPresented ? PRESENTED : isNarrow ? NARROW : USUAL;
  const {words, more} = ranked(step, row, most);
  if (!words.length) return null;
  const [largest] = words.map(({share}) => share);
  const left = words.filter(({isLeft}) => isLeft).length;
  const width = words.length * wide;
  const bars = words.flatMap(({name, share, isLeft}, at) => {
    const high = Math.max(1, (share / largest) * HIGH);
    const x = (at + 0.5) * wide;
    return [
      svg('rect', {x: x - 9, y: HIGH - high, width: 18, height: high, class: isLeft ? 'left' : 'out'}, svg('title', {}, `${name} ${shareInBars(share)}`)),
      svg('text', {x, y: HIGH - high - 4, 'text-anchor': 'middle', 'font-size': type, class: isLeft ? null : 'out'}, shareInBars(share)),
      svg('text', {x, y: HIGH + FOOT - 3, 'font-size': type, 'text-anchor': 'middle', class: isLeft ? null : 'out'}, cut(name, NAME)),
    ];
  });
  const line = more ? null : svg('path', {d: `M${left * wide} ${-OVER}V${HIGH + FOOT}`, class: 'cut'});
  const beyond = svg('text', {x: width + 6, y: HIGH, 'font-size': type, class: 'more'}, `+${more.toLocaleString('en')}`);
  const picture = svg('svg', {viewBox: `0 ${-OVER} ${width + BESIDE} ${HIGH + FOOT + OVER}`, class: 'cut-bars', 'aria-hidden': 'true'}, ...[...bars, line ?? beyond]);
  picture.style.maxWidth = `calc(var(--k) * ${width + BESIDE}px)`;
  return picture;
}
