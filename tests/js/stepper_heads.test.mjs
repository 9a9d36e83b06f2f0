import assert from 'node:assert/strict';
import {test} from 'node:test';
import {neighbour} from '../../attnviz/views/stepper/kept_place.js';

// q, the weights of four heads, their contexts, and what joins them
const steps = ['q', ...Array(4).fill('weights'), ...Array(4).fill('context'), 'concat'].map((name) => ({name, siblings: []}));
for (const step of steps) {
  const own = steps.flatMap((other, index) => (other.name === step.name ? [{index}] : []));
  if (own.length > 1) step.siblings = own;
}
const walk = (at, by, isAsked) => neighbour(steps, at, by, isAsked);

test('the heads of a step are one step: nine presses become three', () => {
  const seen = [0];
  while (walk(seen.at(-1), 1) !== null) seen.push(walk(seen.at(-1), 1));
  assert.deepEqual(seen.map((at) => steps[at].name), ['q', 'weights', 'context', 'concat']);
});

test('the head that was chosen goes along, on and back', () => {
  assert.equal(walk(3, 1), 7);
  assert.equal(walk(7, -1), 3);
  assert.equal(walk(7, 1), 9);
  assert.equal(walk(9, -1), 5);
  assert.equal(walk(3, -1), 0);
  assert.equal(walk(9, 1), null);
});

test('a head that is still to be guessed is a step of its own', () => {
  assert.equal(walk(1, 1, (index) => index === 2), 2);
});
