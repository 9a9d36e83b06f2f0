// The address bar. Python says what is asked (model, text, language …), views say what is picked (head, token, step …);
// only this writes either, so neither ever overwrites the other. No view is known here.
//
// What is asked makes an entry in the browser's history, what is picked replaces the one that is there. When the person
// goes back or forward, `opened` counts it: what Python asks before it has heard of that is not written any more. Nor is
// what it asks for a page that was left meanwhile.

import {ALONG, QUIET, kept} from './link.js';
import {kept as keptHere} from './storage.js';
import {OWN} from './visit.js';

const LESSONS = 'lessons'; // draws the pictures of other pages, with questions of its own
const PICK_MS = 200; // between two writes of picks: browsers refuse more than a few hundred in a minute
/** @type {(page: string, said: Record<string, string | null>) => boolean} */
const saysModel = (page, said) => page !== LESSONS && Boolean(said.model);
const leadsClass = () => Boolean(keptHere('sessionStorage', 'attnviz.room')?.secret);

export class Address {
  /** @param {Window} window */
  constructor(window) {
    this.window = window;
    this.session = null; // of the server: another one has heard of nothing yet
    this.page = null; // where the asked values were last written
    this.opened = 0; // how often the person went back or forward
    this.query = ''; // the query that was opened last
    this.left = null; // the path that the address had before its last change; null where the browser does not tell
    this.isOtherPage = false; // what was opened last may be on another page than the one that was left
    this.isSettling = false; // what Python asks next is what was opened, corrected where it has to be: no new entry
    this.isPassing = false; // the same until the person presses something
    this.going = this.#pathOf(window.document.activeElement); // of the link that was pressed last, maybe before this was there
    this.last = {}; // of what goes along to other pages: what the last page with a model said
    this.offered = {}; // a head and a row that a page showed and nobody picked, and of which model and text
    this.listeners = new Set(); // of Back and Forward
    this.readers = new Set(); // of all that the address says
    this.waiting = null; // picks not yet written, and the path they belong to
    this.timer = 0;
    this.isBare = false; // the page has no picture: one that was left may still be loading, and writes nothing
    const {navigation} = /** @type {any} */ (window);
    navigation?.addEventListener('currententrychange', ({from}) => {
      this.left = new URL(from.url).pathname;
      this.#tell();
    });
    navigation?.addEventListener('navigate', (event) => {
      const {navigationType, destination} = event;
      if (navigationType === 'push' && destination.sameDocument && this.#isPassed(destination.url)) event.preventDefault();
    });
    window.addEventListener('popstate', () => this.#open());
    this.#hear(this.#params());
    window.addEventListener('pagehide', () => this.flush());
    window.addEventListener('click', (event) => this.#press(event), {capture: true}); // it may lead to another page
  }

  /** Whose asked values are to come; a server that was started anew begins with the link as it is. */
  begin(session, isBare = this.isBare) {
    this.isBare = isBare;
    if (this.session !== session) this.opened = 0;
    this.session = session;
  }

  /**
   * Write what Python asks. Names with an empty value leave the link.
   *
   * @param {string} page that asks, as Python names it
   * @param {Record<string, string>} values every name that Python owns on this page
   * @param {number} heard the last `opened` that Python has heard of
   * @param {string[] | null} picked names of this page that views own: they stay while the same thing is asked
   */
  ask(page, values, heard, picked) {
    if (!this.isLeaving) this.going = null; // it has come
    if (heard < this.opened || page !== this.here || (picked && this.isBare)) return;
    const {pathname, search} = this.window.location;
    const before = search ? this.#params() : new URLSearchParams(this.along(page, values) ?? {});
    if (!search) this.page = null; // our navigation came here, from wherever
    const isOther = Object.entries(values).some(([name, value]) => !QUIET.includes(name) && (before.get(name) ?? '') !== value);
    const said = Object.fromEntries(before);
    const stays = isOther && this.page === pathname ? Object.entries(kept(said, said, values)).filter(([name]) => OWN.includes(name) || !picked?.includes(name)) : Object.entries(said);
    const from = saysModel(page, values) ? '' : before.get('from') || this.#carried();
    const after = merged(new URLSearchParams(stays), {...values, from, ...(!leadsClass() && {told: ''})}); // who shares a link of a lesson gives no answer away
    const isNew = isOther && this.page === pathname && !this.isSettling;
    this.page = pathname;
    this.isSettling = this.isPassing = false;
    this.#write(after, isNew);
    this.#tell();
  }

  /**
   * What the page before said of what goes along, as far as it holds for what is asked on this one; null unless the person
   * comes here by our navigation, which leads to a page without a query. A page without a model, and a lesson, take none of
   * it: their layers and texts are others. They carry it in their link, as one value.
   */
  along(page, asked) {
    if (this.window.location.search || page !== this.here || !saysModel(page, asked)) return null;
    const said = this.#said();
    return kept(said, said, asked);
  }

  /** What the last page with a model said, with what it showed where nobody picked. */
  #said() {
    const {model, text, layer} = this.last;
    const isOffered = !layer && model === this.offered.model && text === this.offered.text;
    return isOffered ? {...this.offered, ...this.last} : this.last;
  }

  /** The same as a query, in which only what would divide it is written in code: it is written so once more in the link. */
  #carried() {
    return Object.entries(this.#said()).map(([name, value]) => `${name}=${value.replace(/[%&+]/g, encodeURIComponent)}`).join('&');
  }

  /** What the page shows where nobody picked a head, counted from 0: the page that follows shows it too. */
  offer(shown) {
    const {model, text} = Object.fromEntries(this.#params());
    if (model && shown) this.offered = {model, text, ...Object.fromEntries(Object.entries(shown).map(([name, at]) => [name, String(at + 1)]))};
  }

  /** Write what a view of a page picked: at once, then at most every PICK_MS; nothing where that page was left. */
  pick(values, page = this.here) {
    if (page !== this.here || this.isBare) return;
    this.waiting = {path: this.window.location.pathname, values: {...this.waiting?.values, ...values}};
    if (this.timer) return;
    this.flush();
    this.timer = this.window.setTimeout(() => {
      this.timer = 0;
      this.flush();
    }, PICK_MS);
  }

  /** Write the picks that wait. */
  flush() {
    if (!this.waiting) return;
    const {path, values} = this.waiting;
    this.waiting = null;
    if (path === this.window.location.pathname) this.#write(merged(this.#params(), values), false);
  }

  /** The page that the address names, as Python names it: "" is the first. */
  get here() {
    const {document, location} = this.window;
    return location.pathname.slice(new URL('.', document.baseURI).pathname.length);
  }

  /**
   * Whether a link to another page was pressed that has not come yet. Streamlit says with all that Python is told which page
   * the browser has: it would take what a component tells of itself meanwhile for a wish to stay.
   */
  get isLeaving() {
    return this.going !== null && this.going !== this.window.location.pathname;
  }

  /** What the link says, with what was picked just now. */
  get said() {
    this.flush();
    return this.#params();
  }

  /** The link to what is on the screen. */
  get href() {
    this.flush();
    return this.window.location.href;
  }

  /** The same with other picks, as each sheet of paper has its own; nothing is written. */
  hrefOf(picks) {
    const {href} = this;
    const [path] = href.split('?');
    return `${path}?${merged(this.#params(), picks)}`;
  }

  /** Call `listener` whenever the person goes back or forward; returns what ends it. */
  onOpened(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Call `listener` whenever the address may say something else, or the page has answered for what it says. */
  onSaid(listener) {
    this.readers.add(listener);
  }

  /**
   * Whether an entry is one that Streamlit makes beside ours. Where Back and Forward are pressed fast, the run of a page that
   * was passed comes late, and with an entry of that page all that lie ahead would be lost. Where Python leads to another
   * page, it makes one of this page without its link first, and Back would lead there.
   */
  #isPassed(url) {
    const {pathname, search, hash} = new URL(url);
    return this.isPassing || (pathname === this.window.location.pathname && !search && !hash);
  }

  #tell() {
    for (const reader of this.readers) reader();
  }

  #press(event) {
    this.flush();
    this.isPassing = false;
    const isNewTab = event.ctrlKey || event.metaKey || event.shiftKey;
    this.going = isNewTab ? null : this.#pathOf(event.composedPath().find(({localName}) => localName === 'a'));
  }

  /** The path to which a link leads in this dashboard; null of anything else. */
  #pathOf(link) {
    const isOurs = link?.localName === 'a' && link.href.startsWith(`${this.window.location.origin}/`) && !link.target && !link.download;
    return isOurs ? link.pathname : null;
  }

  #open() {
    this.waiting = this.going = null; // picks of the picture that was left, and a way that was given up
    this.opened += 1;
    this.query = this.window.location.search;
    this.isOtherPage = this.left !== this.window.location.pathname;
    this.isSettling = this.isPassing = true;
    this.#hear(this.#params());
    for (const listener of this.listeners) listener();
    this.#tell();
  }

  #params() {
    return new URLSearchParams(this.window.location.search);
  }

  /** What an address says for the pages that follow, also where its own picture never comes. */
  #hear(params) {
    const said = saysModel(this.here, {model: params.get('model')}) ? params : new URLSearchParams(params.get('from') ?? '');
    if (said.size) this.last = Object.fromEntries([...said].filter(([name]) => ALONG.includes(name)));
  }

  #write(params, isNew) {
    const query = String(params);
    this.#hear(params);
    const {pathname, search, hash} = this.window.location;
    if (query === search.slice(1)) return;
    const url = `${pathname}${query && '?'}${query}${hash}`;
    if (isNew) this.window.history.pushState(this.window.history.state, '', url);
    else this.window.history.replaceState(this.window.history.state, '', url);
    this.#tell(); // also where the browser does not
  }
}

function merged(params, values) {
  for (const [name, value] of Object.entries(values)) {
    if (value) params.set(name, value);
    else params.delete(name);
  }
  return params;
}

/** The one of this document, whichever component asks first: each loads this file under an address of its own. */
export const address = () => (globalThis.attnvizAddress ??= new Address(window));
