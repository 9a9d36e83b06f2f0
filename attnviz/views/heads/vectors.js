// One row of a head feature by feature: products of the query with each key, their order, and the numbers up to the
// weight. No DOM.

/**
 * What came of one head, from its facts and arrays (see neurons.py). `why` says in a word why a head has no features.
 */
export function featuresOf(facts, arrays) {
  if (facts.why) return {...facts, rows: 0};
  const {q, k, raw, scores, masked, weights, bias, rest} = arrays;
  const [rows, width] = q.shape;
  const count = k.shape[0];
  const cell = (array) => (row, at) => array.data[row * count + at];
  return {
    ...facts,
    rows,
    width,
    count,
    q: (row, feature) => q.data[row * width + feature],
    k: (at, feature) => k.data[at * width + feature],
    product: (row, at, feature) => q.data[row * width + feature] * k.data[at * width + feature],
    raw: cell(raw),
    score: cell(scores),
    masked: cell(masked),
    weight: cell(weights),
    bias: bias ? cell(bias) : null,
    rest: (row) => rest?.data[row] ?? 0,
  };
}

/** The row of the model's query `token` in what came; the first that came where that one did not. */
export const rowOf = ({first, rows}, token) => (token !== null && token >= first && token < first + rows ? token - first : 0);

/** Which of the keys gets most of the row. */
export function mostOf(features, row) {
  let best = 0;
  for (let at = 1; at < features.count; at++) if (features.weight(row, at) > features.weight(row, best)) best = at;
  return best;
}

/** The features by what they add to the score of one key: what raises it most first, what lowers it most last. */
export function byContribution(features, row, at) {
  const order = Array.from({length: features.width}, (_, feature) => feature);
  return order.sort((a, b) => features.product(row, at, b) - features.product(row, at, a) || a - b);
}

/**
 * The row as a table: the query on top, then a line for each key, then one for its products with the query; columns for
 * the features in the given order, counted from 1, and for the numbers up to the weight.
 */
export function rowTable(features, row, order, {query, keys, corner}) {
  const numbers = ['raw', 'score', ...(features.bias ? ['bias'] : []), 'masked', 'weight'];
  const lines = features.keys.flatMap((key, at) => [
    [keys[key], 'k', ...order.map((feature) => features.k(at, feature)), ...numbers.map((name) => features[name](row, at))],
    [keys[key], 'q·k', ...order.map((feature) => features.product(row, at, feature)), ...numbers.map(() => null)],
  ]);
  return [[corner, '', ...order.map((feature) => feature + 1), ...numbers], [query, 'q', ...order.map((feature) => features.q(row, feature)), ...numbers.map(() => null)], ...lines];
}

/**
 * The largest sizes of the row: of its query, of all keys, of all products, what a colour is measured by; and of the
 * finite numbers up to the weight.
 */
export function largestOf(features, row) {
  const most = {q: 0, k: 0, product: 0, raw: 0, masked: 0};
  for (const name of ['raw', 'masked']) {
    const sizes = Array.from({length: features.count}, (_, at) => Math.abs(features[name](row, at)));
    most[name] = Math.max(0, ...sizes.filter(Number.isFinite));
  }
  for (let feature = 0; feature < features.width; feature++) {
    most.q = Math.max(most.q, Math.abs(features.q(row, feature)));
    for (let at = 0; at < features.count; at++) {
      most.k = Math.max(most.k, Math.abs(features.k(at, feature)));
      most.product = Math.max(most.product, Math.abs(features.product(row, at, feature)));
    }
  }
  return most;
}
