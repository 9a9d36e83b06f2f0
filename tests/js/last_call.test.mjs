import assert from 'node:assert/strict';
import {test} from 'node:test';
import {atEnd} from '../../attnviz/views/hosts/last_call.js';

test('a call that is ended once a later one was made there ends nothing of it', () => {
  const ended = [];
  const [component, other] = [{parentElement: {}}, {parentElement: {}}];
  const [first, last, beside] = [component, component, other].map((it, at) => atEnd(it, () => ended.push(at)));
  first();
  assert.deepEqual(ended, []);
  last();
  beside();
  assert.deepEqual(ended, [1, 2]);
});
