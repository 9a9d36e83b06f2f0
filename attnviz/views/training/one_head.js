// One head's map with its tokens on both axes; the known answer of the person's own text is outlined.

import {paintCells} from '../kit/cells.js';
import {colourOf} from '../kit/colour.js';
import {el, setLengths} from '../kit/dom.js';
import {PAGES, stepOf} from '../kit/keyboard.js';
import {Matrix, evenPlace} from '../kit/matrix.js';
import {namesIn, tokenNames} from '../kit/matrix_names.js';
import {clamp, fmt} from '../kit/number.js';
import {widestToken} from '../kit/token.js';
import {cellGeometry} from './heads_layout.js';

const FADED = 0.36;
const DENSE = 17; // px: on narrower cells the names go without the number of their occurrence

export class Detail {
  holder; say; run; k; theme; place; shown;
  /** @type {{row: ReturnType<typeof tokenNames>, column: ReturnType<typeof tokenNames>}} */
  names;

  /** `act` has hover(cell or null) and pick(cell), {query, key} each, and move(dQuery, dKey). */
  constructor(holder, {say, signal, act}) {
    Object.assign(this, {holder, say});
    const cellAt = (at) => at && this.isSeen(at.row, at.column) ? {query: at.row, key: at.column} : null;
    this.matrix = new Matrix({say, signal, label: say('view-training-cells'), own: (event) => (event.key in PAGES ? null : stepOf(event)), act: {
      hover: (at) => act.hover(cellAt(at)),
      pick: (at) => cellAt(at) && act.pick(cellAt(at)),
      step: (down, right) => act.move(down, right),
    }});
    this.sheet = el('div', {class: 'matrix'}, this.matrix.stop);
    holder.replaceChildren(this.sheet);
  }

  isSeen(query, key) {
    return !this.run.isCausal || key <= query;
  }

  /** Lay out the tokens of a run; `height` is null where the page may scroll. */
  layout(run, {k, theme, height, family}) {
    const {queries, keys, n, m, isCausal} = run;
    const width = this.holder.clientWidth;
    const isDense = Math.min(width / m, (height ?? Infinity) / n) < DENSE * k;
    const widest = (tokens) => (tokens.length ? 12.5 * k * widestToken(isDense ? tokens.map(({text}) => ({text})) : tokens, family) : 0);
    const wide = {
      row: widest(queries),
      column: widest(keys.filter(({special}) => !special)),
      added: widest(keys.filter(({special}) => special)),
    };
    const isAddedFirst = keys.every(({special}, i) => !special || i === 0);
    const place = cellGeometry({width, height, n, m, k, wide, isCausal, isAddedFirst});
    Object.assign(this, {run, k, theme, place});
    const {sheet, matrix} = this;
    for (const names of Object.values(this.names ?? {})) names.clear();
    const added = place.isUpright ? 'turned upright' : place.isLeading ? 'leading' : '';
    this.names = {
      row: tokenNames(sheet, 'row', queries, this.say),
      column: tokenNames(sheet, 'column', keys, this.say, ({special}) => (special ? added : '')),
    };
    sheet.classList.toggle('level', !place.isTurned);
    sheet.classList.toggle('dense', isDense);
    const most = (isDense ? 11.5 : 12.5) * k;
    sheet.style.setProperty('--font', `${clamp(0.9 * place.h, 9.5 * k, most)}px`); // Han characters fill their squares
    sheet.style.height = height === null ? `${place.height + 4}px` : '';
    setLengths(matrix.stop, {left: place.x0, top: place.y0});
    this.cells = evenPlace({rows: n, columns: m, cw: place.w, ch: place.h});
    this.shown = null;
    matrix.lay(this.cells, {k});
  }

  /** Draw head (layer, head) at checkpoint c. `focus` = {query, key} is framed; the other rows fade if `isAlone`. */
  show(c, layer, head, answer, focus, isAlone) {
    const {run, cells, theme, k, matrix} = this;
    const shown = `${c} ${layer} ${head}`;
    if (this.shown && this.shown !== shown) matrix.fade();
    this.shown = shown;
    const weightAt = (query, key) => run.weight(c, layer, head, query, key);
    paintCells(matrix.clear(), cells, {
      rows: [0, run.n],
      columns: [0, run.m],
      colourAt: (query, key) => (this.isSeen(query, key) ? colourOf('weights', weightAt(query, key), 1, theme) : undefined),
      textAt: (query, key) => fmt(weightAt(query, key)),
      alphaAt: isAlone ? (query) => (query === focus.query ? 1 : FADED) : null,
      k,
    });
    this.sheet.dataset.answer = run.answers[answer];
    const colour = getComputedStyle(this.sheet).getPropertyValue('--paint');
    const expected = run.expected[answer].flatMap(([row, keys]) => keys.map((column) => ({row, column, colour, ground: null, isInside: true})));
    matrix.mark([...expected, {row: focus.query, column: focus.key}]);
    this.name(focus);
  }

  name({query, key}) {
    const {run, place, names, k} = this;
    const shown = (tokens, pitch, gap, always) => namesIn(tokens, [0, tokens.length], pitch, gap * k, [always]);
    const top = (i) => `${place.y0 + (i + 0.5) * place.h}px`;
    names.row.show(shown(run.queries, place.h, place.gap.row, query), (i) => ({top: top(i), width: `${place.x0 - 8 * k}px`}), {marked: [query]});
    const left = (i) => `${place.x0 + (i + 0.5) * place.w}px`;
    names.column.show(shown(run.keys, place.w, place.gap.column, key), (i) => ({left: left(i), top: `${place.y0 - 6 * k}px`}), {marked: [key]});
  }
}
