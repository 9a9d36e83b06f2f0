import assert from 'node:assert/strict';
import {test} from 'node:test';
import {areGrouped, groupRuns} from '../../attnviz/views/kit/bands.js';

const of = (...groups) => groups.map((group) => (group === null ? null : {group}));

test('neighbours of one group are one band, and what belongs to none has no band', () => {
  assert.deepEqual(groupRuns(of('A', 'A', 'B')), [{run: [0, 1], group: 'A'}, {run: [2, 2], group: 'B'}]);
  assert.deepEqual(groupRuns(of(undefined, 'user', undefined, 'user')), [{run: [1, 1], group: 'user'}, {run: [3, 3], group: 'user'}]);
});

test('one text, and an axis without tokens, have no bands', () => {
  assert.deepEqual([groupRuns(of(undefined, undefined)), groupRuns(of(null, null)), groupRuns([])], [[], [], []]);
  assert.deepEqual([areGrouped(of(undefined)), areGrouped(of(null, 'B'))], [false, true]);
});
