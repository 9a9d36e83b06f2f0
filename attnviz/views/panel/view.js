// A panel: blocks one under the other. What is pointed at in it stays in it; nobody else hears of it.

import {el} from '../kit/dom.js';
import {show} from '../kit/shell.js';
import {ChartBlock} from './charts.js';
import {MapsBlock} from './maps.js';
import {facts, prose, table} from './plain.js';

/** Show a payload in `element`; a panel emits nothing. */
export function mount(element, payload) {
  return show(PanelView, element, payload, null);
}

class PanelView {
  shell;
  static css = 'panel';

  constructor(shell) {
    Object.assign(this, {shell, parts: []});
  }

  /**
   * New blocks, words or theme. What was pointed at is kept where the block still has such a place.
   * @param {Payload<PanelHeader>} payload
   */
  take(payload) {
    this.payload = payload;
    return true;
  }

  build(signal) {
    const {root, say} = this.shell;
    const {header, arrays} = this.payload;
    const before = this.parts;
    root.setAttribute('role', 'group');
    root.setAttribute('aria-label', header.text);
    this.parts = grouped(header.blocks).map((block, at) => made(block, {arrays, say, signal}, before[at]));
    root.replaceChildren(...this.parts.map(({node}) => node));
  }

  /** Everything at the width there is. */
  draw({k, theme}) {
    const {root} = this.shell;
    if (root.clientWidth === 0) return;
    const {paddingLeft, paddingRight} = getComputedStyle(root);
    const width = root.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    for (const part of this.parts) part.draw?.({width, k, theme});
  }
}

/** Charts that follow each other stand side by side, and so do tables. */
function grouped(blocks) {
  const groups = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (!['chart', 'table'].includes(block.kind)) groups.push(block);
    else if (last?.of === block.kind) last.blocks.push(block);
    else groups.push({of: block.kind, blocks: [block]});
  }
  return groups;
}

/** {node, draw?} of one block. */
function made(block, {arrays, say, signal}, before) {
  if (block.kind === 'maps') return new MapsBlock(block, {arrays, say, signal}, before);
  if (block.of === 'chart') return new ChartBlock({charts: block.blocks}, {say, signal}, before);
  if (block.of === 'table') return {node: el('div', {class: 'tables'}, ...block.blocks.map((one) => table(one, say)))};
  if (block.kind === 'facts') return {node: facts(block)};
  return {node: prose(block)};
}
