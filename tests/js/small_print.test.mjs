import assert from 'node:assert/strict';
import {test} from 'node:test';
import {printOf} from '../../attnviz/views/kit/small_print.js';

test('the small print under a picture says the part and not once more the heads that the title names, of any layer', () => {
  const first = (place) => printOf({title: 'Layer 24, head 5', where: '', place, sentence: '', model: 'm', over: '', changes: [], link: ''})[0];
  for (const place of ['4.5', '24.5', '24.10', '24.5 + 3.12']) assert.equal(first(place), 'Layer 24, head 5', place);
  assert.equal(first('encoder 24.5'), 'Layer 24, head 5 · encoder');
});
