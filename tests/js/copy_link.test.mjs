import assert from 'node:assert/strict';
import {test} from 'node:test';
import {setTimeout as wait} from 'node:timers/promises';
import {recall} from '../../attnviz/views/hosts/copy_link.js';

const now = {lang: 'en', size: 'page', isSilent: true, draft: null, visitor: 'ann', answers: {}};

/** What is said of a storage that holds this. */
async function said(kept, page = now) {
  const heard = [];
  const storage = {getItem: (name) => (name === 'attnviz.chosen' ? kept : null), setItem: () => {}};
  Object.assign(globalThis, {localStorage: storage, sessionStorage: storage, location: {search: ''}});
  recall(page, (name, value) => heard.push([name, value]));
  await wait(1);
  return heard;
}

test('a language and a size that were chosen are said', async () => {
  const kept = '{"lang": "zh-TW", "size": "projector"}';
  assert.deepEqual(await said(kept), [['remembered', {lang: 'zh-TW', size: 'projector'}]]);
});

test('nothing is said where the link names them, or where they are what is shown', async () => {
  assert.deepEqual(await said('{"lang": "zh-TW"}', {...now, isSilent: false}), []);
  assert.deepEqual(await said('{"lang": "en", "size": "page"}'), []);
});

test('what somebody else left in the storage is passed over', async () => {
  for (const kept of [null, '{', '7', 'null', '[]', '{"lang": 3, "size": []}']) assert.deepEqual(await said(kept), []);
});
