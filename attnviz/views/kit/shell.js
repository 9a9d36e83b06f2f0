// What all views share: their lifetime, the room and theme they are drawn in, their language, and what happens where one
// fails.

import {el, onPaper} from './dom.js';
import {learnWords, showFailure} from './failure.js';
import {watchRoom} from './view_height.js';
import {guarded, listenToFailures} from './error_guard.js';
import {asSvg} from './screen_as_svg.js';
import {printOf} from './small_print.js';
import {SIDES} from './spreadsheet.js';
import {noteShell} from './shell_of_element.js';
import {svgContext} from './svg_context.js';
import {themeOf} from './theme.js';

const LEAST = 480; // px of height
const NARROWEST = 80; // px of width: in less, as while a tab is hidden, nothing is drawn
const PROJECTOR = 1.25; // times the lengths of a normal screen
const LOW = 800; // px of a window in which a view that fills it has normal lengths on a projector too: app/shell/frame.py
const PRESENTED = {width: 1130, height: 640}; // px of a window: there the presenter's view has normal lengths, unless a view says its own

/**
 * @typedef {object} View one mounting; shell.signal ends with it, shell.hear(event, act) listens to the host
 * @property {(payload: any) => boolean} take new data, words or theme; whether its parts have to be built anew
 * @property {(signal: AbortSignal) => void} build the parts that depend on words and data, not on the size
 * @property {(at: {k: number, theme: string, room: Room}) => void} draw everything at the size there is
 * @property {() => {title?: string, place?: string, changes?: string[]}} [about] what is on the screen, for a picture of it
 * @property {() => Iterable<unknown>} [sheets] draws what comes on each sheet of paper; without it there is one
 * @property {() => void} [destroy] where something outlives the signals
 * @property {(k: number) => number} [least] px of height at least, where it takes the height of the window
 *
 * @typedef {{width: number, height: number | null, isSide: boolean}} Room height is null where the page may scroll
 *
 * @typedef {object} ViewClass
 * @property {string} css its class
 * @property {boolean} [fills] whether it takes the height of the window
 * @property {{width: number, height: number, most: number}} [presented] px of a window in which its presenter's view has normal lengths, and how many times these are at most
 */

/** The one that a room looks at, if any. Another one may be on its way out of the page. @type {Shell | null} */
let presented = null;

/**
 * Show a payload in `root`. `emit(selection, …)` is told what is picked; null where nobody listens.
 * @param {ViewClass & {new(shell: Shell): View}} View
 */
export function show(View, root, payload, emit) {
  const shell = new Shell(View, root, emit);
  shell.update(payload);
  return shell;
}

class Shell {
  View; root;
  /** The theme while a picture is taken, else null. @type {string | null} */
  paper = null;

  constructor(View, root, emit) {
    Object.assign(this, {View, root, emit, view: null, header: null, isDrawn: false});
    this.say = (id) => this.header.strings[id] ?? ''; // whoever keeps it says the words of what is shown now
    this.room = {width: 0, height: null, isSide: true};
    this.host = {}; // what the host can do: link(), file() and traces, see hosts/streamlit.js
    noteShell(root, this);
    this.end = new AbortController();
    const {signal} = this.end;
    root.classList.add('attnviz', View.css);
    listenToFailures(root, signal, (error) => this.fail(error));
    document.addEventListener('attnviz:skip', (event) => this.takeFocus(event), {signal});
    this.redraw = guarded(root, () => this.perBuild && this.draw()); // at another size, in another theme
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', this.redraw, {signal});
    window.addEventListener('beforeprint', guarded(root, () => this.print()), {signal});
    window.addEventListener('afterprint', guarded(root, () => this.printed()), {signal});
    document.fonts?.ready.then(() => !signal.aborted && this.redraw());
    watchRoom(root, signal, (room) => {
      this.room = room;
      this.redraw();
    });
  }

  /** New data, new words or only a new theme. */
  update(payload) {
    this.payload = payload;
    delete this.root.dataset.ready;
    guarded(this.root, () => this.take(payload))();
  }

  take(payload) {
    const {header} = payload;
    this.header = header;
    this.root.lang = header.lang;
    learnWords(header.strings);
    this.view ??= this.mounted();
    const menus = () => Array.from(this.root.querySelectorAll('.takemenu'));
    const open = menus().find((menu) => menu.matches(':popover-open'));
    if (this.view.take(payload) || !this.perBuild) this.build();
    this.draw();
    // built anew while the person chooses in a menu, the new picture has that menu open
    if (open && !open.isConnected) menus().find((menu) => menu.ariaLabel === open.ariaLabel)?.showPopover();
  }

  destroy() {
    this.leave();
    this.present(false);
    this.end.abort();
    this.root.replaceChildren();
  }

  /** Hear what the host hands over by an event of the document. */
  hear(name, act) {
    document.addEventListener(name, guarded(this.root, ({detail}) => act(detail)), {signal: this.signal});
  }

  /** What is picked, for a page around the view: a notebook's widget hears it also where nobody answers requests. */
  noted(selection) {
    this.root.dispatchEvent(new CustomEvent('attnviz:noted', {bubbles: true, detail: {...selection}}));
  }

  /** The first view of a page takes the focus that skips what stands before it. */
  takeFocus(event) {
    /** @type {HTMLElement[]} */
    const places = Array.from(this.root.querySelectorAll('[role=application], :is(.grid, .sentence) [tabindex="0"]'));
    const place = places.find((node) => node.checkVisibility());
    if (!place || event.defaultPrevented) return;
    event.preventDefault();
    place.focus();
  }

  /** The presenter's view: what a room looks at, over the whole window but what is asked of it, and as large as it allows. */
  present(isPresented) {
    if (!isPresented && presented !== this) return;
    presented?.root.classList.remove('presented');
    presented = isPresented ? this : null;
    presented?.root.classList.add('presented');
    document.body.classList.toggle('av-presents', isPresented); // what is asked stands beside it: app/shell/shell.css
    document.dispatchEvent(new CustomEvent('attnviz:presented'));
  }

  get isPresented() {
    return presented === this;
  }

  mounted() {
    this.life = new AbortController();
    this.signal = this.life.signal;
    return new this.View(this);
  }

  build() {
    this.perBuild?.abort();
    this.perBuild = new AbortController();
    this.view.build(this.perBuild.signal);
  }

  /** Everything, at the size there is. */
  draw() {
    const {root, room, header, View} = this;
    if (root.clientWidth < NARROWEST) return;
    const isLow = View.fills && room.height !== null && window.innerHeight <= LOW;
    const {width, height: high, most = 2} = (!isLow && View.presented) || PRESENTED;
    const presented = Math.min(most, (room.height ?? window.innerHeight) / high, room.width / width);
    const k = Math.max(header.size === 'projector' && !isLow ? PROJECTOR : 1, this.isPresented ? presented : 1);
    const theme = this.paper ?? themeOf(root);
    const least = this.view.least?.(k) ?? LEAST;
    const height = View.fills && room.height !== null ? Math.max(least, room.height) : null;
    Object.assign(root.dataset, {theme, layout: room.isSide ? 'side' : 'stacked'});
    root.style.setProperty('--k', `${k}px`);
    root.style.height = height === null ? '' : `${height}px`;
    this.view.draw({k, theme, room: {...room, height}});
    this.isDrawn = true;
    requestAnimationFrame(() => {
      if (this.isDrawn) root.dataset.ready = this.header.revision;
    });
  }

  /** What a picture of this view says of itself; `what` names it where there are several, `over` what it is measured on. */
  about(what = '', over = '') {
    const {header, view, host} = this;
    const {title = '', where = '', place = '', changes = []} = view.about?.() ?? {};
    const {text = '', sources = [], address = '', lang} = header;
    return {
      software: 'AttnViz',
      title: what || title,
      sentence: text === what ? '' : text, // a chart of a page has no other text
      model: sources.join(SIDES),
      where,
      place,
      over,
      changes: changes.filter(Boolean),
      link: host.link?.() ?? address,
      lang,
    };
  }

  /** An element of this view as an SVG. */
  picture(element, about, theme) {
    return this.onPaper(theme, () => asSvg(element, printOf(about), about));
  }

  /** An element beside this view as an SVG, as it is on the screen. */
  pictureOf(element, about) {
    return asSvg(element, printOf(about), about, getComputedStyle(this.root));
  }

  /** Everything for the printer, in place of the view. */
  print() {
    if (!this.perBuild || this.root.clientWidth < NARROWEST) return;
    const sheet = () => asSvg(this.root, printOf(this.about()), this.about());
    const sheets = this.onPaper('light', () => Array.from(this.view.sheets?.() ?? [null], sheet));
    this.root.append(el('div', {class: 'sheets'}, ...sheets));
    this.root.dataset.theme = 'light';
  }

  printed() {
    this.root.querySelector(':scope > .sheets')?.remove();
    this.redraw();
  }

  /** Draw as for paper: in its theme, as tall as it is, without controls; call `take`, and draw as before. Nobody sees it. */
  onPaper(theme, take) {
    const {root, room} = this;
    const around = scrolledAround(root); // what is drawn for paper may be shorter
    root.classList.add('paper');
    Object.assign(this, {paper: theme, room: {...room, height: null}});
    try {
      return onPaper(svgContext, () => {
        this.draw();
        return take();
      });
    } finally {
      root.classList.remove('paper');
      Object.assign(this, {paper: null, room});
      this.draw();
      for (const [node, top] of around) node.scrollTo({top, behavior: 'instant'});
    }
  }

  /** Leave the view as it is; another one may be mounted in its place. */
  leave() {
    this.isDrawn = false;
    this.view?.destroy?.();
    this.life?.abort();
    this.perBuild?.abort();
    this.view = this.perBuild = null;
  }

  fail(error) {
    console.error(error);
    try {
      this.leave();
    } catch {
      this.view = this.perBuild = null; // what failed may fail again while it ends
    }
    delete this.root.dataset.ready;
    this.root.style.height = '';
    showFailure(this.root, error, () => this.update(this.payload));
  }
}

/** What is scrolled around an element, and how far. @param {Element | null} root @returns {[Element, number][]} */
function scrolledAround(root) {
  /** @type {[Element, number][]} */
  const around = [];
  for (let at = root; at; at = at.parentElement ?? /** @type {ShadowRoot} */ (at.getRootNode()).host) if (at.scrollTop) around.push([at, at.scrollTop]);
  return around;
}
