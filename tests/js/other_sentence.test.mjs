import {strictEqual as equal} from 'node:assert';
import {test} from 'node:test';

import {linkOf} from '../../attnviz/views/hosts/other_sentence.js';

const asked = (...link) => {
  const [page, query] = linkOf('A dog & a cat.', ...link);
  return `${page}?${decodeURIComponent(query).replaceAll('+', ' ')}`;
};

test('a page that reads a sentence reads another one, with the model, the head and the step that it shows', () => {
  equal(asked('heads', '?model=minilm&text=No&layer=3&head=1&token=4&target=x'), 'heads?text=A dog & a cat.&model=minilm&layer=3&head=1');
  equal(asked('step', '?on=reverse&say=No&cell=weights~2~1~1&if=hide9'), 'step?say=A dog & a cat.&on=reverse&cell=weights');
  equal(asked('compare', '?a=x&b=x&both=No&other=Yes&spot=1-2'), 'compare?both=A dog & a cat.&a=x&b=x&other=Yes');
  equal(asked('', '?model=minilm&text=No&word=3'), '?text=A dog & a cat.&model=minilm');
});

test('from a lesson it is read by the page that draws its picture, from a page without a text by Step through', () => {
  equal(asked('lessons', '?lesson=1&step=4&told=1&on=reverse&say=No'), 'step?say=A dog & a cat.&on=reverse');
  equal(asked('lessons', '?lesson=3&step=2&model=minilm&text=No&layer=3'), 'heads?text=A dog & a cat.&model=minilm&layer=3');
  equal(asked('train', '?task=induction'), 'step?say=A dog & a cat.');
  equal(asked('lessons', '?lesson=before&form=A'), 'step?say=A dog & a cat.');
});
