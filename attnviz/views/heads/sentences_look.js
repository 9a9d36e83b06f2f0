// The sentences that excite the picked head most, their tokens coloured by its weights, and a list of the person's own.

import {css, textOn, weightColour} from '../kit/colour.js';
import {el} from '../kit/dom.js';
import {pct} from '../kit/number.js';
import {fillText, named, visible} from '../kit/words.js';
import {excitedFor, excitedOf} from './look_answers.js';
import {keepDraft, measureOwn, ownDraft, ownSentences} from './own_sentences.js';
import {gapBefore} from './text_flow.js';

const LARGEST_FILE = 4_000_000; // bytes

export class SentencesLook {
  say; act; found; theme; own;

  constructor({say, act}) {
    Object.assign(this, {say, act});
    this.title = el('h3', {class: 'title small'});
    this.about = el('p', {class: 'caption', role: 'status'});
    this.list = el('ol', {class: 'excited'});
    this.own = this.form();
    this.node = el('div', {class: 'sentenceslook'}, this.title, this.about, this.list, this.own);
  }

  show({picked, data, overview, theme}) {
    const {say} = this;
    const source = overview.source === 'own' ? 'own' : 'many';
    const answer = excitedOf(data.header.revision, excitedFor(picked, source));
    this.title.textContent = fillText(say('view-heads-excited'), {layer: picked.layer + 1, head: picked.head + 1});
    const known = overview.known?.[source];
    const coming = known?.share === undefined ? say('view-heads-excited-coming') : fillText(say('view-heads-measuring'), {n: known.n, percent: pct(known.share)});
    this.about.textContent = answer ? answer.said.join(' ') : (known?.reason ?? coming);
    this.stop.hidden = !ownSentences();
    this.own.hidden = !answer && !known?.reason && !this.found && !ownSentences(); // it comes with the list, which would push it down
    if (!answer || (this.found === answer && this.theme === theme)) return;
    Object.assign(this, {found: answer, theme});
    this.list.replaceChildren(...answer.each.map((one, at) => this.item(one, answer.arrays[`row${at}`].data)));
  }

  /** One sentence: how much of the pattern it shows, its tokens, and the row they are coloured by. */
  item({sentence, value, row, index, tokens}, weights) {
    const {say, theme} = this;
    const words = tokens.flatMap((token, at) => {
      const fill = weightColour(weights[at], theme);
      const node = el('span', {class: at === index ? 'word own' : 'word', title: `${named(row)} → ${named(token)} ${pct(weights[at])}`}, visible(token.text));
      Object.assign(node.style, {background: css(fill), color: textOn(fill)});
      return [gapBefore(tokens, at), node];
    });
    const by = index === null ? [el('b', {}, `${named(row)}${row.writes ? ` → ${row.writes}` : ''}: `)] : [];
    const show = el('button', {type: 'button', class: 'choice', 'aria-label': `${say('view-heads-excited-show')}: ${sentence}`, title: say('view-heads-excited-show'), click: () => this.act.leave(sentence)}, '↗');
    return el('li', {}, el('span', {class: 'number'}, value.toFixed(2)), el('p', {dir: 'auto'}, ...by, ...words), show);
  }

  /** The list of one's own: typed or from a file, and measured in place of the bundled ones. */
  form() {
    const {say} = this;
    const heard = {input: () => keepDraft(this.box.value), keydown: (event) => event.stopPropagation()};
    this.box = el('textarea', {rows: 4, placeholder: say('view-heads-own-hint'), 'aria-label': say('view-heads-own-text'), dir: 'auto', ...heard});
    this.box.value = ownDraft();
    this.file = el('input', {type: 'file', accept: '.txt,text/plain', 'aria-label': say('view-heads-own-file'), change: () => this.open(this.file.files[0])});
    this.problem = el('p', {class: 'caption', role: 'alert'});
    const start = el('button', {type: 'button', class: 'choice', click: () => this.measure(this.box.value)}, say('view-heads-own-start'));
    this.stop = el('button', {type: 'button', class: 'choice', click: () => this.measure('')}, say('view-heads-own-stop'));
    const open = el('label', {class: 'choice'}, say('view-heads-own-file'), this.file);
    return el('div', {class: 'own'}, el('p', {class: 'caption'}, say('view-heads-own-about')), this.box, el('div', {class: 'lookbar'}, start, open, this.stop), this.problem);
  }

  measure(text) {
    measureOwn(text.trim());
    this.act.measure({source: text.trim() ? 'own' : 'many'});
  }

  async open(file) {
    this.problem.textContent = '';
    if (!file) return;
    try {
      if (file.size > LARGEST_FILE) throw new RangeError(file.name);
      const text = new TextDecoder('utf-8', {fatal: true}).decode(await file.arrayBuffer());
      if (text.includes('\0')) throw new TypeError(file.name);
      this.box.value = text;
      keepDraft(text);
    } catch {
      this.problem.textContent = fillText(this.say('view-heads-own-unreadable'), {file: file.name});
    }
    this.file.value = '';
  }
}
