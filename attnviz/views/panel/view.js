// A panel: blocks one under the other. What is pointed at in it stays in it; a row or a cell that leads somewhere says
// where to, if somebody asked (`header.leads`).

import {show} from '../kit/shell.js';
import {Blocks} from './blocks.js';

/** Show a payload in `element`; `emit({go})` is told of a press on what leads somewhere. */
export function mount(element, payload, emit) {
  return show(PanelView, element, payload, emit);
}

class PanelView {
  shell; blocks;
  /** @type {Payload<PanelHeader>} */
  payload;
  static css = 'panel';

  constructor(shell) {
    Object.assign(this, {shell, blocks: new Blocks(shell.root)});
  }

  /**
   * New blocks, words or theme.
   * @param {Payload<PanelHeader>} payload
   */
  take(payload) {
    this.payload = payload;
    return true;
  }

  build(signal) {
    const {root, say} = this.shell;
    const {header, arrays} = this.payload;
    root.setAttribute('role', 'group');
    root.setAttribute('aria-label', header.text);
    this.blocks.build({blocks: header.blocks, arrays}, {say, signal, lead: header.leads ? (go) => this.shell.emit({go}) : null});
  }

  draw({k, theme}) {
    this.blocks.draw({k, theme});
  }
}
