import assert from 'node:assert/strict';
import {test} from 'node:test';
import {carried, columnsIn, columnsText, toLink} from '../../attnviz/views/stepper/picked_in_link.js';

const place = {tab: 'heads', site: 'encoder.0.self.2', cell: '', if: 't0.5', window: '65.1', present: '1'};
const asked = {model: 'reverse', text: 'k a b', by_word: false};

test('the cell counts from 1; the rest is what the server said of the picture', () => {
  assert.deepEqual(toLink({step: 'raw', row: 1, key: 2, feature: 0}, {place}), {...place, cell: 'raw~2~3~1', guessed: '', columns: '', present: ''});
});

test('another text keeps tab, attention and what-ifs, another model the tab, another language everything', () => {
  const link = {...place, cell: 'raw~2~3~1'};
  assert.deepEqual(carried(link, asked, {...asked, text: 'k c'}), {...place, window: '', guessed: '', columns: ''});
  assert.deepEqual(carried(link, asked, {...asked, model: 'induction'}), {tab: 'heads', site: '', cell: '', if: '', window: '', guessed: '', columns: '', present: '1', draw: ''});
  assert.deepEqual(carried(link, asked, {...asked, guesses: true}), link);
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
