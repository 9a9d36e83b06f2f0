// What can be switched of the very step that is shown: how far vectors are rotated, whose keys a group reads, the gate,
// and how the next word is chosen. It asks the host and computes nothing.

import {el} from '../kit/dom.js';

const OF_GROUP = {rotated: ['rotation'], qkv: ['swaps'], split: ['swaps'], raw: ['swaps'], ff: ['gate'], probabilities: ['heat', 'draw'], choice: ['heat', 'draw']};

/**
 * The controls of a step; null where it has none. `asked(changes)` is told what the person wants.
 * @param {any} controls
 */
export function ownSwitches({group}, controls, {say, asked}) {
  const names = (OF_GROUP[group] ?? []).filter((name) => (name === 'heat' || name === 'draw' ? controls.draw : controls.can.includes(name)));
  return names.length ? el('div', {class: 'own', role: 'group'}, ...names.map((name) => made(name, controls, {say, asked}))) : null;
}

function made(name, {whatif, rotations, draw}, {say, asked}) {
  const choices = {rotation: [rotations, whatif.rotation], heat: [draw && Object.fromEntries(draw.heats.map((heat) => [heat, heat])), draw?.heat], draw: [draw?.rules, draw?.rule]}[name];
  if (!choices) {
    const facts = {type: 'checkbox', role: 'switch', 'data-own': name, checked: whatif[name] ? '' : null};
    const input = el('input', {...facts, change: () => asked({[name]: input.checked})});
    return el('label', {class: 'switch'}, input, el('span', {}, say(`view-stepper-${name}`)));
  }
  const [options, chosen] = choices;
  const box = el('select', {'data-own': name, change: () => asked({[name]: box.value})});
  box.append(...Object.entries(options).map(([value, text]) => el('option', {value}, text)));
  box.value = chosen;
  return el('label', {class: 'pick'}, el('span', {}, say(`view-stepper-${name}`)), box);
}
