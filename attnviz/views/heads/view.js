// The heads view: overview left, one head right, a sentence below. State lives here; each part draws what it is told.

import {scaleColour} from '../kit/colour.js';
import {listen} from '../kit/dom.js';
import {listenToKeys, showKeys} from '../kit/keyboard.js';
import {show} from '../kit/shell.js';
import {bringIntoSight} from '../kit/theme.js';
import {KEYS, press} from './keys.js';
import {pickedAtFirst} from './first_pick.js';
import {isSame} from './pointer.js';
import {alone, headsOf, toggled} from './several_heads.js';
import {isOfTokens, mapsWithout} from './byte_grids.js';
import {sayChanged} from './changed_run.js';
import {settingsOf} from './filter_settings.js';
import {HeadStore, WHOLE_HEAD} from './head_store.js';
import {HeadGrid} from './head_grid.js';
import {Detail} from './one_head.js';
import {Bars} from './picture_bars.js';
import {frame, nameModel} from './frame.js';
import {Lens} from './drawn_weights.js';
import {Overview} from './overview.js';
import {extrasOf} from './preview_and_parts.js';
import {PredictedWords} from './predicted_words.js';
import {WrittenTokens} from './written_tokens.js';

const pinnedRow = (token) => ({token, key: null, released: false});

export function mount(element, payload, emit) {
  return show(HeadsView, element, payload, emit);
}

export class HeadsView {
  /** See served_view.js, also for these. @type {any} */
  Beside = null;
  Written = WrittenTokens;
  Predicted = PredictedWords;
  shell; root; emit; hovered; parts; grid; overview; beside; detail; bars; written; predicted; lens;
  /** @type {HeadStore} */
  data;
  /** @type {{k: number, theme: string, isSide: boolean, family: string}} */
  place;
  /** @type {HeadsSelection & {pressed?: string, stops?: {token: ?number}, supports?: boolean}} what no link says as well */
  picked;
  static css = 'heads';
  static fills = true;

  constructor(shell) {
    Object.assign(this, {shell, root: shell.root, emit: shell.emit, hovered: null});
    listenToKeys(this.root, shell.signal, (event, node) => press(event, node, this));
    const isOurs = ({revision}) => revision === this.data?.header.revision;
    const hear = (name, act) => shell.hear(`attnviz:${name}`, (detail) => isOurs(detail) && act(detail));
    for (const name of ['exact', 'window', 'neurons']) hear(name, (detail) => this.receive(detail));
    for (const name of ['look', 'excited']) hear(name, () => this.showBeside());
    hear('kinds', () => this.receiveKinds());
  }

  /**
   * New data, new words, or only a new theme: the selection is the person's own until the revision changes.
   * @param {Payload<HeadsHeader>} payload
   */
  take({header, arrays}) {
    const before = this.data ? this.picked : null;
    const isNew = this.data?.header.revision !== header.revision;
    const signature = JSON.stringify({...header, link: null, picked: null, is_heard: null, keeps_head: null});
    const isOther = this.signature !== signature;
    this.signature = signature;
    const active = this.root.getRootNode().activeElement;
    this.wasInGrid = Boolean(active?.closest?.('.grid'));
    this.wasInParts = Boolean(active?.closest?.('[data-part]'));
    this.data = new HeadStore({header, arrays});
    if (isNew) {
      this.picked = pickedAtFirst(header, before, this.data.arrays);
      if (!before) Object.assign(this.picked, this.Beside?.asksFor(this.picked, header)); // a link shows what was measured
      this.hovered = null;
    }
    return isOther;
  }

  build(signal) {
    Object.assign(this, assemble(this, signal));
    if (this.picked.together || headsOf(this.picked).length > 1) this.bars.add(true); // as whoever sent the link left it
  }

  about() {
    const {parts, detail, data} = this;
    const {edits, part} = data.header.model;
    return {title: parts.title.textContent, place: [part, detail.headNames.join(' + ')].filter(Boolean).join(' '), changes: [...edits, parts.said.textContent]};
  }

  draw({k, theme, room}) {
    const {root, parts} = this;
    this.place = {k, theme, isSide: room.isSide, family: getComputedStyle(root).fontFamily};
    sayChanged(parts.changed, this.data.header, {say: this.shell.say, go: () => this.leave({page: 'step'})});
    parts.placePredicted(room.isSide);
    this.drawOverview();
    for (const legend of [parts.legend, parts.allLegend]) legend.draw({width: 96, k, colourAt: (share) => scaleColour('weights', share, theme)});
    this.mark(this.wasInGrid); // its buttons may be new ones
    if (this.wasInParts) parts.whose.querySelector('[aria-pressed=true]')?.focus();
    this.wasInGrid = this.wasInParts = false;
    this.showHead(true);
  }

  drawOverview() {
    const {data: {header, arrays, keys}, picked, place: {k, theme, isSide}} = this;
    const {sinks, rescaled} = settingsOf(picked.filter);
    const maps = sinks ? mapsWithout(arrays.maps, keys.map(({sink}) => Boolean(sink)), rescaled) : arrays.maps;
    this.overview.draw({maps, revision: header.revision, picked, theme, k, isSide, isLeft: sinks, isPooled: !isOfTokens(maps, keys)});
  }

  /** @param {boolean} isResized @param {?number[]} refused the head that there is no room for beside the others */
  showHead(isResized = false, refused = null) {
    const {layer, head, view} = this.picked;
    this.showBeside(); // it may take room from the lines
    const shown = this.data.shown(this.picked, this.lens);
    const {numbers, queries, keys} = shown;
    const isOther = this.detail.use(view, {queries, keys});
    this.bars.show(this.picked, {...shown, way: this.detail.name, refused}, this.lens, this.place);
    const room = this.parts.lines.clientHeight; // less where the bars over it say more
    const isLaid = isOther || isResized || (this.place.isSide && room !== this.tall);
    if (isLaid) this.detail.layout(this.place);
    this.tall = room;
    this.detail.show(numbers, extrasOf(this.data, this.picked, this.lens, this.emit), shown.isPlain ? [[layer, head]] : headsOf(this.picked));
    this.highlight();
    if (isLaid && this.pinned) this.detail.reveal(this.pinned, this.explained, true);
    this.root.dataset.head = `${layer}.${head}`;
    this.root.toggleAttribute('data-exact', Boolean(numbers?.isExact));
  }

  /** What is said of what is picked, in place of all heads or over the reading line. */
  showBeside() {
    const {picked, data, overview, place} = this;
    this.beside?.show({picked, data, overview, ...place});
  }

  /** To another sentence or part, which Python shows; `changes` to what is picked there. */
  leave(go, changes = {}) {
    this.emit?.({...this.picked, ...changes, go}, true);
  }

  /** Close "Why there?", else let go of what is pinned. */
  release() {
    if (!this.picked.beside.startsWith('why')) return this.pin(null);
    this.open('');
    this.beside.whyButton.focus();
  }

  listKeys() {
    showKeys(this.parts.dialog, this.shell.say, KEYS);
  }

  /** Who wrote that a word of a row is ahead of the next likely one. */
  ask(row, at) {
    this.open(`why-word${at}`, pinnedRow(row));
    bringIntoSight(this.parts.look);
  }

  /** Another look beside the head, and what is picked in it; '' is all heads. */
  open(beside, changes = {}) {
    this.picked = {...this.picked, beside, ...changes};
    this.shell.draw(); // all heads, or the lines, have another size
    this.tell(true);
  }

  /** The row or column that stays when the pointer leaves, as it is shown, in a heatmap with its cell; null where none does. */
  get pinned() {
    const {token, key} = this.picked;
    const column = key === null ? null : this.lens.at({side: 'key', index: key});
    if (token === null) return column;
    const row = this.lens.at({side: 'query', index: token});
    return row && column && this.detail.name === 'heatmap' ? {...row, other: column.index} : row;
  }

  /** The key, as it is shown, that stands under "Why there?"; null where none does. */
  get explained() {
    const {beside, token, key, layer, head} = this.picked;
    if (beside !== 'why' || token === null) return null;
    const index = key ?? this.data.numbers([layer, head])?.keys(token, 1)[0]?.index;
    return index === undefined ? null : (this.lens.at({side: 'key', index})?.index ?? null);
  }

  /** The row or column under the pointer, else the pinned one, else all lines. */
  highlight() {
    this.written.show(this.picked.token);
    const row = this.hovered ?? this.pinned;
    this.predicted.show(row?.side === 'query' ? this.lens.of(row).index : null);
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
    if ('filter' in changes) this.drawOverview();
    this.showHead();
    if ('key' in changes && this.pinned) this.detail.reveal(this.pinned, this.explained);
    this.tell();
  }

  /** Another way to look at all heads; it is drawn already. */
  lookAtAll(overview, isAsking) {
    this.picked = {...this.picked, overview};
    this.tell(isAsking);
  }

  /** Other options of all heads: which are measured, sorted by, marked. */
  measure(options) {
    this.overview.change({...this.overview.options, ...options});
  }

  /** Every head for the prediction of a row, {token}, or that no more. */
  silence(silenced) {
    this.picked = {...this.picked, stops: this.overview.options.silenced};
    this.measure({silenced});
    this.showBeside();
  }

  /** By what kinds are supported is measured once the person asks of any. */
  askSupport() {
    if (this.picked.supports) return;
    this.picked = {...this.picked, supports: true};
    this.tell(true);
  }

  /** Its numbers are asked for before it is drawn, and come meanwhile. */
  choose(layer, head, inGrid = true, isPressed = false, row = null) {
    this.picked = {...alone(this.picked, layer, head), ...(row !== null && pinnedRow(row))};
    this.tell(isPressed);
    this.mark(inGrid);
    this.showHead();
  }

  /** A head that a look leads to, which may be of another part, and the row that is meant. */
  seekHead([layer, head, part, row = null]) {
    if (part) this.leave({part}, {...alone(this.picked, layer, head), ...pinnedRow(row)});
    else this.choose(layer ?? this.picked.layer, head ?? this.picked.head, false, true, row);
  }

  /** A kind was chosen: the head that shows most of it, unless several heads are shown; the row that is looked at stays. */
  seek(layer, head) {
    if (headsOf(this.picked).length > 1 || this.bars.isAdding) return;
    this.choose(layer, head, false, true);
    bringIntoSight(this.parts.title);
  }

  /** One more head beside those that are shown, or one less. */
  addHead(layer, head) {
    const picked = toggled(this.picked, [layer, head]);
    const isRefused = picked === this.picked && headsOf(picked).length > 1; // there are as many as there can be
    this.picked = picked;
    this.mark(false);
    this.showHead(false, isRefused ? [layer, head] : null);
    this.tell(!this.detail.numbers?.isExact);
  }

  /** The picked heads in the overview; with `hasFocus` the focus moves to the first. */
  mark(hasFocus) {
    this.overview.select(this.picked.layer, this.picked.head, hasFocus);
    this.grid.mark(headsOf(this.picked));
  }

  /** By pointer: where the detail lies under the overview, bring it into view. */
  tap(layer, head, isMore) {
    if (isMore || this.bars.isAdding) return this.addHead(layer, head);
    this.choose(layer, head, true, true);
    bringIntoSight(this.parts.title);
  }

  /** With Shift, and where several heads are being chosen, only the focus moves in the grid. */
  moveHead(dLayer, dHead, inGrid, isWalking) {
    if (inGrid && (isWalking || this.bars.isAdding)) return this.grid.walk(dLayer, dHead);
    this.choose(...this.grid.stepped(this.picked.layer, this.picked.head, dLayer, dHead), inGrid);
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

  /** Pin what was clicked, or let go of it. */
  click(focus) {
    this.pin(isSame(focus, this.pinned) ? null : focus);
  }

  /** Pin a row or a column in place of what was pinned; null lets go. Columns of very long texts do not travel. */
  pin(focus) {
    if (focus?.side === 'key' && this.data.keys.length > WHOLE_HEAD) return;
    const cell = focus?.other === undefined ? [] : [{side: 'key', index: focus.other}];
    const pinned = (focus ? [focus, ...cell] : []).map((place) => this.lens.of(place));
    const at = (side) => pinned.find((place) => place.side === side)?.index ?? null;
    this.keepRow({token: at('query'), key: at('key'), released: focus === null});
  }

  /** Pin one of the model's own rows, and bring it into view. */
  pinRow(row) {
    this.keepRow(pinnedRow(row));
    if (this.pinned) this.detail.reveal(this.pinned, null, true);
  }

  keepRow(row) {
    this.picked = {...this.picked, ...row};
    this.hovered = null;
    this.highlight();
    this.showBeside();
    this.tell();
  }

  /** What all heads do arrived: sentences that excite one can be asked for. */
  receiveKinds() {
    this.overview.show();
    this.showBeside();
    if (this.picked.beside === 'sentences') this.emit?.({...this.picked}, true);
  }

  /** Numbers of a head arrived; the host keeps them. */
  receive({layer, head}) {
    if (headsOf(this.picked).some(([ownLayer, ownHead]) => ownLayer === layer && ownHead === head)) this.showHead();
  }

  tell(isUrgent = false) {
    this.shell.noted(this.picked);
    this.emit?.({...this.picked}, isUrgent);
  }
}

/** The parts that depend on words and tokens, not on the size; `act` is the view, which they tell what to do. */
function assemble(act, signal) {
  const {header, queries, keys} = act.data;
  const {say} = act.shell;
  const parts = frame(act.root, say);
  const given = {say, signal, act};
  listen(parts.keysButton, 'click', () => act.listKeys());
  nameModel(parts, header, say, act.Beside && ((part) => act.leave({part}, {token: null, key: null})));
  const grid = new HeadGrid(parts.grid, {signal, chosen: (...tapped) => act.tap(...tapped)});
  return {
    parts,
    grid,
    overview: new Overview(parts, {...given, grid, lang: header.lang, isAlone: act.emit === null}),
    detail: new Detail(parts, {...given, hasTwoTexts: Boolean(header.tokens.target)}),
    beside: act.Beside && new act.Beside(parts, given),
    bars: new Bars(parts, {...given, tokens: {queries, keys}, sinkShare: header.sink_share}),
    written: new act.Written(parts.written, {header, queries, ...given}),
    predicted: new act.Predicted(parts.predicted, {header, queries, say, act: act.Beside && act}),
    lens: new Lens({queries, keys}),
  };
}
