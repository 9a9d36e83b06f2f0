// A picture as a file: SVG as text, PNG with what it shows in its own text chunks, so that it can be found again.

import {svg} from './dom.js';

const SCALE = 2; // pixels of a PNG for each CSS pixel
const MOST = 16_384; // px that a side of a canvas may have
const CRC = Uint32Array.from({length: 256}, (_, n) => Array.from({length: 8}).reduce((c) => (Number(c) & 1 ? 0xedb88320 ^ (Number(c) >>> 1) : Number(c) >>> 1), n));

/** The text of an SVG file. */
export const svgText = (node) => `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(node)}\n`;

/** Paint an SVG as a PNG; `about` goes into its text chunks. */
export async function pngOf(node, about) {
  const copy = node.cloneNode(true);
  const faces = await fontFaces();
  if (faces) copy.insertBefore(svg('style', {}, faces), copy.firstChild);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(copy))}`; // a file of its own allows no blob:
  await image.decode();
  const [width, height] = [Number(node.getAttribute('width')), Number(node.getAttribute('height'))];
  const scale = Math.min(SCALE, MOST / Math.max(width, height));
  const canvas = Object.assign(document.createElement('canvas'), {width: Math.round(width * scale), height: Math.round(height * scale)});
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, 'image/png'));
  return new Blob([withText(new Uint8Array(await blob.arrayBuffer()), about)], {type: 'image/png'});
}

/** The page's own fonts as rules that carry their bytes: an image may fetch nothing. */
async function fontFaces() {
  const sheets = [...document.styleSheets].flatMap((sheet) => {
    try {
      return [...sheet.cssRules].flatMap((rule) => (rule instanceof CSSFontFaceRule ? [{rule, base: sheet.href ?? document.baseURI}] : []));
    } catch {
      return []; // of another site
    }
  });
  const faces = sheets.filter(({rule}) => /Inter/.test(rule.style.getPropertyValue('font-family')));
  const made = await Promise.all(
    faces.map(async ({rule, base}) => {
      const [, url] = /url\("?([^")]+)"?\)/.exec(rule.style.getPropertyValue('src')) ?? [];
      const bytes = url && (await (await fetch(new URL(url, base))).blob());
      return bytes ? rule.cssText.replace(url, await dataUrl(bytes)) : '';
    }),
  );
  return made.join('\n');
}

const dataUrl = (blob) =>
  new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.readAsDataURL(blob);
  });

/**
 * A PNG with iTXt chunks behind its header: the PNG specification's keywords, and everything as JSON under "AttnViz". No DOM.
 * @param {Uint8Array} png
 */
function withText(png, about) {
  const texts = {Title: about.title, Description: about.sentence, Source: about.model, Comment: about.link, Software: about.software, AttnViz: JSON.stringify(about)};
  const chunks = Object.entries(texts).filter(([, text]) => text).map(([name, text]) => chunk('iTXt', `${name}\0\0\0\0\0${text}`));
  const head = 33; // the signature and IHDR, which is first and of one length
  const parts = [png.subarray(0, head), ...chunks, png.subarray(head)];
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

function chunk(type, text) {
  const body = new TextEncoder().encode(type + text);
  const out = new Uint8Array(body.length + 8);
  const view = new DataView(out.buffer);
  view.setUint32(0, body.length - 4);
  out.set(body, 4);
  view.setUint32(body.length + 4, ~body.reduce((crc, byte) => CRC[(crc ^ byte) & 255] ^ (crc >>> 8), -1) >>> 0);
  return out;
}
