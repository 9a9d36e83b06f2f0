// Sentences, facts and tables: text that the browser lays out by itself.

import {el, svg} from '../kit/dom.js';
import {copyText} from '../kit/clipboard.js';
import {tableOf} from './text.js';

const COPIED_MS = 1600;
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
  const copy = copyButton(() => tableOf([columns, ...rows]), say);
  return el('figure', {class: 'table'}, heading(title, copy), scroll);
}

/** The line over a figure: its name, and what can be done with it. */
export const heading = (title, ...tools) =>
  el('figcaption', {class: 'head'}, title ? el('h3', {class: 'name'}, title) : null, el('span', {class: 'space'}), ...tools);

/** A button that puts a table on the clipboard and says so. */
export function copyButton(text, say) {
  const picture = svg('path', {d: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M6.5 3.5v9'});
  const icon = svg('svg', {viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': 'true'}, picture);
  const name = say('view-panel-copy');
  const button = el('button', {type: 'button', class: 'tool', 'aria-label': name, title: name}, icon);
  button.addEventListener('click', async () => {
    await copyText(text(), button.parentElement);
    button.title = say('view-panel-copied');
    button.classList.add('done');
    setTimeout(() => {
      button.title = name;
      button.classList.remove('done');
    }, COPIED_MS);
  });
  return button;
}
