// A matrix as a table on the clipboard, or as a file: heads and places counted from 0, and the corner says so.

import {copyText, saveText} from '../kit/clipboard.js';
import {el, svg} from '../kit/dom.js';
import {named} from '../kit/words.js';
import {shortest, toCsv, toTsv} from '../heads/table.js';

const SAID_MS = 1800;
const ICONS = {copy: 'M6 6h7v7H6zM3.2 10V3.2H10', save: 'M8 2.8v7M5 7.2l3 3 3-3M3.2 12.8h9.6', done: 'M3.5 8.5l3 3 6-7'};

/** The two buttons of one matrix. `rows()` gives its cells, null while they are not here; `file()` a name. */
export function takeButtons({say, what, rows, file}) {
  const button = (name) => {
    const label = `${say(`view-compare-${name}`)}${say('view-kit-list-separator')}${what}`;
    return el('button', {type: 'button', class: 'tool', 'aria-label': label, title: label}, icon(ICONS[name]));
  };
  const [copy, save] = [button('copy'), button('save')];
  const spoken = el('span', {class: 'unseen', 'aria-live': 'polite'});
  let timer = 0;
  copy.addEventListener('click', async () => {
    if (!rows()) return;
    await copyText(toTsv(rows()), copy.parentElement);
    copy.replaceChildren(icon(ICONS.done));
    spoken.textContent = say('view-compare-copied');
    clearTimeout(timer);
    timer = setTimeout(() => (copy.replaceChildren(icon(ICONS.copy)), (spoken.textContent = '')), SAID_MS);
  });
  save.addEventListener('click', () => rows() && saveText(toCsv(rows()), `${file()}.csv`, 'text/csv'));
  return [copy, save, spoken];
}

function icon(path) {
  return svg('svg', {viewBox: '0 0 16 16', 'aria-hidden': 'true', class: 'icon'}, svg('path', {d: path}));
}

/** A map: rows are queries, columns keys; of a long text a line for each block, with the cell that differs most. */
export function tableOf(numbers, units, valueOf, corner, words) {
  if (numbers.side === numbers.n) return [[corner, ...units.map(named)], ...units.map((unit, row) => [named(unit), ...units.map((_, column) => shortest(valueOf(row * numbers.n + column)))])];
  const lines = Array.from({length: numbers.side ** 2}, (_, i) => {
    const {query, key} = numbers.cellOf(i);
    return [String(query), named(units[query]), String(key), named(units[key]), shortest(valueOf(i))];
  });
  return [[words.row, words.query, words.column, words.key, corner], ...lines];
}

/** Every head of A down, every head of B across, in bits. */
export function alikeTable(js, {a, b}, corner) {
  const name = (side, heads, number) => `${side.sites[heads.layer(number)]} ${heads.place(number)[1]}`;
  const columns = Array.from({length: b.heads.n}, (_, i) => name(b, b.heads, i));
  return [[corner, ...columns], ...Array.from({length: a.heads.n}, (_, row) => [name(a, a.heads, row), ...columns.map((_, column) => shortest(js[row * b.heads.n + column]))])];
}
