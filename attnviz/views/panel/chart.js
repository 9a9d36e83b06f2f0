// The numbers of a chart, and the one menu that takes it away. The dashboard draws its figure over them
// (app/host/component.py); a file of its own has no figure and shows the numbers at once.

import {el} from '../kit/dom.js';
import {takeMenu} from '../kit/export_menu.js';
import {rowsOf, table} from './text_blocks.js';
import {count, figure} from './number_text.js';

const FIGURE = '[class*="st-key-figure-"]'; // around a figure and these numbers

/** A block of a chart; `figure` of it is plotly's JSON where a figure stands over it, else "". */
export function chart({title, x, x_title: xTitle, curves, figure: json, marked, names = [], names_title: namesTitle}, say) {
  const heads = [...(names.length ? [namesTitle] : []), xTitle, ...curves.map(({name}) => name)];
  const axis = names.length ? figure : count; // of each thing a number, else what is counted or chosen
  const read = (at, point) => [...names.slice(point, point + 1), axis(at), ...curves.map(({y}) => (y[point] === null ? '–' : figure(y[point])))];
  const block = {title, columns: heads, rows: x.map(read), marked};
  const rows = () => [heads, ...x.map((at, point) => [...names.slice(point, point + 1), at, ...curves.map(({y}) => y[point])])];
  if (!json) return table(block, say, null, rows);
  const [button, menu] = takeMenu({say, what: title, rows, plotly: () => ({json, element: button.closest(FIGURE)?.querySelector('.js-plotly-plot')})});
  const folded = el('details', {}, el('summary', {}, say('view-panel-numbers')), rowsOf(block));
  return el('div', {class: 'numbers'}, folded, button, menu);
}
