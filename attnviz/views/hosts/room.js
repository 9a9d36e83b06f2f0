// The room of a class, in this tab: what the teacher shows is this page's address, sent on whenever it changes, and a
// student who follows goes there as with the browser's Back. Heard by server-sent events; it outlives a reload of the
// tab, in the tab's own storage, and nothing else. Nothing is drawn here: see room_bar.js.

import {address} from './address.js';
import {Refused, send} from './fetch.js';
import {forgetOwn, ownPicked, shownLast} from './last_picks.js';
import {linkOf} from './other_sentence.js';
import {keep, kept} from './storage.js';
import {addressOf, OWN, visit} from './visit.js';

const KEPT = 'attnviz.room';
const LESSONS = 'lessons'; // the page
export const TEST = 'attnviz.test'; // what was answered in the short test: gone with the room
const BEHIND_MS = 2000; // after which a student whose page asks something else goes there once more: of that Streamlit tells nothing
const SENTENCE = ['model', 'model2', 'text', 'text2', 'target', 'words']; // of a link: what the numbers of its picture are of
const QUIET_MS = 3000; // without a sign of life the bar says so; the server gives one every second
const SILENT_MS = 10_000; // the connection is given up, and another one tried
const WAITS_MS = [500, 5000]; // between two tries to come back: the first, the longest
const PREDICTED = '.st-key-lesson-predict'; // the lesson's own question, which waits while one follows
const PLACE = ['tab', 'matrix', 'text']; // of a link: which step, on which sentence
const UNTOUCHED = /^(?:Tab|Shift|Control|Alt|Meta|Escape)$/; // keys that change nothing

/**
 * @typedef {{code: string, secret?: string, ticket?: string, link?: string, qr?: string, by?: string, left?: string}} Kept
 *   a secret or a ticket; by: a machine that teaches, as one of two; left: the step of a lesson that a sentence led away from
 * @typedef {{page: string, query: string, by?: string, question?: any, answer?: string, answered?: number, closed?: boolean,
 *   ticket?: string, here?: number, follow?: number, sentences?: boolean, said: any[], rehearsal?: boolean,
 *   rehearsed?: string}} State
 */

export class Room {
  /** @type {Kept | null} */
  kept = null;
  /** What the server said last. @type {State | null} */
  state = null;
  /** The question of the step on the Lessons page. @type {any} */
  lesson = null;
  follows = true; // a teacher's machine: another one of theirs
  isLost = false;
  problem = '';
  lang = 'en';
  heard = ''; // what a teacher's machines showed last
  draft = ''; // of a question or a sentence of one's own
  revealedAt = ''; // where the teacher was when the answers were shown
  isNew = false; // just opened: its teacher is to keep the link
  takes = false; // this machine was touched, and takes the lead from another one of its teacher's
  leads = false; // just opened or joined by who had the focus there: the bar takes it
  late = 0; // a timer, since this page asks something else than the teacher's
  isBehind = false; // this student's picture is of something else than what the teacher shows
  told = ''; // what the server was told to show
  telling = ''; // what it is asked to show now
  refused = ''; // what it did not
  /** @type {string | null | undefined} */
  reach = undefined; // where a class would find a room: '' is nowhere, null not known yet

  constructor() {
    this.listeners = new Set();
    const query = new URLSearchParams(location.search);
    const taught = /^#teach=([A-Za-z]{5})\.([\w-]{1,64})$/.exec(location.hash);
    const code = query.get('class');
    this.kept = taught ? {code: taught[1], secret: taught[2]} : code ? {code: code.toUpperCase()} : kept('sessionStorage', KEPT);
    query.delete('class');
    if (taught || location.search.includes('class=')) {
      history.replaceState(history.state, '', `${location.pathname}${query.size ? `?${query}` : ''}`); // a projector shows it
    }
    if (this.kept) this.enter(this.kept);
    const answered = new MutationObserver(() => refocus(answered));
    document.addEventListener('focusin', ({target}) => {
      const isAnswering = /** @type {Element} */ (target).matches(`${PREDICTED} *`);
      if (isAnswering) answered.observe(document.body, {childList: true, subtree: true});
      else answered.disconnect();
    });
    for (const name of ['pointerdown', 'keydown']) document.addEventListener(name, (event) => this.touched(event), {capture: true});
    document.addEventListener('attnviz:picked', () => this.question && this.tell());
    window.addEventListener('offline', () => this.doubt());
    address().onSaid(() => this.look());
    document.addEventListener('attnviz:shown', () => this.lookBehind());
  }

  get isTeacher() {
    return Boolean(this.kept?.secret);
  }

  /** What is asked, in the reader's own language where the question has it. */
  get question() {
    return this.state?.question ? this.worded(this.state.question) : null;
  }

  /** Whether this student has something to answer. */
  get isAsked() {
    return Boolean(this.kept && !this.isTeacher && this.question && !this.question.revealed);
  }

  /** Whether what is asked is the question of the step on the page, which has its words there. */
  get isOfStep() {
    return Boolean(this.lesson && this.question) && this.worded(this.lesson).text === this.question.text;
  }

  /** Whether the answers were shown, and the teacher has gone on since. */
  get isOver() {
    return this.state !== null && Boolean(this.question?.revealed) && placeOf(this.state) !== this.revealedAt;
  }

  /** Show a sentence to all: in the picture that is here or in Step through, once the model there has read it. */
  async show(sentence) {
    const [page, query] = linkOf(sentence, address().here, location.search);
    if (!this.kept || !(await this.teach({at: [page, query], by: this.kept.by, takes: true}))) return;
    this.problem = ''; // of the one before
    this.lead();
    if (address().here === LESSONS) this.leaveStep(location.search);
    visit(addressOf(page, query));
  }

  /** The step of a lesson to come back to; '' once the teacher is there. */
  leaveStep(left) {
    if (!this.kept || (this.kept.left ?? '') === left) return;
    keep('sessionStorage', KEPT, Object.assign(this.kept, {left}));
    this.tell();
  }

  /** Back to it, and the class with it. */
  backToStep() {
    if (!this.kept?.left) return;
    this.lead();
    visit(addressOf(LESSONS, this.kept.left));
  }

  /** What this machine shows is what the class sees, whatever another one of the teacher's has yet to say. */
  lead() {
    Object.assign(this, {follows: false, takes: true, told: ''});
  }

  worded(asked) {
    return {...asked, ...(asked.words[this.lang] ?? Object.values(asked.words)[0])};
  }

  /** Find out where a class would find a room: said before it opens. */
  async lookWhere() {
    this.reach = null;
    const response = await send('rooms/address', {base: base(), lang: this.lang}).catch(() => null);
    if (response) Object.assign(this, {reach: (await response.json()).link}).tell();
  }

  /** A room of one's own. */
  async begin() {
    const response = await this.sent('rooms/open', {base: base()});
    if (!response) return;
    this.isNew = true;
    this.enter(await response.json());
    keep('sessionStorage', 'attnviz.answers', null); // what was tried before the lesson is asked anew
    this.turn('0');
  }

  /** Come in, and listen until the room ends. */
  enter(kept) {
    if (this.kept !== kept) this.leave();
    this.kept = kept;
    if (kept.secret) kept.by ??= String(Math.random());
    keep('sessionStorage', KEPT, kept);
    this.follows = true;
    this.listen((this.connection = new AbortController()).signal);
    this.tell();
  }

  /** Out of the room; with a sentence where somebody else ended it. */
  leave(problem = '') {
    this.connection?.abort();
    clearTimeout(this.late);
    Object.assign(this, {connection: null, late: 0, kept: null, state: null, isLost: false, isBehind: false, takes: false, problem, at: '', told: '', telling: '', refused: '', heard: ''});
    for (const name of [KEPT, TEST]) keep('sessionStorage', name, null);
    address().pick({told: ''});
    this.tell();
  }

  async listen(signal) {
    for (let wait = WAITS_MS[0]; ; wait = Math.min(2 * wait, WAITS_MS[1])) {
      try {
        if (!this.kept) return;
        const {code, secret = '', ticket = ''} = this.kept;
        const {body} = await send('rooms/listen', {code, secret, ticket, lang: this.lang}, signal);
        wait = WAITS_MS[0];
        if (body) await this.read((this.reader = body.getReader()));
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Refused) return this.leave(error.message);
      }
      if (signal.aborted) return;
      this.lose(true);
      await new Promise((done) => setTimeout(done, wait));
      if (signal.aborted) return;
    }
  }

  async read(reader) {
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const timers = [setTimeout(() => this.lose(true), QUIET_MS), setTimeout(() => reader.cancel(), SILENT_MS)];
      const {value, done} = await reader.read().finally(() => timers.forEach(clearTimeout));
      if (done) return;
      this.lose(false);
      const parts = (text + decoder.decode(value, {stream: true})).split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) if (part.startsWith('data: ')) this.hear(JSON.parse(part.slice(6)));
    }
  }

  /** Another connection tells whether this one is lost. */
  doubt() {
    this.reader?.cancel().catch(() => {});
  }

  lose(isLost) {
    if (this.isLost !== isLost) Object.assign(this, {isLost}).tell();
  }

  hear(state) {
    if (JSON.stringify(state.question?.words) !== JSON.stringify(this.state?.question?.words)) {
      forgetOwn(); // no answer to a new question
      this.at = this.revealedAt = ''; // back to the cell that the teacher shows
    }
    const wasAsked = this.isAsked;
    this.state = state;
    if (state.question?.revealed) this.revealedAt ||= placeOf(state);
    if (state.closed) return this.leave(this.isTeacher ? '' : 'closed'); // who closed it knows
    if (state.ticket && this.kept) keep('sessionStorage', KEPT, Object.assign(this.kept, {ticket: state.ticket}));
    const heard = `${state.by} ${state.page}?${state.query}`;
    if (state.by === this.kept?.by) this.takes = false; // it leads
    if (this.isTeacher && heard !== this.heard) this.follows = !this.takes && Boolean(state.by) && state.by !== this.kept?.by;
    this.heard = heard;
    if (this.follows) this.go();
    else if (wasAsked && this.isOfStep && this.question.revealed) this.turn('1'); // the page would ask it once more
    this.look();
    this.tell();
  }

  /** To what the teacher shows, as with Back: Streamlit and our address bar hear the same event. */
  go() {
    const {page, query} = this.state ?? {};
    const at = `${page}?${query}`;
    if (!query || at === this.at) return;
    this.at = at;
    this.open(addressOf(page, query));
  }

  /** What is on this page of Lessons once its question is answered ("1"), before that (""), or with all steps anew ("0"). */
  turn(told) {
    const {lesson, step, form} = Object.fromEntries(new URLSearchParams(location.search));
    this.open(addressOf('lessons', String(new URLSearchParams({lesson, ...(step ? {step} : form && {form}), told}))));
  }

  open(url) {
    if (url.href === location.href && !address().isSettling) return; // what settles may be of another link
    const detail = {page: url.pathname, query: url.searchParams};
    if (!document.dispatchEvent(new CustomEvent('attnviz:go', {cancelable: true, detail}))) return; // a picture took it
    history.replaceState(history.state, '', url);
    window.dispatchEvent(new PopStateEvent('popstate', {state: history.state}));
    for (const node of document.querySelectorAll('.stMain, :has(> .st-key-lesson-words)')) node.scrollTop = 0;
  }

  /** Whether this student's page asks something else than the teacher's. */
  get isElsewhere() {
    const {here, isSettling} = address();
    if (!this.follows || !this.state?.query) return false;
    return here !== this.state.page || (!isSettling && !this.isOf(here, Object.fromEntries(new URLSearchParams(location.search))));
  }

  /** A page that was just being drawn may have missed where to go, and one that was busy may have stayed: there once more, later. */
  keepUp() {
    if (this.isElsewhere) this.late ||= setTimeout(() => this.catchUp(), BEHIND_MS);
    else {
      clearTimeout(this.late);
      this.late = 0;
    }
  }

  catchUp() {
    this.late = 0;
    if (this.isElsewhere) Object.assign(this, {at: ''}).go();
    this.keepUp();
  }

  /** Whether a page that asks this is of the sentence, or the step, that the teacher shows. */
  isOf(page, asked) {
    if (!this.state) return false;
    const said = new URLSearchParams(this.state.query);
    const names = ['lesson', 'step', ...(said.has('text') ? SENTENCE : [])];
    return page === this.state.page && names.every((name) => (said.get(name) ?? '') === (asked[name] ?? ''));
  }

  /** Numbers of something else than what the teacher shows are hidden from who follows until those of it are here. */
  lookBehind() {
    const {page, asked} = shownLast() ?? {};
    const said = new URLSearchParams(this.kept && !this.isTeacher && this.follows ? this.state?.query : '');
    const isTried = said.get('told') !== '2' || asked?.told === '2'; // a what-if, whose outcome stands beside it
    const isBehind = said.has('text') && !(this.isOf(page, asked ?? {}) && isTried);
    if (isBehind === this.isBehind) return;
    this.isBehind = isBehind;
    this.tell();
  }

  /** The teacher's address, when it is another one than was told: of a link that was just opened once its page has answered. */
  async look() {
    if (!this.kept) return;
    this.lookBehind();
    this.keepUp();
    if (this.isTeacher && address().here === LESSONS) this.leaveStep('');
    if (!this.isTeacher || this.follows || !this.state || address().isSettling) return;
    const query = new URLSearchParams(location.search);
    for (const name of OWN) query.delete(name);
    const page = address().here;
    const at = `${page}?${query}`;
    if ([this.told, this.telling, this.refused].includes(at) || !query.size) return;
    this.telling = at;
    const isTold = await this.teach({at: [page, String(query)], by: this.kept.by, takes: this.takes});
    if (this.telling !== at) return; // something newer is on its way
    if (isTold && this.refused) Object.assign(this, {refused: '', problem: ''}).tell();
    this.telling = '';
    if (isTold) this.told = at;
    else if (isTold === false) Object.assign(this, {refused: at, takes: false});
  }

  /** A student who touches the page goes on alone, but not by answering what is asked, or by going to the picture for it. */
  touched(event) {
    const isPointing = this.isAsked && !this.question.options.length;
    const answers = `.attnviz-room, .skip${isPointing ? ', [data-picture]' : ''}`;
    const isOwn = event.composedPath().some((node) => node instanceof Element && node.matches(answers));
    if (!this.kept || !this.follows || !event.isTrusted || isOwn || UNTOUCHED.test(event.key)) return;
    if (!this.isTeacher) return this.follow(false);
    this.lead();
    this.look();
  }

  follow(follows) {
    this.follows = follows;
    if (follows) Object.assign(this, {at: ''}).go();
    this.look();
    this.say({follows});
    this.tell();
  }

  /** The cell or the tokens that this person picked in the picture, as an answer: "row,column". */
  get picked() {
    const {token, key} = ownPicked('stepper') ?? ownPicked('heads') ?? {};
    return token && key ? `${token},${key}` : '';
  }

  teach(what) {
    if (!this.kept) return null;
    const {code, secret} = this.kept;
    return this.sent('rooms/teach', {code, secret, ...what});
  }

  say(what) {
    if (!this.kept) return null;
    const {code, ticket = ''} = this.kept;
    return this.sent('rooms/say', {code, ticket, ...what});
  }

  /** Ask the server; what it refuses (false) is said in the bar. Null where it could not be asked. */
  async sent(path, body) {
    try {
      return await send(path, {...body, lang: this.lang});
    } catch (error) {
      const isRefused = error instanceof Refused;
      if (isRefused) this.problem = error.message;
      else this.doubt();
      this.tell();
      return isRefused ? false : null;
    }
  }

  tell() {
    for (const listener of this.listeners) listener();
  }
}

/** Who answers the lesson's own question goes on where the answer is told, once that is there: what had the focus is gone. */
function refocus(observer) {
  const told = /** @type {HTMLElement | null} */ (document.querySelector('.st-key-lesson-words [role=status]'));
  if (!told || document.activeElement !== document.body) return;
  observer.disconnect();
  Object.assign(told, {tabIndex: -1}).focus();
}

/** Where this browser has the server. */
const base = () => new URL('.', document.baseURI).href.replace(/\/$/, '');

/** Which step the teacher is at; other cells and what-ifs of it are no other step. */
function placeOf({page, query}) {
  const asked = new URLSearchParams(query);
  const names = asked.has('lesson') ? ['lesson', 'step'] : PLACE;
  return [page, ...names.map((name) => asked.get(name))].join(' ');
}

/** The one of this document. */
export const room = () => (globalThis.attnvizRoom ??= new Room());
