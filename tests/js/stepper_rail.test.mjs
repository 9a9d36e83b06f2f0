import assert from 'node:assert/strict';
import {test} from 'node:test';
import {blockBeyond, sectionOn, stacksOf} from '../../attnviz/views/stepper/model_map.js';
import {sectionsOf, stopsOf} from '../../attnviz/views/stepper/rail.js';

const step = (group, section) => ({group, section, stop: group});
const BLOCK = [
  step('embed', ''), step('qkv', 'masked-self'), step('qkv', 'masked-self'), step('weights', 'masked-self'),
  step('qkv', 'cross'), step('weights', 'cross'), step('ff', 'ff'), step('logits', ''),
];

test('the steps of a block are its sections, with what stands before and after them', () => {
  const sections = sectionsOf(stopsOf(BLOCK));
  assert.deepEqual(sections.map(({section}) => section), ['', 'masked-self', 'cross', 'ff', '']);
  assert.deepEqual(sections[1].stops, [1, 2]);
});

test('steps of one attention alone have no sections', () => {
  assert.deepEqual(sectionsOf(stopsOf(BLOCK.slice(1, 4))).map(({section}) => section), ['']);
});

test('the map has the blocks and sublayers of the model itself', () => {
  const [encoder, decoder] = stacksOf({encoder: 2, decoder: 3});
  assert.deepEqual([encoder.blocks.length, decoder.blocks.length], [2, 3]);
  assert.deepEqual(decoder.blocks[0].sections, ['masked-self', 'cross', 'ff']);
  assert.deepEqual(stacksOf({encoder: 0, decoder: 2}).map(({blocks}) => blocks[0].sections), [['masked-self', 'ff']]);
});

test('what stands after the sections of a decoder is the next word, and of an encoder it is not', () => {
  const sections = (stack) => [0, 1, 6, 7].map((at) => sectionOn({stack}, BLOCK, at));
  assert.deepEqual(sections('decoder'), ['', 'masked-self', 'ff', 'next']);
  assert.deepEqual(sections('encoder'), ['', 'masked-self', 'ff', '']);
});

test('at the end of a block Next leads to the next one, from the encoder to the decoder, and Back where one came from', () => {
  const sites = [0, 1].map((layer) => ({key: `encoder.${layer}.self`}));
  const beyond = (tab, site, map = {encoder: 2, decoder: 2}) =>
    [[0, -1], [3, 1], [6, 1], [7, 1]].map(([at, by]) => blockBeyond({map, tab, controls: {site, sites}}, BLOCK, at, by));
  assert.deepEqual(beyond('decoder', 'decoder.0.self'), ['encoder.1.self', null, 'decoder.1.self', null]);
  assert.deepEqual(beyond('decoder', 'decoder.1.self'), ['decoder.0.self', null, null, null]);
  assert.deepEqual(beyond('block', 'encoder.1.self'), ['encoder.0.self', null, null, 'decoder.0.self']);
  assert.deepEqual(beyond('block', 'encoder.1.self', null), ['encoder.0.self', null, null, null]);
  assert.equal(blockBeyond({map: null, tab: 'self', controls: {site: sites[0].key, sites}}, BLOCK.slice(0, 1), 0, 1), null);
});
