// What a listener, a clock or a frame throws is told to the view around it. No DOM but events.

const FAILED = 'attnviz:failed';

/**
 * `act` as it may be called later, by an event, a clock or a frame: what it throws is told to the view around `node`.
 * @template {unknown[]} Given
 * @param {EventTarget} node
 * @param {(...given: Given) => unknown} act
 * @returns {(...given: Given) => void}
 */
export function guarded(node, act) {
  return (...given) => {
    try {
      const made = act(...given);
      if (made instanceof Promise) made.catch((error) => tell(node, error));
    } catch (error) {
      tell(node, error);
    }
  };
}

function tell(node, error) {
  const isHeard = !node.dispatchEvent(new CustomEvent(FAILED, {bubbles: true, cancelable: true, detail: error}));
  if (!isHeard) reportError(error);
}

/** Call `failed(error)` for what is thrown by anything guarded inside `root`. */
export function listenToFailures(root, signal, failed) {
  const heard = (event) => {
    event.preventDefault();
    event.stopPropagation();
    failed(event.detail);
  };
  root.addEventListener(FAILED, heard, {signal});
}
