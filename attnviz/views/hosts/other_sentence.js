// The link to another sentence in the same picture, as the pages read it.

import {kept} from './link.js';
import {PROPERTIES} from './properties.js';

const READ = {'': ['heads', 'home'], heads: ['heads'], step: ['step'], compare: ['compare']}; // whose names the pages that read a sentence say
const OF_LESSON = [['step', 'matrix'], ['compare', 'layer2'], ['heads', 'layer']]; // what only its picture says

/**
 * The page and the query: of the page that is here, of the one whose picture stands here, or of Step through.
 *
 * @param {string} sentence
 * @param {string} here as Python names the page
 * @param {string} search its query
 */
export function linkOf(sentence, here, search) {
  const before = new URLSearchParams(search);
  const drawn = Object.hasOwn(READ, here) ? here : (!before.has('task') && OF_LESSON.find(([, name]) => before.has(name))?.[0]) || 'step';
  const page = drawn === 'compare' && before.get('model') === before.get('model2') ? 'heads' : drawn; // nothing is left to compare
  const isRead = (name) => READ[page].some((each) => [...PROPERTIES[name]?.asked ?? [], ...PROPERTIES[name]?.picked ?? []].includes(each));
  const said = Object.fromEntries([...before].filter(([name]) => isRead(name)));
  return [page, String(new URLSearchParams({...kept(said, said, {...said, text: sentence}), text: sentence}))];
}
