// The line over the stage: the step's title, its parts, what was changed, the colour scale, and which part is drawn.

import {scaleColour} from '../kit/colour.js';
import {el} from '../kit/dom.js';
import {keepFocus} from '../kit/focus.js';
import {clamp} from '../kit/number.js';
import {rounded} from '../kit/rounded.js';
import {fill, fillText} from '../kit/words.js';
import {nameNodes} from './names.js';
import {headOn, ofHead, showPart} from './kept_place.js';
import {PairBar, isRotation} from './pair_arrows.js';

const FEW = 4; // parts that have a button each
const LEFT = {title: 150, edits: 170}; // px of the title and of what was changed that are left where the line is tight
const FREE = 330; // px left of the matrix above, so that buttons fit beside its name

/** Draw it for the step of a view. */
export function drawHead(view) {
  const {parts, step, chain, header, rail} = view;
  parts.block.textContent = header.controls ? view.nameOf(header.controls.site) : '';
  parts.title.replaceChildren(...nameNodes(step.title));
  parts.title.title = parts.title.textContent;
  const indices = rail.stops.find(({steps}) => steps.includes(view.at)).steps;
  parts.parts.hidden = indices.length < 2;
  drawParts(parts, indices, view);
  showParts(parts);
  parts.edits.show(header.model.edits);
  const begins = changeBegins(chain.steps);
  const isElsewhere = begins < 0 && header.model.edits.length > 0; // in a head that is not shown, or after what is
  parts.begins.hidden = view.at >= begins && !isElsewhere;
  if (isElsewhere) parts.begins.textContent = view.say('view-stepper-change-elsewhere');
  else if (view.at < begins) {
    const stop = el('b', {}, ...nameNodes(chain.steps[begins].stop));
    parts.begins.replaceChildren(fill(document, view.say('view-stepper-change-begins'), {step: stop}));
  }
  drawCompare(parts.compare, step, view);
  drawLegend(parts.legend, step.result, view);
  parts.changes.node.hidden = !step.difference || view.comparing !== 'difference';
  if (step.difference) drawLegend(parts.changes, step.difference, view, view.say('view-stepper-run-difference'));
}

/** The place of the first step that a change reaches; -1 where it reaches none. No DOM. */
const changeBegins = (steps) => steps.findIndex(({before, kind}) => before || kind === 'silenced');

const WAYS_TO_COMPARE = ['none', 'both', 'difference'];

/** Of a changed run: the run alone, beside the untouched one, or their difference too; of a rotation its arrows or numbers. */
function drawCompare(box, step, view) {
  const isTurned = isRotation(step) && !view.isHidden;
  const ways = [...(isTurned ? ['arrows'] : []), ...(step.before ? WAYS_TO_COMPARE : isTurned ? ['none'] : [])];
  box.hidden = ways.length === 0;
  const now = view.hasArrows ? 'arrows' : step.before ? view.comparing : 'none';
  const word = (name) => view.say(name === 'arrows' ? 'view-stepper-arrows' : step.before ? `view-stepper-compare-${name}` : 'view-stepper-numbers');
  const button = (name) => el('button', {type: 'button', 'aria-pressed': now === name, click: () => view.compare(name)}, word(name));
  keepFocus(box, () => box.replaceChildren(...ways.map(button)));
}

/** A button for each part, and the same as a menu; of heads of several matrices a button a matrix, and the heads of one. */
function drawParts({parts, menu}, indices, view) {
  const {at, step, chain: {steps}} = view;
  const first = indices.filter((index) => steps[index].siblings[0]?.index === index);
  const isSplit = first.length > 1;
  const places = isSplit ? first.map((index) => ofHead(steps, index, headOn(step.siblings, at, view.picked))) : indices;
  const heads = isSplit ? step.siblings.map(({index}) => index) : indices;
  const nodes = (index) => nameNodes(isSplit ? steps[index].operands[0].name : steps[index].part);
  const button = (index) => el('button', {type: 'button', 'aria-pressed': index === at, click: () => view.go(index)}, ...nodes(index));
  keepFocus(parts, () => parts.replaceChildren(...(indices.length < 2 ? [] : places.map(button))));
  menu.replaceChildren(...heads.map((index) => el('option', {value: index}, el('span', {}, ...nameNodes(steps[index].part)).textContent)));
  menu.value = String(at);
  menu.classList.toggle('beside', isSplit);
}

/** The parts of a step as a button each, or as a menu where they are many or `isTight`. */
export function showParts({parts, menu}, isTight = false) {
  const n = parts.childElementCount;
  const isBeside = menu.classList.contains('beside');
  const isMenu = !isBeside && (n > FEW || (isTight && n > 0));
  parts.classList.toggle('unused', isMenu);
  menu.hidden = !isMenu && !isBeside;
}

/** The buttons that move what is drawn: on the line over the stage where they fit, else where a step leaves room. */
export const drawMovers = (view) => keepFocus(view.parts.movers, () => placeMovers(view));

function placeMovers(view) {
  const {parts} = view;
  view.pairBar = view.hasArrows ? pairBar(view) : null;
  parts.legend.node.hidden = view.hasArrows;
  if (view.hasArrows) {
    parts.movers.replaceChildren(...view.pairBar.nodes);
    parts.movers.className = 'movers above';
    view.pairBar.show(view.pointing.picked.row, view.position);
    return parts.canvas.prepend(parts.movers);
  }
  parts.movers.replaceChildren(...movers(view));
  const legends = [parts.legend.node, parts.changes.node];
  if (view.room.isSide) parts.heading.append(...legends);
  else parts.movers.append(...legends, ...tapHint(view)); // its own line would push the matrix down
  parts.movers.className = view.room.isSide ? 'movers' : 'movers above';
  if (view.room.isSide) parts.changes.node.after(parts.movers);
  const free = hasCorner(view) ? 'corner' : view.stage.plan.hasMargin ? 'below' : '';
  const isApart = view.room.isSide && free && isLong(parts);
  if (isApart) parts.movers.classList.add(free);
  if (isApart || !view.room.isSide) parts.canvas.prepend(parts.movers);
}

const pairBar = (view) =>
  new PairBar({
    step: view.step,
    say: view.say,
    chosen: (row) => view.pointing.choose(row, view.pointing.picked.column),
    turned: (position) => view.player.step(0, position),
    looks: (view.host.emit && view.header.controls?.looks) || [],
    looked: (key) => view.host.look(key),
  });

/** How numbers are read on a telephone where none fits into a cell; while they are to be guessed, a tap is a guess. */
function tapHint({stage, isHidden, say}) {
  const isRead = isHidden || stage.sheets.some(({sheet}) => sheet.isPrinted);
  return isRead ? [] : [el('span', {class: 'caption'}, say('view-stepper-tap'))];
}

const isLong = ({heading}) => heading.scrollWidth > heading.clientWidth + 1;

/**
 * Nothing of the line lies over the buttons: where it is too long, its parts are shorter, and where that is not enough, it
 * has a line of its own over them. Whether it has is what it says.
 */
export function fitHead(view) {
  const {head} = view.parts;
  const {title, edits} = view.parts;
  const shrinking = [[title, LEFT.title], [edits.chip, LEFT.edits]].map(([node, least]) => ({node, least: least * view.k}));
  for (const {node} of shrinking) node.style.minWidth = '';
  if (!view.room.isSide || !isLong(view.parts)) return false;
  head.classList.add('tight');
  for (const {node, least} of shrinking) node.style.minWidth = `${Math.min(least, node.scrollWidth)}px`;
  showParts(view.parts, true);
  const isWrapped = isLong(view.parts);
  head.classList.toggle('wrapped', isWrapped);
  return isWrapped;
}

/** Whether the corner over A and left of B is free: it is, where A is wide. */
function hasCorner({stage, room, k}) {
  return stage.plan.kind === 'school' && room.isSide && stage.block(1).x > FREE * k;
}

/** With a `name` the matrix has a scale to itself, whose ends are numbers. */
function drawLegend(legend, {kind, max}, {theme, k}, name = null) {
  const end = name && (max === 1 ? '1' : rounded(max).text);
  const [low, high] = kind === 'weights' ? ['0', '1'] : [`−${end ?? ''}`, `+${end ?? ''}`];
  const colourAt = (share) => scaleColour(kind, share, theme);
  if (!name) legend.draw({width: 96, k, colourAt, low, high});
  else legend.draw({width: 60, k, colourAt, low: [el('b', {}, name), ` ${low}`], high, label: `${name}: ${low} – ${high}`});
}

/** A pair of buttons for each axis that is drawn in part, and one for the whole of it in colours. */
function movers(view) {
  const seen = new Map();
  for (const block of view.stage.plan.blocks)
    for (const shown of [block.rows, block.columns])
      if (shown.hidden > 0 && !seen.has(shown.axis.id)) seen.set(shown.axis.id, shown);
  const nodes = [...seen.values()].map((shown) => mover(shown, view));
  const canBeWhole = [...seen.values()].some(({axis, count}) => axis.count > count);
  if (canBeWhole || view.isWhole) nodes.push(wholeButton(view));
  return nodes;
}

/** The part of an axis that is drawn, between two buttons that move by a whole part. */
function mover({axis, first, count}, view) {
  const values = {letter: axis.letter, first: first + 1, last: first + count, n: axis.n};
  const name = fillText(view.say('view-stepper-window'), values);
  const all = view.host.emit ? {start: 0, count: axis.n} : axis; // without a host no more than what travelled
  const [least, most] = [all.start, all.start + all.count - count];
  const button = (text, by, isEnd) => {
    const move = () => showPart(view, {axis, count}, clamp(first + by * count, least, most));
    const facts = {type: 'button', class: 'tool small', disabled: isEnd ? '' : null, 'aria-label': `${name} ${text}`};
    return el('button', {...facts, click: move}, text);
  };
  return el(
    'span',
    {class: 'mover', role: 'group', 'aria-label': name},
    button('‹', -1, first <= least),
    el('span', {}, el('b', {}, ...nameNodes(axis.letter)), ` ${first + 1}–${first + count}`, el('span', {class: 'of'}, ` / ${axis.n}`)),
    button('›', 1, first >= most),
  );
}

function wholeButton(view) {
  const facts = {
    type: 'button',
    class: 'button quiet whole',
    'aria-pressed': view.isWhole,
    click: () => view.setWhole(!view.isWhole),
  };
  return el('button', facts, view.say('view-stepper-whole'));
}
