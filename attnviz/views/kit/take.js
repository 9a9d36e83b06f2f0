// The buttons that take a table away: onto the clipboard, or as a file.

import {copyText, saveText} from './clipboard.js';
import {el, icon, listen} from './dom.js';
import {toCsv, toTsv} from './spreadsheet.js';

const SAID_MS = 1800;
const DONE = 'M3.5 8.5l3 3 6-7';
const ICONS = {copy: 'M6 6h7v7H6zM3.2 10V3.2H10', save: 'M8 2.8v7M5 7.2l3 3 3-3M3.2 12.8h9.6'};

/** What stands over the columns of a table that has a line for each cell. */
export const lineHeadings = (say) => ['row', 'query', 'column', 'key'].map((name) => say(`view-kit-table-${name}`));

/** A button by its name, copy or save; `what` names the table where there are several. */
function button(name, say, what) {
  const label = [say(`view-kit-${name}`), what].filter(Boolean).join(say('view-kit-list-separator'));
  return el('button', {type: 'button', class: 'tool', 'aria-label': label, title: label}, icon(ICONS[name]));
}

/** A button that copies a table, and what says so aloud. `rows()` gives the cells, null while they are not here. */
export function copyButton({say, rows, what = ''}) {
  const node = button('copy', say, what);
  const spoken = el('span', {class: 'unseen', role: 'status'});
  let timer = 0;
  const show = (path, words) => {
    node.replaceChildren(icon(path));
    spoken.textContent = words;
  };
  listen(node, 'click', async () => {
    const cells = rows();
    if (!cells) return;
    await copyText(toTsv(cells), node.parentElement);
    show(DONE, say('view-kit-copied'));
    clearTimeout(timer);
    timer = setTimeout(() => show(ICONS.copy, ''), SAID_MS);
  });
  return [node, spoken];
}

/** A button that saves a table as `file().csv`. */
export function saveButton({say, rows, file, what = ''}) {
  const node = button('save', say, what);
  listen(node, 'click', () => {
    const cells = rows();
    if (cells) saveText(toCsv(cells), `${file()}.csv`, 'text/csv');
  });
  return node;
}
