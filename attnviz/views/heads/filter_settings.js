// The filters of the picture, as they stand in a link: words apart by blanks, "special words below-3 from-1 to-2". No DOM.

/** Nothing hidden, nothing merged, nothing below a threshold. from, to: a group of tokens, from 1; 0 is all. */
export const OPEN = {threshold: 0, from: 0, to: 0, special: false, sinks: false, rescaled: false, words: false};

export const SWITCHES = ['special', 'sinks', 'rescaled', 'words'];
export const HIGHEST = 50; // percent: no threshold above it

/** From a link; what is no word of ours is left out. */
export function settingsOf(link = '') {
  const words = link.split(' ');
  const below = Number(/^below-(\d{1,2})$/.exec(words.find((word) => word.startsWith('below-')) ?? '')?.[1] ?? 0);
  const switches = Object.fromEntries(SWITCHES.map((name) => [name, words.includes(name)]));
  const group = (name) => Number(words.find((word) => new RegExp(`^${name}-[1-9]$`).test(word))?.at(-1) ?? 0);
  return {...OPEN, ...switches, threshold: Math.min(below, HIGHEST) / 100, from: group('from'), to: group('to')};
}

/** The same for a link; empty where nothing is filtered. */
export function toLink(settings) {
  const below = Math.round(settings.threshold * 100);
  return [...SWITCHES.filter((name) => settings[name]), ...(below ? [`below-${below}`] : []), ...['from', 'to'].filter((name) => settings[name]).map((name) => `${name}-${settings[name]}`)].join(' ');
}

/** Whether a filter changes which numbers there are; the threshold alone only changes which of them are drawn. */
export const isChanging = ({special, sinks, words, from, to}) => special || sinks || words || from > 0 || to > 0;

/** The groups of tokens: two texts, or the roles of a chat; none of one text. */
export const groupsOf = (tokens) => [...new Set(tokens.map(({group}) => group).filter(Boolean))];

/** Whether a token stands outside a group, counted from 1; 0 is all, and so is a group that this text has not. */
export const isOutside = (token, group, groups) => group > 0 && group <= groups.length && token.group !== groups[group - 1];

/** What of it holds here: with the largest weights of each row alone, sums over all columns are not known. */
export const possible = (settings, isWhole) => (isWhole ? settings : {...settings, rescaled: false, words: false, from: 0, to: 0});
