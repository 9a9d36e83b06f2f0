import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Pool} from '../../attnviz/views/kit/recent.js';

test('the pool keeps the last used and lets the oldest go', () => {
  const pool = new Pool(2);
  pool.put('a', 1);
  pool.put('b', 2);
  pool.get('a');
  pool.put('c', 3);
  assert.equal(pool.get('a'), 1);
  assert.equal(pool.get('b'), undefined);
  assert.equal(pool.get('c'), 3);
});
