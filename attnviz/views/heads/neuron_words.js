// What is said of a row taken apart: how its products become weights. No DOM.

import {fmt, pct, precise} from '../kit/number.js';
import {fillText} from '../kit/words.js';

/** Sentences on the scores of a head: its scale, what is added or capped, whose keys these are. */
export function aboutScores(of, row, say) {
  const isRoot = Math.abs(of.scale * Math.sqrt(of.width) - 1) < 1e-6;
  const scale = of.scale === 1 ? say('view-heads-neurons-unscaled') : isRoot ? fillText(say('view-heads-neurons-root'), {n: of.width}) : fillText(say('view-heads-neurons-scale'), {scale: precise(of.scale, 3)});
  const heads = {first: of.key_head * of.shares + 1, last: (of.key_head + 1) * of.shares};
  const isMasked = Array.from({length: of.count}, (_, at) => of.masked(row, at)).some((score) => !Number.isFinite(score));
  return [
    scale,
    of.softcap ? fillText(say('view-heads-neurons-capped'), {cap: fmt(of.softcap, 0)}) : null,
    of.bias ? say(`view-heads-neurons-${of.adds ? 'added' : 'bias'}`) : null,
    of.sink === null ? null : fillText(say('view-heads-neurons-sink'), {sink: fmt(of.sink)}),
    of.shares > 1 ? fillText(say('view-heads-neurons-shared'), heads) : null,
    say('view-heads-neurons-rotated'),
    isMasked ? say('view-heads-neurons-mask') : null,
    say('view-heads-neurons-colours'),
  ].filter(Boolean);
}

/** The decimals of a column whose largest number is `most`: as many as leave it five signs wide. */
export const decimalsOf = (most) => (most >= 1000 ? 0 : most >= 10 ? 1 : 2);

/** From the sum of the products of one key to its weight, with every step that this model has between them. */
export function chainOf(of, row, at, say) {
  const isSeen = Number.isFinite(of.masked(row, at));
  const term = of.adds ? 'added' : 'bias';
  const numbers = {
    raw: fmt(of.raw(row, at)),
    score: fmt(of.score(row, at)),
    [term]: of.bias ? fmt(of.bias(row, at)) : '',
    sum: fmt(of.masked(row, at)),
    masked: '',
    weight: pct(of.weight(row, at)),
  };
  const links = ['raw', 'score', ...(of.bias ? [term] : []), ...(isSeen ? (of.bias ? ['sum'] : []) : ['masked']), 'weight'];
  return links.map((id) => fillText(say(`view-heads-neurons-chain-${id}`), {[id]: numbers[id]})).join(' → ');
}
