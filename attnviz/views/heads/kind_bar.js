// How many heads are of each kind; a click lets those stand out and the others fade.

import {el} from '../kit/dom.js';
import {pct} from '../kit/number.js';
import {fill, fillText} from '../kit/words.js';
import {glyphNode} from '../kit/kind_glyph.js';
import {toggledKind} from './overview_options.js';

export class KindBar {
  holder; say; changed;

  /** `changed(options)` is told what was chosen. */
  constructor(holder, {say, changed}) {
    Object.assign(this, {holder, say, changed});
  }

  /** `measured` as `kindsOf` gives it: null is not there yet; `isWaiting` false where it will not come. */
  show(measured, options, isWaiting) {
    const hadFocus = this.holder.getRootNode().activeElement?.closest?.('.kinds [data-kind]')?.dataset.kind;
    this.holder.replaceChildren(...(measured?.counts ? this.chips(measured, options) : [this.note(measured, isWaiting)]));
    if (hadFocus !== undefined) this.holder.querySelector(`[data-kind="${CSS.escape(hadFocus)}"]`)?.focus();
  }

  chips(measured, options) {
    const {say} = this;
    const chosen = new Set(options.kinds);
    const kinds = measured.counts().filter(({kind, n}) => n || chosen.has(kind.name));
    if (kinds.length === 1) return [this.only(kinds[0])];
    return kinds.map(({kind, n}) => {
      const facts = {type: 'button', class: 'kindchip', 'data-kind': kind.name, 'aria-pressed': chosen.has(kind.name), title: `${kind.title}: ${kind.says}`, click: () => this.changed(toggledKind(options, kind.name))};
      return el('button', facts, glyphNode(kind), say(`view-heads-kind-${kind.name}`), el('span', {class: 'n'}, String(n)));
    });
  }

  /** Where all heads are of one kind, a choice of kinds would change nothing. */
  only({kind, n}) {
    const name = el('span', {class: 'onlykind', title: kind.says}, glyphNode(kind), kind.title);
    return el('p', {class: 'note', 'data-kind': kind.name}, fill(document, this.say('view-heads-one-kind'), {n, kind: name}));
  }

  /** What stands there instead: how far the measuring is, or why there is none. */
  note(measured, isWaiting) {
    const {say} = this;
    const said = () => {
      if (measured?.reason) return measured.reason;
      if (measured && measured.source !== 'sentence') return fillText(say('view-heads-measuring'), {n: measured.n, percent: pct(measured.share)});
      return say(isWaiting ? 'view-heads-measuring-one' : 'view-heads-kinds-none');
    };
    const isNews = Boolean(measured) || !isWaiting; // what is there in a moment needs no announcement
    return el('p', {class: isNews ? 'note' : 'note coming', role: isNews ? 'status' : null}, said());
  }
}
