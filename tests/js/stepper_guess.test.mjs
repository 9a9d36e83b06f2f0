import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Guess} from '../../attnviz/views/stepper/guess.js';

const asked = {name: 'weights', question: {row: 2, text: 'which?', answers: [[2, 1], [2, 4]]}};

test('a guess in another row is no guess', () => {
  const guess = new Guess();
  assert.equal(guess.take(asked, 0, 1), false);
  assert.notEqual(guess.pending(asked), null);
  assert.equal(guess.verdict(asked, 0, 1), null);
});

test('a wrong guess keeps the guess and the right cell, and no other cell has a verdict', () => {
  const guess = new Guess();
  assert.equal(guess.take(asked, 2, 0), true);
  assert.deepEqual(guess.verdict(asked, 2, 0), {guess: [2, 0], answer: [2, 1], isRight: false});
  assert.equal(guess.pending(asked), null);
  assert.notEqual(guess.verdict(asked, 2, 1), null);
  assert.equal(guess.verdict(asked, 1, 0), null);
  assert.equal(guess.verdict(asked, 2, 3), null);
});

test('equal cells are equally right, and another run is asked about again', () => {
  const guess = new Guess();
  guess.take(asked, 2, 4);
  assert.equal(guess.verdict(asked, 2, 4).isRight, true);
  guess.forget();
  assert.notEqual(guess.pending(asked), null);
});

test('a step without a question hides nothing', () => {
  assert.equal(new Guess().pending({name: 'q', question: null}) ?? null, null);
});

test('what follows from an open guess is hidden with it, except a step that asks for itself', () => {
  const steps = [
    {name: 'raw', follows: [], question: {row: null, text: '', answers: [[0, 0]]}},
    {name: 'scores', follows: [0]},
    {...asked, follows: [1]},
    {name: 'v', follows: []},
    {name: 'context', follows: [2, 3]},
  ];
  const guess = new Guess();
  assert.equal(guess.before(steps, 1).name, 'raw');
  assert.equal(guess.before(steps, 2), null);
  assert.equal(guess.before(steps, 3), null);
  assert.equal(guess.before(steps, 4).name, 'weights');
  guess.take(steps[2], 2, 1);
  assert.equal(guess.before(steps, 2), null);
  assert.equal(guess.before(steps, 4), null);
  guess.take(steps[0], 0, 0);
  assert.equal(guess.before(steps, 1), null);
});

test('a link keeps what was guessed, and what was shown without a guess', () => {
  const raw = {name: 'raw', question: {row: null, text: '', answers: [[0, 3]]}};
  const guess = new Guess();
  guess.take(asked, 2, 0);
  assert.deepEqual(guess.giveUp(raw), [0, 3]);
  assert.equal(guess.said, 'weights~3~1_raw');
  const opened = new Guess();
  opened.recall([asked, raw, {name: 'q', question: null}], `${guess.said}_q~1~1_nothing`);
  assert.deepEqual([...opened.made], [...guess.made]);
  assert.equal(opened.verdict(raw, 0, 3), null); // nobody guessed
});
