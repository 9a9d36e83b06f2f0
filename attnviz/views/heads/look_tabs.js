// One look: in place of all heads, or, why a head looks there, over the sentence that says where. Choosing a token or a head
// there or here is seen in both.

import {el, setText} from '../kit/dom.js';
import {pct} from '../kit/number.js';
import {fillText} from '../kit/words.js';
import {BlocksLook} from './blocks_look.js';
import {ownSentences} from './own_sentences.js';
import {isByOne, isPredicted, metricsOfAll} from './every_head.js';
import {SUPPORT, besideIn, lookOf, pressedFor, silencingOf} from './look_answers.js';
import {OF_CELL, optionsOf} from './overview_options.js';
import {MetricsLook} from './metrics_look.js';
import {SentencesLook} from './sentences_look.js';

export class Beside {
  parts; say; act; looks; given;

  /** `act`: open(name), seekHead([layer, head]), look(changes), measure(options), silence({token}), leave(sentence), charts(source). */
  constructor(parts, {say, signal, act}) {
    Object.assign(this, {parts, say, act, shown: '', more: []});
    const [blocks, numbers, sentences] = [BlocksLook, MetricsLook, SentencesLook].map((Look) => new Look({say, signal, act}));
    this.looks = {why: blocks, numbers, sentences, rollout: blocks, lens: blocks, effect: blocks};
    const tab = (name, label, kind = '') => el('button', {type: 'button', class: kind || null, 'data-beside': name, click: () => this.open(name)}, label);
    this.tabs = [tab('', say('view-heads-beside-all')), ...Object.keys(this.looks).filter((name) => name !== 'why').map((name) => tab(name, say(`view-heads-beside-${name}`)))];
    this.whyButton = tab('why', say('view-heads-beside-why'), 'choice');
    this.whichButton = el('button', {type: 'button', class: 'choice', title: say('view-heads-which-hint'), click: () => this.which()}, say('view-heads-which'));
    parts.reading.after(this.whyButton, this.whichButton);
    parts.looks.prepend(el('div', {class: 'segments', role: 'group', 'aria-label': say('view-heads-beside')}, ...this.tabs));
  }

  open(name) {
    if (name === this.shown) return void (name === 'why' && this.act.open(''));
    const {picked, data} = this.given;
    this.act.open(name, Beside.asksFor({...picked, beside: name}, data.header));
  }

  /** All heads by what each moves from the picked cell, where no word is predicted by the weight it gives it; or as they stood. */
  which() {
    const {picked, data} = this.given;
    const by = this.isByCell(picked) ? '' : isPredicted(data.header.predicted, picked.token) ? 'moved' : 'cell';
    this.act.measure({overlay: by, sort: by});
    if (by && this.shown && this.shown !== 'why') this.open('');
  }

  isByCell = ({overview}) => OF_CELL.some((name) => isByOne(name, overview));

  /** Who opens silencing asks what the head does that is picked; another head takes a press. */
  static asksFor(picked, header) {
    return besideIn(picked).look === 'effect' ? {pressed: pressedFor(picked, header)} : {};
  }

  /** What the server says of every head are metrics more; while silencing is not here, how far it is stands under the heads. */
  metricsOfAll({picked, data, overview}) {
    const {say, parts} = this;
    const {silenced, sort, overlay, source} = optionsOf(picked.overview);
    const answer = silenced && lookOf(data.header.revision, silencingOf(silenced));
    this.more = metricsOfAll(picked, data, say, this.more);
    overview.add(this.more, picked.token !== null);
    const effect = this.more.some(({metric}) => metric.name === 'silencing');
    this.whichButton.setAttribute('aria-pressed', String(picked.token !== null && this.isByCell(picked)));
    this.whichButton.disabled = picked.token === null;
    const isAsked = silenced || [sort, overlay].includes('silencing');
    const progress = () => answer?.reason ?? (silenced ? fillText(say('view-heads-effect-progress'), {percent: pct(answer?.share ?? 0)}) : say('view-heads-effect-again'));
    setText(parts.looksNote, isAsked && !effect ? progress() : source === 'own' && !ownSentences() ? say('view-heads-own-elsewhere') : ((!parts.grid.hidden && overview.note) || say('view-heads-no-proof')));
  }

  /** `given`: {picked, data, overview}, and {k, theme} once they are known. */
  show(given) {
    this.given = given;
    const {parts, tabs} = this;
    const {picked, overview} = given;
    overview.supportLines = supportLines;
    overview.support(lookOf(given.data.header.revision, SUPPORT));
    const {look, how} = besideIn(picked);
    const name = Object.hasOwn(this.looks, look) ? look : '';
    const isOfWord = name === 'why' && how.startsWith('word'); // of all heads
    const isWhy = name === 'why' && !isOfWord;
    const instead = isWhy ? '' : name; // of all heads
    for (const tab of tabs) {
      tab.setAttribute('aria-pressed', String(tab.dataset.beside === instead));
      if (tab.dataset.beside === 'lens') tab.hidden = !given.data.header.predicted && instead !== 'lens';
    }
    this.whyButton.setAttribute('aria-pressed', String(isWhy));
    const isBack = parts.grid.hidden && !instead;
    parts.grid.hidden = parts.kinds.hidden = parts.takeAll.hidden = Boolean(instead); // a look has a menu of its own
    this.metricsOfAll(given);
    parts.look.hidden = !instead;
    parts.overviewBar.classList.toggle('ofonetext', ['rollout', 'lens', 'effect', 'why'].includes(instead));
    parts.why.hidden = !isWhy;
    if (isBack) overview.show(); // what changed while it was hidden is not drawn yet
    const shown = isOfWord ? 'word' : name;
    if (this.shown !== shown) {
      this.shown = shown;
      for (const place of [parts.look, parts.why]) place.replaceChildren();
      const place = isWhy ? parts.why : parts.look;
      if (name) place.append(this.looks[name].node);
      place.scrollTop = 0;
    }
    if (name && given.k) this.looks[name].show(given);
  }
}

/** By what a kind is supported: what its button says, then what stands behind it. */
function supportLines({supported, say}, kind, index) {
  if (supported?.reason) return [say('view-heads-support'), supported.reason];
  if (!supported?.blocks.length) return [say('view-heads-support'), `${say('view-heads-support-coming')} ${pct(supported?.share ?? 0)}`];
  const [name, ...lines] = supported.blocks[index].text.split('\n'); // of the kind that it is about
  return name === kind.name ? lines : [];
}
