// Elements without markup: attributes by name, children as nodes or text. Nothing here ever parses a string as HTML.

const SVG = 'http://www.w3.org/2000/svg';

/** el('button', {class: 'token', 'aria-pressed': false}, 'text'). Functions become listeners; null is left out. */
export function el(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) continue;
    if (typeof value === 'function') element.addEventListener(name, value);
    else element.setAttribute(name, String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Size a canvas in CSS pixels at the screen's own resolution; returns its context, cleared. */
export function sized(canvas, width, height) {
  const scale = Math.max(1, window.devicePixelRatio || 1);
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  return context;
}

/** A picture of a keyboard, for the button that lists the keys. */
export function keyboardIcon() {
  return svg(
    'svg',
    {viewBox: '0 0 16 16', 'aria-hidden': 'true', class: 'icon'},
    svg('rect', {x: 1.5, y: 4, width: 13, height: 8, rx: 1.5}),
    svg('path', {d: 'M4 6.7h.01M6.7 6.7h.01M9.3 6.7h.01M12 6.7h.01M5 9.4h6'}),
  );
}
