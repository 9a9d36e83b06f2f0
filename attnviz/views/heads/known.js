// What is known of one cell of a head: its weight, or only that it is below something. No DOM.

/**
 * {weight} where it is known exactly; {below} where it is less than the smallest weight of its row that travelled; {} where
 * nothing is. `parts` are the exact parts of a long head that came: [{rows: [from, to], columns: [from, to], weights}].
 */
export function weightAt(numbers, parts, query, key) {
  if (!numbers) return {};
  if (numbers.weight) return {weight: numbers.weight(query, key)};
  const isIn = ({rows, columns, weights}) => weights && query >= rows[0] && query < rows[1] && key >= columns[0] && key < columns[1];
  const part = (parts ?? []).find(isIn);
  if (part) return {weight: part.weights[(query - part.rows[0]) * (part.columns[1] - part.columns[0]) + key - part.columns[0]]};
  const largest = numbers.keys(query, Infinity);
  const here = largest.find(({index}) => index === key);
  if (here) return {weight: here.weight};
  return largest.length ? {below: largest.at(-1).weight} : {};
}

/** Whether a query may look at a key; `seen` holds first and end of each row, null where every query sees all. */
export const isSeen = (seen, query, key) => !seen || (key >= seen[query * 2] && key < seen[query * 2 + 1]);
