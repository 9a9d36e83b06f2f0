// The parts of the view that depend on its words and tokens, not on its size; `act` is the view, which they tell what to do.

import {listen} from '../kit/dom.js';
import {Bars} from './picture_bars.js';
import {Detail} from './one_head.js';
import {frame, nameModel} from './frame.js';
import {Lens} from './drawn_weights.js';
import {Overview} from './overview.js';

/** Build them for what the view holds now. */
export function assemble(act, signal) {
  const {header, queries, keys} = act.data;
  const {say} = act.shell;
  const parts = frame(act.root, say);
  const given = {say, signal, act};
  listen(parts.keysButton, 'click', () => act.listKeys());
  nameModel(parts, header, say, act.Beside && ((part) => act.leave({part}, {token: null, key: null})));
  return {
    parts,
    overview: new Overview(parts, {...given, lang: header.lang, isAlone: act.emit === null}),
    detail: new Detail(parts, {...given, hasTwoTexts: Boolean(header.tokens.target)}),
    beside: act.Beside && new act.Beside(parts, given),
    bars: new Bars(parts, {...given, tokens: {queries, keys}, sinkShare: header.sink_share}),
    written: new act.Written(parts.written, {header, queries, ...given}),
    predicted: new act.Predicted(parts.predicted, {header, queries, say, act: act.Beside && act}),
    lens: new Lens({queries, keys}),
  };
}
