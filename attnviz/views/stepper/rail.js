// The rail: every step as a stop with a picture of its real matrix; steps of one group share a stop. The sections of a
// block fold: one is open, that of the step on the stage.

import {el, listen, svg} from '../kit/dom.js';
import {guarded} from '../kit/error_guard.js';
import {TOKENS} from '../kit/palette.js';
import {nameNodes} from './names.js';
import {thumbnail} from './thumbnail.js';

const PIXEL = 3.9; // px a cell at k = 1, where that fits
const SLIM = 1.5; // px a column at least
const TALL = 40; // px of a picture
const WIDE = 76;
const NARROW = 46; // px of a picture where there are sections

/** Steps that follow each other with one group: [{group, steps: [index, …]}]. No DOM. */
export function stopsOf(steps) {
  const stops = [];
  steps.forEach((step, index) => {
    const last = stops.at(-1);
    if (last && last.group === step.group && last.section === (step.section ?? '')) last.steps.push(index);
    else stops.push({group: step.group, label: step.stop, section: step.section ?? '', steps: [index]});
  });
  return stops;
}

/** Stops that follow each other in one section: [{section, stops: [at, …]}]; one without a name where there are no two. */
export function sectionsOf(stops) {
  const isOne = new Set(stops.map(({section}) => section).filter(Boolean)).size < 2;
  const sections = [];
  stops.forEach(({section}, at) => {
    const last = sections.at(-1);
    const name = isOne ? '' : section;
    if (last && last.section === name) last.stops.push(at);
    else sections.push({section: name, stops: [at]});
  });
  return sections;
}

export class Rail {
  box; say; chosen; here; at;
  /** @type {ReturnType<typeof stopsOf>} */
  stops;
  /** @type {ReturnType<typeof sectionsOf>} */
  sections;
  /** @type {any[]} */
  buttons;

  /** `chosen(index)` is told which step was asked for. */
  constructor(box, {say, signal, chosen}) {
    Object.assign(this, {box, say, chosen, open: '', here: null, at: null});
    listen(box, 'click', (event) => {
      const button = event.target.closest('button');
      if (button?.dataset.section) this.enter(button.dataset.section);
      else if (button) chosen(Number(button.dataset.first));
    }, {signal});
  }

  /** New stops at once; the pictures of stops that stay are painted after the stage, which is looked at first. */
  draw(steps, look) {
    this.stops = stopsOf(steps);
    this.sections = sectionsOf(this.stops);
    const shape = JSON.stringify(this.stops.map(({label, section}) => [label, section]));
    const isSame = shape === this.shape;
    this.shape = shape;
    clearTimeout(this.later);
    if (isSame) this.later = setTimeout(guarded(this.box, () => this.paint(steps, look)));
    else {
      this.build();
      this.paint(steps, look);
    }
  }

  build() {
    const stops = this.stops.map(({label, steps: indices}) => {
      const facts = {type: 'button', class: 'stop', 'data-first': indices[0]};
      const name = el('span', {class: 'stop-name'}, ...nameNodes(label));
      return el('button', facts, el('span', {class: 'pictures'}), name);
    });
    const joined = (nodes) => nodes.flatMap((node, at) => (at ? [arrow(), node] : [node]));
    const nodes = this.sections.flatMap(({section, stops: members}) => {
      const inside = members.map((at) => stops[at]);
      return section ? [this.section(section, joined(inside))] : inside;
    });
    this.box.replaceChildren(...joined(nodes));
    this.box.classList.toggle('sectioned', this.sections.length > 1);
    this.buttons = stops;
    this.unfold(this.open);
  }

  section(name, stops) {
    const facts = {type: 'button', class: 'section-name', 'data-section': name};
    const title = el('button', facts, el('span', {class: 'pictures'}), this.say(`view-stepper-section-${name}`));
    return el('div', {class: 'section', 'data-section': name}, title, el('div', {class: 'section-stops'}, ...stops));
  }

  /** To the first step of a section; the one that the step on the stage is in folds and unfolds. */
  enter(section) {
    if (section !== this.here) return this.chosen(this.stops.find((stop) => stop.section === section).steps[0]);
    this.unfold(this.open ? '' : section);
  }

  /** Show the stops of one section, "" for none: two do not fit. A folded one says whether the step on the stage is in it. */
  unfold(section) {
    this.open = section;
    for (const node of this.box.querySelectorAll('.section')) {
      const isOpen = node.dataset.section === section;
      node.classList.toggle('open', isOpen);
      node.firstChild.setAttribute('aria-expanded', String(isOpen));
      node.firstChild.ariaCurrent = node.dataset.section === this.here && !isOpen ? 'step' : null;
    }
  }

  paint(steps, {theme, k, isHidden}) {
    const wide = this.sections.length > 1 ? NARROW : WIDE;
    const drawn = (index, of = 1) =>
      isHidden(index) ? el('i', {class: 'covered'}) : picture(steps[index].result, {theme, k, wide: wide / of});
    this.stops.forEach(({steps: indices}, at) => {
      const shown = indices.slice(0, 4);
      this.buttons[at].dataset.first = indices[0];
      this.buttons[at].firstChild.replaceChildren(...shown.map((index) => drawn(index, shown.length)));
    });
    for (const node of this.box.querySelectorAll('.section')) {
      const indices = this.sections.find(({section}) => section === node.dataset.section).stops.flatMap((at) => this.stops[at].steps);
      const index = indices.find((at) => steps[at].kind === 'weights') ?? indices.at(-1);
      node.querySelector('.pictures').replaceChildren(drawn(index));
    }
  }

  select(index) {
    const {section} = this.stops.find(({steps}) => steps.includes(index));
    const isOther = section !== this.here || index !== this.at;
    Object.assign(this, {here: section, at: index});
    if (isOther) this.unfold(section);
    this.stops.forEach(({steps}, at) => {
      const isHere = steps.includes(index);
      const button = this.buttons[at];
      button.ariaCurrent = isHere ? 'step' : null;
      if (isHere) scrollTo(this.box, button);
    });
  }
}

/** Scroll a line across, and nothing else, until a part of it is inside: its beginning where it is wider. */
export function scrollTo(box, part) {
  const [outer, inner] = [box, part].map((node) => node.getBoundingClientRect());
  const [before, after] = [inner.left - outer.left - 12, inner.right - outer.right + 12];
  if (before < 0 || after > before) box.scrollLeft += before;
  else if (after > 0) box.scrollLeft += after;
}

export const arrow = () =>
  svg('svg', {class: 'next', viewBox: '0 0 13 8', 'aria-hidden': 'true'}, svg('path', {d: 'M0 4h11M8 1l3.2 3L8 7'}));

/** All rows of a matrix, and as many of its columns as can be seen in `wide` px, at k = 1. */
function picture(matrix, {theme, k, wide}) {
  const rows = matrix.rows.count;
  const height = Math.min(PIXEL * rows, TALL) * k;
  const cell = height / rows;
  const most = Math.max(1, Math.round((wide * k) / cell), Math.floor((wide * k) / SLIM));
  const columns = Math.min(matrix.columns.count, most);
  const width = Math.min(wide * k, columns * cell);
  return thumbnail(matrix, {rows, columns, width, height, theme, empty: TOKENS.empty[theme], k});
}
