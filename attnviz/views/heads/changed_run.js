// A run that was changed on another page, as the link says it. Here it runs as it is: that is said, with the way there.

import {el} from '../kit/dom.js';
import {fillText} from '../kit/words.js';

const MUTED = /^mute\.(encoder|decoder)\.(\d+)\.(self|cross)\.(\d+)$/;

/**
 * Say it in `node`, in place of what it said before; nothing where nothing is changed.
 *
 * @param {HTMLElement} node
 * @param {HeadsHeader} header
 */
export function sayChanged(node, {link, model}, {say, go}) {
  const changed = link?.changed ?? '';
  if (node.dataset.changed === changed) return;
  node.dataset.changed = changed;
  node.hidden = !changed;
  if (!changed) return node.replaceChildren();
  const heads = headsOff(changed, model, say);
  const [said, way] = heads ? ['view-heads-off', 'view-heads-off-there'] : ['view-heads-changed', 'view-heads-changed-there'];
  node.replaceChildren(fillText(say(said), {heads}), ' ', el('button', {type: 'button', class: 'there', click: go}, say(way)));
}

/** The heads by their names, "24.5 + 24.2"; '' where something else is changed as well. */
function headsOff(changed, {part: hasParts}, say) {
  const places = changed.split('~').map((word) => MUTED.exec(word));
  const named = ([, stack, layer, kind, head]) => [hasParts ? `${say(`view-heads-part-${kind === 'cross' ? kind : stack}`)} ` : '', Number(layer) + 1, '.', head].join('');
  return places.every(Boolean) ? places.map(named).join(' + ') : '';
}
