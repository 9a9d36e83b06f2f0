// The parts of a stepper, made once for a language and a size, and what each of them tells the view.

import {listen} from '../kit/dom.js';
import {takeMenu} from '../kit/take.js';
import {Bar} from './bar.js';
import {frame, labelPlay} from './frame.js';
import {ModelMap} from './map.js';
import {Player} from './player.js';
import {Rail} from './rail.js';
import {Side} from './side.js';
import {Stage} from './stage.js';
import {Strip} from './strip.js';
import {tableOf} from './table.js';
import {Written} from './written.js';

/** Build the parts of a view into its root; `signal` ends what they listen to. */
export function wire(view, signal) {
  const {say} = view;
  const parts = frame(view.root, say, takeMenu({say, rows: () => (view.isHidden ? null : tableOf(view.step.result)), file: () => `step-${view.step.name}`}));
  view.parts = parts;
  view.bar?.destroy();
  view.bar = new Bar(parts.bar, {say, asked: (changes) => view.host.ask(changes)});
  view.rail = new Rail(parts.rail, {say, signal, chosen: (index) => view.go(index)});
  view.written = new Written(parts.written, say);
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
  on(parts.present, () => view.present(!view.isPresented));
  on(parts.keysButton, () => view.listKeys());
  listen(parts.menu, 'change', () => view.go(Number(parts.menu.value)));
}
