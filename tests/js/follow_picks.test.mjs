import assert from 'node:assert/strict';
import {test} from 'node:test';
import follow from '../../attnviz/views/hosts/follow_picks.js';
import {notePicked} from '../../attnviz/views/hosts/last_picks.js';

test('Python hears of a pick once no run of the script goes on', ({mock}) => {
  mock.timers.enable({apis: ['setTimeout']});
  const app = {dataset: {testScriptState: 'running'}};
  const page = Object.assign(new EventTarget(), {documentElement: {dataset: {}}, querySelector: () => app});
  Object.assign(globalThis, {document: page, ShadowRoot: class {}});
  notePicked('compare', {pair: '1.3-1.3'}, true);
  const told = [];
  follow({data: {view: 'compare'}, parentElement: {getRootNode: () => page}, setStateValue: (_, link) => told.push(link)});
  mock.timers.tick(5000);
  assert.deepEqual(told, []);
  app.dataset.testScriptState = 'notRunning';
  mock.timers.tick(1000);
  assert.deepEqual(told, [{pair: '1.3-1.3'}]);
});
