// The matrices as grids of cells: each is one stop of the Tab key, arrows move in it, and what is typed goes to the editor.
// Elements are kept by their place, so that a number that follows moves nothing and takes no focus.

import {css, colourOf, textOn} from '../kit/colour.js';
import {el, listen, setLengths, setText} from '../kit/dom.js';
import {guarded} from '../kit/error_guard.js';
import {HUNDRED} from './arithmetic.js';
import {Editor} from './editor.js';
import {letterEms, sourcesOf} from './layout.js';
import {colourOfName, nameNodes, nameText, placeNames, roleText} from './names.js';
import {WordFields} from './word_fields.js';
import {pasted} from './sheet.js';

const NOTE = 0.74; // of the size of the digits

/** Where a cell of the stage is picked: K is shown upright and turned, other matrices in two places. */
export const cellIn = ({m}, row, column) => (m === 'KT' ? {m: 'K', row: column, column: row} : {m, row, column});

export class Stage {
  box; say; heard; state; layout; offset; isPaper; least; mostOfNote;
  grids = new Map(); // by id: {node, cells: [[cell]]}

  /**
   * `heard` are told: pick(at), press(at), hover(at | null), name(words, row), typed(at, number), began(), ended(isKept),
   * block(at, numbers), copied(m).
   */
  constructor(box, {say, signal, heard}) {
    Object.assign(this, {box, say, heard});
    this.under = el('div', {class: 'marks', 'aria-hidden': 'true'});
    this.names = el('div', {class: 'names'});
    this.over = el('div', {class: 'marks', 'aria-hidden': 'true'});
    box.replaceChildren(this.under, this.names, this.over);
    this.editor = new Editor(this);
    this.fields = new WordFields(this);
    const at = ({target}) => this.at(target.closest?.('.cell'));
    listen(box, 'pointerover', (event) => event.pointerType !== 'touch' && at(event) && heard.hover(at(event)), {signal});
    listen(box, 'pointerleave', () => heard.hover(null), {signal});
    listen(box, 'focusin', (event) => at(event) && this.focused(event.target.closest('.cell')), {signal});
    listen(box, 'click', (event) => at(event) && heard.press(at(event)), {signal});
    listen(box, 'dblclick', (event) => this.editor.begin(event.target.closest?.('.cell')), {signal});
    listen(box, 'paste', (event) => this.paste(event), {signal});
    listen(box, 'copy', (event) => this.copy(event), {signal});
    box.addEventListener('keydown', guarded(box, (event) => this.key(event)), {signal});
  }

  at(cell) {
    if (!cell) return null;
    const {id, row, column} = cell.dataset;
    return cellIn(this.placedOf(id), Number(row), Number(column));
  }

  placedOf(id) {
    return this.layout.placed.find((one) => one.id === id);
  }

  cell(id, row, column) {
    return this.grids.get(id)?.cells[row]?.[column] ?? null;
  }

  /** Whether a matrix is typed in, and by which name its numbers lie in the sheet. */
  typedName(m) {
    const {sheet} = this.state;
    if (m === 'X') return sheet.hasPositions ? null : 'E';
    return m === 'E' || m === 'P' || m.startsWith('W') ? m : null;
  }

  /** @param {{sheet: any, values: Record<string, (number | null)[][]>, texts: Record<string, string[][]>}} state */
  draw(state, layout, {offset, theme, hides, isPaper, least, mostOfNote}) {
    Object.assign(this, {state, layout, offset, isPaper, least, mostOfNote}); // px: of a name, where a room reads it, and of a note
    const most = (m) => mostOf(m, state.values);
    for (const [id, grid] of this.grids) if (!layout.placed.some((one) => one.id === id)) this.drop(id, grid);
    for (const one of layout.placed) this.grid(one, {theme, hides, max: most(one.m)});
    this.label();
    setLengths(this.box, {minHeight: layout.height + offset});
  }

  drop(id, {node}) {
    node.remove();
    this.grids.delete(id);
  }

  grid(placed, {theme, hides, max}) {
    const {id, m, x, y, w, h, f, rows, columns} = placed;
    const {sheet, texts, values} = this.state;
    const before = this.grids.get(id);
    const isTyped = this.typedName(m) !== null;
    const shape = `${m} ${rows} ${columns} ${isTyped}`;
    if (before?.shape !== shape) {
      const hadFocus = before?.node.contains(before.node.getRootNode().activeElement);
      const made = this.makeGrid(placed, isTyped);
      if (before) before.node.replaceWith(made.node);
      else this.box.insertBefore(made.node, this.over);
      this.grids.set(id, {...made, shape});
      if (hadFocus) made.cells[0][0].focus({preventScroll: true});
    }
    const {node, cells} = this.grids.get(id);
    setLengths(node, {left: x, top: y + this.offset, width: columns * w, height: rows * h});
    node.style.fontSize = `${f}px`;
    node.setAttribute('aria-label', `${nameText(m, sheet, this.say)}${this.say('view-byhand-colon')}${roleText(m, rows, columns, sheet, this.say)}`);
    const kind = m === 'A' ? 'weights' : 'matrix';
    cells.forEach((line, row) => line.forEach((cell, column) => {
      const at = cellIn(placed, row, column);
      const value = values[m][row][column];
      const isOff = value === null || (m === 'A' && values.D[row][column] === null);
      const isHidden = hides(at);
      setLengths(cell, {left: column * w + 0.75, top: row * h + 0.75, width: w - 1.5, height: h - 1.5});
      cell.classList.toggle('off', isOff);
      cell.classList.toggle('todo', isHidden);
      const fill = colourOf(kind, isOff ? 0 : value / HUNDRED, max, theme);
      cell.style.setProperty('--fill', css(fill));
      cell.style.setProperty('--on', textOn(fill));
      const text = isHidden ? '' : isOff && m === 'A' ? '0' : texts[m][row][column];
      const {row: first, column: second} = placeNames({m, row, column}, sheet, this.say);
      cell.setAttribute('aria-label', [first, `${second}${this.say('view-byhand-colon')}${text || this.say('view-byhand-not-yet')}`].join(this.say('view-kit-list-separator')));
      if (!cell.classList.contains('editing')) setText(cell, text);
    }));
  }

  makeGrid({id, rows, columns}, isTyped) {
    const cells = Array.from({length: rows}, (_, row) => Array.from({length: columns}, (_, column) => {
      const facts = {class: isTyped ? 'cell typed' : 'cell', role: 'gridcell', tabindex: row || column ? -1 : 0, 'aria-readonly': isTyped ? null : 'true'};
      const cell = el('div', facts);
      Object.assign(cell.dataset, {id, row, column});
      return cell;
    }));
    const node = el('div', {class: 'numbers', role: 'grid'}, ...cells.map((line) => el('div', {role: 'row'}, ...line)));
    return {node, cells};
  }

  /** Whether the name of a matrix and what is said of it fit over its columns. */
  fits({m, f, w, columns}, said) {
    const {layout, least, say, state} = this;
    const width = (letterEms(nameText(m, state.sheet, say)) + 0.45) * Math.max(least, 0.94 * f) + letterEms(said) * Math.max(least, 0.68 * f, 10.5);
    return width < columns * w + layout.gap;
  }

  /** What is said of a matrix beside its name: what it is, where all that stand on its line have room for that, and its size. */
  roleOf(placed) {
    const {layout, say, state} = this;
    const role = ({m, rows, columns}, isShort) => roleText(m, rows, columns, state.sheet, say, isShort);
    const isBrief = ({id, m, columns}) => id !== m || columns < 3 || m === 'KT';
    const isShort = isBrief(placed) || layout.placed.some((other) => other.y === placed.y && !isBrief(other) && !this.fits(other, role(other, false)));
    const said = role(placed, isShort);
    return !isShort || this.fits(placed, said) ? said : '';
  }

  /** The names of matrices and of their rows, the signs and the notes between them. */
  label() {
    const {layout, offset, say} = this;
    const {sheet} = this.state;
    const focused = /** @type {ShadowRoot} */ (this.box.getRootNode()).activeElement;
    const kept = this.names.contains(focused) ? focused : null;
    const parts = [];
    const put = (kind, place, ...children) => {
      const node = setLengths(el('div', {class: kind}, ...children), place);
      parts.push(node);
      return node;
    };
    for (const placed of layout.placed) {
      const {id, m, x, y, w, h, f, label, rows, columns, words} = placed;
      const size = (share, least = 0) => ({fontSize: Math.max(least, this.least, f * share)});
      const name = [el('b', {}, ...nameNodes(m, sheet, say)), el('small', {}, this.roleOf(placed))];
      const title = put('name', {...size(0.94), top: y + offset - label + Math.round((label - f) / 2) - 1, left: x}, ...name);
      title.firstElementChild.style.color = colourOfName(m);
      if (words === 'above') {
        setLengths(title, {top: y + offset + Math.round((h - f) / 2)});
        title.classList.add('before');
        for (let at = 0; at < columns; at++) put('word above', {left: x + at * w, width: w, top: y + offset - label + 2, height: label - 2, lineHeight: label - 2, ...size(0.8, 11)}, sheet.words[at]).dataset.key = String(at);
      }
      if (words !== 'left') continue;
      const isOwn = this.typedName(m) === 'E' && id === m && !this.isPaper; // on a phone X stands in three places
      for (let row = 0; row < rows; row++) {
        const place = {left: Math.max(0, x - layout.left), width: Math.min(x, layout.left ?? x) - 4, top: y + offset + row * h, height: h, lineHeight: h, ...size(0.84, 11)};
        if (isOwn) parts.push(setLengths(this.fields.field(row, kept), place));
        else put('word', place, sheet.words[row]).dataset.row = String(row);
      }
    }
    for (const {x, y, width, height, sign} of layout.signs) put('operator', {left: x, top: y + offset, width, height, fontSize: Math.max(this.least, layout.f)}, sign);
    for (const note of layout.notes) {
      const node = put('note', {left: note.x, width: note.width, top: 0, height: note.bottom + offset, fontSize: Math.max(12, this.least, Math.min(layout.f * NOTE, this.mostOfNote))}, ...this.state.notes[note.id]);
      node.dataset.note = note.id;
    }
    const keep = new Set(parts);
    for (const node of [...this.names.children]) if (!keep.has(node)) node.remove();
    this.names.append(...parts.filter((node) => node.parentElement !== this.names));
  }

  /** Outline what a cell is made of, with bands from its row and its column, and fade what is beside. */
  mark(at) {
    const {placed} = this.layout;
    const isTurned = at.m === 'K' && !placed.some(({m}) => m === 'K');
    if (isTurned) at = {m: 'KT', row: at.column, column: at.row};
    const result = placed.find((one) => one.m === at.m && one.id !== 'Q2' && one.id !== 'V2') ?? placed.find((one) => one.m === at.m);
    if (!result) return;
    const {left, above, isProduct} = sourcesOf(at, placed);
    const reads = [left, above].filter((read) => read !== undefined);
    const box = ({id, row, column, rows, columns}, colour, pad) => this.box_(this.placedOf(id), {row, column, rows, columns}, colour, pad);
    const marks = reads.map((read) => box(read, colourOfName(this.placedOf(read.id).m), 1));
    marks.push(box({id: result.id, row: at.row, column: at.column, rows: 1, columns: 1}, 'var(--ink)', 1.5));
    const bands = [];
    if (isProduct && left && above) {
      const [L, T] = [this.placedOf(left.id), this.placedOf(above.id)];
      const [x, y] = [result.x + at.column * result.w, result.y + at.row * result.h];
      const [from, down] = [L.x + L.columns * L.w, T.y + T.rows * T.h];
      if (L.y === result.y) bands.push({left: from, top: y, width: x - from, height: result.h});
      if (T.x === result.x && T.w === result.w) bands.push({left: x, top: down, width: result.w, height: y - down});
    }
    this.under.replaceChildren(...bands.map((band) => setLengths(el('div', {class: 'band'}), {...band, top: band.top + this.offset})));
    this.over.replaceChildren(...marks);
    const inside = (id, row, column) => reads.some((read) => read.id === id && row >= read.row && row < read.row + read.rows && column >= read.column && column < read.column + read.columns);
    const faded = new Set(reads.map(({id}) => id));
    for (const [id, {cells}] of this.grids)
      cells.forEach((line, row) => line.forEach((cell, column) => cell.classList.toggle('dim', faded.has(id) && id !== result.id && !inside(id, row, column))));
    const isOfWords = !at.m.startsWith('W');
    for (const word of /** @type {NodeListOf<HTMLElement>} */ (this.names.querySelectorAll('.word'))) {
      const {row, key} = word.dataset;
      word.classList.toggle('picked', isOfWords && (row === String(at.row) || (key === String(at.column) && ['S', 'D', 'A'].includes(at.m))));
    }
    this.stopAt(result.id, at);
  }

  box_({x, y, w, h}, {row, column, rows, columns}, colour, pad) {
    const node = el('div', {class: 'outline'});
    node.style.borderColor = colour;
    return setLengths(node, {left: x + column * w - pad, top: y + this.offset + row * h - pad, width: columns * w + 2 * pad, height: rows * h + 2 * pad});
  }

  /** The cells that a cell reads, by the class that their numbers have in the strip. */
  readsOf(at) {
    const {left, above} = sourcesOf(at, this.layout.placed);
    const cells = (read) => (read ? Array.from({length: read.rows * read.columns}, (_, k) => this.cell(read.id, read.row + Math.floor(k / read.columns), read.column + (k % read.columns))) : []);
    const colour = (read) => (read ? colourOfName(this.placedOf(read.id).m) : '');
    return {reads: {left: cells(left), right: cells(above)}, colours: {left: colour(left), right: colour(above)}};
  }

  /** The element of a cell that is picked. */
  elementOf(at) {
    const one = this.layout.placed.find(({id}) => id === at.m) ?? this.layout.placed.find(({m}) => m === at.m);
    return one ? this.cell(one.id, at.row, at.column) : null;
  }

  /** The Tab key comes to the cell of a matrix that was picked in it last. */
  stopAt(id, {row, column}) {
    const cell = this.cell(id, row, column);
    if (!cell) return;
    for (const line of this.grids.get(id).cells) for (const other of line) other.tabIndex = other === cell ? 0 : -1;
  }

  focused(cell) {
    const {id, row, column} = cell.dataset;
    this.stopAt(id, {row: Number(row), column: Number(column)});
    this.heard.pick(this.at(cell));
  }

  /** The cell beside, by rows and columns; null at the edge. */
  beside(cell, rows, columns) {
    const {id, row, column} = cell.dataset;
    return this.cell(id, Number(row) + rows, Number(column) + columns);
  }

  /** The next cell as one writes, or the one before; null at either end. */
  along(cell, by) {
    const {id, row, column} = cell.dataset;
    const {columns} = this.placedOf(id);
    const at = Number(row) * columns + Number(column) + by;
    return at < 0 ? null : this.cell(id, Math.floor(at / columns), at % columns);
  }

  key(event) {
    const cell = event.target.closest?.('.cell');
    if (!cell || event.isComposing) return;
    this.editor.key(event, cell, this.typedName(this.placedOf(cell.dataset.id).m) !== null);
  }

  /** A block of numbers from a spreadsheet, from the cell on that has the focus. */
  paste(event) {
    const cell = event.target.closest?.('.cell');
    const at = this.at(cell);
    const name = at && this.typedName(at.m);
    if (!name) return;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (this.editor.isOpen && !/[\t\n]/.test(text.trim())) return; // into the field
    event.preventDefault();
    const {rows, columns} = this.placedOf(cell.dataset.id);
    const {block, ...refused} = /** @type {any} */ (pasted(text, rows - at.row, columns - at.column));
    if (!block) return this.editor.refuse(cell, refused);
    this.editor.close(false);
    this.heard.block(at, block);
    cell.focus({preventScroll: true});
  }

  /** The whole matrix, as a spreadsheet takes it. */
  copy(event) {
    const cell = event.target.closest?.('.cell');
    if (!cell || this.editor.isOpen) return;
    const {m} = this.placedOf(cell.dataset.id);
    event.preventDefault();
    event.clipboardData.setData('text/plain', this.state.texts[m].map((line) => line.join('\t').replaceAll('\u2212', '-')).join('\n'));
  }
}

/** The largest size in a matrix, of which colours are a share: scores share one before and after they are divided. */
function mostOf(m, values) {
  if (m === 'A') return 1;
  const of = m === 'D' ? ['S'] : m.startsWith('W') ? ['WQ', 'WK', 'WV', 'WO'] : m === 'KT' ? ['K'] : [m];
  const sizes = of.flatMap((name) => (values[name] ?? []).flat()).map((x) => Math.abs(x ?? 0));
  return Math.max(m.startsWith('W') ? 2 : 1, Math.max(...sizes) / HUNDRED);
}
