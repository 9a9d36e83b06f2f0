// The view's fixed parts, made once for a language and a size, and what each of them tells the view. Nothing here moves
// when a cell is pointed at.

import {el, icon, keysButton, presentButton} from '../kit/dom.js';
import {Legend} from '../kit/legend.js';
import {takeMenu} from '../kit/export_menu.js';
import {ChangesChip} from './changes_chip.js';
import {ChoiceBar} from './choice_bar.js';
import {ofHead} from './kept_place.js';
import {ModelMap} from './model_map.js';
import {Player} from './player.js';
import {Rail} from './rail.js';
import {SidePanel} from './side_panel.js';
import {Stage} from './stage.js';
import {Strip} from './strip.js';
import {WrittenText} from './written_text.js';

/** Build the parts of a view into its root; `signal` ends what they listen to. */
export function wire(view, signal) {
  const {say} = view;
  const asked = (changes) => view.host.ask(changes);
  const parts = frame(view);
  view.parts = parts;
  view.bar?.destroy();
  view.bar = new ChoiceBar(parts.bar, {say, asked, byHand: view.shell.emit ? () => view.host.leave('byhand') : null});
  view.rail = new Rail(parts.rail, {say, signal, chosen: (index) => view.go(ofHead(view.chain.steps, index, view.picked))});
  view.written = new WrittenText(parts.written, {say, asked});
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
  view.side = new SidePanel(parts.side, {say, looked: (key) => view.host.look(key), asked: (changes) => view.host.ask(changes)});
  view.player = new Player({
    shown: (until, fresh) => view.pointing.showRows(until, fresh),
    changed: () => labelPlay(parts.play, say, view.player),
    root: view.root,
  });
}

/** Put the picture and the word of what the button does now on it. */
function labelPlay(button, say, {isPlaying = false, isTurning = false} = {}) {
  const word = say(isPlaying ? 'view-stepper-pause' : isTurning ? 'view-stepper-play-positions' : 'view-stepper-play');
  button.setAttribute('aria-label', word);
  const drawn = isPlaying ? icon('M5 3v10M11 3v10') : icon('M4.5 3l8 5-8 5z', 'icon filled');
  button.replaceChildren(drawn, el('span', {}, word));
}

/** Build the skeleton into the root of a view and return its parts by name. */
function frame(view) {
  const {root, say} = view;
  const tool = (id, key, drawn, click) =>
    el(
      'button',
      {type: 'button', class: 'tool', 'aria-label': say(id), title: `${say(id)}  ${key}`, click},
      icon(drawn),
    );
  const next = () => {
    view.walk(1);
    if (view.isOpen) view.stage.surface.focus({preventScroll: true}); // keys then choose a cell, and Enter guesses
  };
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
    menu: el('select', {
      class: 'menu',
      'aria-label': say('view-stepper-parts'),
      change: ({target}) => view.go(Number(target.value)),
    }),
    edits: new ChangesChip({say, restored: () => view.host.restore()}),
    begins: el('span', {class: 'begins'}),
    compare: el('div', {class: 'segments', role: 'group', 'aria-label': say('view-stepper-compare')}),
    legend: new Legend(),
    changes: new Legend(''),
    movers: el('div', {class: 'movers'}),
    present: presentButton(say, () => view.present(!view.shell.isPresented)),
    play: el('button', {type: 'button', class: 'button', click: () => view.play()}),
    previous: el(
      'button',
      {type: 'button', class: 'button', 'aria-label': back, title: `${back}  ←`, click: () => view.walk(-1)},
      '←',
    ),
    next: el('button', {type: 'button', class: 'button primary', click: next}),
    field: el('div', {class: 'matrices'}),
    strip: el('div', {class: 'strip'}),
    said: el('p', {class: 'unseen', 'aria-live': 'polite'}),
    canvas: el('div', {class: 'canvas'}),
    side: el('aside', {class: 'side', 'aria-label': say('view-stepper-about')}),
    dialog: el('dialog', {class: 'keys', 'aria-label': say('view-kit-keys')}),
  };
  const file = () => `step-${view.step.name}`;
  const take = takeMenu({say, rows: () => (view.isHidden ? null : view.step.result.table()), file});
  const player = el(
    'div',
    {class: 'player'},
    ...take,
    keysButton(say, () => view.listKeys()),
    parts.present,
    tool('view-stepper-row-back', ',', 'M4 3v10M12.5 3.5L7 8l5.5 4.5z', () => view.pointing.walk(-1)),
    parts.play,
    tool('view-stepper-row-on', '.', 'M12 3v10M3.5 3.5L9 8l-5.5 4.5z', () => view.pointing.walk(1)),
    parts.previous,
    parts.next,
  );
  const {block, title, parts: segments, menu, edits, begins, compare, legend, changes} = parts;
  const shown = [block, title, segments, menu, edits.chip, edits.list, begins, compare, legend.node, changes.node];
  parts.heading = el('div', {class: 'heading'}, ...shown);
  parts.head = el('div', {class: 'head'}, parts.heading, player);
  parts.canvas.append(parts.movers, parts.field);
  const stage = el('section', {class: 'stage', 'data-picture': ''}, parts.head, parts.canvas, parts.strip, parts.said);
  parts.main = el('div', {class: 'main'}, stage, parts.side);
  root.replaceChildren(parts.bar, parts.notice, parts.written, parts.map, parts.rail, parts.main, parts.dialog);
  labelPlay(parts.play, say);
  return parts;
}
