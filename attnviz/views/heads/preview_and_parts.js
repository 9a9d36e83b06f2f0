// What arrives of a head besides its weights: a coarse picture at once, who can attend to whom, and exact parts of a long text.

import {exactKey, headFeatures, headParts} from '../kit/recent.js';
import {byteOf, gridOf} from './byte_grids.js';
import {WHOLE_HEAD} from './head_store.js';

const MOST_PARTS = 12; // of one head; the oldest leave

/** Keep a part of a head that came; `detail` is what the host hands over. */
export function keepPart({revision, layer, head, rows, columns, arrays}) {
  const key = exactKey(revision, layer, head);
  const exact = arrays.part;
  const array = exact ?? arrays.pooled;
  const [from, to] = [[rows[0], columns[0]], [rows[1], columns[1]]];
  const data = exact ? Uint8Array.from(exact.data, byteOf) : array.data;
  const part = {rows, columns, weights: exact?.data ?? null, grid: gridOf(data, array.shape, from, to)};
  headParts.put(key, [part, ...(headParts.get(key) ?? [])].slice(0, MOST_PARTS));
}

/**
 * What there is of a picked head beside its numbers; where filters show other tokens than the model's, only who can attend to
 * whom. `ask(rows, columns)` wants a part of a long head exactly; null where nobody can give one.
 */
export function extrasOf({header, arrays, queries, keys}, picked, lens, emit) {
  const {layer, head} = picked;
  const {maps, seen: masks} = arrays;
  const [, heads, rows, columns] = maps.shape;
  const start = (layer * heads + head) * rows * columns;
  const map = () => gridOf(maps.data.subarray(start, start + rows * columns), [rows, columns], [0, 0], [queries.length, keys.length]);
  const mask = header.seen?.[layer] ?? -1;
  const seen = mask < 0 ? null : masks.data.subarray(mask * queries.length * 2, (mask + 1) * queries.length * 2);
  const isWhole = lens.queries.tokens === queries && lens.keys.tokens === keys;
  const canAsk = emit && isWhole && Math.max(queries.length, keys.length) > WHOLE_HEAD;
  const key = exactKey(header.revision, layer, head);
  return {
    preview: isWhole ? map() : null,
    seen: isWhole ? seen : lens.seen(seen),
    parts: (isWhole && headParts.get(key)) || [],
    ask: canAsk ? (...part) => emit({...picked, window: part.flat()}, true) : null,
    features: headFeatures.get(key) ?? null,
    canAskFeatures: emit !== null,
  };
}
