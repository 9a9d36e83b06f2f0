// The link to another sentence in the same picture, as the pages read it.

// Of each page that reads a sentence: its name in a link, and what stays with another one.
const NAMES = {
  '': ['text', 'model'],
  heads: ['text', 'model', 'part', 'layer', 'head', 'view'],
  step: ['say', 'on', 'words', 'guess', 'tab', 'site', 'cell'],
  compare: ['both', 'a', 'b', 'other', 'pair'],
};
const PICTURES = ['heads', 'step', 'compare']; // those of a lesson are drawn as on these pages

/**
 * The page and the query: of the page that is here, of the one whose picture stands here, or of Step through.
 *
 * @param {string} sentence
 * @param {string} here as Python names the page
 * @param {string} search its query
 */
export function linkOf(sentence, here, search) {
  const before = new URLSearchParams(search);
  const page = Object.hasOwn(NAMES, here) ? here : (PICTURES.find((picture) => before.has(NAMES[picture][0])) ?? 'step');
  const [name, ...stays] = NAMES[page];
  const query = new URLSearchParams({[name]: sentence});
  for (const part of stays) {
    const said = before.get(part);
    if (said) query.set(part, part === 'cell' ? said.split('~')[0] : said); // the step stays, its cell is of the other sentence
  }
  return [page, String(query)];
}
