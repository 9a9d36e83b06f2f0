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
    const focus = () => {
      if (document.activeElement === document.body) this.view.side.buttonOf(key)?.focus(); // Streamlit cannot reach into a view
    };
    document.addEventListener('attnviz:closed', focus, {once: true, signal: this.signal});
  }

  /** Ask for another page. */
  leave(page) {
    this.emit?.({...this.view.selection(), go: page}, true);
  }

  restore() {
    if (this.view.header.controls?.isChanged) this.ask(null);
  }
}
