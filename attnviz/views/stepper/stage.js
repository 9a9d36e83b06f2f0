// The stage: the matrices of one step, what the picked cell is made of, and where the pointer is. State is the view's.

import {el, listen, svg} from '../kit/dom.js';
import {fillText, lowered, widthOf} from '../kit/words.js';
import {isTelephone} from './axis_windows.js';
import {NumberMatrix, factorOf} from './number_matrix.js';
import {ColourMatrix} from './colour_matrix.js';
import {lit} from './highlight.js';
import {Labels, labelRoom} from './labels.js';
import {arranged, boxOf, cellAt, restAt} from './layout.js';
import {isChanged, rowsOf} from './chain.js';
import {nameSpans, numberOf} from './names.js';
import {restOf} from './listed_terms.js';
import {PairArrows} from './pair_arrows.js';
import {drawOperator, hatch} from './signs_between.js';

const INKS = {q: 'var(--q)', k: 'var(--key)', v: 'var(--v)'};
const inkOf = (role, otherwise = 'var(--ink)') => INKS[role] ?? otherwise;

export class Stage {
  box; say; k; width; isNarrow;
  /** @type {Record<string, import('./highlight.js').Level>} */
  levels;

  /** `heard` has hover(key, row, column), leave() and pick(key, row, column); key is null beside all matrices. */
  constructor(box, {say, signal, heard}) {
    Object.assign(this, {box, say});
    listen(box, 'pointermove', (event) => event.pointerType !== 'touch' && this.point(event, heard.hover), {signal});
    listen(box, 'pointerleave', () => heard.leave(), {signal});
    listen(box, 'click', (event) => this.point(event, heard.pick), {signal});
  }

  /** Lay out one step; its colours are painted with the first cell that is meant. */
  draw(step, room, {theme, windows, isWhole, label, comparing, isArrows}) {
    this.step = step;
    Object.assign(this, {k: room.k, width: room.width, isNarrow: isTelephone(room)});
    this.levels = {};
    this.isRevealing = false;
    const rowAxes = [
      ...new Set([step.result, ...step.operands].map((matrix) => matrix.rows).filter((axis) => axis.n > 1)),
    ];
    const {isNarrow} = this;
    const labelWidth = labelRoom(rowAxes, room.k, isNarrow);
    this.plan = arranged(step, room, {windows, isWhole, labelWidth, comparing, isArrows});
    const {density} = this.plan;
    const [under, over] = ['under', 'over'].map((name) =>
      svg('svg', {class: name, width: room.width, height: room.height}),
    );
    const [cells, names] = [svg('g', {class: 'cells'}), svg('g', {class: 'names'})];
    this.bands = svg('g');
    this.marks = svg('g', {class: 'marks'});
    this.terms = svg('g', {class: 'marks'});
    under.append(this.bands);
    over.append(hatch(), cells, names, this.marks, this.terms);
    over.setAttribute('aria-hidden', 'true');
    const canvases = [];
    this.sheets = this.plan.blocks.map((block) => {
      const hasShare = block.key === 'result' && this.columnsShown !== null;
      const shareOf = hasShare ? (row) => restOf(step, row, this.columnsShown)?.share ?? 0 : null;
      const look = {theme, k: room.k, shareOf};
      const sheet = isArrows ? new PairArrows(block, {step, k: room.k, say: this.say}) : density === 'colours' ? new ColourMatrix(block, look) : new NumberMatrix(block, look);
      cells.append(sheet.group);
      canvases.push(sheet.canvas);
      const labels = new Labels(block, {k: room.k, density, say: this.say, isNarrow, isPresented: room.isPresented});
      names.append(labels.group);
      if (block.name) names.append(this.name(block));
      return {block, sheet, labels};
    });
    this.changes = step.before && !isArrows ? changeMarks(step, this.block('result'), room.k) : [];
    names.append(...this.changes);
    names.append(...(this.plan.groups ?? []).map((group) => this.group(group)));
    for (const sign of this.plan.signs) names.append(drawOperator(sign, step, {k: room.k, theme}));
    this.surface = el(
      'div',
      {
        class: 'surface',
        tabindex: 0,
        role: 'application',
        'aria-roledescription': this.say('view-kit-matrix'),
        'aria-label': label,
      },
      under,
      ...canvases,
      over,
    );
    this.surface.style.height = `${Math.max(room.height, this.plan.height)}px`;
    this.box.replaceChildren(this.surface);
  }

  /** Over the heads of a group: which they are and what they share, as far as there is room, and a line to the last. */
  group({keyGroup: {n, first, last, keyHead}, x, y, width}) {
    const {k} = this;
    const size = 12 * k;
    const shared = keyHead && {keys: `K${lowered(keyHead)}`, values: `V${lowered(keyHead)}`};
    const whole = fillText(shared ? this.say('view-stepper-group-shares') : this.say('view-stepper-group-heads'), {n, first, last, ...shared});
    const text = [whole, fillText(this.say('view-stepper-group'), {n})].find((one) => widthOf(one) * size <= width) ?? '';
    const from = x + (text && widthOf(text) * size);
    const line = from < x + width ? svg('path', {d: `M${from} ${y + 13 * k}H${x + width}`}) : null;
    return svg('g', {class: 'key-group'}, svg('text', {x, y: y + 17 * k, 'font-size': size}, text), line);
  }

  name({matrix, rows, name, caption}) {
    const {k} = this;
    const isCorner = name.isCorner;
    const shift = isCorner ? labelRoomOf(matrix, k) : 0;
    const nameWidth = widthOf(matrix.name) * 15 * k;
    const isPrinted = this.plan.density === 'numbers';
    const [n, columns, all] = [rows.hidden ? matrix.rows.n : rows.count, matrix.columns.n, rowsOf(this.step, matrix)];
    const shape = all === n ? `${n} × ${columns}` : fillText(this.say('view-stepper-some-rows'), {n, all, columns});
    const sizesOf = (shape) => [shape, isPrinted && factorOf(matrix)].filter(Boolean).join('  ');
    const fits = (text) => this.roomOf(name, shift) >= nameWidth + (8 + widthOf(text) * 12) * k;
    const sizeText = all === n || (!this.isNarrow && fits(sizesOf(shape))) ? sizesOf(shape) : sizesOf(`${n} / ${all}`); // that rows are not drawn is said
    const isCrowded = !isCorner && this.names(name.y).some((x, at, all) => all[at + 1] - x < nameWidth);
    const isRoom = fits(sizeText);
    const left = isCorner ? Math.max(name.x - shift, nameWidth) : name.x; // never beyond the edge
    const at = {x: left, y: name.y + (isCorner ? 12 * k : 0), 'text-anchor': isCorner ? 'end' : 'start'};
    const isNarrow = this.plan.density === 'narrow';
    const beside = (text, size) => svg('tspan', {class: 'size', dx: 8 * k, 'font-size': size * k}, text);
    return svg(
      'text',
      {class: 'mt', ...at, 'font-size': 15 * k, fill: inkOf(matrix.role)},
      ...(caption && isNarrow ? [] : nameSpans(isCrowded ? numberOf(matrix.name) : matrix.name)), // no room for both
      isRoom && !isNarrow ? beside(sizeText, 12) : null,
      caption ? beside(this.say(`view-stepper-run-${caption}`), 12) : null,
    );
  }

  /** How far a name may reach: to the edge, or to the next name beside it. */
  roomOf(name, shift) {
    if (name.isCorner) return name.x - shift;
    const next = this.names(name.y).find((x) => x > name.x) ?? this.width;
    return next - 8 * this.k - name.x;
  }

  /** Where the names of one line begin, from left to right. */
  names(line) {
    const names = this.plan.blocks.map(({name}) => name).filter((name) => name && !name.isCorner && name.y === line);
    return names.map(({x}) => x).sort((a, b) => a - b);
  }

  /** Light what the cell i, j is made of; dim the rest while somebody points. */
  pick(i, j, cell, {isHot, step = this.step, result = 'result', position = null}) {
    if (this.plan.kind === 'arrows') this.sheets[0].sheet.show(i, j, position);
    const {levels, outlines, bands} = lit(step, this.plan.kind, i, j, cell, result);
    this.levels = levels;
    this.dim(isHot);
    this.terms.replaceChildren();
    for (const {block, labels} of this.sheets) {
      const seen = outlines.find(({key}) => key === block.key);
      const row = seen?.row ?? (block.key === 'result' ? i : null);
      labels.light(block.labels.own ? 0 : row, seen?.column ?? null);
    }
    this.marks.replaceChildren(...outlines.map((outline) => this.outline(outline)).filter(Boolean));
    this.bands.replaceChildren(...(bands ? this.bandsTo(bands) : []));
  }

  /** Fade what does not matter for the picked cell, or show everything at full colour. */
  dim(isHot) {
    const isDimmed = Boolean(isHot || this.isRevealing);
    this.surface.classList.toggle('dimmed', isDimmed);
    for (const {block, sheet} of this.sheets) {
      const isWhole = this.isRevealing && block.key === 'result';
      sheet.light(isWhole ? () => 2 : (this.levels[block.key] ?? null), isDimmed);
    }
  }

  /** While the result is hidden: mark the row that is asked about and the cell that would be guessed, null for none. */
  aim(row, column) {
    this.surface.classList.remove('dimmed');
    for (const {block, sheet, labels} of this.sheets) {
      sheet.light(null, false);
      const [hasRow, hasColumn] = ['rows', 'columns'].map((side) => block.matrix[side] === this.step.result[side]);
      labels.light(hasRow ? row : null, hasColumn ? column : null);
    }
    this.bands.replaceChildren();
    this.terms.replaceChildren();
    const place = {key: 'result', row, column};
    const cell = column === null ? [] : [{...place, isResult: true}];
    const marks = row === null ? [] : [{...place, column: null}, ...cell];
    this.marks.replaceChildren(...marks.map((mark) => this.outline(mark)).filter(Boolean));
  }

  outline({key, row, column, isResult = false, isTerm = false}) {
    const block = this.block(key);
    const box = block && boxOf(block, row, column);
    if (!box) return null;
    const grow = isResult ? 1 : 0;
    const stroke = isResult || isTerm ? 'var(--ink)' : inkOf(block.matrix.role, 'var(--ink-3)');
    return svg('rect', {
      x: box.x - grow,
      y: box.y - grow,
      width: box.width + 2 * grow,
      height: box.height + 2 * grow,
      rx: 3,
      fill: 'none',
      stroke,
      'stroke-width': isResult || isTerm ? 2.2 : 1.6,
    });
  }

  /** A row from A and a column from B, running into the result. */
  bandsTo({row, column}) {
    const [a, b, c] = [this.block(0), this.block(1), this.block('result')];
    const [across, down] = [boxOf(a, row, null), boxOf(b, null, column)];
    const [right, bottom] = [boxOf(c, row, null), boxOf(c, null, column)];
    if (!across || !down || !right || !bottom) return [];
    const band = (x, y, width, height) => svg('rect', {fill: 'var(--sunken)', rx: 3, x, y, width, height});
    return [
      band(across.x - 3, across.y, right.x + right.width - across.x + 6, across.height),
      band(down.x, down.y - 3, down.width, bottom.y + bottom.height - down.y + 6),
    ];
  }

  /** Outline the factors of one term of the strip; null for none. */
  showTerm(term) {
    const marks = (term?.at ?? []).map(({operand, row, column}) =>
      this.outline({key: operand, row, column, isTerm: true}),
    );
    this.terms.replaceChildren(...marks.filter(Boolean));
  }

  /** While the rows are played: those from `until` on are empty. */
  reveal(until, fresh) {
    this.isRevealing = until !== null;
    this.sheets.find(({block}) => block.key === 'result').sheet.reveal(until, fresh);
  }

  /** Empty the matrices that are still to be guessed, as `isCovered(block)` says. */
  cover(isCovered) {
    for (const {block, sheet} of this.sheets) if (isCovered(block)) sheet.reveal(0, null);
    const isAsked = this.sheets.some(({block}) => isCovered(block)); // which cells an edit changed may be the answer
    for (const mark of this.changes) mark.style.display = isAsked ? 'none' : '';
  }

  /** The places that are drawn of what a cell is made of, null where the step has none or all of them are. */
  get termsShown() {
    if (this.plan.kind !== 'school' || this.step.rule !== 'product') return this.columnsShown;
    const {list, hidden} = this.block(0).columns;
    return hidden ? list : null;
  }

  /** The columns of a row of shares that are drawn, null where all of them are. */
  get columnsShown() {
    const {columns} = this.plan.blocks.find(({key}) => key === 'result'); // also before there are sheets
    return this.step.rule === 'softmax row' && columns.hidden ? columns.list : null;
  }

  block(key) {
    return this.sheets.find(({block}) => block.key === key)?.block ?? null;
  }

  /** What lies under the pointer: a cell of the result, or a number that goes into one. */
  point(event, told) {
    const {left, top} = this.surface.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    for (const {block} of this.sheets) {
      const at = cellAt(block, x, y);
      if (at) return told(block.key, at.row, at.column);
    }
    const row = restAt(this.block('result'), x, y);
    if (row !== null && this.columnsShown) return told('rest', row, null);
    return told(null);
  }
}

/** A corner on each cell that is another one than in the untouched run. */
function changeMarks(step, {rows, columns, x, y, cw, ch}, k) {
  const side = Math.min(7 * k, cw * 0.3, ch * 0.4);
  return rows.list.flatMap((row, r) =>
    columns.list.flatMap((column, c) => {
      if (!isChanged(step, row, column)) return [];
      const [right, top] = [x + (c + 1) * cw - 0.5, y + r * ch + 0.5];
      return [svg('path', {class: 'changed', d: `M${right} ${top}v${side}l${-side} ${-side}z`})];
    }),
  );
}

const labelRoomOf = (matrix, k) =>
  matrix.rows.kind === 'token' || matrix.rows.labels ? labelRoom([matrix.rows], k, false, false) + 8 * k : 28 * k;
