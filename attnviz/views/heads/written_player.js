// The walk over written tokens where a server answers: a player, a slider, and its row in every small picture.

import {el, listen} from '../kit/dom.js';
import {Player} from '../kit/player.js';
import {tokenInText} from '../kit/token.js';
import {WrittenTokens, rowAfter, stepOf} from './written_tokens.js';

const PACE = {every: 620, calm: 900};
const LONGEST = 28; // characters of a token as it is read aloud

export class PlayedTokens extends WrittenTokens {
  build() {
    super.build();
    const {say, signal, found} = this;
    const {rows} = found;
    if (rows.length < 2) return;
    const player = (this.player = new Player(() => this.advance(), () => this.namePlay(), {root: this.holder, signal, ...PACE}));
    this.button = el('button', {type: 'button', class: 'tool', click: () => this.play()}, el('span', {'aria-hidden': 'true'}));
    this.slider = el('input', {type: 'range', min: 1, max: rows.length, 'aria-label': say('view-heads-written')});
    listen(this.slider, 'input', () => {
      player.stop();
      this.act.pinRow(rows[Number(this.slider.value) - 1]);
    });
    this.namePlay();
    this.before.before(this.button);
    this.after.after(this.slider);
  }

  namePlay() {
    const isPlaying = Boolean(this.player?.isPlaying);
    const name = isPlaying ? this.say('view-heads-written-pause') : this.say('view-heads-written-play');
    this.button.firstChild.className = isPlaying ? 'pause' : 'start';
    this.button.setAttribute('aria-label', name);
    this.button.title = name;
  }

  /** From the first, where the last one is shown or none of them. */
  play() {
    if (!this.player) return;
    if (this.player.isPlaying) return this.player.stop();
    const {rows} = this.found;
    if ((stepOf(rows, this.token) ?? rows.length - 1) === rows.length - 1) this.act.pinRow(rows[0]);
    this.player.start();
  }

  /** Whether there is one more. */
  advance() {
    const {rows} = this.found;
    this.act.pinRow(rowAfter(rows, this.token, 1));
    return this.token !== rows.at(-1);
  }

  step(by) {
    this.player?.stop();
    super.step(by);
  }

  show(token) {
    this.markRow(token);
    super.show(token);
    if (!this.slider) return;
    const step = stepOf(this.found.rows, token);
    this.slider.value = String(step === null ? 1 : step + 1);
    this.slider.setAttribute('aria-valuetext', step === null ? '–' : `${this.at.textContent}: ${tokenInText(this.found.tokens[step], LONGEST).textContent}`);
  }

  /** The row that wrote a token, at the sides of every small picture; none where another row is looked at. */
  markRow(token) {
    const {rows: holder, place} = this.act.grid;
    const isShown = Boolean(this.found && place) && stepOf(this.found.rows, token) !== null;
    holder.classList.toggle('haswritten', isShown);
    if (!isShown) return;
    const height = place.size / this.queries.length;
    holder.style.setProperty('--row-top', `${token * height}px`);
    holder.style.setProperty('--row-height', `${Math.max(height, 2)}px`);
  }
}
