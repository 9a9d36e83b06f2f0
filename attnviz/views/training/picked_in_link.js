// What is picked in the training view, as the link says it: the step as it is, places counted from 1, the run a or b;
// which axes are logarithmic, left out where they are the usual ones; and whether the presenter's view is open.

export const NAMES = ['at', 'log', 'present'];
const LOGS = {steps: {loss: false, steps: true}, loss: {loss: true, steps: false}, both: {loss: true, steps: true}, none: {loss: false, steps: false}};
export const USUAL = LOGS.steps;

/** The value of every name in NAMES. */
export function toLink({step, layer, head, query, key, run, look}) {
  const log = Object.keys(LOGS).find((name) => LOGS[name].loss === look.loss && LOGS[name].steps === look.steps);
  return {at: [step, layer + 1, head + 1, query + 1, key + 1, run ? 'b' : 'a'].join('.'), log: LOGS[log] === USUAL ? '' : log, present: look.isPresented ? '1' : ''};
}

/**
 * What an opened link says of the axes and the window, and whether it picks a moment: Python has read which.
 * @param {URLSearchParams} query
 * @param {{selection?: object}} header
 */
export function fromLink(query, {selection}) {
  const log = query.get('log');
  return {look: {...(Object.hasOwn(LOGS, log) ? LOGS[log] : USUAL), isPresented: query.get('present') === '1'}, picked: query.has('at') ? selection : undefined};
}
