// In place of all heads: why they are not compared. A pair is chosen by keys then, or from outside the picture.

import {el} from '../kit/dom.js';
import {kindIn} from './kinds.js';

export class NotMeasured {
  /** @type {CompareHeader} */
  header;
  /** @type {Arrays} */
  arrays;
  near;

  constructor(parts, {header, arrays, say}) {
    Object.assign(this, {header, arrays, near: null});
    parts.left.replaceChildren(el('h2', {class: 'title small'}, say('view-compare-alike')), el('p', {class: 'absent'}, say('view-compare-too-long')));
  }

  kindOf(side, number) {
    return kindIn(this.header, this.arrays, side, number);
  }

  draw() {}

  select() {}
}
