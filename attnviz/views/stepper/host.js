// What the host of the view is told and asked: where the person is, another run or lesson, a closer look.

import {whenClosed} from './look.js';

export class Host {
  /** `emit(selection, isUrgent)` hears what the person picks; null where nobody listens. */
  constructor(view, {emit, signal}) {
    Object.assign(this, {view, emit, signal, looked: 0, said: null});
  }

  /** Whether a header's selection is no news: what was told last, or from before that was heard. */
  isEcho({selection, is_heard: isHeard}) {
    return isHeard === false || JSON.stringify(selection) === this.said;
  }

  tell(asks) {
    const {step, place} = this.view;
    const at = {step: step.name, row: place.row, key: place.key, feature: place.feature};
    this.said = JSON.stringify(at);
    this.emit?.(asks === undefined ? at : {...at, ask: asks}, asks !== undefined);
  }

  /** Ask for another run or another lesson; null puts the what-ifs back. */
  ask(changes) {
    this.view.root.dataset.busy = '';
    this.tell(changes);
  }

  /** Ask for a closer look; the number tells a second asking from the first. */
  look(key) {
    this.looked += 1;
    this.tell({look: key, turn: this.looked});
    whenClosed(this.signal, () => this.view.side.buttonOf(key)?.focus());
  }

  restore() {
    if (this.view.header.controls?.isChanged) this.ask(null);
  }
}
