// The view's fixed parts, built once: nothing here moves when something is pointed at.

import {el, keysButton} from '../kit/dom.js';
import {Legend} from '../kit/legend.js';
import {fillText} from '../kit/words.js';
import {DOORS} from './picked_in_link.js';

export const MAPS = ['a', 'b', 'difference'];

const LOOK_FOR = {heads: 'view-compare-door-heads-says', alike: 'view-compare-door-alike-says', map: 'view-compare-door-map-says', numbers: 'view-compare-door-numbers-says'};

/** Build the skeleton into `root` and return its parts by name. */
export function frame(root, say, header) {
  const t = (name) => say(`view-compare-${name}`);
  const parts = {
    notice: el('p', {class: 'notice', role: 'note', hidden: header.notice ? null : ''}, header.notice ?? ''),
    keysButton: keysButton(say),
    answer: el('div', {class: 'opening'}),
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
    pair: el('div', {class: 'ofpair'}),
    dialog: el('dialog', {class: 'keys', 'aria-label': say('view-kit-keys')}),
    maps: Object.fromEntries(MAPS.map((side) => [side, mapParts()])),
  };
  const inside = {
    heads: header.verdict?.pairs.length ? [parts.verdict] : null,
    alike: header.similarity && [el('div', {class: 'under'}, parts.over, parts.alikeScale.node), parts.alike],
    map: header.similarity && [el('div', {class: 'under'}, parts.lines, parts.colours), parts.cloud, parts.kinds],
    numbers: [parts.pair, el('p', {class: 'caption'}, by(header, t))],
  };
  const takes = {alike: parts.takeAlike, map: parts.takeMap};
  parts.rooms = Object.fromEntries(DOORS.filter((door) => inside[door]).map((door) => [door, roomOf(door, takes[door], inside[door], say)]));
  parts.doors = Object.fromEntries(Object.keys(parts.rooms).map((door) => [door, el('button', {type: 'button', class: 'button', 'aria-expanded': 'false'}, t(`door-${door}`))]));
  const row = el('div', {class: 'doors', role: 'group', 'aria-label': t('doors')}, ...Object.values(parts.doors), header.similarity ? '' : el('span', {class: 'caption'}, t('too-long')), el('span', {class: 'space'}), parts.keysButton);
  parts.left = el('section', {class: 'left', hidden: ''}, ...Object.values(parts.rooms), parts.reading);
  parts.right = el('section', {class: 'right'}, ...MAPS.map((side) => parts.maps[side].figure), parts.panel);
  root.replaceChildren(parts.notice, names(header), parts.answer, el('div', {class: 'split'}, parts.right, row, parts.left), parts.dialog);
  return parts;
}

/** What lies behind a door: its name, a sentence that says what to look for, and the picture or the list. */
function roomOf(door, takes, content, say) {
  const head = el('div', {class: 'head'}, el('h2', {class: 'title small'}, say(`view-compare-door-${door}`)), el('span', {class: 'space'}), takes ?? '');
  return el('div', {class: 'doorroom', 'data-picture': '', hidden: ''}, head, el('p', {class: 'lookfor'}, say(LOOK_FOR[door])), ...content);
}

function mapParts() {
  const head = el('div', {class: 'head'});
  const next = el('p', {class: 'nextwords'});
  const stage = el('div', {class: 'mapstage'});
  return {figure: el('figure', {class: 'pairmap', 'data-picture': ''}, head, next, stage), head, next, stage};
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
