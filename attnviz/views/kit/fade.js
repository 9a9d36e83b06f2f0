// From one picture to the next in the same place: the one before fades over it, so that the eye follows.

import {contextOf, el, isOnPaper, setLengths} from './dom.js';
import {isStill} from './theme.js';

const FADE_MS = 200;

/**
 * Lay what a canvas of width × height px shows now over it, and let that fade; nothing on paper or where less motion is asked for.
 * @param {HTMLCanvasElement} canvas
 * @param {{width: number, height: number}} size
 * @param {HTMLCanvasElement | null | undefined} before what this gave the last time, which may still be fading
 */
export function fadeOver(canvas, {width, height}, before) {
  if (isStill() || isOnPaper()) return null;
  const node = setLengths(el('canvas', {'aria-hidden': 'true', class: 'before', width: canvas.width, height: canvas.height}), {width, height});
  const context = contextOf(node);
  context.drawImage(canvas, 0, 0);
  if (before?.isConnected) {
    context.globalAlpha = Number(getComputedStyle(before).opacity);
    context.drawImage(before, 0, 0);
    before.remove();
  }
  canvas.after(node);
  node.animate({opacity: [1, 0]}, FADE_MS).onfinish = () => node.remove();
  return node;
}
