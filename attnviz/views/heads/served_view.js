// The heads view where a server answers: looks at the head can stand in place of all heads. A file has none.

import {show} from '../kit/shell.js';
import {Beside} from './look_tabs.js';
import {addsOf, isByOne} from './every_head.js';
import {NextWords} from './next_words.js';
import {ownSentences} from './own_sentences.js';
import {OF_CELL} from './overview_options.js';
import {HeadsView} from './view.js';
import {PlayedTokens} from './written_player.js';

class ServedHeadsView extends HeadsView {
  Beside = Beside;
  Written = PlayedTokens;
  Predicted = NextWords;

  isOpen = false; // nobody chose a head: it is that which brings the next word, once that is known

  take(payload) {
    const {header} = payload;
    const isNew = this.data?.header.revision !== header.revision;
    const isOther = super.take(payload);
    if (isNew) this.isOpen = Boolean(header.is_open && !header.picked && !header.keeps_head);
    const place = this.bringing();
    if (place) Object.assign(this.picked, {layer: place[0], head: place[1]});
    return isOther;
  }

  /** The head that opens; null while it is not known, or where one was chosen. */
  bringing() {
    const answer = this.isOpen ? addsOf(this.picked, this.data.header) : null;
    if (answer) this.isOpen = false;
    return answer?.blocks.findLast(({lead}) => lead)?.lead ?? null;
  }

  lookAtAll(overview, isAsking) {
    super.lookAtAll(overview, isAsking);
    this.showBeside();
  }

  showBeside() {
    this.fillCell();
    const place = this.bringing();
    if (place) this.choose(place[0], place[1], false);
    else super.showBeside();
  }

  tell(isUrgent) {
    this.isOpen = false;
    this.fillCell();
    super.tell(isUrgent);
  }

  /** Where all heads are coloured or sorted by a cell, a picked row has one: its largest, the first token apart. */
  fillCell() {
    const {token, key, layer, head, overview} = this.picked;
    if (token === null || key !== null || !OF_CELL.some((name) => isByOne(name, overview))) return;
    const [most, next] = this.data.numbers([layer, head])?.keys(token, 2) ?? [];
    const at = most?.index === 0 && next?.weight > 0 ? next : most;
    if (at) this.picked = {...this.picked, key: at.index};
  }

  /** Have the text go on after a row with one of its likeliest words. */
  goOn(row, at) {
    this.leave({next: [row, at]});
  }

  /** What was measured over some sentences as charts, which Python draws. */
  charts(source) {
    this.leave({charts: source, typed: ownSentences()});
  }
}

export function mount(element, payload, emit) {
  return show(ServedHeadsView, element, payload, emit);
}
