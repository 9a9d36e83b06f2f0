// How tall a view may be: from its top to the lower edge of the window, wherever the host puts it.

/** Call `changed({width, height})` now and whenever the room changes. `height` is null where the page may scroll. */
export function watchRoom(root, signal, changed) {
  let last = '';
  let frame = 0;
  const measure = () => {
    frame = 0;
    const width = root.clientWidth;
    const bottom = parseFloat(getComputedStyle(root).getPropertyValue('--attnviz-bottom')) || 0;
    const room = Math.floor(window.innerHeight - topOf(root) - bottom);
    const isSide = window.innerWidth >= 1100 && width >= 860;
    const height = isSide ? room : null;
    const key = `${width}x${height}x${window.devicePixelRatio}x${isSide}`;
    if (width === 0 || key === last) return;
    last = key;
    changed({width, height, isSide});
  };
  const later = () => {
    if (!frame) frame = requestAnimationFrame(measure);
  };
  const observer = new ResizeObserver(later);
  // A bar that grows above the view resizes one of its ancestors; where one goes, an ancestor has a child less.
  const changes = new MutationObserver(later);
  for (let node = root; node; node = parentOf(node)) {
    observer.observe(node);
    if (node !== root) changes.observe(node, {childList: true});
  }
  window.addEventListener('resize', later, {signal});
  signal.addEventListener('abort', () => {
    observer.disconnect();
    changes.disconnect();
    cancelAnimationFrame(frame);
  });
  measure();
}

/** Distance from the top of the unscrolled page. */
function topOf(root) {
  let top = root.getBoundingClientRect().top;
  for (let node = parentOf(root); node; node = parentOf(node)) top += node.scrollTop || 0;
  return top;
}

const parentOf = (node) => node.parentElement ?? node.getRootNode().host ?? null;
