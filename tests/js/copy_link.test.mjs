import assert from 'node:assert/strict';
import {test} from 'node:test';
import {recalled} from '../../attnviz/views/hosts/copy_link.js';

const now = {lang: 'en', size: 'page', isSilent: true, draft: null, visitor: 'ann', answers: {}};

/** What is said of a storage that holds this. */
function said(kept, page = now) {
  const storage = {getItem: (name) => (name === 'attnviz.chosen' ? kept : null), setItem: () => {}};
  Object.assign(globalThis, {localStorage: storage, sessionStorage: storage, location: {search: ''}});
  return recalled(page);
}

test('a language and a size that were chosen are said', () => {
  const kept = '{"lang": "zh-TW", "size": "projector"}';
  assert.deepEqual(said(kept), {lang: 'zh-TW', size: 'projector'});
});

test('nothing is said where the link names them, or where they are what is shown', () => {
  assert.deepEqual(said('{"lang": "zh-TW"}', {...now, isSilent: false}), {});
  assert.deepEqual(said('{"lang": "en", "size": "page"}'), {});
});

test('what somebody else left in the storage is passed over', () => {
  for (const kept of [null, '{', '7', 'null', '[]', '{"lang": 3, "size": []}']) assert.deepEqual(said(kept), {});
});
