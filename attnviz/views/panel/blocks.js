// Blocks one under the other in an element: a panel is these, and what stands beside a head.

import {el} from '../kit/dom.js';
import {chart} from './chart.js';
import {dials} from './dials.js';
import {MapsBlock} from './maps.js';
import {facts, prose, table} from './text_blocks.js';

export class Blocks {
  holder;

  constructor(holder) {
    Object.assign(this, {holder, parts: []});
  }

  /**
   * Other blocks; what was pointed at is kept where the block still has such a place. `lead([layer, head])` is told of a
   * row or a cell that leads to a head.
   */
  build({blocks, arrays}, {say, signal, lead = null}) {
    const before = this.parts;
    this.parts = grouped(blocks).map((block, at) => made(block, {arrays, say, signal, lead}, before[at]));
    this.holder.replaceChildren(...this.parts.map(({node}) => node));
  }

  /** Everything at the width there is; maps read `row`, or the column `token`, where one is given. */
  draw({k, theme, row, token}) {
    const {holder} = this;
    if (holder.clientWidth === 0) return;
    const {paddingLeft, paddingRight} = getComputedStyle(holder);
    const width = holder.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    for (const part of this.parts) part.draw?.({width, k, theme, row, token});
  }
}

/** Tables that follow each other stand side by side. */
function grouped(blocks) {
  const groups = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.kind !== 'table') groups.push(block);
    else if (last?.of === 'table') last.blocks.push(block);
    else groups.push({of: 'table', blocks: [block]});
  }
  return groups;
}

/** {node, draw?} of one block. */
function made(block, {arrays, say, signal, lead}, before) {
  if (block.kind === 'maps') return new MapsBlock(block, {arrays, say, signal, lead}, before);
  if (block.kind === 'chart') return {node: chart(block, say)};
  if (block.of === 'table') return {node: el('div', {class: 'tables'}, ...block.blocks.map((one) => table(one, say, lead)))};
  if (block.kind === 'dials') return {node: dials(block)};
  if (block.kind === 'facts') return {node: facts(block)};
  return {node: prose(block, lead)};
}
