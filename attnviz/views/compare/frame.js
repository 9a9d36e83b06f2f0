// The view's fixed parts, built once: nothing here moves when something is pointed at.

import {el, keysButton} from '../kit/dom.js';
import {Legend} from '../kit/legend.js';
import {fillText} from '../kit/words.js';

export const MAPS = ['a', 'b', 'difference'];

/** Build the skeleton into `root` and return its parts by name. */
export function frame(root, say, header) {
  const t = (name) => say(`view-compare-${name}`);
  const parts = {
    notice: el('p', {class: 'notice', role: 'note', hidden: header.notice ? null : ''}, header.notice ?? ''),
    keysButton: keysButton(say),
    verdict: el('div', {class: 'verdict'}),
    alike: el('div', {class: 'alike'}),
    alikeScale: new Legend(`${t('different')} – ${t('same')}`),
    takeAlike: el('span', {class: 'takes'}),
    takeMap: el('span', {class: 'takes'}),
    over: el('span', {class: 'caption over'}),
    reading: el('p', {class: 'pairline', 'aria-live': 'polite'}),
    colours: el('div', {class: 'segments', role: 'group', 'aria-label': t('colours')}),
    lines: el('div', {class: 'segments', role: 'group', 'aria-label': t('lines')}),
    cloud: el('div', {class: 'cloud'}),
    kinds: el('div', {class: 'kindlist'}),
    panel: el('div', {class: 'cell'}),
    dialog: el('dialog', {class: 'keys', 'aria-label': say('view-kit-keys')}),
    maps: Object.fromEntries(MAPS.map((side) => [side, mapParts()])),
  };
  const heading = (name, ...tools) => el('div', {class: 'head'}, el('h2', {class: 'title small'}, t(name)), el('span', {class: 'space'}), ...tools);
  parts.all = el(
    'div',
    {class: 'all'},
    el('div', {class: 'half', 'data-picture': ''}, heading('alike', parts.takeAlike), el('div', {class: 'under'}, parts.over, parts.alikeScale.node), parts.alike),
    el('div', {class: 'half', 'data-picture': ''}, heading('map', parts.takeMap), el('div', {class: 'under'}, parts.lines, parts.colours), parts.cloud),
  );
  const compared = () => [parts.keysButton, parts.verdict, el('p', {class: 'caption'}, by(header, t)), parts.all, parts.reading, parts.kinds];
  const whyNot = () => [el('h2', {class: 'title small'}, t('alike')), el('p', {class: 'absent'}, t('too-long'))]; // a pair is chosen by keys, or from outside
  parts.left = el('section', {class: 'left'}, ...(header.similarity ? compared() : whyNot()));
  parts.right = el('section', {class: 'right'}, ...MAPS.map((side) => parts.maps[side].figure), parts.panel);
  root.replaceChildren(parts.notice, names(header), el('div', {class: 'split'}, parts.left, parts.right), parts.dialog);
  return parts;
}

function mapParts() {
  const head = el('div', {class: 'head'});
  const stage = el('div', {class: 'mapstage'});
  return {figure: el('figure', {class: 'pairmap', 'data-picture': ''}, head, stage), head, stage};
}

/** Who is compared; the dashboard's bar says it already. */
function names(header) {
  if (header.link) return '';
  const side = (name) =>
    el('span', {class: `who ${name}`}, el('span', {class: 'sign', 'aria-hidden': 'true'}, name === 'a' ? '●' : '◇'), el('b', {}, name.toUpperCase()), el('bdi', {}, header[name].name));
  return el('div', {class: 'strip'}, side('a'), side('b'));
}

/** What stands beside what. */
function by({text_b: textB, are_tokens: areTokens, is_encoder: isEncoder, units, swapped, left_out: leftOut}, t) {
  const name = textB ? (areTokens ? 'by-texts-tokens' : 'by-texts') : areTokens ? 'by-tokens' : 'by-words';
  return [fillText(t(name), {n: units.length, a: units.length + leftOut[0].length, b: units.length + leftOut[1].length, swapped: swapped.length}), ...(isEncoder ? [t('encoder')] : [])].join(' · ');
}
