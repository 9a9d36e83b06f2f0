// The heads view where a server answers: looks at the head can stand in place of all heads. A file has none.

import {show} from '../kit/shell.js';
import {Beside} from './look_tabs.js';
import {ownSentences} from './own_sentences.js';
import {HeadsView} from './view.js';

class ServedHeadsView extends HeadsView {
  Beside = Beside;

  /** What was measured over some sentences as charts, which Python draws. */
  charts(source) {
    this.leave({charts: source, typed: ownSentences()});
  }
}

export function mount(element, payload, emit) {
  return show(ServedHeadsView, element, payload, emit);
}
