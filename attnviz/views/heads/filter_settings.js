// The filters of the picture, as they stand in a link: words apart by blanks, "special words below-3". No DOM.

/** Nothing hidden, nothing merged, nothing below a threshold. */
export const OPEN = {threshold: 0, special: false, first: false, rescaled: false, words: false};

export const SWITCHES = ['special', 'first', 'rescaled', 'words'];
export const HIGHEST = 50; // percent: no threshold above it

/** From a link; what is no word of ours is left out. */
export function settingsOf(link = '') {
  const words = link.split(' ');
  const below = Number(/^below-(\d{1,2})$/.exec(words.find((word) => word.startsWith('below-')) ?? '')?.[1] ?? 0);
  const switches = Object.fromEntries(SWITCHES.map((name) => [name, words.includes(name)]));
  return {...OPEN, ...switches, threshold: Math.min(below, HIGHEST) / 100};
}

/** The same for a link; empty where nothing is filtered. */
export function toLink(settings) {
  const below = Math.round(settings.threshold * 100);
  return [...SWITCHES.filter((name) => settings[name]), ...(below ? [`below-${below}`] : [])].join(' ');
}

/** Whether a filter changes which numbers there are; the threshold alone only changes which of them are drawn. */
export const isChanging = ({special, first, words}) => special || first || words;

/** What of it holds here: with the largest weights of each row alone, sums over all columns are not known. */
export const possible = (settings, isWhole) => (isWhole ? settings : {...settings, rescaled: false, words: false});
