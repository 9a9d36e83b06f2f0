// Maps side by side. Those with the same rows and columns share one place: pointing in one points in all of them.

import {el} from '../kit/dom.js';
import {across} from './layout.js';
import {MatrixMap} from './map.js';

export class MapsBlock {
  constructor({maps}, {arrays, say, signal}, before) {
    this.maps = maps.map((map) => new MatrixMap(map, arrays[map.values], {say, signal, pointed: (at, how) => this.point(map, at, how)}));
    this.node = el('div', {class: 'maps'}, ...this.maps.map(({node}) => node));
    this.start(before?.maps ?? []);
  }

  /** Begin where the reader was, else at what is pointed out, else at the largest cell of the first map of a shape. */
  start(before) {
    for (const map of this.maps) {
      const own = this.maps.filter((other) => shape(other.map) === shape(map.map));
      const old = before.find((other) => shape(other.map) === shape(map.map));
      map.picked = old?.picked ?? own.find(({marked}) => marked)?.marked ?? own[0].largest();
    }
  }

  draw({width, k, theme}) {
    const room = across(this.maps.map(({map}) => map), width, k);
    this.node.style.gridTemplateColumns = `repeat(${room.n}, max-content)`;
    for (const map of this.maps) map.draw({width: room.width, k, theme});
  }

  /** `how` is 'hover', 'pick' or 'leave'. */
  point(from, at, how) {
    for (const map of this.maps) if (shape(map.map) === shape(from)) map.show(at, how, map.map === from);
  }
}

const shape = ({rows, columns}) => JSON.stringify([rows, columns]);
