// The last few things, newest kept: what a page remembers of heads it has already seen. No DOM.

export class Pool {
  constructor(limit) {
    this.limit = limit;
    this.items = new Map();
  }

  get(key) {
    const item = this.items.get(key);
    if (item !== undefined) this.put(key, item);
    return item;
  }

  put(key, item) {
    this.items.delete(key);
    this.items.set(key, item);
    while (this.items.size > this.limit) this.items.delete(this.items.keys().next().value);
  }
}

/** Exact numbers of the last 16 heads, whichever view asked for them. */
export const exactHeads = new Pool(16);

/** Exact parts of heads over long texts, a list a head. */
export const headParts = new Pool(16);

/** Queries and keys of heads; of a long text those of one row. */
export const headFeatures = new Pool(16);

export const exactKey = (revision, layer, head) => `${revision}/${layer}.${head}`;
