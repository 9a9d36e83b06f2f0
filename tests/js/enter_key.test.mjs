import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isSending} from '../../attnviz/views/hosts/enter_key.js';
import {oneLine} from '../../attnviz/views/kit/words.js';

test('Enter alone sends; with Shift it is a new line, and in an input method it takes over a word', () => {
  assert.ok(isSending({key: 'Enter'}));
  for (const other of [{shiftKey: true}, {ctrlKey: true}, {metaKey: true}, {altKey: true}, {isComposing: true}, {key: 'a'}]) assert.ok(!isSending({key: 'Enter', ...other}));
});

test('where there is room for one line, the end of each is a sign', () => {
  assert.equal(oneLine('user\nWhat\r\nis\rit?'), 'user⏎What⏎is⏎it?');
});
