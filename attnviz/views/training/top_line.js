// The line above the charts: the step, whose maps these are, how the training ended, and what it is about.

import {el} from '../kit/dom.js';
import {pct} from '../kit/number.js';
import {fillText, headInWords, inRow} from '../kit/words.js';
import {LETTERS, MARKS} from './curves.js';
import {FORMED, bestHead, formedIn} from './runs.js';

const SAID = ['training', 'stopped', 'out-of-time', 'diverged']; // a training that is finished needs no word

/** "Step 750 of 1500"; returns it as text. */
export function fillStep(node, run, c, say) {
  const step = fillText(say('view-training-step'), {step: String(run.checkpoints[c])});
  const planned = fillText(say('view-training-planned'), {steps: String(run.planned)});
  node.replaceChildren(step, ' ', el('small', {}, planned));
  return `${step} ${planned}`;
}

/** How it stands where it did not end as planned; nothing else to say is nothing. */
export function fillState(node, run, say) {
  node.hidden = !SAID.includes(run.outcome);
  const values = {step: String(run.steps.at(-1) ?? 0)};
  node.textContent = node.hidden ? '' : fillText(say(`view-training-state-${run.outcome}`), values);
}

/** What the model writes at checkpoint c for the text on the page, and what it should; nothing where it answers nothing. */
export function fillAnswer(node, {answered, right, isCausal, counted}, c, say) {
  const text = answered[c] ?? '';
  node.hidden = !answered.some(Boolean);
  const isRight = text === right;
  const part = (kind, words) => el('span', {class: kind}, words);
  const verdict = isRight ? [part('caption', say('view-training-right'))] : right ? [part('caption', say('view-training-should')), part('right', right)] : [];
  const name = isCausal ? say(`view-training-predicts-${counted}`) : say('view-training-writes');
  node.replaceChildren(part('caption', name), part('written', text || '–'), ...verdict);
  node.classList.toggle('wrong', Boolean(right) && !isRight);
}

const POEMS = /^poems-/; // of these it was measured what they write at the states that ship

/** What the task's known answer is and why it is learned so; where that takes two heads, how it went in this run. */
export function fillLesson(node, run, say) {
  const evidence = run.task === 'induction' ? evidenceOf(run, say) : POEMS.test(run.task) ? say(`view-training-evidence-${run.task}`) : '';
  const lesson = say(`view-training-lesson-${run.task}`);
  node.replaceChildren(el('b', {}, say('view-training-known')), ' ', inRow([lesson, evidence].filter(Boolean)));
}

const CLIMBED = 0.1; // of a head's weight: what is seen to rise

/** How far the first head was when the second had formed, and whether it rose on; where none has, which of the two lacks. */
export function evidenceOf(run, say) {
  if (run.layers < 2) return say('view-training-evidence-induction-one-layer');
  const formed = formedIn(run);
  const last = run.checkpoints.length - 1;
  const [first, second] = formed ? [formed.first, formed.second] : [0, 1].map((answer) => bestHead(run, answer, last));
  const share = (answer, at) => run.score(answer, at, ...(answer ? second : first));
  const heads = {first_head: headInWords(say, first), second_head: headInWords(say, second)};
  if (!formed) {
    const values = {...heads, step: String(run.checkpoints[last]), early: pct(share(0, last)), late: pct(share(1, last))};
    const isHalf = share(0, last) > FORMED;
    return fillText(isHalf ? say('view-training-evidence-induction-half-formed') : say('view-training-evidence-induction-not-formed'), values);
  }
  const [step, start] = [formed.c, 0].map((at) => String(run.checkpoints[at]));
  const [early, chance, end] = [formed.c, 0, last].map((at) => pct(share(0, at)));
  const risesOn = share(0, last) - share(0, formed.c) > CLIMBED;
  return fillText(risesOn ? say('view-training-evidence-induction-rises-on') : say('view-training-evidence-induction-formed'), {...heads, step, late: pct(share(1, formed.c)), early, start, chance, end});
}

/** A button a run: its mark, its letter, its name and how often it is right at last. */
export function fillWhich(holder, runs, chosen, say) {
  holder.replaceChildren(
    ...runs.map((run, i) => {
      const name = run.label || say(`view-training-task-${run.task}`);
      const share = Object.values(run.accuracy)[0]?.at(-1)?.[1];
      const said = share === undefined ? name : fillText(say('view-training-run'), {name, percent: pct(share)});
      const mark = el('span', {class: `run-${i}`, 'aria-hidden': 'true'}, MARKS[i]);
      return el('button', {type: 'button', 'data-run': i, 'aria-pressed': i === chosen}, mark, ` ${LETTERS[i]} `, said);
    }),
  );
}
