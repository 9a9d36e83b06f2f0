// Elements without markup: attributes by name, children as nodes or text. Nothing here ever parses a string as HTML.

import {guarded} from './error_guard.js';

const SVG = 'http://www.w3.org/2000/svg';

/** el('button', {class: 'token', 'aria-pressed': false}, 'text'). */
export function el(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

/** Functions become listeners; null is left out. */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) continue;
    if (typeof value === 'function') listen(element, name, value);
    else element.setAttribute(name, String(value));
  }
}

function furnish(element, attributes, children) {
  setAttributes(element, attributes);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Listen to an event; what `heard` throws is told to the view around the element. */
export const listen = (element, name, heard, options) => element.addEventListener(name, guarded(element, heard), options);

/** Have it say this; a live region would say again what is written again. Returns the element. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
  return element;
}

/** Set lengths in px, one by one: a page that forbids inline styles allows that. Returns the element. */
export function setLengths(element, lengths) {
  for (const [name, length] of Object.entries(lengths)) element.style[name] = `${length}px`;
  return element;
}

/** What canvases show, as SVG, where they were drawn while a picture was taken. */
export const drawnAsSvg = new WeakMap();
/** @type {{context: ((context: CanvasRenderingContext2D, scale: number) => {node: Node, context: any}) | null}} */
const paper = {context: null};

export const isOnPaper = () => paper.context !== null;

/** Run `draw` so that all canvases it sizes are written as SVG too, by `context` of svg_context.js. */
export function onPaper(context, draw) {
  paper.context = context;
  try {
    return draw();
  } finally {
    paper.context = null;
  }
}

/** What draws in a canvas; every browser that shows these views has one. */
export function contextOf(canvas) {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('nothing draws in a canvas here');
  return context;
}

/** Size a canvas in CSS pixels at the screen's own resolution; returns its context, cleared. */
export function sized(canvas, width, height) {
  const scale = Math.max(1, window.devicePixelRatio || 1);
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  setLengths(canvas, {width, height});
  const context = contextOf(canvas);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  drawnAsSvg.delete(canvas);
  if (!paper.context) return context;
  const written = paper.context(context, scale);
  drawnAsSvg.set(canvas, written.node);
  return written.context;
}

/** A small picture of lines in a square of 16. */
export function icon(path, kind = 'icon') {
  return svg('svg', {viewBox: '0 0 16 16', 'aria-hidden': 'true', class: kind}, svg('path', {d: path}));
}

/**
 * The button of the presenter's view; its name stands on it in a low window, which has no larger size but this one.
 * @param {(() => void) | null} click
 */
export function presentButton(say, click = null) {
  const name = say('view-kit-present');
  const screen = icon('M2.5 3.5h11v7h-11zM8 10.5v2.5M5.5 13h5');
  const facts = {type: 'button', class: 'tool present', 'aria-label': name, title: `${name}  P`, click};
  return el('button', facts, screen, el('span', {}, name));
}

/** Have it say how the presenter's view is left while that is open; Esc leaves a matrix first. */
export function tellPresented(button, say, isPresented) {
  const name = say(isPresented ? 'view-kit-present-leave' : 'view-kit-present');
  setAttributes(button, {'aria-label': name, title: `${name}  P`});
  button.querySelector('span').textContent = isPresented ? `${say('view-kit-leave')}  P` : name;
}

/** The button that opens the list of keys. @param {(() => void) | null} click */
export function keysButton(say, click = null) {
  const name = say('view-kit-keys');
  const keyboard = 'M3 4h10a1.5 1.5 0 0 1 1.5 1.5v5A1.5 1.5 0 0 1 13 12H3a1.5 1.5 0 0 1-1.5-1.5v-5A1.5 1.5 0 0 1 3 4M4 6.7h.01M6.7 6.7h.01M9.3 6.7h.01M12 6.7h.01M5 9.4h6';
  return el('button', {type: 'button', class: 'tool keylist', 'aria-label': name, title: `${name}  ?`, click}, icon(keyboard));
}
