// The heads of one side: numbered through all layers from 0, named by layer and head from 1. No DOM.

export class Heads {
  /** `counts`: how many heads each layer has. */
  constructor(counts) {
    this.counts = counts;
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

  /** A step in the grid of layers and heads: within a layer around its end, over layers not beyond the last. */
  stepped(number, dLayer, dHead) {
    const [layer, head] = this.place(number);
    const to = Math.max(0, Math.min(this.counts.length - 1, layer + dLayer));
    const count = this.counts[to];
    return this.number([to, (Math.min(head, count - 1) + dHead + count) % count]);
  }

  inside(number) {
    return Math.max(0, Math.min(this.n - 1, number));
  }

  /** Whether both sides have the same layers with as many heads. */
  isLike(other) {
    return this.counts.length === other.counts.length && this.counts.every((count, layer) => count === other.counts[layer]);
  }
}
