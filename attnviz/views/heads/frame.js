// The view's fixed parts, built once: nothing here moves when a token is hovered.

import {el, keysButton} from '../kit/dom.js';
import {Legend} from '../kit/legend.js';
import {fillText} from '../kit/words.js';

/** Build the skeleton into `root` and return its parts by name. */
export function frame(root, say) {
  const parts = {
    notice: el('p', {class: 'notice', role: 'note'}),
    changed: el('p', {class: 'changed', role: 'note', hidden: ''}),
    model: el('h2', {class: 'title'}),
    keysButton: keysButton(say),
    overviewBar: el('div', {class: 'overviewbar'}),
    whose: el('div', {}),
    kinds: el('div', {class: 'kinds', role: 'group', 'aria-label': say('view-heads-kinds')}),
    grid: el('div', {class: 'grid', role: 'group', 'aria-label': say('view-heads-overview')}),
    look: el('div', {class: 'look', hidden: ''}),
    why: el('div', {class: 'look why', hidden: ''}),
    looks: el('div', {class: 'foot looks'}),
    looksNote: el('p', {class: 'caption', role: 'status'}, say('view-heads-no-proof')),
    title: el('h2', {class: 'title'}),
    kind: el('span', {class: 'headkind'}),
    kindSays: el('p', {class: 'kindsays', popover: 'auto'}),
    sides: el('span', {}),
    ways: el('div', {class: 'segments', role: 'group', 'aria-label': say('view-heads-ways')}),
    controls: el('span', {class: 'controls'}),
    take: el('span', {class: 'controls'}),
    takeAll: el('span', {class: 'controls'}),
    limit: el('span', {class: 'limit'}),
    several: el('button', {type: 'button', class: 'choice', 'aria-label': say('view-heads-several'), 'aria-pressed': false, title: say('view-heads-several-hint')}, '+'),
    together: el('div', {class: 'together', hidden: ''}),
    filters: el('div', {class: 'filterbar'}),
    said: el('span', {class: 'saidfilters', role: 'status'}),
    written: el('div', {class: 'writtenwalk', hidden: ''}),
    empty: el('p', {class: 'allbelow', hidden: ''}, say('view-heads-all-below')),
    lines: el('div', {class: 'lines'}),
    reading: el('p', {class: 'reading', 'aria-live': 'polite'}),
    predicted: el('p', {class: 'predicted', 'aria-live': 'polite', hidden: ''}),
    legend: new Legend(`${say('view-kit-legend')} 0–1`),
    allLegend: new Legend(), // in a picture of all heads: on the screen the other one says it of both
    dialog: el('dialog', {class: 'keys', 'aria-label': say('view-kit-keys')}),
  };
  parts.looks.append(el('div', {class: 'looksrow'}, parts.looksNote, parts.keysButton));
  const foot = el('div', {class: 'foot'}, parts.reading, parts.legend.node);
  parts.split = el(
    'div',
    {class: 'split'},
    el(
      'section',
      {class: 'overview', 'data-picture': ''},
      el('div', {class: 'head'}, parts.model, parts.overviewBar, parts.takeAll),
      el('div', {class: 'kindrow'}, parts.whose, parts.kinds),
      parts.grid,
      el('div', {class: 'alllegend'}, parts.allLegend.node),
      parts.look,
      parts.looks,
    ),
    el(
      'section',
      {class: 'detail', 'data-picture': ''},
      el('div', {class: 'head'}, parts.title, el('span', {class: 'space'}), parts.several, parts.ways),
      el('div', {class: 'about'}, parts.kind, parts.kindSays, parts.together, parts.take),
      el('div', {class: 'tools'}, parts.filters, parts.controls),
      parts.written,
      el('div', {class: 'stage'}, parts.lines, parts.empty),
      parts.why,
      el('p', {class: 'below'}, parts.sides, parts.limit, parts.said), // stands still when why opens over it
      foot,
    ),
  );
  root.replaceChildren(parts.notice, parts.changed, parts.split, parts.dialog);
  /** Beside the lines, else, where everything is under each other, next to the sentence. */
  parts.placePredicted = (isSide) => {
    const place = isSide ? foot : parts.split;
    if (parts.predicted.nextSibling !== place) place.before(parts.predicted);
  };
  return parts;
}

/** Say whose heads these are, and what has to be known about the text before anything else. */
export function nameModel(parts, {model, tokens, notice}, say, choosePart) {
  const name = model.untrained ? fillText(say(`view-heads-untrained-${model.untrained}`), model) : model.name;
  parts.model.textContent = [name, ...model.edits].join(' · ');
  parts.model.title = fillText(say('view-heads-model'), model);
  parts.whose.replaceChildren(...(model.part ? [partsOf(model, say, choosePart)] : []));
  parts.sides.textContent = tokens.target ? say('view-heads-sides') : '';
  parts.notice.hidden = !notice;
  parts.notice.textContent = notice ?? '';
}

/** Whose attention this is, of a model with several parts, and the way to another one; null where none can be had. */
function partsOf({part, parts}, say, choose) {
  const name = (of) => say(`view-heads-part-${of}`);
  if (!choose) return el('span', {class: 'caption'}, name(part));
  const button = (of) => el('button', {type: 'button', 'data-part': of, 'aria-pressed': of === part, click: () => of !== part && choose(of)}, name(of));
  return el('div', {class: 'segments', role: 'group', 'aria-label': say('view-heads-parts')}, ...parts.map(button));
}
