// A canvas context that also writes what it draws as SVG, so that a picture in a file has lines and text, not pixels.
// It wraps the real context, which still measures and reads; see screen_as_svg.js.

import {contextOf, svg} from './dom.js';

const FONT = /^(?:(italic|oblique) )?(?:[\w-]+ )*?(\d{3} |bold |)([\d.]+)px(?:\/\S+)? (.+)$/;
const ROUND = 100;
let names = 0;

const rounded = (x) => Math.round(x * ROUND) / ROUND;
export const newId = () => `attnviz-${++names}`; // several pictures may stand in one document

/** A run of text that takes `width` px in any font. */
export function textNode(text, {x, y, width, size, weight, family, fill, style = null, isRightToLeft = false, ...more}) {
  const at = {x: rounded(isRightToLeft ? x + width : x), y: rounded(y), direction: isRightToLeft ? 'rtl' : null};
  const length = text.length > 1 ? {textLength: rounded(width), lengthAdjust: 'spacingAndGlyphs'} : {};
  return svg('text', {...at, ...length, fill, 'font-size': size, 'font-weight': weight, 'font-style': style, 'font-family': family, ...more}, text);
}

/** An element of a bitmap, in its own pixels. */
const bitmap = (canvas, box) => svg('image', {...box, href: canvas.toDataURL(), preserveAspectRatio: 'none', 'image-rendering': 'pixelated'});

/** The context of a canvas of `scale` device pixels a CSS pixel, and the `g` that it writes to. */
export function svgContext(context, scale) {
  const writer = new Writer(context, scale);
  const has = (name) => typeof Writer.prototype[name] === 'function' && name !== 'constructor';
  const proxy = new Proxy(context, {
    get(_, name) {
      const value = context[name];
      if (typeof value !== 'function') return value;
      if (!has(name)) return value.bind(context);
      return (...args) => {
        const made = value.apply(context, args);
        writer[name](...args, made);
        return made;
      };
    },
    set: (_, name, value) => Reflect.set(context, name, value),
  });
  return {context: proxy, node: writer.node};
}

class Writer {
  context; scale; path; node; patterns;

  constructor(context, scale) {
    Object.assign(this, {context, scale, path: '', node: svg('g'), patterns: new Map()});
  }

  beginPath() {
    this.path = '';
  }

  moveTo(x, y) {
    this.path += `M${rounded(x)} ${rounded(y)}`;
  }

  lineTo(x, y) {
    this.path += `L${rounded(x)} ${rounded(y)}`;
  }

  bezierCurveTo(...numbers) {
    this.path += `C${numbers.slice(0, 6).map(rounded).join(' ')}`;
  }

  closePath() {
    this.path += 'Z';
  }

  /** Whole circles: nothing here draws another arc. */
  arc(x, y, r) {
    this.path += `M${rounded(x - r)} ${rounded(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  }

  roundRect(x, y, w, h, radius) {
    const r = Math.min(Number(radius) || 0, w / 2, h / 2);
    const corner = (dx, dy) => `a${rounded(r)} ${rounded(r)} 0 0 1 ${rounded(dx)} ${rounded(dy)}`;
    this.path += `M${rounded(x + r)} ${rounded(y)}h${rounded(w - 2 * r)}${corner(r, r)}v${rounded(h - 2 * r)}${corner(-r, r)}h${rounded(2 * r - w)}${corner(-r, -r)}v${rounded(2 * r - h)}${corner(r, -r)}Z`;
  }

  fill() {
    this.add('path', {d: this.path, fill: this.paint(this.context.fillStyle)});
  }

  stroke() {
    this.add('path', {d: this.path, ...this.line()});
  }

  fillRect(x, y, width, height) {
    this.add('rect', {...box(x, y, width, height), fill: this.paint(this.context.fillStyle)});
  }

  strokeRect(x, y, width, height) {
    this.add('rect', {...box(x, y, width, height), ...this.line()});
  }

  /** What was drawn before shows no more there. */
  clearRect(x, y, width, height) {
    const {canvas} = this.context;
    if (!this.node.childNodes.length) return;
    if (x <= 0 && y <= 0 && (x + width) * this.scale >= canvas.width - 1 && (y + height) * this.scale >= canvas.height - 1) return this.node.replaceChildren();
    const id = newId();
    const all = {x: -1e4, y: -1e4, width: 3e4, height: 3e4};
    const hole = svg('rect', {...box(x, y, width, height), transform: this.transform()});
    const mask = svg('mask', {id, maskUnits: 'userSpaceOnUse', ...all}, svg('rect', {...all, fill: '#fff'}), hole);
    this.node.replaceChildren(mask, svg('g', {mask: `url(#${id})`}, ...this.node.childNodes));
  }

  fillText(text, x, y) {
    this.write(text, x, y, {fill: this.paint(this.context.fillStyle)});
  }

  strokeText(text, x, y) {
    this.write(text, x, y, {...this.line(), 'stroke-linejoin': 'round'});
  }

  putImageData(data, x, y) {
    const canvas = Object.assign(document.createElement('canvas'), {width: data.width, height: data.height});
    contextOf(canvas).putImageData(data, 0, 0);
    const by = 1 / this.scale; // it knows no transform
    this.node.append(bitmap(canvas, box(x * by, y * by, data.width * by, data.height * by)));
  }

  drawImage(canvas, x, y, width, height) {
    this.node.append(bitmap(canvas, {...box(x, y, width, height), transform: this.transform()}));
  }

  createPattern(tile, _, made) {
    const id = newId();
    const size = {width: parseFloat(tile.style.width), height: parseFloat(tile.style.height)};
    this.patterns.set(made, svg('pattern', {id, patternUnits: 'userSpaceOnUse', ...size}, svg('image', {...size, href: tile.toDataURL()})));
  }

  write(text, x, y, ink) {
    const {context} = this;
    const {font, textAlign, textBaseline} = context;
    const [, style, weight, size, family] = FONT.exec(font) ?? [null, null, '', '12', font];
    const {width, fontBoundingBoxAscent: above} = context.measureText(text);
    context.textBaseline = 'alphabetic';
    const down = context.measureText(text).fontBoundingBoxAscent - above;
    context.textBaseline = textBaseline;
    const left = x - (textAlign === 'center' ? width / 2 : textAlign === 'right' || textAlign === 'end' ? width : 0);
    this.append(textNode(text, {x: left, y: y + down, width, size, weight: weight.trim() || null, family, style, ...ink}));
  }

  /** A colour, or a pattern that is put beside what it fills. */
  paint(style) {
    const pattern = this.patterns.get(style);
    if (!pattern) return style;
    if (!pattern.isConnected) this.node.append(pattern);
    return `url(#${pattern.id})`;
  }

  line() {
    const {context} = this;
    const dash = context.getLineDash().join(' ') || null;
    return {fill: 'none', stroke: this.paint(context.strokeStyle), 'stroke-width': context.lineWidth, 'stroke-dasharray': dash};
  }

  add(tag, attributes) {
    this.append(svg(tag, attributes));
  }

  append(node) {
    const {globalAlpha} = this.context;
    if (globalAlpha < 1) node.setAttribute('opacity', globalAlpha);
    const transform = this.transform();
    if (transform) node.setAttribute('transform', transform);
    this.node.append(node);
  }

  /** What turns or moves the drawing, in CSS pixels; null where nothing does. */
  transform() {
    const {a, b, c, d, e, f} = this.context.getTransform();
    const numbers = [a, b, c, d, e, f].map((x) => Math.round((x / this.scale) * 1e4) / 1e4);
    return numbers.join() === '1,0,0,1,0,0' ? null : `matrix(${numbers.join(' ')})`;
  }
}

const box = (x, y, width, height) => ({x: rounded(x), y: rounded(y), width: rounded(width), height: rounded(height)});
