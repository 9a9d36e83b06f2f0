// What the model holds for likeliest in the row that is looked at: always in sight, of a model that predicts words. Of one
// that predicts nothing it is said once what there is.

import {el} from '../kit/dom.js';
import {pct} from '../kit/number.js';
import {fill, fillText} from '../kit/words.js';
import {meaningOf, tokenInText} from '../kit/token.js';

const LONGEST = 16; // characters of a token

export class PredictedWords {
  holder; say; act; queries; predicted; written; row; words;

  constructor(holder, {header, queries, say, act}) {
    Object.assign(this, {holder, say, act, queries, predicted: header.predicted ?? null, written: header.written ?? null});
    holder.hidden = !this.predicted && !header.vector;
    if (header.vector) holder.replaceChildren(...this.instead(header));
  }

  instead({model, vector}) {
    return [el('span', {class: 'caption'}, fillText(this.say('view-heads-no-words'), {...vector, model: model.name}))];
  }

  /** Of a row, or where none is looked at of the one that matters most. */
  show(picked) {
    if (!this.predicted) return;
    const {rows, is_next, first} = this.predicted;
    const row = picked ?? first;
    const words = rows[row ?? -1] ?? [];
    if (row === this.row && words === this.words) return;
    Object.assign(this, {row, words});
    const token = row === null ? '' : tokenInText(this.queries[row], LONGEST);
    const said = words.length ? fill(document, this.say(is_next ? 'view-heads-predicts-next' : 'view-heads-predicts-here'), {token}) : [this.say('view-heads-predicts-none')];
    this.holder.replaceChildren(el('span', {class: 'caption'}, said), ...words.map((word, at) => this.word(word, at)));
  }

  /** @param {[string, number]} word @param {number} _at its place among them */
  word([text, share], _at) {
    const word = text.trim() || JSON.stringify(text);
    return el('span', {class: 'word', title: word}, el('bdi', {title: meaningOf(text, this.say)}, word), el('span', {}, ` ${pct(share)}`));
  }
}
