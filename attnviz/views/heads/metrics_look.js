// All heads in numbers, as a table: what is pressed goes to its head. The dashboard shows any two of them as a chart
// (app/heads/looks/dialog.py).

import {el, listen} from '../kit/dom.js';
import {glyphNode} from '../kit/kind_glyph.js';
import {takeMenu} from '../kit/export_menu.js';
import {fillText} from '../kit/words.js';
import {said, saidError} from './measured_heads.js';
import {headAt, headName} from './several_heads.js';

const MOST = 400; // rows of the table

export class MetricsLook {
  say; act; measured; picked;

  constructor({say, act}) {
    Object.assign(this, {say, act, sorted: ''});
    this.table = el('div', {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': say('view-heads-numbers-table')});
    listen(this.table, 'click', ({target}) => this.go(target.closest('[data-index]')));
    this.note = el('p', {class: 'caption'});
    this.about = el('details', {}, el('summary', {}, say('view-heads-numbers-about')), (this.kinds = el('div', {class: 'definitions'})));
    const take = takeMenu({say, what: say('view-heads-numbers-table'), rows: () => this.rows(), file: () => 'attnviz-heads-numbers'});
    const charts = el('button', {type: 'button', class: 'choice', click: () => act.charts(this.measured.source)}, say('view-heads-numbers-charts'));
    this.node = el('div', {class: 'metricslook', 'data-picture': ''}, el('div', {class: 'lookbar'}, charts, el('span', {class: 'taken'}, ...take)), this.table, this.note, this.about);
  }

  show({overview, picked}) {
    const {measured} = overview;
    this.picked = picked;
    this.node.hidden = !measured;
    if (!measured) return;
    if (this.measured !== measured) this.take(measured);
    this.reveal();
  }

  /** Mark the picked head's row, and scroll to it where it is not whole or in the fade. */
  reveal() {
    this.table.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const row = this.table.querySelector(`tr[data-index="${this.index}"]`);
    if (!row) return;
    row.setAttribute('aria-current', 'true');
    const [ends, ...seen] = [row, this.table, this.node.parentElement].map((node) => node.getBoundingClientRect().bottom);
    const top = row.offsetTop - this.table.querySelector('thead').offsetHeight;
    const below = ends + row.offsetHeight - Math.min(...seen);
    if (top < this.table.scrollTop) this.table.scrollTop = top;
    else if (below > 0) this.table.scrollTop += below;
  }

  get index() {
    return this.picked.layer * this.measured.heads + this.picked.head;
  }

  /** Another measurement: its metrics, its table and its definitions. */
  take(measured) {
    this.measured = measured;
    this.metrics = measured.metrics.filter(({why}) => !why);
    this.fill();
    this.kinds.replaceChildren(...this.definitions());
  }

  go(node) {
    if (node) this.act.seekHead(headAt(Number(node.dataset.index), this.measured.heads));
  }

  nameOf(index) {
    return headName(headAt(index, this.measured.heads));
  }

  /** Each head as a row, with the names of all metrics over them. */
  rows() {
    const {measured, metrics, say} = this;
    const row = (index) => [this.nameOf(index), measured.kindOf(index).title, ...metrics.map(({name}) => measured.value(name, index))];
    return [[say('view-heads-numbers-head'), say('view-heads-kinds'), ...metrics.map(({title}) => title)], ...Array.from({length: measured.size}, (_, index) => row(index))];
  }

  /** The table; the column that was pressed is sorted by, the largest first, and a second press gives the order of the model. */
  fill() {
    const {measured, metrics, sorted, say} = this;
    const heading = ({name, title, says}) => {
      const press = () => {
        this.sorted = sorted === name ? '' : name;
        this.fill();
        this.table.querySelector(`[data-metric="${name}"]`).focus();
        if (this.sorted) this.table.scrollTop = 0; // the largest are what was asked for
        else this.reveal();
      };
      return el('th', {scope: 'col', 'aria-sort': sorted === name ? 'descending' : 'none'}, el('button', {type: 'button', 'data-metric': name, title: says, click: press}, title));
    };
    const order = sorted ? measured.order(sorted) : Array.from({length: measured.size}, (_, index) => index);
    const row = (index) => {
      const kind = measured.kindOf(index);
      const name = el('button', {type: 'button', class: 'lead'}, this.nameOf(index));
      return el('tr', {'data-index': index}, el('th', {scope: 'row'}, glyphNode(kind), name, el('span', {class: 'kindname'}, kind.title)), ...metrics.map((metric) => this.cell(metric, index)));
    };
    const head = el('tr', {}, el('th', {scope: 'col'}, say('view-heads-numbers-head')), ...metrics.map(heading));
    this.table.replaceChildren(el('table', {}, el('thead', {}, head), el('tbody', {}, ...order.slice(0, MOST).map(row))));
    this.note.textContent = order.length > MOST ? fillText(say('view-heads-numbers-part'), {shown: MOST, n: order.length}) : '';
  }

  cell({name, unit}, index) {
    const {measured} = this;
    const error = measured.error(name, index);
    const beside = Number.isNaN(error) ? null : el('small', {title: this.say('view-heads-error')}, ` ± ${saidError(unit, error)}`);
    return el('td', {class: 'number'}, said(unit, measured.value(name, index)), beside);
  }

  /** What every kind and metric means. */
  definitions() {
    const {measured, say} = this;
    const kind = (one) => {
      const metric = one.metric && measured.metric(one.metric);
      const least = metric ? fillText(say('view-heads-kinds-least'), {metric: metric.title, least: one.least}) : '';
      return [el('dt', {}, glyphNode(one), one.title), el('dd', {}, one.says, least ? el('span', {class: 'caption'}, ` ${least}`) : null)];
    };
    const metric = ({title, formula, says, source}) => [el('dt', {}, title), el('dd', {}, formula ? el('code', {lang: 'en'}, formula) : null, ' ', says, el('span', {class: 'caption', lang: 'en'}, ` ${source}`))];
    return [
      el('p', {class: 'caption'}, say('view-heads-kinds-order')), el('dl', {}, ...measured.kinds.flatMap(kind)),
      el('p', {class: 'caption'}, say('view-heads-metrics-how')), el('dl', {}, ...measured.metrics.flatMap(metric)),
    ];
  }
}
