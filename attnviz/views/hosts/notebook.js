// What a page does that stands in a frame of a notebook: it takes the notebook's light or dark, is as tall as what it
// shows, and tells a widget what is picked. Elsewhere it does nothing.

/**
 * @param {() => void} redraw in another theme
 * @param {(picked: object) => void} put draw anew with a selection that Python brought
 */
export function notebook(redraw, put) {
  const frame = frameHere();
  if (!frame) return {picked: null, ready() {}};
  takeTheme(frame);
  new MutationObserver(() => {
    takeTheme(frame);
    redraw();
  }).observe(frame.ownerDocument.body, {attributes: true});
  frame.attnvizPick = put;
  return {
    picked: frame.attnvizPicked ?? null,
    ready(root) {
      root.addEventListener('attnviz:noted', ({detail}) => frame.attnvizNoted?.(detail));
      fit(frame);
      new ResizeObserver(() => fit(frame)).observe(root);
    },
  };
}

/**
 * The frame around this page; null where there is none, or it is of a page that we may not see.
 * @returns {any} an HTMLIFrameElement, with what a widget put on it
 */
function frameHere() {
  try {
    return window.frameElement;
  } catch {
    return null;
  }
}

/** The colour behind the frame: the first of its ancestors that has one. */
function takeTheme(frame) {
  const style = document.documentElement.style;
  for (let node = frame.parentElement; node; node = node.parentElement) {
    const colour = getComputedStyle(node).backgroundColor;
    const [r, g, b, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
    if (b === undefined || alpha < 0.5) continue;
    style.setProperty('--st-background-color', colour);
    style.colorScheme = 0.2126 * r + 0.7152 * g + 0.0722 * b < 128 ? 'dark' : 'light';
    return;
  }
}

/** A picture as tall as what it shows gets that height; one that fills its frame would grow with it, and keeps it. */
function fit(frame) {
  const view = /** @type {HTMLElement | null} */ (document.querySelector('.attnviz'));
  const needed = document.documentElement.scrollHeight;
  if (!view?.style.height && needed > frame.clientHeight + 1) frame.style.height = `${needed}px`;
}
