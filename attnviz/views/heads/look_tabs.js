// One look at the head: in place of all heads, or, why it looks there, over the sentence that says where. Choosing a token or
// a head there or here is seen in both.

import {el, setText} from '../kit/dom.js';
import {pct} from '../kit/number.js';
import {fillText} from '../kit/words.js';
import {BlocksLook} from './blocks_look.js';
import {ownSentences} from './own_sentences.js';
import {SUPPORT, besideIn, lookOf, pressedFor, silencedMetric, silencingOf} from './look_answers.js';
import {optionsOf} from './overview_options.js';
import {MetricsLook} from './metrics_look.js';
import {SentencesLook} from './sentences_look.js';

export class Beside {
  parts; say; act; looks; given;

  /** `act`: open(name), seekHead([layer, head]), look(changes), measure(options), silence({token}), leave(sentence), charts(source). */
  constructor(parts, {say, signal, act}) {
    Object.assign(this, {parts, say, act, shown: ''});
    const [blocks, numbers, sentences] = [BlocksLook, MetricsLook, SentencesLook].map((Look) => new Look({say, signal, act}));
    this.looks = {why: blocks, numbers, sentences, rollout: blocks, effect: blocks};
    const tab = (name, label, kind = null) => el('button', {type: 'button', class: kind, 'data-beside': name, click: () => this.open(name)}, label);
    this.tabs = [tab('', say('view-heads-beside-all')), ...Object.keys(this.looks).filter((name) => name !== 'why').map((name) => tab(name, say(`view-heads-beside-${name}`)))];
    this.whyButton = tab('why', say('view-heads-beside-why'), 'choice');
    parts.reading.after(this.whyButton);
    parts.looks.prepend(el('div', {class: 'segments', role: 'group', 'aria-label': say('view-heads-beside')}, ...this.tabs));
  }

  open(name) {
    if (name === this.shown) return void (name === 'why' && this.act.open(''));
    const {picked, data} = this.given;
    this.act.open(name, Beside.asksFor({...picked, beside: name}, data.header));
  }

  /** Who opens silencing asks what the head does that is picked; another head takes a press. */
  static asksFor(picked, header) {
    return besideIn(picked).look === 'effect' ? {pressed: pressedFor(picked, header)} : {};
  }

  /** What silencing each head does is one metric more; while it is not here, how far it is stands under the heads. */
  effectOfSilencing({picked, data, overview}) {
    const {say, parts} = this;
    const {silenced, sort, overlay, source} = optionsOf(picked.overview);
    const answer = silenced && lookOf(data.header.revision, silencingOf(silenced));
    const effect = silencedMetric(answer, say);
    overview.affect(effect);
    const isAsked = silenced || [sort, overlay].includes('silencing');
    const progress = () => answer?.reason ?? (silenced ? fillText(say('view-heads-effect-progress'), {percent: pct(answer?.share ?? 0)}) : say('view-heads-effect-again'));
    setText(parts.looksNote, isAsked && !effect ? progress() : say(source === 'own' && !ownSentences() ? 'view-heads-own-elsewhere' : 'view-heads-no-proof'));
  }

  /** `given`: {picked, data, overview}, and {k, theme} once they are known. */
  show(given) {
    this.given = given;
    const {parts, tabs} = this;
    const {picked, overview} = given;
    this.effectOfSilencing(given);
    overview.support(lookOf(given.data.header.revision, SUPPORT));
    const name = Object.hasOwn(this.looks, besideIn(picked).look) ? besideIn(picked).look : '';
    const isWhy = name === 'why';
    const instead = isWhy ? '' : name; // of all heads
    for (const tab of tabs) tab.setAttribute('aria-pressed', String(tab.dataset.beside === instead));
    this.whyButton.setAttribute('aria-pressed', String(isWhy));
    const isBack = parts.grid.hidden && !instead;
    parts.grid.hidden = parts.kinds.hidden = Boolean(instead);
    parts.look.hidden = !instead;
    parts.overviewBar.classList.toggle('ofonetext', ['rollout', 'effect'].includes(instead));
    parts.why.hidden = !isWhy;
    if (isBack) overview.show(); // what changed while it was hidden is not drawn yet
    if (this.shown !== name) {
      this.shown = name;
      for (const place of [parts.look, parts.why]) place.replaceChildren();
      const place = isWhy ? parts.why : parts.look;
      if (name) place.append(this.looks[name].node);
      place.scrollTop = 0;
    }
    if (name && given.k) this.looks[name].show(given);
  }
}
