// The heads of one side: numbered through all layers from 0, named by layer and head from 1. No DOM.

import {clamp} from '../kit/number.js';

export const NOBODY = 65_535; // in place of a head's number

export class Heads {
  /** `counts`: how many heads each layer has; `letter` of the side: A or B. */
  constructor(counts, letter) {
    this.counts = counts;
    this.letter = letter;
    this.starts = [];
    this.n = counts.reduce((sum, count) => (this.starts.push(sum), sum + count), 0);
  }

  /** [layer, head] -> its number. */
  number([layer, head]) {
    return this.starts[layer] + head;
  }

  /** Its number -> [layer, head]. */
  place(number) {
    const layer = this.layer(number);
    return [layer, number - this.starts[layer]];
  }

  layer(number) {
    let layer = this.starts.length - 1;
    while (this.starts[layer] > number) layer -= 1;
    return layer;
  }

  /** "6.12". */
  name(number) {
    const [layer, head] = this.place(number);
    return `${layer + 1}.${head + 1}`;
  }

  /** "A 6.12". */
  fullName(number) {
    return `${this.letter} ${this.name(number)}`;
  }

  /** Of all heads. */
  get names() {
    return Array.from({length: this.n}, (_, number) => this.name(number));
  }

  /** A step in the grid of layers and heads: within a layer around its end, over layers not beyond the last. */
  stepped(number, dLayer, dHead) {
    const [layer, head] = this.place(number);
    const to = clamp(layer + dLayer, 0, this.counts.length - 1);
    const count = this.counts[to];
    return this.number([to, (Math.min(head, count - 1) + dHead + count) % count]);
  }

  /** Whether both sides have the same layers with as many heads. */
  isLike(other) {
    return this.counts.length === other.counts.length && this.counts.every((count, layer) => count === other.counts[layer]);
  }
}
