// What is picked in the training view, as the link says it: the checkpoint by its step, the run a or b; which axes are
// logarithmic, left out where they are the usual ones; and whether the presenter's view is open.

const LOGS = {steps: {loss: false, steps: true}, loss: {loss: true, steps: false}, both: {loss: true, steps: true}, none: {loss: false, steps: false}};
export const USUAL = LOGS.steps;

/** The values by their names; see link.py. */
export function toLink({step, layer, head, query, key, run, look}) {
  const log = Object.keys(LOGS).find((name) => LOGS[name].loss === look.loss && LOGS[name].steps === look.steps);
  return {update: String(step), layer, head, token: query, key, side: run ? 'b' : 'a', log: LOGS[log] === USUAL ? '' : log, present: look.isPresented};
}

/** What an opened link says of the axes and the window, and whether it picks a moment: Python has read which. */
export function fromLink({log, present, update, layer, head, token}, {selection}) {
  const isPicked = update !== '' || [layer, head, token].some((said) => said !== null);
  return {look: {...(Object.hasOwn(LOGS, log) ? LOGS[log] : USUAL), isPresented: present}, picked: isPicked ? selection : undefined};
}
