// A picture as a file: SVG as text, PNG with what it shows in its own text chunks, so that it can be found again.

import {contextOf, el, svg} from './dom.js';

const SCALE = 2; // pixels of a PNG for each CSS pixel
const FRAMES = 8; // until fonts of a picture are there: they lie in it, and two have been enough
const MOST = 16_384; // px that a side of a canvas may have
const HEAD = 33; // bytes of a PNG's signature and IHDR, which is first and of one length
const OURS = ['Inter', 'JetBrains Mono'];
const CHINESE = {'zh-CN': '"PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", ', 'zh-TW': '"PingFang TC", "Microsoft JhengHei", "Noto Sans CJK TC", '}; // of macOS, Windows and Linux

/** The text of an SVG file: our fonts are in it, and those that systems have for Chinese are named. */
export async function svgText(node) {
  const copy = node.cloneNode(true);
  const faces = await fontFaces(copy);
  if (faces) copy.insertBefore(svg('style', {}, faces), copy.firstChild);
  const chinese = CHINESE[node.getAttribute('lang')] ?? CHINESE['zh-CN'];
  for (const text of copy.querySelectorAll('[font-family]')) text.setAttribute('font-family', text.getAttribute('font-family').replace(/(?=sans-serif$)/, chinese));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}

/** Paint an SVG as a PNG; `about` goes into its text chunks. */
export async function pngOf(node, about) {
  const src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await svgText(node))}`; // a file of its own allows no blob:
  const image = await painted(src);
  const [width, height] = [Number(node.getAttribute('width')), Number(node.getAttribute('height'))];
  const scale = Math.min(SCALE, MOST / Math.max(width, height));
  const canvas = el('canvas', {width: Math.round(width * scale), height: Math.round(height * scale)});
  contextOf(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, 'image/png'));
  return new Blob([blob.slice(0, HEAD), ...textChunks(about), blob.slice(HEAD)], {type: 'image/png'});
}

/** An image that is ready to be painted. A browser begins to read the fonts that are in it when it is painted first. */
async function painted(src) {
  const image = new Image();
  image.src = src;
  await image.decode();
  for (let frame = 0; frame < FRAMES; frame++) {
    contextOf(el('canvas')).drawImage(image, 0, 0);
    await new Promise((done) => requestAnimationFrame(done));
  }
  return image;
}

/** Our fonts that a picture names, as rules that carry their bytes: an image may fetch nothing. */
async function fontFaces(picture) {
  const named = [...picture.querySelectorAll('[font-family]')].map((text) => text.getAttribute('font-family')).join();
  const sheets = [...document.styleSheets].flatMap((sheet) => {
    try {
      return [...sheet.cssRules].flatMap((rule) => (rule instanceof CSSFontFaceRule ? [{rule, base: sheet.href ?? document.baseURI}] : []));
    } catch {
      return []; // of another site
    }
  });
  const faces = sheets.filter(({rule}) => OURS.some((name) => rule.style.getPropertyValue('font-family').includes(name) && named.includes(name)));
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
