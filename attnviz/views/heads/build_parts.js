// The parts of the view that depend on its words and tokens, not on its size, each told what of the view it may call.

import {listen} from '../kit/dom.js';
import {Bars} from './picture_bars.js';
import {Detail} from './one_head.js';
import {frame, nameModel} from './frame.js';
import {Lens} from './drawn_weights.js';
import {Overview} from './overview.js';
import {WrittenTokens} from './written_tokens.js';

/** Build them for what the view holds now; `act` is what a person can do to it, `Beside` null where no server answers. */
export function assemble(root, {header, queries, keys}, say, signal, isAlone, act, Beside) {
  const parts = frame(root, say);
  const overview = new Overview(parts, {say, signal, lang: header.lang, isAlone, chosen: act.tap, looked: act.lookAtAll, sought: act.seek, supports: act.supports});
  const detail = new Detail(parts, {say, signal, hasTwoTexts: Boolean(header.tokens.target), act});
  const beside = Beside && new Beside(parts, {say, signal, act});
  const bars = new Bars(parts, {say, signal, look: act.look, toggle: act.addHead});
  const written = new WrittenTokens(parts.written, {header, queries}, say, act.pinRow);
  listen(parts.keysButton, 'click', act.listKeys);
  nameModel(parts, header, say, Beside && act.goTo);
  return {parts, overview, beside, detail, bars, written, lens: new Lens({queries, keys})};
}
