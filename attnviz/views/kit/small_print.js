// The small print under a picture. No DOM.

import {oneLine} from './words.js';

const NAMED = /^((?:\D* )?)\d+\.\d+( \+ \d+\.\d+)*$/; // heads that the title names
export function printOf({title, where, place, sentence, model, over, changes, link}) {
  const what = [title, where || place.replace(NAMED, '$1').trim()].filter(Boolean).join(' · ');
  const address = /^https?:/.test(link) ? link : ''; // without its machine, a link is for who reads the file
  return [what, sentence && oneLine(sentence), model, over, changes.join(' · '), address].filter(Boolean);
}
