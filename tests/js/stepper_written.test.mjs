import assert from 'node:assert/strict';
import {test} from 'node:test';
import {newWords} from '../../attnviz/views/stepper/written.js';

const words = (text) => text.split(' ').map((word) => ({text: word, share: 1}));

test('of a text that is written anew, the words that were not there are marked', () => {
  const [before, now] = [words('她 昨天 没 买 这 本 书 。'), words('她 昨天 买 了 这 本 书 。')];
  assert.deepEqual(newWords(before, now), [false, false, false, true, false, false, false, false]);
  assert.deepEqual(newWords(now, before), [false, false, true, false, false, false, false, false]);
});

test('a word that only begins the text otherwise is the same word', () => {
  assert.deepEqual(newWords(words('She did not buy'), words('she bought')), [false, true]);
});
