// What is known of the heads of one picture: what its payload carries and what the host handed over since. Draws nothing.

import {exactHeads, exactKey, headFeatures} from '../kit/recent.js';
import {byteOf} from './byte_grids.js';
import {featuresOf} from './vectors.js';
import {keepKinds} from './measured_heads.js';
import {exactNumbers, mapNumbers, pageNumbers} from './head_weights.js';
import {headsOf} from './several_heads.js';

export const WHOLE_HEAD = 256; // tokens up to which a head travels whole, and its columns with it

/** The arrays of a file whose names begin so, by the rest of their names. */
const inFile = (arrays, of) =>
  Object.fromEntries(Object.entries(arrays).flatMap(([name, array]) => (name.startsWith(of) ? [[name.slice(of.length), array]] : [])));

/** The maps of a file, which holds the weights of all heads in their place. */
const mapsOf = ({data, shape}) => ({shape, data: Uint8Array.from(data, byteOf)});

export class HeadStore {
  /** @type {HeadsHeader} */
  header;
  /** @type {Arrays} */
  arrays;
  queries; keys;

  /**
   * Take over a payload, with what it holds of its own head.
   * @param {Payload<HeadsHeader>} payload
   */
  constructor({header, arrays}) {
    if (!arrays.maps) arrays = {...arrays, maps: mapsOf(arrays.all)};
    Object.assign(this, {header, arrays, queries: header.tokens.target ?? header.tokens.source, keys: header.tokens.source});
    const {revision, selection, neurons} = header;
    const numbers = exactNumbers(arrays, this.queries.length, this.keys.length);
    if (numbers) exactHeads.put(exactKey(revision, selection.layer, selection.head), numbers);
    if (neurons) headFeatures.put(exactKey(revision, neurons.layer, neurons.head), featuresOf(neurons, inFile(arrays, 'neurons.')));
    if (header.kinds) keepKinds({...header.kinds, revision, arrays: inFile(arrays, 'kinds.')});
  }

  /** Of a head: exact numbers if they are here, else 8 bits, else nothing yet. @param {number[]} place */
  numbers([layer, head]) {
    const {header, arrays} = this;
    const size = [this.queries.length, this.keys.length];
    const index = layer * header.model.heads + head;
    const seen = exactHeads.get(exactKey(header.revision, layer, head));
    return seen ?? pageNumbers(arrays, index, ...size) ?? mapNumbers(arrays.maps, index, ...size);
  }

  /** What is drawn of the picked heads: their numbers under the filters, and the tokens these are between. */
  shown(picked, lens) {
    const each = headsOf(picked).map((head) => this.numbers(head));
    const isWhole = each.every((numbers) => numbers === null || Boolean(numbers.weight));
    const isPlain = picked.view === 'neurons';
    lens.look({...picked, isWhole, isPlain});
    const numbers = isPlain ? each[0] : lens.numbers(picked, each);
    return {numbers, isWhole, isPlain, queries: lens.queries.tokens, keys: lens.keys.tokens};
  }
}
