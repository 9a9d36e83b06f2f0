// The numbers that belong to the view of heads, by what an answer says of itself: each is kept, and the view is told.

import {exactHeads, exactKey, headFeatures} from '../kit/recent.js';
import {exactNumbers} from '../heads/head_weights.js';
import {keepExcited, keepLook} from '../heads/look_answers.js';
import {keepKinds} from '../heads/measured_heads.js';
import {keepPart} from '../heads/preview_and_parts.js';
import {featuresOf} from '../heads/vectors.js';

/** Exact numbers of one head. */
function keepExact({revision, layer, head, arrays}) {
  const [queries, keys] = arrays.head?.shape ?? arrays.top_keys?.shape ?? [];
  const numbers = exactNumbers(arrays, queries, keys);
  if (numbers) exactHeads.put(exactKey(revision, layer, head), numbers);
}

/** Queries and keys of one head. */
function keepFeatures({revision, layer, head, arrays, ...facts}) {
  headFeatures.put(exactKey(revision, layer, head), featuresOf({...facts, layer, head}, arrays));
}

export const keeps = {exact: keepExact, window: keepPart, neurons: keepFeatures, kinds: keepKinds, look: keepLook, excited: keepExcited};
