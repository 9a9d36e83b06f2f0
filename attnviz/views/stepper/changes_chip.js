// What was changed in a run, as a chip that takes it back; where not all of it fits, it opens a list that says it whole.

import {el, listen} from '../kit/dom.js';
import {place, unseen} from '../kit/export_menu.js';

export class ChangesChip {
  say; chip; list;

  /** `restored()` hears that the changes are to be taken back. */
  constructor({say, restored}) {
    this.say = say;
    const reset = () => {
      this.list.hidePopover();
      restored();
    };
    this.chip = el('button', {type: 'button', class: 'edits', click: () => this.isCut || restored()});
    this.changes = el('ul', {});
    this.list = el(
      'div',
      {class: 'takemenu changed-list', popover: 'auto'},
      this.changes,
      el('button', {type: 'button', class: 'button', click: reset}, say('view-stepper-restore')),
    );
    listen(this.list, 'beforetoggle', ({newState}) => newState === 'open' && unseen(this.list));
    listen(this.list, 'toggle', ({newState}) => newState === 'open' && place(this.list, this.chip));
  }

  /** @param {string[]} changes */
  show(changes) {
    const {chip} = this;
    chip.hidden = changes.length === 0;
    chip.replaceChildren(el('span', {}, changes.join(' · ')));
    this.changes.replaceChildren(...changes.map((change) => el('li', {}, change)));
    this.fold(false);
  }

  /** Once it stands where it belongs: whether it ends in “…”. */
  fit() {
    const [text] = this.chip.children;
    this.fold(text.scrollWidth > text.clientWidth + 1);
  }

  fold(isCut) {
    this.isCut = isCut;
    this.chip.classList.toggle('cut', isCut);
    this.chip.popoverTargetElement = isCut ? this.list : null;
    const whole = this.chip.textContent;
    this.chip.title = isCut ? whole : `${whole}: ${this.say('view-stepper-restore')}`;
  }
}
