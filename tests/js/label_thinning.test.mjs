import assert from 'node:assert/strict';
import {test} from 'node:test';
import {apart, thinned} from '../../attnviz/views/kit/label_thinning.js';

const tokens = (line) => line.split(' ').map((text) => ({text}));

test('a word is labelled rather than the punctuation beside it', () => {
  const many = tokens('. a . b . c . d . e');
  assert.deepEqual(thinned(many, 2).map((i) => many[i].text), ['a', 'b', 'c', 'd', 'e']);
});

test('a text that has its full stop on every fifth row does not become a column of full stops', () => {
  const many = tokens('. one two three four '.repeat(30).trim());
  const shown = thinned(many, 5).map((i) => many[i].text);
  assert.ok(shown.length >= 28);
  assert.ok(!shown.includes('.'), shown.join(' '));
});

test('the beginning of a word is labelled rather than a piece inside, and what the model added last', () => {
  const many = [{text: '[CLS]', special: true}, {text: 'ization', continues: true}, {text: 'token'}];
  assert.deepEqual(thinned(many, 3), [2]);
  assert.deepEqual(thinned(many.slice(0, 2), 3), [1]);
});

test('labels keep their distance and all rows are labelled where there is room', () => {
  const many = tokens('a , b ; c . d');
  for (const near of [1, 2, 3, 4]) {
    const rows = thinned(many, near);
    rows.forEach((row, i) => i && assert.ok(row - rows[i - 1] >= near));
  }
  assert.deepEqual(thinned(many, 1), [0, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(thinned([], 3), []);
});

test('text of punctuation alone is labelled too', () => {
  assert.deepEqual(thinned(tokens('. . . .'), 2), [0, 2]);
});

test('the first wanted rows win where two are too close', () => {
  assert.deepEqual(apart([10, 11, 30, 28, 13], 3), [10, 30, 13]);
});
