// What a class is asked: as a student answers it, and what was counted.

import {button} from './bar_parts.js';
import {el} from '../kit/dom.js';
import {pct} from '../kit/number.js';

const MANY = 8; // choices: of more, those nobody gave are not listed

/** The question as a student answers it; what was counted once the teacher reveals it. */
export function question(now, say) {
  const {question: asked, state: {answer}} = now;
  const choose = async (said) => {
    if (await now.say({answer: said})) now.state.answer = said;
    now.tell();
  };
  const pointed = answer ? el('p', {role: 'status'}, say('view-room-pointed', {cell: named(asked, answer, say)})) : null;
  const text = el('p', {class: 'ask', dir: 'auto'}, asked.text);
  if (!asked.revealed) return el('div', {class: 'panel'}, text, ...answers(now, say, answer, choose), asked.options.length ? null : pointed);
  return el('div', {class: 'panel'}, now.isOfStep ? null : text, result(asked, say, pointed, now.isOfStep));
}

/** What can be answered: a button for each choice, or one for the cell that is picked. */
export function answers({question: asked, picked}, say, answer, choose) {
  const choice = (text, at) => button(text, () => choose(String(at)), {'aria-pressed': answer === String(at)});
  if (asked.options.length) return asked.options.map(choice);
  if (!picked) return [el('p', {}, say('view-room-point-how'))];
  return [button(say('view-room-point', {cell: named(asked, picked, say)}), () => choose(picked), {'aria-pressed': answer === picked})];
}

/** How often each answer was given: [[answer, n], …] as students say them; of many choices those that nobody gave are left out. */
export function given({counts, options, right}) {
  const times = new Map(counts);
  if (!times.size) return [];
  const choices = options.map((_, at) => String(at)).filter((at) => options.length <= MANY || times.has(at) || at === right);
  return (choices.length ? choices : [...times.keys()]).map((answer) => [answer, times.get(answer) ?? 0]);
}

/** How often each answer was given, beside the right one, unless the step on the page says that, and one's own. */
export function result(asked, say, pointed = null, isSaid = false) {
  const row = ([answer, n]) => {
    const name = el('span', {dir: 'auto'}, named(asked, answer, say));
    const bar = el('meter', {max: Math.max(1, asked.n), value: n, 'aria-hidden': 'true'}); // the whole bar is all answers
    return el('li', {class: answer === asked.right ? 'right' : ''}, name, bar, el('b', {}, say('view-room-share', {n, percent: pct(n / Math.max(1, asked.n))})));
  };
  const rows = given(asked).map(row);
  const saysRight = asked.why ? 'view-room-right' : 'view-room-marked';
  const right = asked.right ? el('p', {}, say(saysRight, {right: named(asked, asked.right, say)})) : null;
  const why = asked.why ? el('p', {dir: 'auto'}, asked.why) : null;
  const all = rows.length ? el('ol', {}, rows) : el('p', {}, say('view-room-few'));
  return el('div', {}, ...(isSaid ? [] : [right, why]), pointed, all);
}

export const named = (asked, answer, say) => asked.options[Number(answer)] ?? say('view-room-cell', {row: answer.split(',')[0], column: answer.split(',')[1]});
