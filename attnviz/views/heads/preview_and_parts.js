// What arrives of a head besides its weights: a coarse picture at once, who can attend to whom, and exact parts of a long text.

import {exactKey, headParts} from '../kit/recent.js';
import {byteOf, gridOf} from './byte_grids.js';

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

/** `picked`: {layer, head}; `ask(rows, columns)` wants a part of it exactly, null where nobody can give one. */
export function extrasOf({header, arrays}, {layer, head}, nQueries, nKeys, ask) {
  const {maps, seen} = arrays;
  const [, heads, rows, columns] = maps.shape;
  const size = rows * columns;
  const index = layer * heads + head;
  const preview = gridOf(maps.data.subarray(index * size, (index + 1) * size), [rows, columns], [0, 0], [nQueries, nKeys]);
  const mask = header.seen?.[layer] ?? -1;
  return {
    preview,
    seen: mask < 0 ? null : seen.data.subarray(mask * nQueries * 2, (mask + 1) * nQueries * 2),
    parts: headParts.get(exactKey(header.revision, layer, head)) ?? [],
    ask,
  };
}
