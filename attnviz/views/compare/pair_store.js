// The pairs of heads whose numbers are here: those that came with the picture, and the last few that were asked for. No DOM.

import {Pool} from '../kit/recent.js';
import {pooledPair, wholePair} from './pair_numbers.js';

const asked = new Pool(16); // of every picture on the page
const keyOf = (revision, a, b) => `${revision}/${a.join('.')}/${b.join('.')}`;

/** Keep the numbers of one pair, from wherever the host gets them. */
export function keepPair({revision, a, b, pair, arrays}) {
  asked.put(keyOf(revision, a, b), {pair, arrays});
}

export class Pairs {
  /** @type {CompareHeader} */
  header;
  /** @type {Arrays} */
  arrays;
  headsA; headsB; n;

  /** @param {Payload<CompareHeader>} payload */
  constructor({header, arrays}, headsA, headsB) {
    Object.assign(this, {header, arrays, headsA, headsB, n: header.units.length, last: {}});
    const {a, b, pair} = header.selection;
    keepPair({revision: header.revision, a, b, pair, arrays});
  }

  /** The numbers of a head of A beside one of B, both as [layer, head]; null while they are not here. */
  of(a, b) {
    const key = keyOf(this.header.revision, a, b);
    if (this.last.key === key && this.last.numbers) return this.last.numbers;
    this.last = {key, numbers: this.made(a, b, key)};
    return this.last.numbers;
  }

  made(a, b, key) {
    const {arrays, n} = this;
    if (arrays.all_a) {
      const one = (array, at, size) => array.data.subarray(at * size, (at + 1) * size);
      const [x, y] = [this.headsA.number(a), this.headsB.number(b)];
      return wholePair(one(arrays.all_a, x, n * n), one(arrays.all_b, y, n * n), n, one(arrays.all_left_a, x, n), one(arrays.all_left_b, y, n));
    }
    const kept = asked.get(key);
    if (!kept) return null;
    const {pair, arrays: ownArrays} = kept;
    const left = [ownArrays.left_a.data, ownArrays.left_b.data];
    return ownArrays.pair_a ? wholePair(ownArrays.pair_a.data, ownArrays.pair_b.data, n, ...left) : pooledPair(pair, ownArrays, n, ...left);
  }

  /** `(index) => whether the query can attend to the key` on one side, in a layer; null without a mask. */
  seen(side, layer) {
    const {header, arrays, n} = this;
    const which = header.seen[side][layer];
    if (which < 0) return null;
    const mask = arrays[`seen_${side}`].data.subarray(which * n * n, (which + 1) * n * n);
    return (index) => mask[index] > 0;
  }
}
