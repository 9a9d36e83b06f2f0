// Sentences, facts and tables: text that the browser lays out by itself.

import {el} from '../kit/dom.js';
import {copyButton} from '../kit/take.js';

const NUMBER = /^[−+]?(?:[\d.]|∞)|^–?$|^<\d/;

export const prose = ({text}) => el('p', {class: 'prose'}, text);

export function facts({facts}) {
  const one = ({name, value, note}) =>
    el('div', {}, el('dt', {}, name), el('dd', {class: 'value'}, value), note ? el('dd', {class: 'note'}, note) : null);
  return el('dl', {class: 'facts'}, ...facts.map(one));
}

/** A table; columns of numbers are set flush right, the row that is pointed out stands in ink. */
export function table({title, columns, rows, marked}, say) {
  const isNumber = columns.map((_, column) => rows.every((row) => NUMBER.test(row[column])));
  const kind = (column) => (isNumber[column] ? 'number' : null);
  const headOf = (name, column) =>
    name ? el('th', {scope: 'col', class: kind(column)}, name) : el('td', {class: kind(column)});
  const head = columns.map(headOf);
  const body = rows.map((row, at) => {
    const cells = row.map((text, column) =>
      column === 0
        ? el('th', {scope: 'row', class: kind(0)}, el('bdi', {}, text))
        : el('td', {class: kind(column)}, el('bdi', {}, text)),
    );
    return el('tr', at === marked ? {class: 'marked', 'aria-current': 'true'} : {}, ...cells);
  });
  const scroll = el(
    'div',
    {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': title || columns.filter(Boolean).join(', ')},
    el('table', {}, el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...body)),
  );
  return el('figure', {class: 'table'}, heading(title, copyButton({say, rows: () => [columns, ...rows]})), scroll);
}

/** The line over a figure: its name, and what can be done with it. */
export const heading = (title, ...tools) =>
  el('figcaption', {class: 'head'}, title ? el('h3', {class: 'name'}, title) : null, el('span', {class: 'space'}), ...tools);
