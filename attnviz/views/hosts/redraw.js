// Asks for another run of the part of the page that it stands in when the theme changes: figures of plotly have their
// colours from Python. Of the part alone: while the whole page runs, Streamlit takes an open dialog away.

import {atEnd} from './last_call.js';
import {themeOf} from '../kit/theme.js';

const shown = new WeakMap(); // by element: the theme that Streamlit said last

export default function redraw(component) {
  const {parentElement, setStateValue} = component;
  const now = themeOf(parentElement);
  if (shown.has(parentElement) && shown.get(parentElement) !== now) setStateValue('theme', now);
  shown.set(parentElement, now);
  return atEnd(component, () => shown.delete(parentElement));
}
