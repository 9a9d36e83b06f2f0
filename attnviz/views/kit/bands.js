// Bands beside tokens: which text of two, or which role of a chat, neighbours belong to. The same in every picture.

import {el, setLengths} from './dom.js';
import {groupColour, groupName} from './token.js';

export const BAND = 15; // px across, with a name in it
const APART = 2; // px from one band to the next

/** Where neighbours belong to one text of two or one role of a chat: [first, last] of each run, and its name. */
export function groupRuns(tokens) {
  const runs = [];
  tokens.forEach((token, i) => {
    const last = runs.at(-1);
    if (last && last.group === token?.group) last.run[1] = i;
    else runs.push({run: [i, i], group: token?.group});
  });
  return runs.filter((run) => run.group);
}

export const areGrouped = (tokens) => tokens.some((token) => token?.group);

/** The bands beside the tokens of one side, row or column. */
export class Bands {
  /** `isThin`: a strip without a name, where there is no room for one. */
  constructor(holder, side, tokens, say, isThin = false) {
    this.isAcross = side === 'column';
    this.runs = groupRuns(tokens).map(({run, group}) => {
      const node = el('i', {class: `band ${side}band${isThin ? ' thin' : ''}`, 'aria-hidden': 'true', title: groupName(group, say)}, isThin ? '' : groupName(group, say));
      node.style.setProperty('--band', groupColour(group));
      return {run, node};
    });
    holder.append(...this.runs.map(({node}) => node));
  }

  get areThere() {
    return this.runs.length > 0;
  }

  /** Show them: `at(i)` is where token i begins, seen from `from` to `to` px, and `beside` where the bands stand. */
  show(at, beside, [from, to] = [-Infinity, Infinity]) {
    for (const {run: [first, last], node} of this.runs) {
      const [start, end] = [Math.max(from, at(first)), Math.min(to, at(last + 1))];
      node.hidden = end - start < 1;
      const length = Math.max(0, end - start - APART);
      setLengths(node, this.isAcross ? {left: start + APART / 2, width: length, top: beside} : {top: start + APART / 2, height: length, left: beside});
    }
  }
}
