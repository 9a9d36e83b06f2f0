// Sentences, facts and tables: text that the browser lays out by itself.

import {el} from '../kit/dom.js';
import {takeMenu} from '../kit/export_menu.js';
import {barPlaces} from './block_layout.js';

const NUMBER = /^[−+]?(?:[\d.]|∞)|^–?$|^<\d/;

export const prose = ({text, lead: place = null}, lead) => el('p', {class: 'prose'}, named(text, lead && place, lead));

export function facts({facts}) {
  const one = ({name, value, note}) =>
    el('div', {}, el('dt', {}, name), el('dd', {class: 'value'}, value), note ? el('dd', {class: 'note'}, note) : null);
  return el('dl', {class: 'facts'}, ...facts.map(one));
}

/** A table with its name and its menu; `lead` as of Blocks, `taken` gives its rows as they leave the page. */
export function table(block, say, lead = null, taken = () => [block.columns, ...takenRows(block.rows, block.bars ?? [])]) {
  const {title} = block;
  return el('figure', {class: 'table', 'data-picture': ''}, heading(title, takeMenu({say, what: title, rows: taken})), rowsOf(block, lead));
}

/** The rows of a table; columns of numbers are set flush right, the row that is pointed out stands in ink. */
export function rowsOf({title, columns, rows, marked, bars = /** @type {number[]} */ ([]), leads = []}, lead = null) {
  const drawn = barsOf(bars);
  const isNumber = columns.map((_, column) => rows.every((row) => NUMBER.test(row[column])));
  const kind = (column) => (isNumber[column] ? 'number' : null);
  const headOf = (name, column) =>
    name ? el('th', {scope: 'col', class: kind(column)}, name) : el('td', {class: kind(column)});
  const head = columns.map(headOf);
  const body = rows.map((row, at) => {
    const cells = row.map((text, column) =>
      column === 0
        ? el('th', {scope: 'row', class: kind(0)}, named(text, lead && leads[at], lead))
        : el('td', {class: kind(column)}, el('bdi', {}, text)),
    );
    return el('tr', at === marked ? {class: 'marked', 'aria-current': 'true'} : {}, ...cells, drawn?.[at]);
  });
  return el(
    'div',
    {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': title || columns.filter(Boolean).join(', ')},
    el('table', isNumber.some(Boolean) ? {} : {class: 'words'}, el('thead', {}, el('tr', {}, ...head, drawn && el('td'))), el('tbody', {}, ...body)),
  );
}

/**
 * Rows as they leave the page: a number that has a bar in full, signs as programs read them.
 * @param {string[][]} rows
 * @param {number[]} bars
 */
export const takenRows = (rows, bars) =>
  rows.map((row, at) =>
    row.map((text, column) => {
      if (bars.length && column === row.length - 1) return bars[at];
      return column && NUMBER.test(text) ? text.replace('−', '-').replace(/^\+/, '') : text;
    }),
  );

/** What a row is about; a button where it leads somewhere. */
function named(text, place, lead) {
  const name = el('bdi', {}, text);
  return place ? el('button', {type: 'button', class: 'lead', click: () => lead(place)}, name) : name;
}

/** A cell with a bar for each number, all from one zero line; null where a table has none. The numbers stand beside them. */
function barsOf(bars) {
  if (!bars.length) return null;
  const {zero, places} = barPlaces(bars);
  const part = (className, from, width = 0) => {
    const node = el('span', {class: className});
    Object.assign(node.style, {left: `${100 * from}%`, width: width ? `${100 * width}%` : null});
    return node;
  };
  const bar = (value, {from, width}) => (width ? part(value < 0 ? 'below' : 'above', from, width) : null);
  return bars.map((value, at) => el('td', {class: 'bar', 'aria-hidden': 'true'}, el('div', {}, bar(value, places[at]), part('zero', zero))));
}

/** The line over a figure: its name, and what can be done with it. */
export const heading = (title, ...tools) =>
  el('figcaption', {class: 'head'}, title ? el('h3', {class: 'name'}, title) : null, el('span', {class: 'space'}), ...tools);
