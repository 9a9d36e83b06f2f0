// What is seen of a room: on the Lessons page how one opens or joins it, and on every page a quiet bar at the bottom.

import {room} from './room.js';
import {el} from '../kit/dom.js';
import {fillText} from '../kit/words.js';

const places = new WeakMap();

export default function show({data, parentElement}) {
  const place = places.get(parentElement) ?? create(parentElement);
  place.data = data;
  const now = room();
  now.lang = data.lang;
  if (data.launches) now.lesson = data.question;
  place.draw();
  return () => {
    if (place.data.launches) now.lesson = null;
    now.listeners.delete(place.draw);
    if (!data.launches) document.body.style.removeProperty('--av-room');
    places.delete(parentElement);
  };
}

function create(parentElement) {
  const place = {data: null, root: el('div', {class: 'attnviz-room'}), parts: {}, opened: ''};
  place.draw = () => (place.data.launches ? launch : bar)(place, room(), (id, values = {}) => fillText(place.data.words[id], values));
  room().listeners.add(place.draw);
  parentElement.append(place.root);
  places.set(parentElement, place);
  return place;
}

/** A part of a place, drawn again only where what it says is another thing than before: typing goes on. */
function part(place, name, says, build) {
  const said = JSON.stringify(says ?? null);
  const before = place.parts[name];
  if (before?.said === said) return before.node;
  const node = says === null || says === undefined || says === false ? el('span', {hidden: ''}) : build();
  if (before) before.node.replaceWith(node);
  place.parts[name] = {said, node};
  return node;
}

const button = (text, press, attributes = {}) => el('button', {type: 'button', ...attributes, click: press}, text);

function form(label, action, take, attributes = {}) {
  const input = el('input', {type: 'text', 'aria-label': label, placeholder: label, autocomplete: 'off', ...attributes});
  const submit = (event) => {
    event.preventDefault();
    if (input.value.trim()) take(input.value.trim());
    input.value = '';
  };
  return el('form', {submit}, input, el('button', {type: 'submit'}, action));
}

function launch(place, now, say) {
  const says = now.kept ? null : [now.problem, place.data.lang];
  const node = part(place, 'launch', says, () =>
    el('div', {class: 'launch'},
      button(say('view-room-open'), () => now.open()),
      form(say('view-room-code'), say('view-room-join'), (code) => now.enter({code: code.toUpperCase()}), {maxlength: 5, size: 8, pattern: '[A-Za-z]{5}'})));
  if (!node.isConnected) place.root.replaceChildren(node);
}

function bar(place, now, say) {
  document.body.style.setProperty('--av-room', now.kept || now.problem ? '3rem' : '0px');
  const {root} = place;
  root.classList.toggle('bar', Boolean(now.kept || now.problem));
  root.setAttribute('role', 'region');
  root.setAttribute('aria-label', say('view-room-name'));
  const nodes = now.kept ? [...(now.isTeacher ? desk : seat)(place, now, say)] : [];
  const problem = now.problem === 'closed' ? say('view-room-closed') : now.problem;
  nodes.push(part(place, 'problem', problem || null, () =>
    el('p', {class: 'line', role: 'alert'}, problem, button(say('view-room-dismiss'), () => (Object.assign(now, {problem: ''}), now.tell())))));
  for (const child of [...root.children]) if (!nodes.includes(child)) child.remove();
  nodes.forEach((node, at) => root.children[at] !== node && root.insertBefore(node, root.children[at] ?? null));
}

function seat(place, now, say) {
  const {state, follows, isLost, kept} = now;
  const words = isLost || !state ? say('view-room-lost') : say(follows ? 'view-room-following' : 'view-room-alone', {code: kept.code});
  return [
    part(place, 'shown', state?.shown || null, () => el('blockquote', {dir: 'auto'}, state.shown)),
    part(place, 'question', now.question && [now.question, state.answer], () => question(now, say)),
    part(place, 'line', [words, follows, say('view-room-leave')], () =>
      el('p', {class: 'line'},
        el('span', {role: 'status'}, words),
        follows ? null : button(say('view-room-follow'), () => now.follow(true)),
        button(say('view-room-leave'), () => now.leave()))),
    part(place, 'say', state?.sentences ? say('view-room-sentence') : null, () => form(say('view-room-sentence'), say('view-room-send'), (sentence) => now.say({sentence}), {maxlength: 300})),
  ];
}

/** The question as a student answers it; what was counted once the teacher reveals it. */
function question(now, say) {
  const {question: asked, state: {answer}} = now;
  const isOpen = !asked.revealed;
  const choose = (said) => now.say({answer: said}).then(() => {
    now.state.answer = said;
    now.tell();
  });
  const choices = asked.options.map((text, at) =>
    button(text, () => isOpen && choose(String(at)), {'aria-pressed': answer === String(at), disabled: isOpen ? null : ''}));
  const point = button(say('view-room-point'), () => now.picked && choose(now.picked), {'aria-pressed': Boolean(answer)});
  const cell = answer && !asked.options.length ? el('span', {}, named(asked, answer, say)) : null;
  return el('div', {class: 'panel'}, el('p', {class: 'ask', dir: 'auto'}, asked.text), isOpen && !asked.options.length ? point : null, cell, ...(isOpen ? choices : [result(asked, say)]));
}

/** How often each answer was given, beside the right one. */
function result(asked, say) {
  const most = Math.max(1, ...(asked.counts ?? []).map(([, n]) => n));
  const rows = (asked.counts ?? []).map(([answer, n]) =>
    el('li', {class: answer === asked.right ? 'right' : ''}, el('span', {dir: 'auto'}, named(asked, answer, say)), el('meter', {max: most, value: n, 'aria-hidden': 'true'}), el('b', {}, String(n))));
  const right = asked.right ? el('p', {}, say('view-room-right', {right: named(asked, asked.right, say)})) : null;
  return el('div', {}, right, rows.length ? el('ol', {}, rows) : el('p', {}, say('view-room-few')));
}

const named = (asked, answer, say) => asked.options[Number(answer)] ?? say('view-room-cell', {row: answer.split(',')[0], column: answer.split(',')[1]});

function desk(place, now, say) {
  const {state, kept, lesson} = now;
  const open = (name) => () => {
    place.opened = place.opened === name ? '' : name;
    place.draw();
  };
  const asked = now.question;
  const words = now.isLost || !state ? say('view-room-lost') : say('view-room-follow-you', {n: state.follow, of: state.here});
  const tab = (name, text) => button(text, open(name), {'aria-expanded': place.opened === name});
  return [
    part(place, 'panel', panelSays(place), () => el('div', {class: 'panel'}, ...panels[place.opened](now, say))),
    part(place, 'line', [words, place.opened, state?.said.length, Boolean(asked), say('view-room-leave')], () =>
      el('p', {class: 'line'},
        el('b', {class: 'code', lang: 'en'}, kept.code), el('span', {role: 'status'}, words),
        tab('door', say('view-room-door')), tab('ask', say('view-room-ask')), tab('said', say('view-room-said', {n: state?.said.length ?? 0})),
        button(say('view-room-close'), () => now.teach({does: 'close'})))),
  ];

  function panelSays({opened}) {
    if (opened === 'ask') return [opened, asked && {...asked, answered: state.answered}, asked ? null : lesson];
    return opened ? [opened, opened === 'said' ? [state?.said, state?.shown, state?.sentences] : kept.link] : null;
  }
}

/** What a button of the teacher's bar opens. @type {Record<string, (now: any, say: any) => any[]>} */
const panels = {
  door: ({kept}, say) => [
    kept.qr ? el('img', {src: kept.qr, alt: say('view-room-qr')}) : null,
    el('p', {class: 'code', lang: 'en'}, kept.code), el('p', {class: 'link', lang: 'en'}, kept.link ?? ''),
    kept.secret ? button(say('view-room-copy'), () => navigator.clipboard?.writeText(`${new URL('.', document.baseURI)}#teach=${kept.code}.${kept.secret}`)) : null,
  ],
  ask: (now, say) => {
    const {state, question: asked} = now;
    const lesson = now.lesson && now.worded(now.lesson);
    if (asked) {
      const done = asked.revealed ? result(asked, say) : el('p', {}, say('view-room-answered', {n: state.answered}));
      return [el('p', {class: 'ask', dir: 'auto'}, asked.text), done, asked.revealed ? null : button(say('view-room-reveal'), () => now.teach({does: 'reveal'})), button(say('view-room-unask'), () => now.teach({does: 'unask'}))];
    }
    const own = form(say('view-room-own'), say('view-room-ask-all'), (typed) => {
      const [text, ...options] = typed.split('/').map((it) => it.trim()).filter(Boolean);
      now.teach({ask: {words: {[now.lang]: {text, options}}}});
    });
    return [lesson ? button(`${say('view-room-ask-lesson')} ${lesson.text}`, () => now.teach({ask: now.lesson}), {dir: 'auto'}) : null, own];
  },
  said: (now, say) => {
    const {said, shown, sentences} = now.state ?? {said: []};
    const line = (sentence, at) => el('li', {}, el('span', {dir: 'auto'}, sentence), button(say('view-room-show'), () => now.teach({show: at})));
    return [
      button(say(sentences ? 'view-room-sentences-off' : 'view-room-sentences-on'), () => now.teach({sentences: !sentences})),
      shown ? button(say('view-room-hide'), () => now.teach({does: 'hide'})) : null,
      said.length ? el('ol', {}, said.map(line)) : el('p', {}, say('view-room-nothing-said')),
    ];
  },
};
