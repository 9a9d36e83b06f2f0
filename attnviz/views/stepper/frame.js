// The view's fixed parts, made once for a language and a size, and what each of them tells the view. Nothing here moves
// when a cell is pointed at.

import {el, icon, keysButton, listen, presentButton} from '../kit/dom.js';
import {Legend} from '../kit/legend.js';
import {takeMenu} from '../kit/export_menu.js';
import {Bar} from './choice_bar.js';
import {ModelMap} from './model_map.js';
import {Player} from './player.js';
import {Rail} from './rail.js';
import {Side} from './side_panel.js';
import {Stage} from './stage.js';
import {Strip} from './strip.js';
import {Written} from './written_text.js';

/** Build the parts of a view into its root; `signal` ends what they listen to. */
export function wire(view, signal) {
  const {say} = view;
  const asked = (changes) => view.host.ask(changes);
  const parts = frame(view.root, say, takeMenu({say, rows: () => (view.isHidden ? null : view.step.result.table()), file: () => `step-${view.step.name}`}));
  view.parts = parts;
  view.bar?.destroy();
  view.bar = new Bar(parts.bar, {say, asked});
  view.rail = new Rail(parts.rail, {say, signal, chosen: (index) => view.go(index)});
  view.written = new Written(parts.written, {say, asked});
  view.map = new ModelMap(parts.map, {say, chosen: (place) => view.goTo(place)});
  view.stage = new Stage(parts.field, {
    say,
    signal,
    heard: {
      hover: (key, row, column) => view.pointing.hover(key, row, column),
      leave: () => view.pointing.hover(null),
      pick: (key, row, column) => view.pointing.pick(key, row, column),
    },
  });
  view.strip = new Strip(parts.strip, {say, signal, heard: (term) => view.stage.showTerm(term)});
  view.side = new Side(parts.side, {say, looked: (key) => view.host.look(key)});
  view.player = new Player({
    shown: (until, fresh) => view.pointing.showRows(until, fresh),
    changed: () => labelPlay(parts.play, say, view.player?.isPlaying),
    root: view.root,
  });
  listenToButtons(view);
}

function listenToButtons(view) {
  const {parts} = view;
  const on = (part, act) => listen(part, 'click', act);
  on(parts.edits, () => view.host.restore());
  on(parts.play, () => view.play());
  on(parts.rowBack, () => view.pointing.walk(-1));
  on(parts.rowOn, () => view.pointing.walk(1));
  on(parts.previous, () => view.walk(-1));
  on(parts.next, () => {
    view.walk(1);
    if (view.isOpen) view.stage.surface.focus({preventScroll: true}); // keys then choose a cell, and Enter guesses
  });
  on(parts.present, () => view.present(!view.shell.isPresented));
  on(parts.keysButton, () => view.listKeys());
  listen(parts.menu, 'change', () => view.go(Number(parts.menu.value)));
}

const ICONS = {
  back: () => icon('M4 3v10M12.5 3.5L7 8l5.5 4.5z'),
  on: () => icon('M12 3v10M3.5 3.5L9 8l-5.5 4.5z'),
  play: () => icon('M4.5 3l8 5-8 5z', 'icon filled'),
  pause: () => icon('M5 3v10M11 3v10'),
};

/** Put the picture and the word of what the button does now on it. */
function labelPlay(button, say, isPlaying) {
  const [drawn, word] = isPlaying
    ? [ICONS.pause(), say('view-stepper-pause')]
    : [ICONS.play(), say('view-stepper-play')];
  button.setAttribute('aria-label', word);
  button.replaceChildren(drawn, el('span', {}, word));
}

/** Build the skeleton into `root` and return its parts by name; `take` is the menu that takes the step away. */
function frame(root, say, take) {
  const tool = (name, id, key) =>
    el(
      'button',
      {type: 'button', class: 'tool', 'aria-label': say(id), title: `${say(id)}  ${key}`},
      ICONS[name](),
    );
  const back = say('view-stepper-previous');
  const parts = {
    bar: el('div', {class: 'bar'}),
    notice: el('p', {class: 'notice', role: 'note'}),
    map: el('nav', {class: 'map', 'aria-label': say('view-stepper-map'), hidden: ''}),
    written: el('div', {class: 'written', role: 'status', hidden: ''}),
    rail: el('nav', {class: 'rail', 'aria-label': say('view-stepper-steps')}),
    block: el('span', {class: 'block-name'}),
    title: el('h2', {class: 'title'}),
    parts: el('div', {class: 'segments', role: 'group', 'aria-label': say('view-stepper-parts')}),
    menu: el('select', {class: 'menu', 'aria-label': say('view-stepper-parts')}),
    edits: el('button', {type: 'button', class: 'edits'}),
    begins: el('span', {class: 'begins'}),
    compare: el('div', {class: 'segments', role: 'group', 'aria-label': say('view-stepper-compare')}),
    legend: new Legend(),
    changes: new Legend(''),
    movers: el('div', {class: 'movers'}),
    keysButton: keysButton(say),
    present: presentButton(say),
    rowBack: tool('back', 'view-stepper-row-back', ','),
    play: el('button', {type: 'button', class: 'button'}),
    rowOn: tool('on', 'view-stepper-row-on', '.'),
    previous: el('button', {type: 'button', class: 'button', 'aria-label': back, title: `${back}  ←`}, '←'),
    next: el('button', {type: 'button', class: 'button primary'}),
    field: el('div', {class: 'matrices'}),
    strip: el('div', {class: 'strip'}),
    said: el('p', {class: 'unseen', 'aria-live': 'polite'}),
    canvas: el('div', {class: 'canvas'}),
    side: el('aside', {class: 'side', 'aria-label': say('view-stepper-about')}),
    dialog: el('dialog', {class: 'keys', 'aria-label': say('view-kit-keys')}),
  };
  parts.heading = el('div', {class: 'heading'}, parts.block, parts.title, parts.parts, parts.menu, parts.edits, parts.begins, parts.compare, parts.legend.node, parts.changes.node);
  const {keysButton: listed, present, rowBack, play, rowOn, previous, next} = parts;
  const player = el('div', {class: 'player'}, ...take, listed, present, rowBack, play, rowOn, previous, next);
  parts.head = el('div', {class: 'head'}, parts.heading, player);
  parts.canvas.append(parts.movers, parts.field);
  const stage = el('section', {class: 'stage', 'data-picture': ''}, parts.head, parts.canvas, parts.strip, parts.said);
  parts.main = el('div', {class: 'main'}, stage, parts.side);
  root.replaceChildren(parts.bar, parts.notice, parts.written, parts.map, parts.rail, parts.main, parts.dialog);
  labelPlay(parts.play, say, false);
  return parts;
}
