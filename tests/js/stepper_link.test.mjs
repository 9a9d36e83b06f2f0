import assert from 'node:assert/strict';
import {test} from 'node:test';
import {kept, written} from '../../attnviz/views/hosts/link.js';
import {columnsIn, columnsText, takenAlong, toLink} from '../../attnviz/views/stepper/picked_in_link.js';

const place = {tab: 'heads', part: 'encoder', layer: '1', head: '2', matrix: '', token: '', key: '', feature: '', if: 't0.5', draw: '', window: '65.1', guessed: '', columns: '', present: '1'};
const asked = {model: 'reverse', text: 'k a b'};
const cell = {matrix: 'raw', token: '2', key: '3', feature: ''};

test('the cell counts from 1; the rest is what the server said of the picture', () => {
  assert.deepEqual(written('step', toLink({step: 'raw', row: 1, key: 2, feature: 0}, {place})), {...place, ...cell, present: ''});
});

test('another text keeps tab, attention, matrix and what-ifs, another model the tab, the same everything', () => {
  const link = {...place, ...cell};
  const {tab, part, layer, head, matrix, if: whatIf, draw, present} = link;
  assert.deepEqual(kept(link, asked, {...asked, text: 'k c'}), {tab, part, layer, head, matrix, if: whatIf, draw, present});
  assert.deepEqual(kept(link, asked, {...asked, model: 'induction'}), {tab, present});
  assert.deepEqual(kept(link, asked, asked), link);
});

test('what was picked on another page is taken over, and the cell where its row is the same', () => {
  const link = {...place, ...cell, if: ''};
  assert.deepEqual(takenAlong(link, {layer: '25', head: '5', token: '2'}), {...link, part: '', layer: '25', head: '5'});
  assert.deepEqual(takenAlong(link, {part: 'cross', layer: '1', head: '1', token: '4'}), {...link, part: 'cross', head: '1', token: '4', key: '', feature: ''});
  assert.deepEqual(takenAlong(link, {token: '4', key: '3'}), {...link, token: '4', key: '3', feature: ''});
  assert.deepEqual(takenAlong(link, {token: '2', key: '1'}), {...link, token: '2', key: '1', feature: ''});
  assert.deepEqual(takenAlong(link, {token: 'none'}), {...link, token: '', key: '', feature: ''});
  assert.deepEqual(takenAlong(link, {}), link);
});

test('what was changed in a run goes along: the same is changed here, and nothing where nothing was', () => {
  const off = 'mute.decoder.23.self.5';
  assert.equal(takenAlong({...place, ...cell}, {layer: '1', head: '1', if: off}).if, off);
  assert.equal(takenAlong({...place, ...cell}, {layer: '1', head: '1'}).if, '');
});

test('the columns that are drawn stand in the link, and what cannot be read is left out', () => {
  const windows = {a3: 12, a5: 0};
  assert.equal(columnsText({windows, isWhole: true, isHeld: true, played: 2, comparing: 'both', isArrows: true}), 'a3.13_a5.1_all_held_rows.2');
  assert.deepEqual(columnsIn('a3.13_a5.1_all_held_rows.2'), {windows, isWhole: true, isHeld: true, isArrows: true, played: 2});
  assert.equal(columnsText({windows: {}, isWhole: false, isHeld: false, comparing: 'difference', isArrows: true}), 'difference');
  assert.deepEqual(columnsIn('a3.13_difference'), {windows: {a3: 12}, isWhole: false, isHeld: false, isArrows: true, played: 0, comparing: 'difference'});
  assert.deepEqual(columnsIn(''), {windows: {}, isWhole: false, isHeld: false, isArrows: true, played: 0});
  assert.equal(columnsText({windows: {}, isArrows: false}), 'numbers');
  assert.equal(columnsIn('numbers').isArrows, false);
  assert.deepEqual(columnsIn('a3.x_a5.-1'), {windows: {}, isWhole: false, isHeld: false, isArrows: true, played: 0});
});
