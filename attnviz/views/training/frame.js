// The view's fixed parts, built once: nothing here moves when the time cursor does.

import {el, icon, keysButton, presentButton, svg} from '../kit/dom.js';
import {Legend} from '../kit/legend.js';
import {takeMenu} from '../kit/export_menu.js';

/** Build the skeleton into `root` and return its parts by name; the tables are those of the map and of the curves on the screen. */
export function frame(root, say, {map, curves, maps}) {
  const parts = {
    notice: el('p', {class: 'notice', role: 'note'}),
    step: el('h2', {class: 'title step'}),
    play: el('button', {type: 'button', class: 'button play'}),
    which: el('div', {class: 'segments which', role: 'group', 'aria-label': say('view-training-which')}),
    state: el('p', {class: 'state', role: 'status'}),
    lesson: el('p', {class: 'lesson'}),
    answer: el('p', {class: 'answer'}),
    curves: el('button', {type: 'button', class: 'tool curves', 'aria-label': say('view-training-chart'), title: say('view-training-chart')}, icon('M2.5 2.5v11h11M4.5 10.5l3-4 2.5 2 3-5')),
    keysButton: keysButton(say),
    present: presentButton(say),
    chart: el('div', {class: 'chart'}),
    first: el('p', {class: 'first'}, say('view-training-predict-first')),
    named: el('ul', {class: 'named'}),
    kind: el('p', {class: 'kind'}),
    maps: el('div', {class: 'maps', role: 'group', 'aria-label': say('view-training-maps')}),
    title: el('h2', {class: 'title small'}),
    doing: el('span', {class: 'doing'}),
    legend: new Legend(`${say('view-kit-legend')} 0–1`),
    detail: el('div', {class: 'map'}),
    known: el('span', {class: 'known'}, el('i', {'aria-hidden': 'true'}), say('view-training-reading-answer')),
    reading: el('p', {class: 'reading', 'aria-live': 'polite'}),
    trail: svg('svg', {class: 'trail', 'aria-hidden': 'true'}),
    dialog: el('dialog', {class: 'keys', 'aria-label': say('view-kit-keys')}),
  };
  const space = () => el('span', {class: 'space'});
  parts.top = el(
    'section',
    {class: 'top', 'data-picture': ''},
    el('div', {class: 'head'}, parts.step, parts.play, parts.which, parts.state, space(), parts.lesson, el('div', {class: 'tools'}, takeMenu({say, rows: curves, what: say('view-training-curves'), file: () => 'attnviz-training'}), parts.curves, parts.keysButton, parts.present)),
    parts.answer,
    el('div', {class: 'charts'}, parts.chart, parts.first),
    parts.named,
  );
  parts.detailSide = el(
    'section',
    {class: 'detail', 'data-picture': ''},
    el('div', {class: 'head'}, parts.title, parts.doing, space(), parts.known, parts.legend.node, takeMenu({say, rows: map, file: () => 'attnviz-training-head'})),
    el('div', {class: 'body'}, parts.detail, el('div', {class: 'foot'}, parts.reading, el('span', {class: 'caption'}, say('view-training-trail')), parts.trail)),
  );
  parts.bottom = el('div', {class: 'bottom'}, el('section', {class: 'overview', 'data-picture': ''}, el('div', {class: 'head'}, parts.kind, space(), takeMenu({say, rows: maps, what: say('view-training-maps'), file: () => 'attnviz-training-heads'})), parts.maps), parts.detailSide);
  root.replaceChildren(parts.notice, parts.top, parts.bottom, parts.dialog);
  return parts;
}

export const playIcon = (isPlaying) => (isPlaying ? icon('M5 3v10M11 3v10') : icon('M4.5 3l8 5-8 5z', 'icon filled'));
