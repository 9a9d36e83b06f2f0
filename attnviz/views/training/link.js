// What is picked in the training view, as the link says it: the step as it is, places counted from 1, the run a or b.

export const NAMES = ['at'];

/** The value of every name in NAMES. */
export function toLink({step, layer, head, query, key, run}) {
  return {at: [step, layer + 1, head + 1, query + 1, key + 1, run ? 'b' : 'a'].join('.')};
}
