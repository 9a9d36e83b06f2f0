import assert from 'node:assert/strict';
import {test} from 'node:test';
import {whatElse} from '../../attnviz/views/hosts/away.js';

const words = {asked: {lesson: '1', step: '5', told: '1'}, spokenOf: [{model: 'm', text: 'a b', layer: '2', head: '6', if: ''}]};
const asked = {lesson: '1', step: '5', told: '1', model: 'm', text: 'a b'};
const picked = {layer: '2', head: '6', token: '3', if: ''};

test('of what the words of a step speak of nothing is said, whatever cell is picked there', () => {
  assert.equal(whatElse(words, asked, picked), '');
  assert.equal(whatElse(words, asked, {...picked, token: '1', key: '4'}), '');
});

test('of another head, text or model it is said, and of anything that was changed', () => {
  assert.equal(whatElse(words, asked, {...picked, head: '3'}), 'other');
  assert.equal(whatElse(words, {...asked, text: 'b a'}, picked), 'other');
  assert.equal(whatElse(words, {...asked, model: ''}, picked), 'other');
  assert.equal(whatElse(words, asked, {...picked, if: 't4.encoder.1.self.6'}), 'changed');
});

test('once the what-if was shown the words speak of it too', () => {
  const both = {...words, spokenOf: [...words.spokenOf, {...words.spokenOf[0], if: 'nopos'}]};
  assert.equal(whatElse(both, asked, {...picked, if: 'nopos'}), '');
  assert.equal(whatElse(both, asked, {...picked, if: 'nopos', head: '3'}), 'other');
  assert.equal(whatElse(both, asked, {...picked, if: 'full'}), 'changed');
});

test('while the picture of the step is still to come nothing is said of the one before', () => {
  assert.equal(whatElse(words, {...asked, step: '4'}, {...picked, head: '3'}), '');
  assert.equal(whatElse(words, {...asked, told: ''}, {...picked, head: '3'}), '');
});
