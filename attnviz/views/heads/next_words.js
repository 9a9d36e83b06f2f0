// The likeliest words of a row where a server answers: why each is ahead of the next, which of them was written, and to go
// on with another one.

import {el} from '../kit/dom.js';
import {fillText} from '../kit/words.js';
import {PredictedWords} from './predicted_words.js';

export class NextWords extends PredictedWords {
  word(word, at) {
    const asks = {type: 'button', class: 'word', click: () => this.act.ask(this.row, at)};
    const {title, childNodes} = super.word(word, at);
    const shown = el('button', {...asks, title: `${title}: ${this.say('view-heads-predicts-why')}`}, ...childNodes);
    const {row, written, predicted} = this;
    const step = written?.rows.indexOf(row) ?? -1;
    if (step >= 0 && written.ranks[step] === at) shown.setAttribute('aria-current', 'true');
    else if (predicted.goes_on && row >= (written?.rows[0] ?? predicted.first)) return el('span', {class: 'nextword'}, shown, this.goOn(word, at));
    return shown;
  }

  /** With the way to what each head does to it. */
  instead(header) {
    return [...super.instead(header), el('button', {type: 'button', class: 'word', click: () => this.act.beside.open('effect')}, this.say('view-heads-no-words-heads'))];
  }

  goOn([text], at) {
    const name = fillText(this.say('view-heads-go-on'), {token: text.trim() || JSON.stringify(text)});
    const {row} = this; // when it is pressed another one may be looked at
    return el('button', {type: 'button', class: 'goon', 'aria-label': name, title: name, click: () => this.act.goOn(row, at)}, el('span', {'aria-hidden': 'true'}, '↳'));
  }
}
