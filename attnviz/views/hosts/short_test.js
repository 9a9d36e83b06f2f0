// The short test before and after the lessons: eight items, answered here and counted only. Alone one sees one's own score,
// a student's answers are added to the totals of the room, and its teacher sees those, before beside after.

import {button, lay, mount, part} from './bar_parts.js';
import {atEnd} from './last_call.js';
import {room, TEST} from './room.js';
import {keep, kept} from './storage.js';
import {saveFile} from '../kit/clipboard.js';
import {el} from '../kit/dom.js';
import {MINUS, pct, sum} from '../kit/number.js';
import {toCsv} from '../kit/spreadsheet.js';

const TIMES = ['before', 'after'];
const ABOUT = ['row-sum', 'query-key-value', 'other-way', 'causal-mask', 'positions', 'cross-attention', 'temperature', 'observation']; // of each item, which a file names so
const LINE = new RegExp(String.raw`^(before|after)[,;]([AB])[,;](${ABOUT.join('|')})[,;]([1-4])[,;][01][,;](\d{1,6})(?:[,;](\d{1,7})[,;](\d{1,7})[,;](\d{1,8}))?(?=[,;])`, 'gm'); // of a file with totals
const LEAST = 10; // answer sheets below which a discrimination says nothing
/** Of this tab, by the test's name: {answers, isDone, isSent}; and the code of the room. */
let given = {...kept('sessionStorage', TEST)};
/**
 * @typedef {Object} Total of one form at one time
 * @property {number[][]} counts of each item, how often each choice was taken
 * @property {number[] | null} scores of each item the sum of the scores of who had it right, then the sums of all scores
 *   and of their squares; null in a file without them
 */
const saved = []; // totals from files, each by the test's name

export default function show(component) {
  room().lang = component.data.lang;
  const place = mount(component, room().listeners, room, draw);
  place.root.classList.add('test');
  return atEnd(component, place.end);
}

/** Have the figure of these totals drawn, where it is another one. */
function tellCounted(place, totals, say) {
  const counted = countedOf(totals, place.data.forms, say);
  const said = JSON.stringify(counted);
  if (said === (place.told ?? 'null')) return;
  place.told = said;
  place.component.setStateValue('counted', counted);
}

function draw(place, now, say) {
  const {test, form} = place.data;
  const name = `${test} ${form}`;
  if (now.kept && given.code !== now.kept.code) given = {code: now.kept.code}; // somebody else may sit here now
  const sheet = (given[name] ??= {answers: [], isDone: false});
  const isClosed = now.state?.counted.includes(name);
  const isCounted = sheet.isSent || now.state?.tests?.includes?.(name); // by this student
  const isOfClass = Boolean(now.kept) && !isCounted && !isClosed;
  const role = now.isTeacher ? 'teacher' : isCounted ? 'counted' : isClosed ? 'closed' : now.kept ? 'student' : 'alone';
  const isScored = sheet.isDone && (isCounted ? test === 'after' && (isClosed || !now.kept) : !isOfClass);
  const note = part(place, 'note', [name, role], () => el('p', {role: 'status'}, say(`view-test-${role}`)));
  const totals = sumOf(now.isTeacher ? [...saved, shownOf(now.state)] : saved);
  tellCounted(place, totals, say);
  const onDesk = now.isTeacher && [name, now.state?.tests, now.state?.here, totals, place.problem];
  const asItems = (!isCounted || isScored) && [name, given.code, now.isTeacher, isScored, isOfClass];
  const items = () => {
    if (isScored) return scored(place, sheet, say);
    return now.isTeacher ? asked(place, say) : answered(place, sheet, name, isOfClass, say);
  };
  lay(place.root, [
    part(place, 'title', [test], () => el('h2', {}, say(`view-test-${test}`))),
    note,
    part(place, 'desk', onDesk, () => desk(place, now, totals, say)),
    part(place, 'items', asItems, items),
  ]);
}

/** The questions alone: a teacher's screen is projected. */
function asked({data}, say) {
  const items = data.forms[data.form].map(({ask, options}) => el('li', {}, ask, el('ul', {}, options.map((text) => el('li', {}, text)))));
  return el('details', {}, el('summary', {}, say('view-test-questions')), el('ol', {}, items));
}

function answered(place, sheet, name, isOfClass, say) {
  const items = place.data.forms[place.data.form];
  const left = el('span', {role: 'status'});
  const done = button(say('view-test-done'), async () => {
    if (isOfClass) {
      if (!(await room().say({test: {name, answers: sheet.answers.join('')}}))) return; // the bar says why
      sheet.isSent = true; // also once the room is closed
    }
    sheet.isDone = true;
    keep('sessionStorage', TEST, given);
    place.draw();
    place.root.querySelector('[role=status]')?.scrollIntoView({block: 'center'});
  });
  const tell = () => {
    const n = sheet.answers.filter(Number.isInteger).length;
    left.textContent = say('view-test-left', {n, of: items.length});
    done.disabled = n < items.length;
  };
  const choose = (at, choice) => {
    sheet.answers[at] = choice;
    keep('sessionStorage', TEST, given);
    tell();
  };
  const lists = items.map(({ask, options}, at) =>
    el('li', {},
      el('fieldset', {},
        el('legend', {}, ask),
        [...options, say('view-test-unknown')].map((text, choice) =>
          el('label', {}, el('input', {type: 'radio', name: `${name} ${at}`, checked: sheet.answers[at] === choice ? '' : null, change: () => choose(at, choice)}), text)))));
  tell();
  return el('div', {}, el('ol', {}, lists), el('p', {class: 'line'}, done, left));
}

/** One's own score, and why the right answer is right. */
function scored(place, sheet, say) {
  const items = place.data.forms[place.data.form];
  const n = items.filter(({right}, at) => sheet.answers[at] === right).length;
  const lines = items.map(({ask, options, right, why}, at) => {
    const mine = options[sheet.answers[at]] ?? say('view-test-unknown');
    const said = sheet.answers[at] === right ? null : el('p', {}, say('view-test-yours', {said: mine}));
    return el('li', {}, el('span', {}, ask), el('p', {}, el('b', {}, say('view-test-right', {right: options[right]}))), said, el('p', {}, why));
  });
  const again = button(say('view-test-again'), () => {
    Object.assign(sheet, {answers: [], isDone: false});
    keep('sessionStorage', TEST, given);
    place.draw();
  });
  return el('div', {}, el('p', {class: 'score', role: 'status'}, say('view-test-score', {n, of: items.length})), el('ol', {}, lines), sheet.isSent ? null : again);
}

function desk(place, now, totals, say) {
  const {data} = place;
  const name = `${data.test} ${data.form}`;
  const {n = 0, counts = []} = now.state?.tests[name] ?? {};
  const file = el('input', {
    type: 'file', accept: '.csv,text/csv',
    change: async () => {
      const added = totalsIn(await file.files[0].text());
      place.problem = Object.keys(added).length ? '' : say('view-test-no-totals');
      saved.push(added);
      place.draw();
    },
  });
  const save = () => saveFile(new Blob(['\uFEFF', toCsv(rowsOf(totals, data.forms, say('view-test-unknown')))], {type: 'text/csv'}), 'short-test.csv');
  const hasTotals = Object.keys(totals).length > 0;
  return el('div', {},
    el('p', {class: 'line'},
      el('span', {role: 'status'}, say('view-test-answered', {n, of: Math.max(n, now.state?.here ?? 0)})),
      counts.length ? null : button(say('view-test-show'), () => now.teach({totals: name}), {disabled: n < 5 ? '' : null}),
      hasTotals ? button(say('view-test-save'), save) : null,
      el('label', {class: 'add'}, say('view-test-add'), file),
      place.problem ? el('span', {role: 'alert'}, place.problem) : null),
    hasTotals ? statistics(totals, data, say) : null);
}

/** How hard each item was, and how well it tells who knows more: of each form and time by itself. */
function statistics(totals, {forms}, say) {
  const names = TIMES.flatMap((time) => ['A', 'B'].map((form) => `${time} ${form}`)).filter((name) => totals[name]);
  const told = ({n, difficulty, discrimination}) => {
    const [share, r] = [difficulty.toFixed(2), discrimination === null || n < LEAST ? '–' : signed(discrimination)];
    return el('td', {}, `${share} · ${r}`);
  };
  const heads = names.map((name) => {
    const [time, form] = name.split(' ');
    return el('th', {scope: 'col'}, say('view-test-column', {time: say(`view-test-time-${time}`), form, n: sheets(totals[name])}));
  });
  const rows = ABOUT.map((about, item) => el('tr', {}, el('th', {scope: 'row'}, `${item + 1} ${say(`view-test-about-${about}`)}`), names.map((name) => told(itemOf(totals[name], item, forms[name.split(' ')[1]][item].right)))));
  return el('details', {}, el('summary', {}, say('view-test-statistics')), el('p', {}, say('view-test-statistics-how', {least: LEAST})), el('div', {class: 'wide'}, el('table', {}, el('thead', {}, el('tr', {}, el('td', {}), heads)), el('tbody', {}, rows))));
}

const sheets = ({counts}) => sum(counts[0]);
const signed = (x) => x.toFixed(2).replace('-', MINUS);

/**
 * Difficulty is the share of right answers. Discrimination is the correlation of this item, right or not, with the score on
 * the other seven; null where one of the two is the same for all, or where the scores are not known. No DOM.
 */
export function itemOf({counts, scores}, item, right) {
  const [n, x] = [sum(counts[item]), counts[item][right]];
  const difficulty = n ? x / n : 0;
  if (!scores) return {n, right: x, difficulty, discrimination: null};
  const [all, squares] = scores.slice(ABOUT.length);
  const others = scores[item] - x; // the score on the other items, summed over who had this one right
  const [rest, restSquares] = [all - x, squares - 2 * scores[item] + x];
  const spread = Math.sqrt((n * x - x * x) * (n * restSquares - rest * rest));
  const r = (n * others - x * rest) / spread;
  return {n, right: x, difficulty, discrimination: Math.abs(r) <= 1 + 1e-9 ? r : null}; // a file may say sums of no class
}

/** How many answered each item right, before and after: what the figure under it is drawn from. No DOM. */
export function countedOf(totals, forms, say) {
  const groups = TIMES.flatMap((time) => {
    const taken = Object.keys(totals).filter((name) => name.startsWith(time)).map((name) => name.split(' ')[1]).sort();
    const items = ABOUT.map((_, item) => shareOf(totals, forms, time, item));
    const [{n}, counts] = [items[0], items.map(({right}) => right)];
    const name = () => say('view-test-group', {time: say(`view-test-time-${time}`), forms: taken.join(' '), n, percent: pct(sum(counts) / (n * ABOUT.length))});
    return n ? [{name: name(), n, counts}] : [];
  });
  const answers = ABOUT.map((about, item) => `${item + 1} ${say(`view-test-about-${about}`)}`);
  return groups.length ? {title: say('view-test-picture'), answers, groups} : null;
}

/** Of all forms of a time together. No DOM. */
export function shareOf(totals, forms, time, item) {
  let [right, n] = [0, 0];
  for (const [name, {counts}] of Object.entries(totals)) {
    const [when, form] = name.split(' ');
    if (when !== time) continue;
    right += counts[item][forms[form][item].right];
    n += sum(counts[item]);
  }
  return {right, n};
}

/** The totals as a table: no times, no names, and what was asked in words behind the numbers. No DOM. */
export function rowsOf(totals, forms, unknown) {
  const rows = Object.entries(totals).flatMap(([name, total]) => {
    const [test, form] = name.split(' ');
    return total.counts.flatMap((ofItem, item) => {
      const {ask, options, right} = forms[form][item];
      const {difficulty, discrimination} = itemOf(total, item, right);
      const sums = total.scores ? [total.scores[item], ...total.scores.slice(ABOUT.length)] : ['', '', ''];
      const found = [difficulty.toFixed(4), discrimination === null ? '' : discrimination.toFixed(4)];
      return ofItem.map((n, choice) => [test, form, ABOUT[item], choice + 1, Number(choice === right), n, ...sums, ...found, ask, options[choice] ?? unknown]);
    });
  });
  return [['test', 'form', 'item', 'choice', 'right', 'answers', 'points_of_right', 'points', 'points_squared', 'difficulty', 'discrimination', 'question', 'option'], ...rows];
}

/** The totals that a saved table holds, by the test's name; a file may say anything. No DOM. */
export function totalsIn(text) {
  const totals = {};
  for (const [, test, form, about, choice, n, ...sums] of text.matchAll(LINE)) {
    const item = ABOUT.indexOf(about);
    const total = (totals[`${test} ${form}`] ??= {counts: ABOUT.map(() => [0, 0, 0, 0]), scores: ABOUT.map(() => 0)});
    total.counts[item][Number(choice) - 1] = Number(n);
    if (sums[0] === undefined) total.scores = null;
    else total.scores?.splice(item, 1, Number(sums[0]));
    if (total.scores) [total.scores[ABOUT.length], total.scores[ABOUT.length + 1]] = sums.slice(1).map(Number);
  }
  return totals;
}

/** The totals of several classes together; the same ones, added twice, count once. No DOM. */
export function sumOf(all) {
  const sums = {};
  const added = new Set();
  for (const [name, {counts, scores}] of all.flatMap(Object.entries)) {
    const said = JSON.stringify([name, counts]);
    if (added.has(said)) continue;
    added.add(said);
    const before = sums[name] ?? {counts: counts.map((ofItem) => ofItem.map(() => 0)), scores: (scores ?? []).map(() => 0)};
    sums[name] = {
      counts: counts.map((ofItem, item) => ofItem.map((n, choice) => n + before.counts[item][choice])),
      scores: scores && before.scores && scores.map((one, at) => one + before.scores[at]),
    };
  }
  return sums;
}

const shownOf = (state) => Object.fromEntries(Object.entries(state?.tests ?? {}).filter(([, {counts}]) => counts.length).map(([name, {counts, scores}]) => [name, {counts, scores}]));
