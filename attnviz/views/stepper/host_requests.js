// What the host of the view is told and asked: where the person is, another run or lesson, a closer look.

export class Host {
  view; emit; signal;

  /** `emit(selection, isUrgent)` hears what the person picks; null where nobody listens. */
  constructor(view, {emit, signal}) {
    Object.assign(this, {view, emit, signal});
  }

  tell() {
    this.view.shell.noted(this.view.selection());
    this.emit?.(this.view.selection());
  }

  /** Ask for another run or another lesson; null puts the what-ifs back. */
  ask(changes) {
    const {view} = this;
    view.root.dataset.busy = '';
    if (!changes) view.bar.isEverywhere = false; // as at first
    const {attention, headHere: ofHead, isFree, bar: {isEverywhere}} = view;
    const ask = changes && {isEverywhere, ...changes, attention, ofHead, isFree};
    this.emit?.({...view.selection(), ask}, true);
  }

  /** Ask for a closer look. */
  look(key) {
    this.emit?.({...this.view.selection(), go: key}, true);
    whenClosed(this.signal, () => this.view.side.buttonOf(key)?.focus());
  }

  /** Ask for another page. */
  leave(page) {
    this.emit?.({...this.view.selection(), go: page}, true);
  }

  restore() {
    if (this.view.header.controls?.isChanged) this.ask(null);
  }
}

/**
 * Once the host's dialog has come and gone, call `closed()`, unless the person has put the focus elsewhere: the host cannot
 * give the focus back to a button inside a view.
 */
function whenClosed(signal, closed) {
  let wasOpen = false;
  const observer = new MutationObserver(() => {
    const isOpen = document.querySelector('[role=dialog]') !== null;
    if (wasOpen && !isOpen) {
      observer.disconnect();
      if (document.activeElement === document.body) closed();
    }
    wasOpen = isOpen;
  });
  observer.observe(document.body, {childList: true, subtree: true});
  signal.addEventListener('abort', () => observer.disconnect());
}
