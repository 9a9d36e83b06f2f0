// A closer look opens in a dialog of the host, which cannot give the focus back to a button inside a view: we do.

/** Once the host's dialog has come and gone, call `closed()`, unless the person has put the focus elsewhere. */
export function whenClosed(signal, closed) {
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
