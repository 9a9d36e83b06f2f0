// Several heads at once: one chip a head with its colour, and how they are brought together.

import {SERIES} from '../kit/palette.js';
import {el} from '../kit/dom.js';
import {fillText, headInWords} from '../kit/words.js';
import {TOGETHER, headName, headsOf} from './several_heads.js';

export class SeveralBar {
  holder; say; act;

  /** `act`: look({together}), addHead(layer, head), one head more or less. */
  constructor(holder, {say, act}) {
    Object.assign(this, {holder, say, act});
    this.chips = el('div', {class: 'chips', role: 'group', 'aria-label': say('view-heads-several-shown')});
    this.ways = TOGETHER.map((way) =>
      el('button', {type: 'button', 'data-together': way, click: () => act.look({together: way})}, say(`view-heads-together-${way}`)),
    );
    holder.replaceChildren(this.chips, el('div', {class: 'segments', role: 'group', 'aria-label': say('view-heads-together')}, ...this.ways));
  }

  /** `theme`: in whose colours heads lie over each other; null where they do not. */
  show(picked, theme) {
    const heads = headsOf(picked);
    const together = picked.together || TOGETHER[0];
    this.holder.hidden = heads.length < 2;
    this.chips.replaceChildren(
      ...heads.map((head, at) => {
        const name = fillText(this.say('view-heads-several-remove'), {named_head: headInWords(this.say, head)});
        const swatch = el('i', {class: 'swatch', 'aria-hidden': 'true', hidden: theme ? null : ''});
        if (theme) swatch.style.background = SERIES[theme][at];
        return el('button', {type: 'button', class: 'chip', 'aria-label': name, title: name, click: () => this.act.addHead(...head)}, swatch, headName(head), el('span', {class: 'away', 'aria-hidden': 'true'}, '×'));
      }),
    );
    for (const way of this.ways) way.setAttribute('aria-pressed', String(way.dataset.together === together));
  }
}
