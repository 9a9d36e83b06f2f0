// Under the line of a word that may be written or not: the likeliest words of its row, likeliest first, and where the
// choice cuts them off.

import {svg} from '../kit/dom.js';
import {pct} from '../kit/number.js';
import {cut} from './names.js';

const [WIDE, HIGH, NAME] = [38, 34, 5]; // px of a word and of the largest bar; characters of a word's name
const FOOT = 14; // px under a bar, for the name
const BESIDE = 58; // px for how many more
const FEW = 9; // words, where the strip is narrow

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
export function cutBars(step, row, isNarrow) {
  const {words, more} = ranked(step, row, isNarrow ? FEW : Infinity);
  if (!words.length) return null;
  const [largest] = words.map(({share}) => share);
  const left = words.filter(({isLeft}) => isLeft).length;
  const width = words.length * WIDE;
  const bars = words.flatMap(({name, share, isLeft}, at) => {
    const high = Math.max(1, (share / largest) * HIGH);
    const x = (at + 0.5) * WIDE;
    return [
      svg('rect', {x: x - 9, y: HIGH - high, width: 18, height: high, class: isLeft ? 'left' : 'out'}, svg('title', {}, `${name} ${pct(share)}`)),
      svg('text', {x, y: HIGH + FOOT - 3, 'text-anchor': 'middle', class: isLeft ? null : 'out'}, cut(name, NAME)),
    ];
  });
  const line = svg('path', {d: `M${left * WIDE} -3V${HIGH + FOOT}`, class: 'cut'});
  const beyond = more ? svg('text', {x: width + 6, y: HIGH, class: 'more'}, `+${more.toLocaleString('en')}`) : null;
  const picture = svg('svg', {viewBox: `0 -4 ${width + BESIDE} ${HIGH + FOOT + 4}`, class: 'cut-bars', 'aria-hidden': 'true'}, ...[...bars, line, beyond].filter(Boolean));
  picture.style.maxWidth = `calc(var(--k) * ${width + BESIDE}px)`;
  return picture;
}
