// A button whose press tells Python what is picked in a picture at that moment.

import {lastPicked} from './picked.js';

const buttons = new WeakMap();

export default function press({data, parentElement, setStateValue}) {
  let button = buttons.get(parentElement);
  if (!button) {
    button = Object.assign(document.createElement('button'), {type: 'button'});
    buttons.set(parentElement, button);
    parentElement.append(button);
  }
  button.textContent = data.label;
  button.onclick = () => setStateValue('pressed', {at: Date.now(), picked: lastPicked(data.view) ?? {}});
  return () => buttons.delete(parentElement);
}
