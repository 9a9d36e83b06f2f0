import assert from 'node:assert/strict';
import {test} from 'node:test';
import follow from '../../attnviz/views/hosts/follow_picks.js';
import {notePicked} from '../../attnviz/views/hosts/last_picks.js';

test('Python hears of a pick once no run of the script goes on, and not on the way to another page', ({mock}) => {
  mock.timers.enable({apis: ['setTimeout']});
  const dataset = {};
  const documentElement = {dataset, toggleAttribute: (_, isThere) => (isThere ? (dataset.attnvizBehind = '') : delete dataset.attnvizBehind)};
  const document = Object.assign(new EventTarget(), {documentElement});
  const window = new EventTarget();
  const attnvizAddress = {isLeaving: false};
  Object.assign(globalThis, {document, window, attnvizAddress});
  const say = (scriptRunState) =>
    window.dispatchEvent(Object.assign(new Event('message'), {source: window, data: {stCommVersion: 1, type: 'SCRIPT_RUN_STATE_CHANGED', scriptRunState}}));
  const pick = (pair) => {
    notePicked('compare', {pair}, true);
    mock.timers.tick(1000);
  };
  const comeTo = (target) => {
    document.dispatchEvent(Object.defineProperty(new Event('pointerover'), 'target', {value: target}));
    mock.timers.tick(1000);
  };
  const below = {closest: (parts) => (parts === '.st-key-compare-below' ? below : null)};
  const told = [];
  notePicked('compare', {pair: '1.3-1.3'}, true);
  follow({data: {view: 'compare', below: 'compare-below'}, parentElement: {}, setStateValue: (_, {pair}) => told.push(pair)});
  mock.timers.tick(1000);
  assert.deepEqual(told, ['1.3-1.3']);

  pick('2.2-2.2'); // away from what is below
  assert.deepEqual(told, ['1.3-1.3']);
  assert.ok('attnvizBehind' in dataset);
  say('running');
  comeTo(below);
  assert.deepEqual(told, ['1.3-1.3']);
  say('notRunning');
  assert.deepEqual(told, ['1.3-1.3', '2.2-2.2']);

  attnvizAddress.isLeaving = true;
  pick('3.1-3.1');
  comeTo(below);
  assert.deepEqual(told, ['1.3-1.3', '2.2-2.2']);
});
