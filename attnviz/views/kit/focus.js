// The focus of what is drawn again: it goes on to the control that comes in place of its own, and does not fall to the page.

const CONTROLS = 'button, input, select, textarea';
const nameOf = (control) => control.ariaLabel ?? control.textContent;

/**
 * Draw again what stands in `box`, or in `after` then. Where a control in it had the focus, the one of its name has it, else
 * the one in its place or beside that, else `otherwise`.
 * @param {Element} box
 * @param {() => unknown} draw
 * @param {{after?: Element, otherwise?: HTMLElement | null}} then
 */
export function keepFocus(box, draw, {after = box, otherwise = null} = {}) {
  const focused = /** @type {Document | ShadowRoot} */ (box.getRootNode()).activeElement;
  const at = focused ? [...box.querySelectorAll(CONTROLS)].indexOf(focused) : -1;
  draw();
  if (at < 0) return;
  /** @type {HTMLElement[]} */
  const controls = Array.from(after.querySelectorAll(CONTROLS));
  const [here, name] = [controls[at], nameOf(focused)];
  const same = controls.filter((control) => nameOf(control) === name);
  const beside = controls.filter((control) => control.parentElement === here?.parentElement);
  const next = [same.includes(here) ? here : same[0], here, ...beside].find((control) => control?.matches(':enabled')) ?? otherwise;
  next?.focus({preventScroll: true});
}
