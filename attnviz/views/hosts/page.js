// The host of a page of its own: a file, or a frame in a notebook. The data lie deflated in the page.

import {el} from '../kit/dom.js';
import {showFailure} from '../kit/failure.js';
import {unpack} from '../kit/unpack.js';
import {oneLine} from '../kit/words.js';
import {unshuffle} from './byte_shuffle.js';
import {notebook} from './notebook.js';

export async function show(mount) {
  const root = document.getElementById('view');
  try {
    await draw(root, mount);
  } catch (error) {
    showFailure(root, error, () => location.reload());
  }
}

async function draw(root, mount) {
  const packed = Uint8Array.from(atob(document.getElementById('payload')?.textContent ?? ''), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  const payload = unpack(new Uint8Array(await new Response(stream).arrayBuffer()));
  for (const array of Object.values(payload.arrays)) unshuffle(array);
  document.documentElement.lang = payload.header.lang;
  document.title ||= oneLine(payload.header.title ?? payload.header.text ?? '');
  const isolated = el('bdi', {}, payload.header.text);
  const text = el('h1', {class: 'page-text'}, isolated);
  text.style.setProperty('--k', payload.header.size === 'projector' ? '1.25px' : '1px');
  root.append(text);
  if (isolated.scrollHeight > isolated.clientHeight + 1) isolated.tabIndex = 0;
  let view = null;
  const put = (picked) => {
    view?.destroy();
    view?.root.remove();
    const place = root.appendChild(document.createElement('div'));
    view = mount(place, picked ? {...payload, header: {...payload.header, picked}} : payload, null);
  };
  const host = notebook(() => view.redraw(), put);
  put(host.picked);
  host.ready(root);
}
