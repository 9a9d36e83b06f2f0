// Maps side by side. Those with the same rows and columns share one place: pointing in one points in all of them.

import {el} from '../kit/dom.js';
import {across} from './layout.js';
import {MatrixMap} from './map.js';

export class MapsBlock {
  constructor({maps}, arrays, say, before) {
    this.maps = maps.map((map) => new MatrixMap(map, arrays[map.values], say, (at, how) => this.point(map, at, how)));
    this.node = el('div', {class: 'maps'}, ...this.maps.map(({node}) => node));
    for (const [at, map] of this.maps.entries()) {
      const old = before?.maps?.[at];
      map.start(old && shape(old.map) === shape(map.map) ? old.picked : null);
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
