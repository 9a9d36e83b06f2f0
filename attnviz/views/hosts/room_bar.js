// What is seen of a room: on the Lessons page how one opens or joins it, and on every page a quiet bar at the bottom.

import {shownTokens} from './last_picks.js';
import {room} from './room.js';
import {copyText} from '../kit/clipboard.js';
import {el} from '../kit/dom.js';
import {fillText} from '../kit/words.js';

const MANY = 8; // choices: of more, those nobody gave are not listed
const places = new WeakMap();

export default function show(component) {
  const {launches, lang, question} = component.data;
  const now = room();
  now.lang = lang;
  if (launches) now.lesson = question;
  const place = mount(component, now.listeners, room, launches ? launch : bar);
  place.fold ??= ({key, target}) => {
    if (place.opened === 'door' && (key === 'Escape' || target.closest?.('.door'))) open(place, 'door');
  };
  place.root.addEventListener('click', place.fold);
  document.addEventListener('keydown', place.fold); // wherever the focus is
  return () => {
    if (launches) now.lesson = null;
    else document.body.style.removeProperty('--av-room');
    document.removeEventListener('keydown', place.fold);
    place.end();
  };
}

/** What is kept of a component in its element, drawn with what `now` says, and again whenever `drawn` are called. */
export function mount({data, parentElement}, drawn, now, draw) {
  const place = places.get(parentElement) ?? {root: el('div', {class: 'attnviz-room'}), parts: {}};
  place.data = data;
  if (!places.has(parentElement)) {
    place.draw = () => draw(place, now(), (id, values = {}) => fillText(place.data.words[id], values));
    place.end = () => {
      drawn.delete(place.draw);
      place.root.remove();
      places.delete(parentElement);
    };
    drawn.add(place.draw);
    parentElement.append(place.root);
    places.set(parentElement, place);
  }
  place.draw();
  return place;
}

/** Open one of the teacher's panels, or fold it away. */
function open(place, name) {
  place.opened = place.opened === name ? '' : name;
  place.draw();
  place.root.querySelector(`[name="${name}"]`)?.focus(); // its line was drawn again
}

/** A part of a place, drawn again only where it says something else, or in another language: typing goes on. */
export function part(place, name, says, build) {
  const said = JSON.stringify([says ?? null, place.data.lang]);
  const before = place.parts[name];
  if (before?.said === said) return before.node;
  const node = says === null || says === undefined || says === false ? el('span', {hidden: ''}) : build();
  const {activeElement} = place.root.getRootNode();
  const at = before ? [...before.node.querySelectorAll('button')].indexOf(activeElement) : -1;
  before?.node.replaceWith(node);
  place.parts[name] = {said, node};
  if (at >= 0) (node.querySelectorAll('button')[at] ?? place.parts.status?.node)?.focus(); // it goes on by keyboard
  return node;
}

export const button = (text, press, attributes = {}) => el('button', {type: 'button', ...attributes, click: press}, text);

/** A line to write; once `take` was answered, `thanks` says so, and what was refused can be sent again. */
function form(label, action, take, attributes = {}, thanks = '') {
  const sent = el('span', {role: 'status'});
  const input = el(attributes.rows ? 'textarea' : 'input', {type: 'text', 'aria-label': label, placeholder: label, autocomplete: 'off', input: () => (sent.textContent = ''), ...attributes});
  const submit = async (event) => {
    event.preventDefault();
    if (!input.value.split('\n')[0].trim()) return input.focus(); // choices without a question are none
    const text = input.value.trim();
    input.value = '';
    if (await take(text)) sent.textContent = thanks;
    else input.value ||= text;
  };
  return el('form', {submit}, input, el('button', {type: 'submit'}, action), sent);
}

function launch(place, now, say) {
  const says = now.kept ? null : [now.problem];
  const node = part(place, 'launch', says, () =>
    el('div', {class: 'launch'},
      button(say('view-room-open'), () => now.begin()),
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
  document.body.style.setProperty('--av-room', `${now.kept || now.problem ? root.offsetHeight : 0}px`);
}

/** Have these children, in order, and move only those that have to: what is typed and focused stays. */
export function lay(root, nodes) {
  for (const child of [...root.children]) if (!nodes.includes(child)) child.remove();
  nodes.forEach((node, at) => root.children[at] !== node && root.insertBefore(node, root.children[at] ?? null));
}

/** One line that stays, so that a screen reader says each change of it, once. */
function status(place, now, say, words) {
  const node = part(place, 'status', '', () => el('span', {role: 'status', tabindex: '-1'}));
  const text = now.isLost || !now.state ? say('view-room-lost') : words;
  if (node.textContent !== text) node.textContent = text;
  return node;
}

function seat(place, now, say) {
  const {state, follows, kept} = now;
  return [
    part(place, 'shown', state?.shown || null, () => el('blockquote', {dir: 'auto'}, state.shown)),
    part(place, 'question', now.question && [now.question, state.answer, now.picked, now.isOfStep], () => question(now, say)),
    status(place, now, say, say(follows ? 'view-room-following' : 'view-room-alone', {code: kept.code})),
    part(place, 'line', [follows], () =>
      el('p', {class: 'line'},
        follows ? null : button(say('view-room-follow'), () => {
          now.follow(true);
          place.parts.status.node.focus(); // the button is gone
        }),
        button(say('view-room-leave'), () => now.leave()))),
    part(place, 'say', state?.sentences, () => {
      const tell = (sentence) => now.say({sentence});
      return form(say('view-room-sentence'), say('view-room-send'), tell, {maxlength: 300}, say('view-room-sent'));
    }),
  ];
}

/** The question as a student answers it; what was counted once the teacher reveals it. */
function question(now, say) {
  const {question: asked, state: {answer}} = now;
  const isOpen = !asked.revealed;
  const choose = async (said) => {
    if (await now.say({answer: said})) now.state.answer = said;
    now.tell();
  };
  const choices = asked.options.map((text, at) =>
    button(text, () => isOpen && choose(String(at)), {'aria-pressed': answer === String(at), disabled: isOpen ? null : ''}));
  const {picked} = now;
  const point = picked
    ? button(say('view-room-point', {cell: named(asked, picked, say)}), () => choose(picked), {'aria-pressed': answer === picked})
    : el('p', {}, say('view-room-point-how'));
  const own = answer ? el('p', {role: 'status'}, say('view-room-pointed', {cell: named(asked, answer, say)})) : null;
  const text = el('p', {class: 'ask', dir: 'auto'}, asked.text);
  if (isOpen) return el('div', {class: 'panel'}, text, ...(asked.options.length ? choices : [point, own]));
  return el('div', {class: 'panel'}, now.isOfStep ? null : text, result(asked, say, own, now.isOfStep));
}

/** How often each answer was given, beside the right one, unless the step on the page says that, and one's own. */
function result(asked, say, own = null, isSaid = false) {
  const counts = new Map(asked.counts);
  const most = Math.max(1, ...counts.values());
  const isLong = asked.options.length > MANY;
  const choices = asked.options.map((_, at) => String(at)).filter((at) => !isLong || counts.has(at) || at === asked.right);
  const row = (answer) => {
    const n = counts.get(answer) ?? 0;
    const name = el('span', {dir: 'auto'}, named(asked, answer, say));
    const bar = el('meter', {max: most, value: n, 'aria-hidden': 'true'});
    return el('li', {class: answer === asked.right ? 'right' : ''}, name, bar, el('b', {}, String(n)));
  };
  const rows = counts.size ? (choices.length ? choices : [...counts.keys()]).map(row) : [];
  const saysRight = asked.why ? 'view-room-right' : 'view-room-marked';
  const right = asked.right ? el('p', {}, say(saysRight, {right: named(asked, asked.right, say)})) : null;
  const why = asked.why ? el('p', {dir: 'auto'}, asked.why) : null;
  const all = rows.length ? el('ol', {}, rows) : el('p', {}, say('view-room-few'));
  return el('div', {}, ...(isSaid ? [] : [right, why]), own, all);
}

/** Where the teacher says what is right of a question of their own: a choice, or the cell that they picked. */
function mark(now, asked, say) {
  if (asked.why) return null;
  if (!asked.options.length) return el('p', {class: 'line'}, say('view-room-mark'), now.picked ? button(named(asked, now.picked, say), () => now.teach({right: now.picked})) : say('view-room-mark-how'));
  const option = (value, text, isDisabled = null) => el('option', {value, selected: value === asked.right ? '' : null, disabled: isDisabled}, text);
  const choices = [option('', '', ''), ...asked.options.map((text, at) => option(String(at), text))];
  return el('label', {class: 'line'}, say('view-room-mark'), el('select', {dir: 'auto', change: ({target}) => now.teach({right: target.value})}, choices));
}

const named = (asked, answer, say) => asked.options[Number(answer)] ?? say('view-room-cell', {row: answer.split(',')[0], column: answer.split(',')[1]});

function desk(place, now, say) {
  const {state, kept, lesson} = now;
  const asked = now.question;
  const tab = (name, text) => button(text, () => open(place, name), {name, 'aria-expanded': place.opened === name});
  const isAlone = kept.link && !kept.qr && !state?.here;
  if (now.isNew) Object.assign(place, {opened: 'mine'});
  now.isNew = false;
  return [
    part(place, 'shown', state?.shown ? [state.shown, now.isRead] : null, () =>
      el('div', {class: 'panel'},
        el('blockquote', {dir: 'auto'}, state.shown),
        now.isRead ? null : button(say('view-room-read'), () => now.openSentence()),
        button(say('view-room-hide'), () => now.teach({does: 'hide'})))),
    part(place, 'unreachable', isAlone, () => el('p', {class: 'ask', role: 'alert'}, say('view-room-unreachable'))),
    part(place, 'panel', panelSays(place), () => el('div', {class: `panel ${place.opened}`}, ...panels[place.opened](now, say))),
    part(place, 'code', kept.code, () => el('b', {class: 'code', lang: 'en'}, kept.code)),
    status(place, now, say, say('view-room-follow-you', {n: state?.follow, of: state?.here})),
    part(place, 'line', [place.opened, state?.said.length], () =>
      el('p', {class: 'line'},
        tab('door', say('view-room-door')), tab('ask', say('view-room-ask')), tab('said', say('view-room-said', {n: state?.said.length ?? 0})), tab('mine', say('view-room-mine')),
        tab('close', say('view-room-close')))),
  ];

  function panelSays({opened}) {
    if (opened === 'ask') return [opened, asked && {...asked, answered: state.answered, picked: now.picked, isOfStep: now.isOfStep}, asked ? null : [lesson, shownTokens(location.pathname).length > 0]];
    return opened ? [opened, opened === 'said' ? [state?.said, state?.sentences] : kept.link] : null;
  }
}

/** What a button of the teacher's bar opens. @type {Record<string, (now: any, say: any) => any[]>} */
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
  ask: (now, say) => {
    const {state, question: asked} = now;
    const lesson = now.lesson && now.worded(now.lesson);
    if (asked) {
      const reveal = async () => (await now.teach({does: 'reveal'})) && now.isOfStep && now.turn('1'); // on every page
      const choices = now.isOfStep ? [] : asked.options.map((text) => el('li', {dir: 'auto'}, text)); // the step has them on the page
      const open = [choices.length ? el('ol', {class: 'choices'}, choices) : null, el('p', {}, say('view-room-answered', {n: state.answered}))];
      return [el('p', {class: 'ask', dir: 'auto'}, asked.text), ...(asked.revealed ? [result(asked, say, null, now.isOfStep)] : open), asked.revealed ? mark(now, asked, say) : button(say('view-room-reveal'), reveal), button(say('view-room-unask'), () => now.teach({does: 'unask'}))];
    }
    const askLesson = async () => (await now.teach({ask: now.lesson})) && now.turn(''); // told already, it would tell the class
    const own = form(say('view-room-own'), say('view-room-ask-all'), async (written) => {
      const [text, ...options] = written.split('\n').map((it) => it.trim()).filter(Boolean);
      const isTaken = await now.teach({ask: {words: {[now.lang]: {text, options}}}});
      if (isTaken) now.draft = '';
      return isTaken;
    }, {rows: 3});
    const typed = own.querySelector('textarea');
    typed.value = now.draft; // from before the teacher went to another page for it
    typed.addEventListener('input', () => (now.draft = typed.value));
    const offer = () => {
      const [text, ...options] = typed.value.split('\n');
      now.draft = typed.value = [text, ...new Set([...options.filter(Boolean), ...shownTokens(location.pathname)])].join('\n');
      typed.focus();
      typed.setSelectionRange(text.length, text.length); // where the question is written
      typed.scrollTop = 0;
    };
    if (shownTokens(location.pathname).length) own.append(button(say('view-room-own-tokens'), offer));
    return [lesson ? button(say('view-room-ask-lesson', {text: lesson.text}), askLesson, {dir: 'auto'}) : null, el('p', {}, say('view-room-own-how')), own];
  },
  said: (now, say) => {
    const {said, sentences} = now.state ?? {said: []};
    const line = (sentence, at) => el('li', {}, el('span', {dir: 'auto'}, sentence), button(say('view-room-show'), () => now.teach({show: at})));
    return [
      button(say(sentences ? 'view-room-sentences-off' : 'view-room-sentences-on'), () => now.teach({sentences: !sentences})),
      said.length ? el('ol', {}, said.map(line)) : el('p', {}, say('view-room-nothing-said')),
    ];
  },
  close: (now, say) => [el('p', {}, say('view-room-close-what')), button(say('view-room-close-now'), () => now.teach({does: 'close'}))],
};
