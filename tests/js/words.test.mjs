import assert from 'node:assert/strict';
import {test} from 'node:test';
import {fill, fillText, inRow, lowered, named, short, visible} from '../../attnviz/views/kit/words.js';

test('a template has its values in place of its names', () => {
  assert.equal(fillText('{token} looks at {n} of {list}.', {token: 'a', list: 'b', n: 3}), 'a looks at 3 of b.');
  assert.deepEqual(['no names', ''].map((text) => fillText(text, {})), ['no names', '']);
});

test('what a token holds is never a name', () => {
  assert.equal(fillText('{token} → {list}', {token: '{list}', list: 'x'}), '{list} → x');
});

test('a name without a value stays visible, and the prototype has no values', () => {
  assert.equal(fillText('{a} {toString}', {}), '{a} {toString}');
});

test('values become text nodes, never markup', () => {
  const appended = [];
  const document = {createDocumentFragment: () => ({append: (...pieces) => appended.push(...pieces.filter((it) => it !== ''))})};
  const node = {kind: 'node'};
  fill(document, '{a}: {b} {c}', {a: '<img src=x onerror=alert(1)>', b: [node, ', '], c: 3});
  assert.deepEqual(appended, ['<img src=x onerror=alert(1)>', ': ', node, ', ', ' ', 3]);
});

test('occurrences are lowered digits', () => {
  assert.equal(lowered(120), '₁₂₀');
  assert.equal(named({text: 'the', n: 2}), 'the₂');
  assert.equal(named({text: 'cat'}), 'cat');
});

test('blanks and characters that hide or turn text are shown', () => {
  assert.equal(visible(' '), '␣');
  assert.equal(visible('  '), '␣␣');
  assert.equal(visible('\n'), '⏎');
  assert.equal(visible('a\u202eb'), 'aU+202Eb');
  assert.equal(visible('\u200b'), 'U+200B');
  assert.equal(visible(''), '∅');
});

test('emoji, right-to-left letters and markup stay as they are', () => {
  for (const text of ['👩‍👩‍👧', 'سلام', '<b>', '猫']) assert.equal(visible(text), text);
});

test('a long token is cut in its middle, between characters as a reader counts them', () => {
  assert.equal(short('😀'.repeat(30), 4), '😀😀…😀');
  assert.equal(short('👩‍👩‍👧'.repeat(9), 4), '👩‍👩‍👧👩‍👩‍👧…👩‍👩‍👧');
  assert.equal(short('e\u0301'.repeat(9), 3), 'e\u0301e\u0301…');
  assert.equal(short('internationalization', 10), 'intern…ion');
  assert.equal(short('👩‍👩‍👧'.repeat(4), 4), '👩‍👩‍👧'.repeat(4));
  assert.equal(short('cat'), 'cat');
});

test('words stand beside each other as their language sets them', () => {
  assert.equal(inRow(['明', '月', '，', 'moon', 'light', '光']), '明月， moon light 光');
  assert.equal(inRow([]), '');
});
