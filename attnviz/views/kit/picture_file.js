// A picture as a file: SVG as text, PNG with what it shows in its own text chunks, so that it can be found again.

import {el, svg} from './dom.js';

const SCALE = 2; // pixels of a PNG for each CSS pixel
const MOST = 16_384; // px that a side of a canvas may have
const HEAD = 33; // bytes of a PNG's signature and IHDR, which is first and of one length

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
  const canvas = el('canvas', {width: Math.round(width * scale), height: Math.round(height * scale)});
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, 'image/png'));
  return new Blob([blob.slice(0, HEAD), ...textChunks(about), blob.slice(HEAD)], {type: 'image/png'});
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

/** @param {Blob} blob @returns {Promise<string>} */
export const dataUrl = (blob) =>
  new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.readAsDataURL(blob);
  });

/** iTXt chunks of a PNG: the PNG specification's keywords, and everything as JSON under "AttnViz". No DOM. */
function textChunks(about) {
  const {title: Title, sentence: Description, model: Source, link: Comment, software: Software} = about;
  const texts = Object.entries({Title, Description, Source, Comment, Software, AttnViz: JSON.stringify(about)});
  return texts.filter(([, text]) => text).flatMap(([keyword, text]) => {
    const body = new TextEncoder().encode(`iTXt${keyword}\0\0\0\0\0${text}`);
    return [uint32(body.length - 4), body, uint32(crcOf(body))];
  });
}

function uint32(n) {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, n);
  return view;
}

/** The checksum of a chunk, PNG specification, annex D. */
function crcOf(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
