// The one menu that takes a picture away: as a picture, as numbers, or with the whole page. Every view's is this one.

import {canCopyPictures, copyPicture, copyText, saveFile} from './clipboard.js';
import {el, icon, listen, setLengths} from './dom.js';
import {pngOf, svgText} from './picture_file.js';
import {shellOf} from './shell_of_element.js';
import {toCsv, toJson, toTsv, withFacts} from './spreadsheet.js';

const ICON = 'M8 2.8v7M5 7.2l3 3 3-3M3.2 12.8h9.6';
const BYTE_ORDER = '\ufeff'; // spreadsheets read UTF-8 by it
const GAP = 4; // px between the button and its menu

/** The column headings of a table with one line per cell. */
export const lineHeadings = (say) => ['row', 'query', 'column', 'key'].map((name) => say(`view-kit-table-${name}`));

/**
 * A button and its menu, for the picture it lies in: the nearest element around it with `data-picture`, or the view.
 * `rows()` gives the table, null while its numbers are not here; `what` names the picture where a view has several;
 * `file()` is the name of its files, `over()` says what its numbers are measured on where that is not the text alone.
 * `plotly()` gives a figure of plotly's as JSON, and where one stands beside the view, the element it is drawn in.
 * @param {{say: any, rows: any, what?: string, file?: () => string, over?: () => string, plotly?: (() => any) | null}} facts
 */
export function takeMenu({say, rows, what = '', file = () => 'attnviz', over = () => '', plotly = null}) {
  const label = [say('view-kit-take'), what].filter(Boolean).join(say('view-kit-list-separator'));
  const facts = {type: 'button', class: 'tool take', 'aria-label': label, 'aria-haspopup': 'true', title: label};
  const button = el('button', facts, icon(ICON));
  const menu = el('div', {class: 'takemenu', popover: 'auto', role: 'group', 'aria-label': label});
  button.popoverTargetElement = menu;
  listen(menu, 'beforetoggle', (event) => {
    if (event.newState !== 'open') {
      if (menu.matches(':focus-within')) button.focus();
      return;
    }
    unseen(menu);
    new Menu({say, rows, what, file, over, plotly: plotly?.(), button, menu}).fill();
  });
  listen(menu, 'keydown', (event) => event.key === 'Escape' && event.stopPropagation()); // it closes the menu, and not the dialog around it
  listen(menu, 'toggle', (event) => event.newState === 'open' && place(menu, button));
  return [button, menu];
}

/** A popover that opens is seen once `place` has put it where it belongs. */
export const unseen = (menu) => menu.style.setProperty('visibility', 'hidden');

/** Under the button, inside the window. */
export function place(menu, button) {
  const [size, {right, bottom, top}] = [menu.getBoundingClientRect(), button.getBoundingClientRect()];
  const hasRoom = bottom + GAP + size.height <= window.innerHeight;
  const above = Math.max(GAP, top - size.height - GAP);
  setLengths(menu, {left: Math.max(GAP, right - size.width), top: hasRoom ? bottom + GAP : above});
  menu.style.removeProperty('visibility');
  menu.querySelector('button')?.focus();
}

class Menu {
  say; rows; what; file; over; plotly; button; menu;

  constructor(parts) {
    Object.assign(this, parts);
    this.shell = shellOf(this.button);
    this.about = this.shell.about(this.what, this.over());
  }

  fill() {
    const {say, menu, shell} = this;
    const cells = this.rows();
    const t = (name) => say(`view-kit-take-${name}`);
    this.isDark = el('input', {type: 'checkbox'});
    this.said = el('p', {class: 'caption', role: 'status'}, cells ? '' : t('waits'));
    const table = cells && withFacts(cells, this.about);
    const {file, traces = []} = shell.host;
    const trace = ({name, ending, bytes}) => [
      [t('trace'), name].filter(Boolean).join(' '),
      async () => saveFile(await bytes(this.about), this.name(ending)),
    ];
    const groups = {
      picture: {
        PNG: async () => saveFile(await this.png(), this.name('png'), 'image/png'),
        SVG: async () => saveFile(await svgText(this.picture()), this.name('svg'), 'image/svg+xml'),
        [say('view-kit-take-copy')]: canCopyPictures() && (() => copyPicture(this.png())),
      },
      numbers: {
        CSV: cells && (() => saveFile(BYTE_ORDER + toCsv(table), this.name('csv'), 'text/csv;charset=utf-8')),
        ...(this.plotly && {[t('plotly')]: () => saveFile(this.plotly.json, this.name('plotly.json'), 'application/json')}),
        JSON: cells && (() => saveFile(toJson(cells, this.about), this.name('json'), 'application/json')),
        [say('view-kit-copy')]: cells && (() => copyText(toTsv(cells), menu)),
      },
      page: {
        ...(file ? {HTML: async () => saveFile(await file(this.about), this.name('html'), 'text/html')} : {}),
        ...Object.fromEntries(traces.map(trace)),
        [t('print')]: () => (menu.hidePopover(), window.print()),
      },
    };
    const row = ([name, acts]) => {
      const caption = el('span', {class: 'caption'}, t(name));
      const items = Object.entries(acts).map(([words, act]) => this.item(words, act));
      const dark = name === 'picture' && !this.plotly?.element ? el('label', {}, this.isDark, t('dark')) : null;
      return el('div', {class: 'row', role: 'group', 'aria-label': t(name)}, caption, ...items, dark);
    };
    menu.replaceChildren(...Object.entries(groups).map(row), this.said);
  }

  /** One way; it is not to be had where there is no `act`. */
  item(words, act) {
    const button = el('button', {type: 'button', class: 'button choice', disabled: act ? null : ''}, words);
    listen(button, 'click', async () => {
      const {say} = this;
      this.said.textContent = '';
      try {
        await act();
        this.said.textContent = say('view-kit-take-done');
      } catch (error) {
        this.said.textContent = `${say('view-kit-take-failed')} ${/** @type {Error} */ (error).message}`;
      }
    });
    return button;
  }

  name(ending) {
    return `${this.file()}.${ending}`;
  }

  picture() {
    if (this.plotly?.element) return this.shell.pictureOf(this.plotly.element, this.about); // drawn by plotly, as on the screen
    const element = this.button.closest('[data-picture]') ?? this.shell.root;
    return this.shell.picture(element, this.about, this.isDark.checked ? 'dark' : 'light');
  }

  png() {
    return pngOf(this.picture(), this.about);
  }
}
