// The dialogs that Streamlit draws: all else on the page is inert then. Each takes the focus when it comes and closes at an
// Escape inside it; where it could not take it, or what had it is drawn again, nothing has it and Escape would be lost. So
// the newest takes what nothing has. After it the focus goes back to where it was, unless who hears `attnviz:closed` takes it.

const newest = () => /** @type {HTMLElement | undefined} */ ([...document.querySelectorAll('.stDialog [role=dialog]')].at(-1));

/** Called once a document. */
export function holdDialogs() {
  let isOpen = false;
  /** @type {any} */
  let before = null; // what had the focus last outside of dialogs
  document.addEventListener('focusin', (event) => {
    const at = event.composedPath()[0];
    if (!newest() && at instanceof HTMLElement) before = at;
  });
  const look = () => {
    const dialog = newest();
    if (dialog) watching.observe(dialog, {childList: true, subtree: true});
    if (dialog && document.activeElement === document.body) dialog.focus({preventScroll: true});
    if (isOpen && !dialog) {
      document.dispatchEvent(new CustomEvent('attnviz:closed'));
      if (document.activeElement === document.body) before?.focus({preventScroll: true});
    }
    isOpen = Boolean(dialog);
  };
  const watching = new MutationObserver(look);
  watching.observe(document.body, {childList: true}); // where dialogs come
  look();
  document.addEventListener('keydown', handOn, {capture: true});
}

/** An Escape that is pressed while nothing has the focus. */
function handOn(event) {
  const {key, code, target} = event;
  const dialog = key === 'Escape' && target === document.body ? newest() : null;
  if (!dialog) return;
  event.stopPropagation();
  dialog.focus({preventScroll: true});
  dialog.dispatchEvent(new KeyboardEvent('keydown', {key, code, bubbles: true, cancelable: true}));
}
