// The heads view: overview left, one head right, a sentence below. State lives here; each part draws what it is told.

import {weightTable} from '../kit/colour.js';
import {watchRoom} from '../kit/fit.js';
import {exactHeads, exactKey, headFeatures} from '../kit/pool.js';
import {themeOf} from '../kit/theme.js';
import {fillText} from '../kit/words.js';
import {Bars} from './bars.js';
import {besideOf} from './beside.js';
import {Detail, WAYS} from './detail.js';
import {featuresOf} from './features.js';
import {frame, nameModel} from './frame.js';
import {listenToKeys, showKeys} from './keys.js';
import {drawLegend} from './legend.js';
import {keepKinds} from './kinds.js';
import {Lens} from './lens.js';
import {exactNumbers, mapNumbers, pageNumbers} from './numbers.js';
import {Overview} from './overview.js';
import {pickedAtFirst} from './picked.js';
import {headsOf, inFront, toggled} from './several.js';

const WHOLE_HEAD = 256; // tokens up to which a head travels whole, and its columns with it
const isSame = (a, b) => a?.side === b?.side && a?.index === b?.index && a?.other === b?.other;

const inFile = (arrays) =>
  Object.fromEntries(Object.entries(arrays).flatMap(([name, array]) => (name.startsWith('neurons.') ? [[name.slice(8), array]] : [])));

/** What was measured of all heads, of a file that holds it. */
const measuredIn = (arrays) => ({kinds: arrays['kinds.kinds'], values: arrays['kinds.values']});

/** Show a payload in `element`. `emit(selection)` is told what the person picks; null where nobody listens. */
export function mount(element, payload, emit) {
  const view = new HeadsView(element, emit);
  view.update(payload);
  return view;
}

class HeadsView {
  constructor(element, emit) {
    this.emit = emit;
    this.root = element;
    this.root.classList.add('attnviz', 'heads');
    this.end = new AbortController();
    this.picked = {layer: 0, head: 0, token: null, released: false, key: null};
    this.hovered = null;
    const {signal} = this.end;
    this.room = {width: 0, height: null, isSide: true};
    listenToKeys(this.root, signal, {
      moveHead: (dLayer, dHead, inGrid) => this.moveHead(dLayer, dHead, inGrid),
      moveToken: (side, step) => this.moveToken(side, step),
      walk: (index) => this.walk(index),
      release: () => this.pin(null),
      chooseWay: (at) => this.chooseWay(Object.keys(WAYS)[at]),
      list: () => showKeys(this.parts.dialog, this.say),
    });
    document.addEventListener('attnviz:window', ({detail}) => this.receivePart(detail), {signal});
    document.addEventListener('attnviz:kinds', ({detail}) => this.overview?.receive(detail.group), {signal});
    document.addEventListener('attnviz:exact', ({detail}) => this.receive(detail), {signal});
    document.addEventListener('attnviz:neurons', ({detail}) => this.receivePart(detail), {signal});
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', () => this.data && this.draw(), {signal});
    document.fonts?.ready.then(() => this.data && !signal.aborted && this.draw());
  }

  /** New data, new words, or only a new theme: the selection is the person's own until the revision changes. */
  update({header, arrays}) {
    const before = this.data ? this.picked : null;
    const isNew = this.data?.header.revision !== header.revision;
    const isInGrid = Boolean(this.root.getRootNode().activeElement?.closest?.('.grid'));
    const signature = JSON.stringify(header);
    const isSame = this.signature === signature;
    this.signature = signature;
    delete this.root.dataset.ready;
    this.data = {header, arrays};
    this.say = (id) => header.strings[id] ?? '';
    if (isNew) {
      this.picked = pickedAtFirst(header, before);
      this.hovered = null;
    }
    this.queries = header.tokens.target ?? header.tokens.source;
    this.keys = header.tokens.source;
    const {revision, selection} = header;
    const numbers = exactNumbers(arrays, this.queries.length, this.keys.length);
    if (numbers) exactHeads.put(exactKey(revision, selection.layer, selection.head), numbers);
    const {neurons} = header; // a file carries those of its own head
    if (neurons) headFeatures.put(exactKey(revision, neurons.layer, neurons.head), featuresOf(neurons, inFile(arrays)));
    if (header.kinds) keepKinds({...header.kinds, group: revision, arrays: measuredIn(arrays)});
    if (!isSame || !this.parts) this.build();
    this.draw();
    if (isInGrid) this.mark(true); // its buttons are new ones
  }

  destroy() {
    this.end.abort();
    this.root.replaceChildren();
  }

  /** The parts that depend on the words and the tokens, not on the size. */
  build() {
    const {header} = this.data;
    this.root.lang = header.lang;
    this.parts = frame(this.root, this.say);
    const {keysButton} = this.parts;
    this.perBuild?.abort();
    this.perBuild = new AbortController();
    const {signal} = this.perBuild;
    this.end.signal.addEventListener('abort', () => this.perBuild.abort(), {signal});
    this.overview = new Overview(this.parts, {
      say: this.say,
      signal,
      lang: header.lang,
      isAlone: this.emit === null,
      chosen: (layer, head, isMore) => this.tap(layer, head, isMore),
      looked: (overview, isAsking) => this.lookAtAll(overview, isAsking),
    });
    this.detail = new Detail(this.parts, {
      say: this.say,
      signal,
      isWriting: Boolean(header.tokens.target),
      act: {
        hover: (focus) => this.hover(focus),
        click: (focus) => this.pin(isSame(focus, this.pinned) ? null : focus),
        choose: (way) => this.chooseWay(way),
        again: () => this.highlight(),
      },
    });
    this.lens = new Lens({queries: this.queries, keys: this.keys});
    this.bars = new Bars(this.parts, {
      say: this.say,
      signal,
      look: (changes) => this.look(changes),
      toggle: (layer, head) => this.addHead(layer, head),
    });
    keysButton.addEventListener('click', () => showKeys(this.parts.dialog, this.say), {signal});
    nameModel(this.parts, header, this.say);
    this.roomWatch = watchRoom(this.root, signal, (room) => {
      this.room = room;
      if (this.isDrawn) this.draw();
    });
  }

  /** Everything, at the size there is. */
  draw() {
    const {header, arrays} = this.data;
    const {root, parts, room} = this;
    const k = header.size === 'projector' ? 1.25 : 1;
    const theme = themeOf(root);
    root.dataset.theme = theme;
    root.dataset.layout = room.isSide ? 'side' : 'stacked';
    root.style.setProperty('--k', `${k}px`);
    root.style.height = room.height === null ? '' : `${room.height}px`;
    const shared = {maps: arrays.maps, revision: header.revision, picked: this.picked};
    this.overview.draw({...shared, table: weightTable(theme), theme, k, isSide: room.isSide});
    this.place = {k, theme, isSide: room.isSide, family: getComputedStyle(root).fontFamily};
    drawLegend(parts.legend, theme, k);
    this.mark(false);
    this.isDrawn = true;
    this.showHead(true);
  }

  /** What is known of a head: exact numbers if they are here, else 8 bits, else nothing yet. */
  numbers([layer, head]) {
    const {header, arrays} = this.data;
    const size = [this.queries.length, this.keys.length];
    const index = layer * header.model.heads + head;
    const seen = exactHeads.get(exactKey(header.revision, layer, head));
    return seen ?? pageNumbers(arrays, index, ...size) ?? mapNumbers(arrays.maps, index, ...size);
  }

  /** What is drawn of the picked heads: their numbers under the filters, and the tokens these are between. */
  shown() {
    const each = headsOf(this.picked).map((head) => this.numbers(head));
    const isWhole = each.every((numbers) => numbers === null || Boolean(numbers.weight));
    const isPlain = this.picked.view === 'neurons';
    this.lens.look({...this.picked, isWhole, isPlain});
    const numbers = isPlain ? each[0] : this.lens.numbers(this.picked, each);
    return {numbers, isWhole, isPlain, queries: this.lens.queries.tokens, keys: this.lens.keys.tokens};
  }

  /** What there is of the head beside its numbers; of other tokens than the model's only who may look at whom. */
  beside(isWhole) {
    const isAsking = this.emit && isWhole && Math.max(this.queries.length, this.keys.length) > WHOLE_HEAD;
    const ask = (rows, columns) => this.emit({...this.picked, window: [...rows, ...columns]}, true);
    const found = besideOf(this.data, this.picked, this.queries.length, this.keys.length, isAsking ? ask : null);
    const features = headFeatures.get(exactKey(this.data.header.revision, this.picked.layer, this.picked.head)) ?? null;
    const own = {features, canAskFeatures: this.emit !== null};
    return isWhole ? {...found, ...own} : {...found, ...own, preview: null, seen: this.lens.seen(found.seen), parts: []};
  }

  showHead(isResized = false) {
    const {layer, head, view} = this.picked;
    const shown = this.shown();
    const {numbers, queries, keys} = shown;
    const isOther = this.detail.use(view, {queries, keys});
    this.bars.show(this.picked, {...shown, way: this.detail.name}, this.lens, this.place);
    const room = this.parts.lines.clientHeight; // less where the bars over it say more
    if (isOther || isResized || (this.room.isSide && room !== this.tall)) this.detail.layout(this.place);
    this.tall = room;
    this.detail.show(numbers, this.beside(queries === this.queries && keys === this.keys), headsOf(this.picked));
    this.highlight();
    if ((isOther || isResized) && this.pinned) this.detail.reveal(this.pinned);
    this.root.dataset.head = `${layer}.${head}`;
    this.root.toggleAttribute('data-exact', Boolean(numbers?.isExact));
    requestAnimationFrame(() => (this.root.dataset.ready = this.data.header.revision));
  }

  /** The row or column that stays when the pointer leaves, as it is shown; null where none does. */
  get pinned() {
    const {token, key} = this.picked;
    if (key !== null) return this.lens.at({side: 'key', index: key});
    return token === null ? null : this.lens.at({side: 'query', index: token});
  }

  /** The row or column under the pointer, else the pinned one, else all lines. */
  highlight() {
    this.detail.isolate(this.hovered ?? this.pinned, this.pinned, this.emit !== null);
  }

  hover(focus) {
    if (isSame(focus, this.hovered)) return;
    this.hovered = focus;
    this.highlight();
  }

  /** Another way to look at the same head. */
  chooseWay(way) {
    if (!way || way === this.detail.name) return;
    this.picked = {...this.picked, view: way};
    this.hovered = null;
    this.showHead();
    this.tell(way === 'neurons'); // its vectors have to come
  }

  /** Other filters, or several heads brought together in another way. */
  look(changes) {
    this.picked = {...this.picked, ...changes};
    this.hovered = null;
    this.showHead();
    this.tell();
  }

  /** Another way to look at all heads; it is drawn already. */
  lookAtAll(overview, isAsking) {
    this.picked = {...this.picked, overview};
    this.emit?.({...this.picked}, isAsking);
  }

  /** A head that was pressed is asked for at once; arrows may run on over many. */
  choose(layer, head, inGrid = true, isPressed = false) {
    this.picked = inFront(this.picked, layer, head);
    this.mark(inGrid);
    this.showHead();
    this.tell(isPressed && !this.detail.numbers?.isExact);
  }

  /** One more head beside those that are shown, or one less. */
  addHead(layer, head) {
    this.picked = toggled(this.picked, [layer, head]);
    this.mark(false);
    this.showHead();
    this.tell(!this.detail.numbers?.isExact);
  }

  /** The picked heads in the overview; with `hasFocus` the focus moves to the first. */
  mark(hasFocus) {
    this.overview.select(this.picked.layer, this.picked.head, hasFocus);
    this.overview.mark(headsOf(this.picked));
  }

  /** By pointer: where the detail lies under the overview, bring it into view. */
  tap(layer, head, isMore) {
    if (isMore || this.bars.isAdding) return this.addHead(layer, head);
    this.choose(layer, head, true, true);
    if (this.room.isSide) return;
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.parts.title.scrollIntoView({block: 'start', behavior: isStill ? 'auto' : 'smooth'});
  }

  moveHead(dLayer, dHead, inGrid) {
    this.choose(...this.overview.stepped(this.picked.layer, this.picked.head, dLayer, dHead), inGrid);
  }

  moveToken(side, step) {
    const n = this.lens.side(side).tokens.length;
    const from = this.pinned?.side === side ? this.pinned.index : step > 0 ? -1 : n;
    this.pin({side, index: (from + step + n) % n});
    if (this.pinned) this.detail.reveal(this.pinned);
  }

  /** Keyboard: the focus moves along the left column and isolates as it goes. */
  walk(index) {
    const at = this.detail.rowAt(index);
    this.hover({side: 'query', index: at}); // a thinned label has to be shown before it can have the focus
    this.detail.focusRow(at);
  }

  /** Pin a row or a column in place of what was pinned; null lets go. Columns of very long texts do not travel. */
  pin(focus) {
    if (focus?.side === 'key' && this.keys.length > WHOLE_HEAD) return;
    const original = this.lens.of(focus);
    const at = (side) => (original?.side === side ? original.index : null);
    this.picked = {...this.picked, token: at('query'), key: at('key'), released: focus === null};
    this.hovered = null;
    this.highlight();
    this.tell();
  }

  /** Exact numbers arrived, from wherever the host gets them. */
  receive({group, layer, head, arrays}) {
    if (!this.data || group !== this.data.header.revision) return;
    const numbers = exactNumbers(arrays, this.queries.length, this.keys.length);
    if (!numbers) return;
    exactHeads.put(exactKey(group, layer, head), numbers);
    if (headsOf(this.picked).some((shown) => shown[0] === layer && shown[1] === head)) this.showHead();
  }

  /** A part of a head over a long text arrived; the host keeps it. */
  receivePart({group, layer, head}) {
    if (group === this.data?.header.revision && layer === this.picked.layer && head === this.picked.head) this.showHead();
  }

  tell(isUrgent = false) {
    this.emit?.({...this.picked}, isUrgent);
  }
}
