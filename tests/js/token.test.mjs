import assert from 'node:assert/strict';
import {test} from 'node:test';

import {meaningOf, tokenName, tooltip, wordName} from '../../attnviz/views/kit/token.js';

const WORDS = {'view-kit-token-facts': '{token}（{facts}）', 'view-kit-list-separator': '、', 'view-kit-row-writes': '写出 {token}'};
const say = (id) => WORDS[id] ?? id.replace('view-kit-', '');

test('a token that stands for no word says what it stands for, of whatever model', () => {
  for (const text of ['<start>', '<s>', '<bos>', '<|begin_of_text|>', '[CLS]']) assert.equal(meaningOf(text, say), 'token-start');
  for (const text of ['<end>', '</s>', '<eos>', '<|endoftext|>', '[SEP]']) assert.equal(meaningOf(text, say), 'token-end');
  assert.equal(meaningOf('<unk>', say), 'token-unknown');
  for (const text of ['start', '<b>', '<starts>', '', '月', '<', 'constructor']) assert.equal(meaningOf(text, say), null);
});

test('its own text stays as it is', () => {
  assert.equal(tokenName({text: '<start>', special: true}, say), '<start>（token-start、special-token）');
  assert.equal(tokenName({text: '[CLS]', special: true}, say), '[CLS]（token-start、special-token）');
  assert.equal(tokenName({text: '买', writes: '<end>'}, say), '买（写出 <end>（token-end））');
  assert.deepEqual(['<end>', '月', ' '].map((text) => wordName(text, say)), ['<end>（token-end）', '月', '␣']);
  assert.equal(tooltip({text: '月'}, say), null);
});
