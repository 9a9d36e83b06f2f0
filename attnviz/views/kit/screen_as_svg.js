// A picture of the screen as SVG, by walking what the browser laid out: boxes, text, canvases and drawings. Text stays
// text and keeps its width in any font. A view is drawn for it once more, in the theme of the paper and without controls.

import {contextOf, drawnAsSvg, svg} from './dom.js';
import {newId, textNode} from './svg_context.js';

const EDGE = 24; // px around the picture
const SMALL = {size: 11, line: 16};
const DRAWN = ['fill', 'stroke', 'paint-order', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity', 'fill-opacity', 'stroke-opacity', 'font-size', 'font-weight', 'font-family', 'text-anchor', 'dominant-baseline', 'letter-spacing'];
const SIDES = ['top', 'right', 'bottom', 'left'];
const words = new Intl.Segmenter('und', {granularity: 'word'});
const letters = new Intl.Segmenter(); // a line of Chinese ends anywhere
const ruler = contextOf(document.createElement('canvas'));

/**
 * An element as an SVG with small print under it and the same as metadata.
 * @param {Element} element laid out, in the theme of the paper
 * @param {string[]} print lines of small print; the last one may be a link
 * @param {CSSStyleDeclaration} style of the colours around it
 */
export function asSvg(element, print, about, style = getComputedStyle(element)) {
  const frame = element.getBoundingClientRect();
  const sheet = new Sheet(element, frame, style);
  sheet.walk(element);
  const width = Math.ceil(Math.max(frame.width, element.scrollWidth, 320));
  const small = smallPrint(print, width, style);
  const top = Math.ceil(Math.max(frame.height, element.scrollHeight)) + EDGE;
  small.forEach((node, at) => node.setAttribute('y', String(top + 6 + (at + 1) * SMALL.line)));
  const height = top + 10 + small.length * SMALL.line;
  const size = {width: width + 2 * EDGE, height: height + 2 * EDGE};
  const ground = svg('rect', {x: -EDGE, y: -EDGE, ...size, fill: style.getPropertyValue('--surface')});
  const rule = svg('path', {d: `M0 ${top - EDGE / 2}h${width}`, stroke: style.getPropertyValue('--line')});
  const metadata = svg('metadata', {}, JSON.stringify(about));
  return svg('svg', {xmlns: 'http://www.w3.org/2000/svg', ...size, viewBox: `${-EDGE} ${-EDGE} ${size.width} ${size.height}`, lang: about.lang, 'xml:lang': about.lang, role: 'img'}, svg('title', {}, print[0]), metadata, ground, sheet.node, rule, ...small);
}

class Sheet {
  root; frame; node; sunken; line;

  constructor(root, frame, style) {
    Object.assign(this, {root, frame, node: svg('g'), hatching: null, sunken: style.getPropertyValue('--sunken'), line: style.getPropertyValue('--line-2')});
  }

  walk(element) {
    const style = getComputedStyle(element);
    if (style.display === 'none' || style.visibility === 'hidden' || style.opacity === '0' || style.clipPath !== 'none') return;
    if (isTurned(style)) return this.turned(element, style);
    const box = this.boxOf(element.getBoundingClientRect());
    const clip = style.overflow !== 'visible' && isCut(element) ? this.clip(box) : null;
    const outer = this.node;
    if (clip || style.opacity !== '1')
      this.node = outer.appendChild(svg('g', {opacity: style.opacity, 'clip-path': clip}));
    if (element.localName === 'math') this.node.append(formula(element, style, box));
    else if (element instanceof SVGSVGElement) this.node.append(drawing(element, box));
    else if (element instanceof HTMLCanvasElement) this.canvas(element, box);
    else {
      if (element !== this.root) this.box(style, box);
      for (const child of element.childNodes) {
        if (child.nodeType === Node.TEXT_NODE) this.text(child, style);
        else if (child instanceof Element) this.walk(child);
      }
    }
    this.node = outer;
  }

  boxOf({left, top, width, height}) {
    return {x: left - this.frame.left, y: top - this.frame.top, width, height};
  }

  /** What is turned is laid out unturned, and turned by the file. */
  turned(element, style) {
    const [ox, oy] = style.transformOrigin.split(' ').map(parseFloat);
    const transform = element.style.transform;
    const {a, b, c, d, e, f} = new DOMMatrix(style.transform);
    element.style.transform = 'none';
    const {x, y} = this.boxOf(element.getBoundingClientRect());
    const outer = this.node;
    this.node = outer.appendChild(svg('g', {transform: `translate(${x + ox} ${y + oy}) matrix(${a} ${b} ${c} ${d} ${e} ${f}) translate(${-x - ox} ${-y - oy})`}));
    this.walk(element);
    this.node = outer;
    element.style.transform = transform;
  }

  clip(box) {
    const id = newId();
    this.node.append(svg('clipPath', {id}, svg('rect', box)));
    return `url(#${id})`;
  }

  /** The ground of an element, its rules and what rings it. */
  box(style, box) {
    if (!box.width || !box.height) return;
    const rx = Math.min(parseFloat(style.borderTopLeftRadius) || 0, box.height / 2) || null;
    const fill = style.backgroundImage.includes('repeating') ? this.hatch() : style.backgroundColor;
    if (!isClear(fill)) this.node.append(svg('rect', {...box, rx, fill}));
    const border = (side, name) => style.getPropertyValue(`border-${side}-${name}`);
    const widths = SIDES.map((side) => (border(side, 'style') === 'none' || isClear(border(side, 'color')) ? 0 : parseFloat(border(side, 'width'))));
    if (new Set(widths).size === 1 && widths[0]) this.ring(box, -widths[0] / 2, widths[0], style.borderTopColor, rx, style.borderTopStyle === 'dashed');
    else
      widths.forEach((width, side) => {
        const {x, y} = box;
        const [dx, dy] = [[0, width / 2], [box.width - width / 2, 0], [0, box.height - width / 2], [width / 2, 0]][side];
        const stroke = border(SIDES[side], 'color');
        if (width) this.node.append(svg('path', {d: `M${x + dx} ${y + dy}${side % 2 ? `v${box.height}` : `h${box.width}`}`, stroke, 'stroke-width': width}));
      });
    if (style.outlineStyle !== 'none') this.ring(box, parseFloat(style.outlineOffset) + parseFloat(style.outlineWidth) / 2, parseFloat(style.outlineWidth), style.outlineColor, rx);
    const rings = [...style.boxShadow.matchAll(/(rgba?\([^)]*\)) 0px 0px 0px ([\d.]+)px( inset)?/g)];
    for (const [, colour, wide, isInset] of rings.reverse()) this.ring(box, (isInset ? -1 : 1) * (Number(wide) / 2), Number(wide), colour, rx);
  }

  ring({x, y, width, height}, out, wide, stroke, rx, isDashed = false) {
    this.node.append(svg('rect', {x: x - out, y: y - out, width: Math.max(0, width + 2 * out), height: Math.max(0, height + 2 * out), rx: rx ? rx + out : null, fill: 'none', stroke, 'stroke-width': wide, 'stroke-dasharray': isDashed ? `${2 * wide} ${2 * wide}` : null}));
  }

  hatch() {
    if (!this.hatching) {
      this.hatching = newId();
      this.node.append(svg('pattern', {id: this.hatching, patternUnits: 'userSpaceOnUse', width: 5, height: 5}, svg('rect', {width: 5, height: 5, fill: this.sunken}), svg('path', {d: 'M0 5L5 0M-1 1L1 -1M4 6L6 4', stroke: this.line})));
    }
    return `url(#${this.hatching})`;
  }

  canvas(canvas, box) {
    const drawn = drawnAsSvg.get(canvas);
    const scale = box.width / parseFloat(canvas.style.width) || 1; // a sheet may show it smaller than it was drawn
    if (drawn) this.node.append(svg('g', {transform: `translate(${box.x} ${box.y}) scale(${scale})`}, drawn));
    else if (box.width && canvas.width) this.node.append(svg('image', {...box, href: canvas.toDataURL(), preserveAspectRatio: 'none'}));
  }

  /** A text as it is broken into lines. */
  text(node, style) {
    if (!node.data.trim()) return;
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = [];
    const isShort = style.textOverflow === 'ellipsis' && isCut(node.parentElement);
    const end = isShort ? node.parentElement.getBoundingClientRect().right - parseFloat(style.fontSize) : Infinity;
    for (const {segment, index} of (isShort || /[⺀-鿿]/.test(node.data) ? letters : words).segment(node.data)) {
      range.setStart(node, index);
      range.setEnd(node, index + segment.length);
      const [rect] = range.getClientRects();
      const line = lines.at(-1);
      if (line && rect?.right > end) {
        line.text += '…';
        break;
      }
      if (!segment.trim()) {
        if (line) line.space = ' '; // drawn where a word follows
      } else if (line && rect && Math.abs(line.top - rect.top) < 2) {
        Object.assign(line, {text: line.text + line.space + segment, space: '', left: Math.min(line.left, rect.left), right: Math.max(line.right, rect.right)});
      } else if (rect?.width) lines.push({text: segment, space: '', left: rect.left, right: rect.right, top: rect.top, height: rect.height});
    }
    const shape = shapeOf(style);
    ruler.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const {fontBoundingBoxAscent: above, fontBoundingBoxDescent: below} = ruler.measureText('x');
    const decoration = style.textDecorationLine === 'none' ? null : style.textDecorationLine;
    for (const {text, left, right, top, height} of lines) {
      const at = this.boxOf({left, top, width: right - left, height});
      this.node.append(textNode(text, {...shape, x: at.x, y: at.y + (height + above - below) / 2, width: at.width, isRightToLeft: style.direction === 'rtl', 'text-decoration': decoration}));
    }
  }
}

const shapeOf = (style) => ({size: parseFloat(style.fontSize), weight: style.fontWeight, family: style.fontFamily, fill: style.color, style: style.fontStyle === 'normal' ? null : style.fontStyle});
const isClear = (colour) => colour === 'transparent' || /^rgba\(.*, 0\)$/.test(colour);
const isCut = ({scrollWidth, clientWidth, scrollHeight, clientHeight}) => clientWidth > 0 && (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1);

/** Moved or stretched boxes are where they are; turned ones are not. */
function isTurned({transform}) {
  const {b, c, is2D} = transform === 'none' ? {b: 0, c: 0, is2D: true} : new DOMMatrix(transform);
  return is2D && Math.abs(b) + Math.abs(c) > 1e-3;
}

/** A formula as the browser sets it: on paper and in browsers; the pictures of files have none. */
function formula(source, {fontSize, color}, {x, y, width, height}) {
  const copy = /** @type {HTMLElement} */ (source.cloneNode(true));
  Object.assign(copy.style, {fontSize, color, margin: '0'});
  return svg('foreignObject', {x, y, width: width + 4, height: height + 4}, copy);
}

/** A drawing with the style that its sheets give it. */
function drawing(source, box) {
  const copy = source.cloneNode(true);
  const [sources, copies] = [source, copy].map((root) => [root, ...root.querySelectorAll('*')]);
  sources.forEach((from, at) => {
    const style = getComputedStyle(from);
    if (style.display === 'none' || style.visibility === 'hidden') return copies[at].setAttribute('display', 'none');
    for (const name of DRAWN) if (style.getPropertyValue(name)) copies[at].setAttribute(name, style.getPropertyValue(name));
    copies[at].removeAttribute('class');
    copies[at].removeAttribute('style');
  });
  for (const [name, value] of Object.entries({...box, overflow: 'visible'})) copy.setAttribute(name, String(value));
  return copy;
}

/** Lines of text as wide as the picture. */
function smallPrint(lines, width, style) {
  return lines.flatMap((text, index) => {
    const weight = index ? 400 : 600;
    const fill = style.getPropertyValue(index ? '--ink-2' : '--ink');
    const look = {size: SMALL.size, weight, family: style.fontFamily, fill, 'unicode-bidi': 'plaintext'};
    ruler.font = `${weight} ${SMALL.size}px ${style.fontFamily}`;
    return wrapped(text, width).map((line) => {
      const node = textNode(line, {x: 0, y: 0, width: ruler.measureText(line).width, ...look});
      if (/^https?:/.test(text)) node.replaceChildren(svg('a', {href: text}, line)); // the text itself leads there
      return node;
    });
  });
}

function wrapped(text, width) {
  const lines = [''];
  for (const {segment} of words.segment(text))
    for (const piece of ruler.measureText(segment).width > width ? segment : [segment]) {
      if (lines.at(-1) && ruler.measureText(lines.at(-1) + piece).width > width) lines.push('');
      lines[lines.length - 1] += piece;
    }
  return lines.map((line) => line.trim()).filter(Boolean);
}
