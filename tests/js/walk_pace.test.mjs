import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Walk} from '../../attnviz/views/heads/walk_pace.js';

test('the first step begins a walk, those soon after it go on with it, and a rest ends it', () => {
  const walk = new Walk();
  assert.deepEqual([0, 500, 530, 560, 2000].map((now) => walk.isOn(now)), [false, true, true, true, false]);
});
