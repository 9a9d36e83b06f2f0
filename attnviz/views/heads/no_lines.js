// Above 256 tokens no lines are drawn: the view says why, and what shows such a text.

import {el} from '../kit/dom.js';
import {fillText} from '../kit/words.js';

export class NoLines {
  constructor(holder, {queries, keys}, say) {
    const total = Math.max(queries.length, keys.length);
    const said = fillText(say('view-heads-no-lines'), {total: total.toLocaleString('en')});
    Object.assign(this, {queries: [], rest: {side: 'query', index: 0}});
    holder.replaceChildren(el('div', {class: 'sheet nolines'}, el('p', {role: 'note'}, said)));
  }

  layout() {}

  show() {}

  isolate() {}
}
