// The whole model in one line: encoder on the left, decoder on the right, a cell for each sublayer, and where the person
// is. It computes nothing.

import {el} from '../kit/dom.js';
import {keepFocus} from '../kit/focus.js';
import {fillText} from '../kit/words.js';
import {scrollTo} from './rail.js';

const NAMED = 8; // blocks whose names and sublayers have room in one line; of more, the others are numbers

/** The blocks of each stack with their sections: [{stack, blocks: [{layer, sections}]}]. No DOM. */
export function stacksOf({encoder, decoder}) {
  const blocks = (n, sections) => Array.from({length: n}, (_, layer) => ({layer, sections}));
  const stacks = [{stack: 'decoder', blocks: blocks(decoder, encoder ? ['masked-self', 'cross', 'ff'] : ['masked-self', 'ff'])}];
  if (encoder) stacks.unshift({stack: 'encoder', blocks: blocks(encoder, ['self', 'ff'])});
  return stacks;
}

/** The section of the map that a step is in; 'next' after the sections of a decoder. No DOM. */
export function sectionOn({stack}, steps, at) {
  const {section = ''} = steps[at];
  const isAfter = !section && steps.slice(0, at).some((step) => step.section);
  return isAfter && stack === 'decoder' ? 'next' : section;
}

/**
 * The attention of the block that Next (by = 1) or Back (-1) leads to from a step at the end of its own; null elsewhere, and
 * at the ends of the model. No DOM.
 */
export function blockBeyond({map, controls, tab}, steps, at, by) {
  if (!steps.some(({section}) => section)) return null; // a tab about one attention
  const keys = map
    ? stacksOf(map).flatMap(({stack, blocks}) => blocks.map(({layer}) => `${stack}.${layer}.self`))
    : controls.sites.map(({key}) => key);
  const next = keys[keys.indexOf(controls.site) + by];
  return next && at === (by > 0 ? endOf(tab, steps) : 0) ? next : null;
}

/** The last step of a block; on the tab of decoders the steps that follow are those after the last block. No DOM. */
export const endOf = (tab, steps) => (tab === 'decoder' ? steps.findLastIndex(({section}) => section) : steps.length - 1);

export class ModelMap {
  box; say; chosen;

  /** `chosen({stack, layer, section})` is told which sublayer was asked for. */
  constructor(box, {say, chosen}) {
    Object.assign(this, {box, say, chosen});
  }

  /**
   * `canLeave`: whether somebody can show another block; `section` is that of the step on the stage, 'next' where it is
   * after the decoder.
   */
  show(map, section, canLeave) {
    this.box.hidden = !map;
    if (!map) return;
    const source = () => [el('span', {class: 'map-end'}, this.say('view-stepper-map-source')), arrow()];
    const memory = () => el('span', {class: 'map-memory'}, this.say('view-stepper-map-memory'), arrow());
    const stacks = stacksOf(map).flatMap(({stack, blocks}, at) => {
      const nodes = blocks.map(({layer, sections}) => this.block(stack, layer, sections, {map, section, canLeave}));
      return [...(at ? [memory()] : []), el('span', {class: 'map-stack'}, ...nodes)];
    });
    keepFocus(this.box, () => this.box.replaceChildren(...(map.encoder ? source() : []), ...stacks, arrow(), this.end(section === 'next')));
    const here = this.box.querySelector('.here');
    if (here) scrollTo(this.box, here);
  }

  /** The next word, where the line ends: the steps after the decoder. */
  end(isHere) {
    const facts = {class: `map-end${isHere ? ' here' : ''}`, 'aria-current': isHere ? 'location' : null};
    return el('span', facts, this.title(this.say('view-stepper-map-next'), isHere));
  }

  title(name, isHere) {
    return isHere ? fillText(this.say('view-stepper-map-here'), {block: name}) : name;
  }

  block(stack, layer, sections, {map, section, canLeave}) {
    const isShown = stack === map.stack && layer === map.layer;
    const isHere = isShown && section !== 'next';
    const name = fillText(this.say(`view-stepper-map-${stack}`), {n: layer + 1});
    if (map.encoder + map.decoder > NAMED && !isShown) return this.numbered(stack, layer, sections, {name, section, canLeave});
    const cells = sections.map((part) => {
      const sublayer = this.say(`view-stepper-section-${part}`);
      const facts = {
        type: 'button',
        class: 'map-cell',
        'data-section': part,
        'aria-label': `${name}: ${sublayer}`,
        title: `${name}: ${sublayer}`,
        disabled: isShown || canLeave ? null : '',
        'aria-current': isHere && part === section ? 'location' : null,
        click: () => this.chosen({stack, layer, section: part}),
      };
      return el('button', facts);
    });
    const facts = {class: `map-block${isHere ? ' here' : ''}`, 'data-block': `${stack}.${layer}`};
    const title = el('span', {class: 'map-name'}, this.title(name, isHere));
    return el('span', facts, title, el('span', {class: 'map-cells'}, ...cells));
  }

  /** A block of many by its number, which leads to the sublayer that is on the stage now. */
  numbered(stack, layer, sections, {name, section, canLeave}) {
    const facts = {
      type: 'button',
      class: 'map-number',
      'aria-label': name,
      title: name,
      disabled: canLeave ? null : '',
      click: () => this.chosen({stack, layer, section: sections.includes(section) ? section : sections[0]}),
    };
    return el('span', {class: 'map-block', 'data-block': `${stack}.${layer}`}, el('button', facts, String(layer + 1)));
  }
}

const arrow = () => el('span', {class: 'map-arrow', 'aria-hidden': 'true'}, '→');
