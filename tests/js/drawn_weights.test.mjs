import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Lens} from '../../attnviz/views/heads/drawn_weights.js';
import {exactNumbers} from '../../attnviz/views/heads/head_weights.js';

const token = (text, word, more = {}) => ({text, word, ...more});
const TOKENS = [token('[CLS]', -1, {special: true}), token('un', 0), token('happy', 0, {continues: true}), token('cat', 1)];
const head = (rows) => exactNumbers({head: {data: new Float32Array(rows.flat()), shape: [4, 4]}}, 4);
const one = head([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.5, 0, 0.5, 0], [0.25, 0.25, 0.25, 0.25]]);
const two = head([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]);
const lens = (look) => {
  const made = new Lens({queries: TOKENS, keys: TOKENS});
  made.look(look);
  return made;
};

test('what is pinned is found again under the filters, and hidden tokens nowhere', () => {
  const words = lens({filter: 'words special'});
  assert.deepEqual(words.at({side: 'query', index: 2}), {side: 'query', index: 0});
  assert.deepEqual(words.of({side: 'key', index: 1}), {side: 'key', index: 3});
  assert.equal(words.at({side: 'key', index: 0}), null);
});

test('other thresholds and other heads keep the tokens, so that nothing is built anew', () => {
  const made = lens({filter: 'words below-3'});
  const {tokens} = made.queries;
  made.look({filter: 'words below-9'});
  assert.equal(made.queries.tokens, tokens);
  made.look({filter: 'below-9'});
  assert.equal(made.queries.tokens, TOKENS);
});

test('heads are brought together first and filtered then; overlaid ones each by itself', () => {
  const picked = {layer: 0, head: 0, also: [[0, 1]]};
  const mean = lens({filter: 'special rescaled'}).numbers(picked, [one, two]);
  assert.deepEqual([mean.heads, mean.layers], [['1.1', '1.2'], null]);
  assert.equal(mean.weight(0, 0), 1); // (0.5 + 1) / 2 of what is left, 0.75
  assert.equal(mean.removed(0), 0.25);
  const over = lens({together: 'overlay'}).numbers(picked, [one, two]);
  assert.deepEqual(over.layers.map(({weight}) => weight(1, 1)), [0.5, 1]);
  assert.equal(over.weight(1, 1), 0.75);
});

test('heads that are on their way are waited for, and those that cannot be averaged leave the first alone', () => {
  const picked = {layer: 0, head: 0, also: [[0, 1]]};
  assert.equal(lens({}).numbers(picked, [one, null]), null);
  const alone = lens({}).numbers(picked, [one, {...two, weight: null}]);
  assert.equal(alone.heads, undefined);
  assert.equal(alone.weight(1, 0), 0.5);
});

test('words see what their pieces see', () => {
  const causal = new Uint16Array([0, 1, 0, 2, 0, 3, 0, 4]);
  assert.deepEqual([...lens({filter: 'words special'}).seen(causal)], [0, 1, 0, 2]);
  assert.equal(lens({}).seen(null), null);
});

test('the neuron view has the numbers of the model, whatever is filtered', () => {
  assert.equal(lens({filter: 'special words', isPlain: true}).queries.tokens, TOKENS);
});
