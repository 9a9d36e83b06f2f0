// The view's fixed parts, built once: nothing here moves when the time cursor does.

import {el, keyboardIcon, svg} from '../kit/dom.js';

/** Build the skeleton into `root` and return its parts by name. */
export function frame(root, say) {
  const keys = say('view-kit-keys');
  const tool = (id, icon) => el('button', {type: 'button', class: 'tool', 'aria-label': say(id), title: say(id)}, icon);
  const parts = {
    notice: el('p', {class: 'notice', role: 'note'}),
    step: el('h2', {class: 'title step'}),
    play: el('button', {type: 'button', class: 'play'}),
    which: el('div', {class: 'which', role: 'group', 'aria-label': say('view-training-which')}),
    state: el('p', {class: 'state', role: 'status'}),
    lesson: el('p', {class: 'lesson'}),
    keysButton: el('button', {type: 'button', class: 'tool', 'aria-label': keys, title: keys}, keyboardIcon()),
    chart: el('div', {class: 'chart'}),
    named: el('ul', {class: 'named'}),
    maps: el('div', {class: 'maps', role: 'group', 'aria-label': say('view-training-maps')}),
    title: el('h2', {class: 'title small'}),
    doing: el('span', {class: 'doing'}),
    legend: el('canvas', {'aria-hidden': 'true'}),
    copy: tool('view-training-copy', copyIcon()),
    detail: el('div', {class: 'map'}),
    known: el('span', {class: 'known'}, el('i', {'aria-hidden': 'true'}), say('view-training-reading-answer')),
    reading: el('p', {class: 'reading', 'aria-live': 'polite'}),
    trail: svg('svg', {class: 'trail', 'aria-hidden': 'true'}),
    empty: el('p', {class: 'empty', role: 'status'}),
    dialog: el('dialog', {class: 'keys', 'aria-label': keys}),
  };
  const scale = {class: 'legend', role: 'img', 'aria-label': `${say('view-kit-legend')} 0–1`};
  const legend = el('div', scale, el('span', {}, '0'), parts.legend, el('span', {}, '1'));
  const space = () => el('span', {class: 'space'});
  parts.top = el(
    'section',
    {class: 'top'},
    el('div', {class: 'head'}, parts.step, parts.play, parts.which, parts.state, space(), parts.lesson, parts.keysButton),
    parts.chart,
    parts.named,
  );
  parts.detailSide = el(
    'section',
    {class: 'detail'},
    el('div', {class: 'head'}, parts.title, parts.doing, space(), parts.known, legend, parts.copy),
    el('div', {class: 'body'}, parts.detail, el('div', {class: 'foot'}, parts.reading, el('span', {class: 'caption'}, say('view-training-trail')), parts.trail)),
  );
  parts.bottom = el('div', {class: 'bottom'}, el('section', {class: 'overview'}, parts.maps), parts.detailSide);
  root.replaceChildren(parts.notice, parts.top, parts.bottom, parts.empty, parts.dialog);
  return parts;
}

/** Two sheets, one behind the other. */
export function copyIcon() {
  return svg(
    'svg',
    {viewBox: '0 0 16 16', 'aria-hidden': 'true', class: 'icon'},
    svg('rect', {x: 5.5, y: 5.5, width: 8, height: 8, rx: 1.5}),
    svg('path', {d: 'M10.5 3.5v-.2A1.3 1.3 0 0 0 9.2 2H3.3A1.3 1.3 0 0 0 2 3.3v5.9a1.3 1.3 0 0 0 1.3 1.3h.2'}),
  );
}

export function playIcon(isPlaying) {
  const shape = isPlaying ? {d: 'M5 3v10M11 3v10'} : {d: 'M4.5 3l8 5-8 5z', class: 'filled'};
  return svg('svg', {viewBox: '0 0 16 16', 'aria-hidden': 'true', class: 'icon'}, svg('path', shape));
}
