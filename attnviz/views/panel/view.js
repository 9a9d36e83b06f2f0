// A panel: blocks one under the other. What is pointed at in it stays in it; nobody else hears of it.

import {el} from '../kit/dom.js';
import {themeOf} from '../kit/theme.js';
import {ChartBlock} from './charts.js';
import {MapsBlock} from './maps.js';
import {facts, prose, table} from './plain.js';

/** Show a payload in `element`. */
export function mount(element, payload) {
  const view = new PanelView(element);
  view.update(payload);
  return view;
}

class PanelView {
  constructor(element) {
    this.root = element;
    this.root.classList.add('attnviz', 'panel');
    this.end = new AbortController();
    const {signal} = this.end;
    const again = () => this.header && this.draw();
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again, {signal});
    document.fonts?.ready.then(() => !signal.aborted && again());
    const observer = new ResizeObserver(() => this.root.clientWidth !== this.width && again());
    observer.observe(element);
    signal.addEventListener('abort', () => observer.disconnect());
  }

  /** New blocks, words or theme. What was pointed at is kept where the block still has such a place. */
  update({header, arrays}) {
    const before = this.parts ?? [];
    delete this.root.dataset.ready;
    this.header = header;
    this.root.lang = header.lang;
    this.root.setAttribute('role', 'group');
    this.root.setAttribute('aria-label', header.text);
    const say = (id) => header.strings[id] ?? '';
    this.parts = grouped(header.blocks).map((block, at) => made(block, arrays, say, before[at]));
    this.root.replaceChildren(...this.parts.map(({node}) => node));
    this.draw();
  }

  /** Everything at the width there is. */
  draw() {
    const {root, header} = this;
    this.width = root.clientWidth;
    const k = header.size === 'projector' ? 1.25 : 1;
    const theme = themeOf(root);
    root.dataset.theme = theme;
    root.style.setProperty('--k', `${k}px`);
    if (this.width === 0) return;
    const {paddingLeft, paddingRight} = getComputedStyle(root);
    const width = this.width - parseFloat(paddingLeft) - parseFloat(paddingRight);
    for (const part of this.parts) part.draw?.({width, k, theme});
    requestAnimationFrame(() => (root.dataset.ready = header.revision));
  }

  destroy() {
    this.end.abort();
    this.root.replaceChildren();
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
function made(block, arrays, say, before) {
  if (block.kind === 'maps') return new MapsBlock(block, arrays, say, before);
  if (block.of === 'chart') return new ChartBlock({charts: block.blocks}, say, before);
  if (block.of === 'table') return {node: el('div', {class: 'tables'}, ...block.blocks.map((one) => table(one, say)))};
  if (block.kind === 'facts') return {node: facts(block)};
  return {node: prose(block)};
}
