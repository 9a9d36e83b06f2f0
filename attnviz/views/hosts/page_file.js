// A picture of the dashboard as a file of its own: the server's empty page with what is on the screen in it.

import {dataUrl} from '../kit/picture_file.js';
import {unpack} from '../kit/unpack.js';
import {oneLine} from '../kit/words.js';
import {shuffled} from './byte_shuffle.js';
import {post} from './fetch.js';

const DTYPES = {Uint8Array: 'uint8', Uint16Array: 'uint16', Uint32Array: 'uint32', Float32Array: 'float32'};

/**
 * The page's markup. `entries` go into the header in place of what the dashboard put there.
 * @param {{header: any, arrays: Arrays}} payload as it is drawn
 * @param {{path: string, body: object} | null} rest where the numbers are that the dashboard fetches one by one; `shown` came since
 * @param {object} facts what a picture of it says of itself, for whoever reads the file without drawing it
 */
export async function fileOf({header, arrays}, entries, rest, shown, facts) {
  const more = rest ? unpack(await post(rest.path, rest.body)) : {header: {}, arrays: {}};
  const {link, question, is_heard, keeps_head, keeps_place, view, revision, ...kept} = {...header, ...more.header};
  const frame = pack({...kept, view: header.view, revision: header.revision, ...entries}, {...arrays, ...more.arrays, ...shown});
  const stream = new Blob([frame]).stream().pipeThrough(new CompressionStream('deflate'));
  const [, base64] = (await dataUrl(await new Response(stream).blob())).split(',');
  const page = await (await fetch(new URL(`api/page/${header.view}`, document.baseURI))).text();
  const title = `<title>${escaped(oneLine(header.title ?? header.text ?? ''))}</title>`;
  const head = `${title}\n<meta name="attnviz" content="${escaped(JSON.stringify(facts))}">`;
  return page.replace('<title></title>', () => head).replace(/(?<=id="payload">)/, () => base64);
}

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The frame that kit/unpack.js reads, each array's bytes shuffled. */
function pack(header, arrays) {
  const table = {};
  const body = [];
  let offset = 0;
  for (const [name, {data, shape}] of Object.entries(arrays)) {
    const pad = new Uint8Array(-data.byteLength & 7);
    table[name] = {dtype: DTYPES[data.constructor.name], shape, offset};
    body.push(shuffled(data), pad);
    offset += data.byteLength + pad.length;
  }
  const text = new TextEncoder().encode(JSON.stringify({...header, v: 1, arrays: table}));
  const pad = new Uint8Array(-(4 + text.length) & 7).fill(32);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, text.length + pad.length, true);
  return new Blob([length, text, pad, ...body]);
}
