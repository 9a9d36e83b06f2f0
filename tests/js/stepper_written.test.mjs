import assert from 'node:assert/strict';
import {test} from 'node:test';
import {newWords, notesOn} from '../../attnviz/views/stepper/written_text.js';

const words = (text) => text.split(' ').map((word) => ({text: word, share: 1}));

test('of a text that is written anew, the words that were not there are marked', () => {
  const [before, now] = [words('她 昨天 没 买 这 本 书 。'), words('她 昨天 买 了 这 本 书 。')];
  assert.deepEqual(newWords(before, now), [false, false, false, true, false, false, false, false]);
  assert.deepEqual(newWords(now, before), [false, false, true, false, false, false, false, false]);
});

test('a word that only begins the text otherwise is the same word', () => {
  assert.deepEqual(newWords(words('She did not buy'), words('she bought')), [false, true]);
});

test('where the rows do not say what is written now, it is said in one sentence, and why', () => {
  const rows = ['这', '的', '没'].map((writes) => ({writes}));
  const [now, same] = [words('她 昨天 没'), words('这 的 没')];
  const notes = (text, more) => notesOn(text, {heads: 0, rows, isMasked: false, isOther: false, ...more});
  assert.deepEqual(notes(now, {isOther: true}), ['rows-ahead']);
  assert.deepEqual(notes(now), ['same-ahead']);
  assert.deepEqual(notes(same), ['same']);
  assert.deepEqual(notes(now, {isMasked: true, isOther: true}), ['rows']);
  assert.deepEqual(notes(now, {isMasked: true}), ['same']);
  assert.deepEqual(notes(now, {isMasked: true, heads: 8}), ['same-heads']);
});
