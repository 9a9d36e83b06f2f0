// The line above the charts: the step, whose maps these are, how the training ended, and what it is about.

import {el} from '../kit/dom.js';
import {pct} from '../kit/number.js';
import {fillText} from '../kit/words.js';
import {LETTERS, MARKS} from './curves.js';
import {bestHead} from './runs.js';

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

/** What the task's known answer is and why it is learned so; where that takes two heads, how far both are at c. */
export function fillLesson(node, run, c, say) {
  const last = run.checkpoints.length - 1;
  const [first, second] = last < 0 ? [] : run.answers.map((_, answer) => bestHead(run, answer, last));
  const name = ([layer, head]) => `${layer + 1}.${head + 1}`;
  const evidence = second && fillText(say(`view-training-evidence-${run.task}`), {
    first: name(first), early: pct(run.score(0, c, ...first)),
    second: name(second), late: pct(run.score(1, c, ...second)),
  });
  node.replaceChildren(el('b', {}, say('view-training-known')), ' ', say(`view-training-lesson-${run.task}`), evidence ? ` ${evidence}` : '');
}

/** A button a run: its mark, its letter, its name and how often it is right at last. */
export function fillWhich(holder, runs, chosen, say) {
  const right = (run) => Object.values(run.accuracy)[0]?.at(-1)?.[1];
  holder.replaceChildren(
    ...runs.map((run, i) => {
      const name = run.label || say(`view-training-task-${run.task}`);
      const share = right(run);
      const said = share === undefined ? name : fillText(say('view-training-run'), {name, percent: pct(share), n: run.examples});
      const mark = el('span', {class: `run-${i}`, 'aria-hidden': 'true'}, MARKS[i]);
      return el('button', {type: 'button', 'data-run': i, 'aria-pressed': i === chosen}, mark, ` ${LETTERS[i]} `, said);
    }),
  );
}
