// Keys, wheel and drag of a heatmap. A drag over the whole draws the rectangle to zoom to; in a zoomed picture it moves it.

import {listen} from '../kit/dom.js';
import {listenToOwnKeys} from '../kit/keyboard.js';
import {clamp} from '../kit/number.js';

const ZOOMS = {'+': 1, '=': 1, '-': -1, _: -1, 0: 0};
const FAR = 5; // px: less is a click

export function listenToMap(map, signal) {
  const {stop} = map;
  listenToOwnKeys(stop, signal, (event) => press(map, event));
  listen(stop, 'wheel', (event) => wheel(map, event), {signal, passive: false});
  listen(stop, 'pointerdown', (event) => begin(map, event), {signal});
  listen(stop, 'pointermove', (event) => move(map, event), {signal});
  for (const name of ['pointerup', 'pointercancel']) listen(stop, name, (event) => finish(map, event), {signal});
}

/** Whether the key was ours. */
function press(map, event) {
  if (Object.hasOwn(ZOOMS, event.key)) map.step(ZOOMS[event.key]);
  else if (event.key === 'Enter' || event.key === ' ') map.act.click(map.cellFocus());
  else return false;
  return true;
}

function wheel(map, event) {
  if (event.ctrlKey || event.metaKey) map.zoomAt(Math.exp(-event.deltaY / (event.deltaMode ? 12 : 240)), map.point(event));
  else if (!map.isWhole) map.moveBy(-event.deltaX, -event.deltaY);
  else return;
  event.preventDefault();
}

function begin(map, event) {
  if (event.button !== 0 || event.pointerType === 'touch' && map.isWhole) return;
  map.wasDragged = false;
  map.press = {from: map.point(event), last: map.point(event), id: event.pointerId, isFrame: map.isWhole || event.shiftKey};
}

function move(map, event) {
  const {press} = map;
  if (!press || press.id !== event.pointerId) return;
  const here = map.point(event);
  if (!map.wasDragged && Math.hypot(here.x - press.from.x, here.y - press.from.y) < FAR) return;
  if (!map.wasDragged) map.stop.setPointerCapture(event.pointerId);
  map.wasDragged = true;
  if (press.isFrame) {
    const {width, height} = map.sight;
    map.drag = {a: press.from, b: {x: clamp(here.x, 0, width), y: clamp(here.y, 0, height)}};
    map.mark();
  } else map.moveBy(here.x - press.last.x, here.y - press.last.y);
  press.last = here;
}

function finish(map, event) {
  const {press, drag} = map;
  if (!press || press.id !== event.pointerId) return;
  map.press = null;
  map.drag = null;
  if (drag && event.type === 'pointerup') map.frame(drag.a, drag.b);
  else if (drag) map.mark();
  if (map.wasDragged) setTimeout(() => (map.wasDragged = false)); // the click that ends it is none
}
