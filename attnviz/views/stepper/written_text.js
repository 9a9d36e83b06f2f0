// What the model wrote, in one line, word by word with its probability; in a changed run, what it wrote before beside it.

import {el} from '../kit/dom.js';
import {pct} from '../kit/number.js';
import {meaningOf} from '../kit/token.js';
import {fillText, visible} from '../kit/words.js';

/** Which words of a text are not in another, in its order: [true where it is new, …]. No DOM. */
export function newWords(before, now) {
  const [a, b] = [before, now].map((words) => words.map(({text}) => text.toLowerCase()));
  const common = a.map(() => Array(b.length + 1).fill(0)); // the longest common run of words from i, j on
  common.push(Array(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
  const isNew = b.map(() => true);
  for (let i = 0, j = 0; i < a.length && j < b.length; )
    if (a[i] === b[j]) {
      isNew[j] = false;
      i++;
      j++;
    } else if (common[i + 1][j] >= common[i][j + 1]) i++;
    else j++;
  return isNew;
}

/** What is to be said beside the words that are written now, as a list of message ids. No DOM. */
export function notesOn(now, {heads, rows, isMasked, isOther}) {
  if (!isMasked && now.some(({text}, at) => rows[at]?.writes !== text)) return [isOther ? 'rows-ahead' : 'same-ahead'];
  if (isOther) return isMasked ? ['rows'] : [];
  return [heads ? 'same-heads' : 'same'];
}

export class WrittenText {
  box; say; asked;

  /** `asked(changes)` is told what the person wants to be switched. */
  constructor(box, {say, asked}) {
    Object.assign(this, {box, say, asked, shown: ''});
  }

  /**
   * `heads`: how many there are, where one is silenced and others are not; else 0. `rows`: the tokens that are read, each
   * with what its row writes; `isMasked`: whether no row can attend to later ones.
   */
  show(written, {heads, rows, isMasked}) {
    this.box.hidden = !written;
    const shown = JSON.stringify([written ?? null, heads, rows, isMasked]);
    if (!written || shown === this.shown) return;
    this.shown = shown;
    const {before, now, is_cut: isCut} = written;
    const cap = (id) => el('span', {class: 'cap'}, this.say(id));
    if (!now) return this.box.replaceChildren(cap('view-stepper-written'), ...this.words(before));
    const gone = newWords(now, before);
    const isOther = now.length !== before.length || gone.includes(true);
    const was = before.map(({text}, at) => el(gone[at] ? 'del' : 'span', {}, visible(text)));
    this.box.replaceChildren(
      cap('view-stepper-written-before'),
      el('span', {class: 'written-before'}, ...was),
      cap('view-stepper-written-now'),
      ...(now.length ? this.words(now, newWords(before, now)) : [el('span', {}, this.say('view-stepper-written-none'))]),
      isCut ? '…' : '',
      ...notesOn(now, {heads, rows, isMasked, isOther}).map((id) => el('span', {class: 'note'}, this.say(`view-stepper-written-${id}`))),
      ...(heads && !isOther ? [this.silenceAll(heads)] : []),
    );
  }

  /** No word is another one because of the other heads: a button to see it without them. */
  silenceAll(n) {
    const button = {type: 'button', class: 'button quiet', click: () => this.asked({silence: 'all'})};
    return el('button', button, fillText(this.say('view-stepper-written-all'), {n}));
  }

  words(words, isNew = []) {
    return words.map(({text, share}, at) => {
      const node = el('span', {class: `written-word${isNew[at] ? ' new' : ''}`}, el('bdi', {title: meaningOf(text, this.say)}, visible(text)), el('small', {}, pct(share)));
      node.style.animationDelay = `${at * 60}ms`;
      return node;
    });
  }
}
