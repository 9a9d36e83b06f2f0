// The view's fixed parts, built once: nothing here moves when something is pointed at.

import {el, keysButton} from '../kit/dom.js';
import {Legend} from '../kit/legend.js';
import {fillText} from '../kit/words.js';

const MAPS = ['a', 'b', 'difference'];

/** Build the skeleton into `root` and return its parts by name. */
export function frame(root, say, header) {
  const t = (name) => say(`view-compare-${name}`);
  const keys = say('view-kit-keys');
  const parts = {
    notice: el('p', {class: 'notice', role: 'note', hidden: header.notice ? null : ''}, header.notice ?? ''),
    keysButton: keysButton(say),
    alike: el('div', {class: 'alike'}),
    alikeScale: new Legend(`${t('different')} – ${t('same')}`),
    takeAlike: el('span', {class: 'takes'}),
    over: el('span', {class: 'caption over'}),
    reading: el('p', {class: 'pairline', 'aria-live': 'polite'}),
    colours: el('div', {class: 'segments', role: 'group', 'aria-label': t('colours')}),
    lines: el('div', {class: 'segments', role: 'group', 'aria-label': t('lines')}),
    cloud: el('div', {class: 'cloud'}),
    kinds: el('div', {class: 'kindlist'}),
    panel: el('div', {class: 'cell'}),
    dialog: el('dialog', {class: 'keys', 'aria-label': keys}),
    maps: Object.fromEntries(MAPS.map((side) => [side, mapParts()])),
  };
  parts.left = el(
    'section',
    {class: 'left'},
    el('div', {class: 'head'}, el('h2', {class: 'title small'}, t('alike')), el('span', {class: 'space'}), parts.alikeScale.node, parts.takeAlike),
    parts.over,
    parts.alike,
    parts.reading,
    el('div', {class: 'head'}, el('h2', {class: 'title small'}, t('map')), el('span', {class: 'space'}), parts.lines, parts.colours),
    parts.cloud,
    parts.kinds,
  );
  parts.right = el('section', {class: 'right'}, ...MAPS.map((side) => parts.maps[side].figure), parts.panel);
  parts.split = el('div', {class: 'split'}, parts.left, parts.right);
  root.replaceChildren(parts.notice, strip(header, parts, t), parts.split, parts.dialog);
  return parts;
}

function mapParts() {
  const head = el('div', {class: 'head'});
  const stage = el('div', {class: 'mapstage'});
  return {figure: el('figure', {class: 'pairmap'}, head, stage), head, stage};
}

/** Who is compared, and by what. */
function strip(header, parts, t) {
  const side = (name) =>
    el('span', {class: `who ${name}`}, el('span', {class: 'sign', 'aria-hidden': 'true'}, name === 'a' ? '●' : '◇'), el('b', {}, name.toUpperCase()), el('bdi', {title: header[name].name}, header[name].name));
  const by = header.are_tokens ? t('by-tokens') : t('by-words');
  return el('div', {class: 'strip'}, side('a'), side('b'), el('span', {class: 'space'}), el('span', {class: 'caption'}, fillText(by, {n: header.units.length})), parts.keysButton);
}
