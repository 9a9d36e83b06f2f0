import {strictEqual as equal} from 'node:assert';
import {test} from 'node:test';

import {linkOf} from '../../attnviz/views/hosts/other_sentence.js';

const asked = (...link) => {
  const [page, query] = linkOf('A dog & a cat.', ...link);
  return `${page}?${decodeURIComponent(query).replaceAll('+', ' ')}`;
};

test('a page that reads a sentence reads another one, with the model, the head and the step that it shows', () => {
  equal(asked('heads', '?model=minilm&text=No&layer=3&head=1&token=4&target=x&told=1'), 'heads?model=minilm&text=A dog & a cat.&layer=3&head=1');
  equal(asked('step', '?model=reverse&text=No&matrix=weights&token=2&key=1&feature=1&window=2.1'), 'step?model=reverse&text=A dog & a cat.&matrix=weights');
  equal(asked('compare', '?model=x&model2=x&text=No&text2=Yes&layer=1&token=2'), 'heads?model=x&text=A dog & a cat.&layer=1');
  equal(asked('', '?model=minilm&text=No&token=3'), '?model=minilm&text=A dog & a cat.');
});

test('from a lesson it is read by the page that draws its picture, from a page without a text by Step through', () => {
  equal(asked('lessons', '?lesson=1&step=4&told=1&model=reverse&text=No&matrix=x&layer=2'), 'step?model=reverse&text=A dog & a cat.&matrix=x&layer=2');
  equal(asked('lessons', '?lesson=3&step=2&model=minilm&text=No&layer=3'), 'heads?model=minilm&text=A dog & a cat.&layer=3');
  equal(asked('lessons', '?lesson=4&step=1&model=minilm&model2=reverse&text=No&layer=3&layer2=3'), 'compare?model=minilm&model2=reverse&text=A dog & a cat.&layer=3&layer2=3');
  equal(asked('train', '?task=induction&layer=1'), 'step?layer=1&text=A dog & a cat.');
  equal(asked('lessons', '?lesson=before&form=A'), 'step?text=A dog & a cat.');
});
