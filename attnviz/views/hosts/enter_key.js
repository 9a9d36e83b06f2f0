// Enter in a box of several lines: it sends what is typed, and with Shift it begins a new line.

/** Whether a key sends: Enter alone, and not the one that takes over a word of an input method. */
export const isSending = ({key, shiftKey, ctrlKey, metaKey, altKey, isComposing}) =>
  key === 'Enter' && !(shiftKey || ctrlKey || metaKey || altKey || isComposing);

/** For a form of ours. */
export function sendOnEnter(event) {
  if (!isSending(event)) return;
  event.preventDefault();
  event.target.form.requestSubmit();
}

/** For the boxes that Streamlit draws, which send on Ctrl+Enter; called once a document. */
export function enterShows(document) {
  const send = (event) => {
    if (!isSending(event) || !event.target.closest?.('.stTextArea')) return;
    event.preventDefault();
    event.stopPropagation();
    event.target.dispatchEvent(new KeyboardEvent('keydown', {key: event.key, code: event.code, ctrlKey: true, bubbles: true, cancelable: true}));
  };
  document.addEventListener('keydown', send, {capture: true});
}
