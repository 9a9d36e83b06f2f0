// What is seen of a room: on the Lessons page how one opens or joins it, and on every page a quiet bar at the bottom.

import {button, drafted, form, lay, mount, open, part, status} from './bar_parts.js';
import {atEnd} from './last_call.js';
import {shownTokens} from './last_picks.js';
import {room} from './room.js';
import {answers, given, named, result} from './room_question.js';
import {seat} from './student_bar.js';
import {copyText} from '../kit/clipboard.js';
import {el} from '../kit/dom.js';

export default function show(component) {
  const {launches, lang, question} = component.data;
  const now = room();
  now.lang = lang;
  if (launches) now.lesson = question;
  const place = mount(component, now.listeners, room, launches ? launch : bar);
  place.fold ??= ({key, target}) => {
    if (place.opened === 'door' && (key === 'Escape' || target.closest?.('.door'))) open(place, 'door');
  };
  if (!launches && !place.sizes) {
    place.sizes = new ResizeObserver(() => measure(place.root));
    place.sizes.observe(place.root);
    place.measure = () => measure(place.root);
    document.addEventListener('attnviz:presented', place.measure);
  }
  place.root.addEventListener('click', place.fold);
  document.addEventListener('keydown', place.fold); // wherever the focus is
  return atEnd(component, () => {
    if (launches) now.lesson = null;
    else {
      place.sizes.disconnect();
      document.removeEventListener('attnviz:presented', place.measure);
      for (const name of ['--av-room', '--av-panel']) document.body.style.removeProperty(name);
    }
    document.removeEventListener('keydown', place.fold);
    place.end();
  });
}

function launch(place, now, say) {
  if (now.reach === undefined && !now.kept) now.lookWhere();
  const says = now.kept ? null : [now.problem, now.reach];
  now.leads ||= Boolean(now.kept && place.root.matches(':focus-within'));
  const node = part(place, 'launch', says, () =>
    el('div', {class: 'launch'},
      button(say('view-room-open'), () => now.begin()),
      now.reach === null ? null : el('small', {}, now.reach ? say('view-room-at', {address: now.reach}) : say('view-room-here')),
      form(say('view-room-code'), say('view-room-join'), (code) => now.enter({code: code.replaceAll(' ', '').toUpperCase()}), {maxlength: 9, size: 8, pattern: ' *([A-Za-z] *){5}'})));
  if (!node.isConnected) place.root.replaceChildren(node);
}

function bar(place, now, say) {
  const {root} = place;
  root.classList.toggle('bar', Boolean(now.kept || now.problem));
  root.setAttribute('role', 'region');
  root.setAttribute('aria-label', say('view-room-name'));
  const nodes = now.kept ? [...(now.isTeacher ? desk : seat)(place, now, say)] : [];
  const problem = now.problem === 'closed' ? say('view-room-closed') : now.problem;
  nodes.push(part(place, 'problem', problem || null, () =>
    el('p', {class: 'line', role: 'alert'}, problem, button(say('view-room-dismiss'), () => (Object.assign(now, {problem: ''}), now.tell())))));
  lay(root, nodes);
  document.body.classList.toggle('av-asked', now.isAsked); // the lesson's own question waits, which answers at once
  const isStudent = Boolean(now.kept && !now.isTeacher);
  document.body.classList.toggle('av-student', isStudent); // no way to the answers
  document.body.classList.toggle('av-follows', isStudent && now.follows); // on a phone the picture has more room
  document.body.classList.toggle('av-behind', now.isBehind);
  if (now.leads && now.kept) place.parts.status.node.focus(); // what had the focus is gone
  now.leads = false;
  measure(root);
}

const COLUMN = window.matchMedia('(min-width: 1180px)'); // of a window that has room for it: app/shell/shell.css

/** How much of the window the bar takes, and in a presenter's view what it asks in the column beside the picture. */
function measure(root) {
  const {body} = document;
  const panel = root.querySelector('.panel:not(.door)');
  const isBeside = Boolean(panel) && COLUMN.matches && body.classList.contains('av-presents');
  root.classList.toggle('beside', isBeside);
  root.classList.toggle('of-lesson', isBeside && document.querySelector('.st-key-lesson-words') !== null);
  body.classList.toggle('av-panel', isBeside);
  body.style.setProperty('--av-room', `${root.classList.contains('bar') ? root.offsetHeight : 0}px`);
  body.style.setProperty('--av-panel', `${isBeside ? panel.offsetHeight : 0}px`);
}

/** Where the teacher says what is right of a question of their own: a choice, or the cell that they picked. */
function mark(now, asked, say) {
  if (asked.why) return null;
  if (!asked.options.length) return el('p', {class: 'line'}, say('view-room-mark'), now.picked ? button(named(asked, now.picked, say), () => now.teach({right: now.picked})) : say('view-room-mark-how'));
  const option = (value, text, attributes = {}) => el('option', {value, selected: value === asked.right ? '' : null, ...attributes}, text);
  const choices = [option('', '', {disabled: ''}), ...asked.options.map((text, at) => option(String(at), text))];
  return el('label', {class: 'line'}, say('view-room-mark'), el('select', {dir: 'auto', change: ({target}) => now.teach({right: target.value})}, choices));
}

/** What a class answered, in words: what a figure of it is drawn from. */
function counted(asked, say) {
  const all = given(asked);
  const group = {name: say('view-room-answered', {n: asked.n}), n: asked.n, counts: all.map(([, n]) => n)};
  return {title: asked.text, answers: all.map(([answer]) => named(asked, answer, say)), groups: [group], right: asked.right ? named(asked, asked.right, say) : ''};
}

function desk(place, now, say) {
  const {state, kept, lesson} = now;
  const asked = now.question;
  const tab = (name, text) => button(text, () => open(place, name), {name, 'aria-expanded': place.opened === name});
  const isAlone = kept.link && !kept.qr && !state?.here;
  if (now.isNew) Object.assign(place, {opened: 'mine'});
  now.isNew = false;
  return [
    part(place, 'unreachable', isAlone, () => el('p', {class: 'ask', role: 'alert'}, say('view-room-unreachable'))),
    part(place, 'panel', panelSays(place), () => el('div', {class: `panel ${place.opened}${asked && now.isOfStep ? ' of-step' : ''}`}, ...panels[place.opened](now, say, place))),
    part(place, 'code', kept.code, () => el('b', {class: 'code', lang: 'en'}, kept.code)),
    status(place, now, say, say('view-room-follow-you', {n: state?.follow, of: state?.here})),
    part(place, 'line', [place.opened, state?.said.length, Boolean(kept.left)], () =>
      el('p', {class: 'line'},
        kept.left ? button(say('view-room-back'), () => now.backToStep(), {name: 'back'}) : null,
        tab('door', say('view-room-door')), tab('ask', say('view-room-ask')), tab('said', say('view-room-said', {n: state?.said.length ?? 0})), tab('mine', say('view-room-mine')),
        tab('close', say('view-room-close')))),
  ];

  function panelSays({opened}) {
    if (opened === 'ask') return [opened, asked && {...asked, answered: state.answered, rehearsed: state.rehearsal && [state.rehearsed], few: isFew(state), picked: now.picked, isOfStep: now.isOfStep}, asked ? null : [lesson, shownTokens(location.pathname).length > 0, isFew(state)]];
    return opened ? [opened, opened === 'said' ? [state?.said, state?.sentences] : kept.link] : null;
  }
}

const SHOWN = 5; // answers, as in serving/rooms.py

/** Whether so few are in the room that what they answer will not be shown. */
const isFew = (state) => state?.here > 0 && state.here < SHOWN;

/** What a button of the teacher's bar opens. @type {Record<string, (now: any, say: any, place: any) => any[]>} */
const panels = {
  door: ({kept}, say) => [
    kept.qr ? el('img', {src: kept.qr, alt: say('view-room-qr')}) : kept.link ? el('p', {}, say('view-room-unreachable')) : null,
    el('p', {class: 'code', lang: 'en'}, kept.code),
    el('p', {class: 'link', lang: 'en'}, kept.link ?? ''),
  ],
  mine: ({kept}, say) => {
    const base = kept.link?.replace(/\?.*/, '') ?? new URL('.', document.baseURI); // the address that the class has
    const copied = el('span', {role: 'status'});
    const copy = async ({target}) => {
      await copyText(`${base}#teach=${kept.code}.${kept.secret}`, target.parentElement);
      copied.textContent = say('view-room-copied');
    };
    return [el('p', {}, say('view-room-mine-what')), button(say('view-room-copy'), copy), copied];
  },
  ask: (now, say, place) => {
    const {state, question: asked} = now;
    const few = isFew(state) ? el('p', {role: 'note'}, say('view-room-few-here')) : null;
    const lesson = now.lesson && now.worded(now.lesson);
    if (asked) {
      const reveal = async () => (await now.teach({does: 'reveal'})) && now.isOfStep && now.turn('1'); // on every page
      const choices = now.isOfStep ? [] : asked.options.map((text) => el('li', {dir: 'auto'}, text)); // the step has them on the page
      const rehearsal = state.rehearsal ? el('p', {}, say('view-room-rehearsal')) : null;
      const rehearsed = state.rehearsal ? answers(now, say, state.rehearsed, (answer) => now.teach({answer})) : [];
      const open = [few, ...rehearsed, rehearsed.length ? null : choices.length ? el('ol', {class: 'choices'}, choices) : null, el('p', {}, say('view-room-answered', {n: state.answered}))];
      const chart = asked.counts?.length ? button(say('view-room-chart'), () => place.component.setTriggerValue('chart', counted(asked, say))) : null;
      return [el('p', {class: 'ask', dir: 'auto'}, asked.text), rehearsal, ...(asked.revealed ? [result(asked, say, null, now.isOfStep)] : open), asked.revealed ? mark(now, asked, say) : button(say('view-room-reveal'), reveal), chart, button(say('view-room-unask'), () => now.teach({does: 'unask'}))];
    }
    const askLesson = async () => (await now.teach({ask: now.lesson})) && now.turn(''); // told already, it would tell the class
    const typedQuestion = drafted(now, form(say('view-room-own'), say('view-room-ask-all'), async (written) => {
      const [text, ...options] = written.split('\n').map((line) => line.trim()).filter(Boolean);
      const isTaken = await now.teach({ask: {words: {[now.lang]: {text, options}}}});
      if (isTaken) now.draft = '';
      return isTaken;
    }, {rows: 3}));
    const typed = typedQuestion.querySelector('textarea');
    const offer = () => {
      const [text, ...options] = typed.value.split('\n');
      now.draft = typed.value = [text, ...new Set([...options.filter(Boolean), ...shownTokens(location.pathname)])].join('\n');
      typed.focus();
      typed.setSelectionRange(text.length, text.length); // where the question is written
      typed.scrollTop = 0;
    };
    if (shownTokens(location.pathname).length) typedQuestion.append(button(say('view-room-own-tokens'), offer));
    return [lesson ? button(say('view-room-ask-lesson', {text: lesson.text}), askLesson, {dir: 'auto'}) : null, el('p', {}, say('view-room-own-how')), few, typedQuestion];
  },
  said: (now, say) => {
    const {said, sentences} = now.state ?? {said: []};
    const line = ([id, sentence]) => el('li', {}, el('span', {dir: 'auto'}, sentence), button(say('view-room-show'), () => now.show(sentence)), button(say('view-room-drop'), () => now.teach({drop: id}), {class: 'quiet'}));
    return [
      button(say(sentences ? 'view-room-sentences-off' : 'view-room-sentences-on'), () => now.teach({sentences: !sentences})),
      el('p', {}, say('view-room-said-how')),
      said.length ? el('ol', {}, said.map(line)) : el('p', {}, say('view-room-nothing-said')),
    ];
  },
  close: (now, say) => [el('p', {}, say('view-room-close-what')), button(say('view-room-close-now'), () => now.teach({does: 'close'}))],
};
