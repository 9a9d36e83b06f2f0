import assert from 'node:assert/strict';
import {test} from 'node:test';
import {pickedAtFirst, tellingToken} from '../../attnviz/views/heads/first_pick.js';

const model = {layers: 6, heads: 12};
const tokens = {source: []};
const arrays = {maps: {shape: [6, 12, 9, 9], data: []}}; // pooled: no row is telling
const selection = {layer: 5, head: 11, token: 8, key: null, released: false};
const before = {layer: 4, head: 10, token: 2, released: false, key: null};

test('the first picture begins with what it brings', () => {
  const picked = pickedAtFirst({selection, model, keeps_head: true, tokens}, null, arrays);
  assert.deepEqual(picked, {layer: 5, head: 11, token: 8, released: false, key: null});
});

test('a typed text keeps the head of the picture before it, and brings its own token', () => {
  const picked = pickedAtFirst({selection, model, keeps_head: true, tokens}, before, arrays);
  assert.deepEqual(picked, {layer: 4, head: 10, token: 8, released: false, key: null});
});

test('a link, an example or another model brings its own head', () => {
  const picked = pickedAtFirst({selection, model, keeps_head: false, tokens}, before, arrays);
  assert.deepEqual(picked, {layer: 5, head: 11, token: 8, released: false, key: null});
});

test('a head that is kept is one the picture has', () => {
  const small = {layers: 2, heads: 4};
  const picked = pickedAtFirst({selection: {layer: 0, head: 0, token: 1}, model: small, keeps_head: true, tokens}, before, arrays);
  assert.deepEqual([picked.layer, picked.head], [1, 3]);
});

test('the telling row of a head is the word that looks at another word far above what all rows give it', () => {
  const said = {source: ['[CLS]', 'red', 'dog', '.'].map((text, at) => ({text, special: at === 0}))};
  const maps = {shape: [1, 2, 4, 4], data: new Uint8Array(32)};
  maps.data[16 + 2 * 4 + 1] = 255; // of the second head dog looks at red
  maps.data[16 + 3 * 4 + 0] = 255;
  assert.equal(tellingToken(maps, {layer: 0, head: 1}, said, {heads: 2}), 2);
  const header = {selection: {layer: 0, head: 0, token: 3}, model: {layers: 1, heads: 2}, keeps_head: true, tokens: said};
  const kept = (more) => pickedAtFirst({...header, ...more}, {...before, layer: 0, head: 1}, {maps}).token;
  assert.equal(kept({}), 2);
  assert.equal(kept({predicted: {is_next: true}}), 3); // a text that goes on: the row that says with what
  assert.equal(tellingToken({...maps, shape: [1, 2, 2, 2]}, {layer: 0, head: 1}, said, {heads: 2}), null);
});
