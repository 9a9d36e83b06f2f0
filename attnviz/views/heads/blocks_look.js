// Why there, rollout and silencing: what the server computed of the picked head, and the choices that it depends on.

import {el} from '../kit/dom.js';
import {pct} from '../kit/number.js';
import {fill, fillText, headInWords, named} from '../kit/words.js';
import {tokenInText} from '../kit/token.js';
import {Blocks} from '../panel/blocks.js';
import {askedFor, besideIn, lookOf, pressedFor, silencingOf} from './look_answers.js';
import {optionsOf} from './overview_options.js';
import {headsOf} from './several_heads.js';

const OFFERED = 24; // columns to choose from
const CHANGES = ['silence', 'mean', 'edge'];

export class BlocksLook {
  say; act; signal; found; isOfOne;

  constructor({say, signal, act}) {
    Object.assign(this, {say, act, signal});
    this.bar = el('div', {class: 'lookbar'});
    this.status = el('p', {class: 'caption', role: 'status'});
    this.body = el('div', {class: 'panel'});
    this.blocks = new Blocks(this.body);
    this.more = el('div', {class: 'lookbar'});
    this.every = {body: el('div', {class: 'panel'})};
    this.every.blocks = new Blocks(this.every.body);
    this.caution = el('p', {class: 'caution'}, say('view-heads-effect-no-proof'));
    this.node = el('div', {class: 'blockslook'}, this.bar, this.more, this.status, this.every.body, this.body, this.caution);
  }

  show(given) {
    const {picked, data} = given;
    const {look, how} = besideIn(picked);
    const isEffect = look === 'effect';
    this.given = given;
    this.choices(isEffect, how);
    const asked = askedFor(picked, data.header);
    const answer = lookOf(data.header.revision, asked);
    const isAsked = !isEffect || picked.pressed === pressedFor(picked, data.header);
    const ready = fillText(this.say('view-heads-effect-ready'), {layer: picked.layer + 1, head: picked.head + 1});
    const isOfOne = !['rollout', 'lens'].includes(look) && headsOf(picked).length > 1;
    const one = isOfOne ? fillText(this.say(`view-heads-${look}-one`), {named_head: headInWords(this.say, headsOf(picked)[0])}) : '';
    this.status.textContent = answer ? one : isAsked ? this.say('view-heads-look-coming') : ready;
    const isOther = this.found?.revision !== data.header.revision || this.found.asked.look !== asked.look;
    const isOtherLook = this.found?.asked.look !== asked.look;
    if (answer || isOtherLook || (!isAsked && isOther)) this.fill(this, answer); // else the last answer stays until the new one is there
    this.body.classList.toggle('coming', !answer);
    this.status.classList.toggle('unseen', !answer && !isEffect && this.body.childElementCount > 0); // it would push what stands
    this.caution.hidden = !isEffect || (isAsked && !answer && isOther); // comes with the answer, under which it stays
    for (const part of [this.more, this.every.body]) part.hidden = !isEffect;
    this.body.hidden = this.status.hidden = false;
    if (isEffect) this.silencing();
    else this.more.after(this.status);
  }

  /** Draw an answer, built once. */
  fill(place, answer) {
    const {say, signal, act, given} = this;
    if (place.found !== answer) place.blocks.build({blocks: answer?.blocks ?? [], arrays: answer?.arrays ?? {}}, {say, signal, lead: (head) => act.seekHead(head)});
    place.found = answer;
    const {look} = besideIn(given.picked);
    place.blocks.draw({...given, row: look === 'rollout' ? given.picked.token : null, token: look === 'lens' ? given.picked.token : null});
  }

  /** What is asked beside the head: the change to it, and the column. */
  choices(isEffect, how) {
    const {say, act, given} = this;
    const {picked, data} = given;
    const change = (name) => el('button', {type: 'button', 'aria-pressed': name === how, click: () => act.look({beside: name === CHANGES[0] ? 'effect' : `effect-${name}`})}, say(`view-heads-effect-${name}`));
    const ways = el('div', {class: 'segments', role: 'group', 'aria-label': say('view-heads-effect-how')}, ...CHANGES.map(change));
    const begin = () => {
      this.isOfOne = true;
      act.look({pressed: pressedFor(picked, data.header)});
    };
    const start = el('button', {type: 'button', class: 'choice', click: begin}, say('view-heads-effect-start'));
    const hasCell = picked.beside === 'why' || how === 'edge';
    refill(this.bar, ...(isEffect ? [ways] : []), ...(hasCell ? this.columns() : []), ...(isEffect ? [start] : []));
  }

  /** The keys of the pinned row, those with most weight first; none where no row is pinned, and the server takes one. */
  columns() {
    const {say, act, given} = this;
    const {picked, data} = given;
    const numbers = data.numbers([picked.layer, picked.head]);
    if (picked.token === null || !numbers) return [];
    const row = numbers.weight ? data.keys.map((_, index) => ({index, weight: numbers.weight(picked.token, index)})) : numbers.keys(picked.token, OFFERED);
    const most = row.sort((a, b) => b.weight - a.weight).slice(0, OFFERED);
    const chosen = picked.key ?? most[0]?.index;
    const listed = most.some(({index}) => index === chosen) ? most : [...most, ...row.filter(({index}) => index === chosen)];
    const query = tokenInText(data.queries[picked.token], 16);
    const select = el('select', {change: ({target}) => act.look({key: Number(target.value)}), 'aria-label': fillText(say('view-heads-look-cell'), {query: named(data.queries[picked.token])})}, ...listed.map(({index, weight}) => el('option', {value: index}, `${named(data.keys[index])}  ${pct(weight)}`)));
    select.value = String(chosen);
    return [el('label', {class: 'cellpick'}, el('span', {}, fill(document, say('view-heads-look-cell'), {query})), select)];
  }

  /** Every head silenced, one at a time: the button, how far it is, and the map. */
  silencing() {
    const {say, act, given, more, every} = this;
    const {picked, data} = given;
    const {silenced} = optionsOf(picked.overview);
    const answer = silenced && lookOf(data.header.revision, silencingOf(silenced));
    const isDone = Boolean(answer?.blocks.length);
    const isComing = Boolean(silenced) && !isDone && !answer?.reason;
    const begin = () => {
      this.isOfOne = false;
      act.silence({token: picked.token});
    };
    const stop = () => act.silence(null);
    const words = say(isComing ? 'view-heads-effect-stop' : 'view-heads-effect-every');
    const button = el('button', {type: 'button', class: 'choice', click: isComing ? stop : begin}, words);
    const share = answer?.share ?? 0;
    const progress = isComing ? [el('progress', {max: 1, value: share, 'aria-label': say('view-heads-effect-every')}), el('span', {class: 'caption', role: 'status'}, fillText(say('view-heads-effect-progress'), {percent: pct(share)}))] : [];
    const toGrid = () => {
      act.measure({overlay: 'silencing', sort: 'silencing'});
      act.open('');
    };
    const sort = isDone ? [el('button', {type: 'button', class: 'choice', click: toGrid}, say('view-heads-effect-grid'))] : [];
    refill(more, button, ...sort, ...progress, ...(answer?.reason ? [el('span', {class: 'caption', role: 'status'}, answer.reason)] : []), this.status);
    const isOfAll = isDone && !this.isOfOne; // in place of what one of them does: nothing moves
    every.body.hidden = !isOfAll;
    this.body.hidden = this.status.hidden = isOfAll;
    if (isOfAll) this.fill(every, answer);
  }
}

/** Other controls in a bar; the focus stays on the one in its place. */
function refill(bar, ...controls) {
  const all = () => [...bar.querySelectorAll('button, select')];
  const at = all().indexOf(bar.getRootNode().activeElement);
  bar.replaceChildren(...controls);
  all()[at]?.focus();
}
