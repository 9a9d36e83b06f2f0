// The views as the dashboard mounts them: their modules, which come when the first of their pictures does, their styles, what
// of them stands in the link and what they fetch. `page`: whose picks theirs are, in link.py.

import {written} from './link.js';

const oneTrace = ({model, text, target = ''}) => [{name: '', path: 'trace', body: {model, text, target}}];

/** @type {Record<string, any>} */
export const VIEWS = {
  stepper: {
    page: 'step',
    styles: ['../kit/palette.css', '../kit/tokens.css', '../stepper/stepper.css', '../stepper/choice_bar.css', '../stepper/rail.css', '../stepper/stage.css', '../stepper/side_panel.css'],
    load: () => [import('../stepper/view.js'), import('../stepper/picked_in_link.js')],
    tracesFor: (question, place) => [{name: '', path: 'step/trace', body: {...question, picked: place}}],
    picture: 'step/picture', // Python says the question; the picture is fetched for what is picked in it
    selectionOf: (view) => view.selection(),
  },
  heads: {
    page: 'heads',
    styles: ['../kit/palette.css', '../kit/tokens.css', '../heads/frame.css', '../heads/overview.css', '../heads/lines.css', '../heads/filters.css', '../heads/written_tokens.css', '../heads/neurons.css', '../heads/heatmap.css', '../heads/text.css'],
    load: () => [import('../heads/served_view.js'), import('../heads/picked_in_link.js'), import('../heads/first_pick.js'), import('../heads/requests.js')],
    served: ['../heads/looks.css', '../heads/written_player.css', '../panel/panel.css', '../panel/figures.css'], // not in a file
    rest: 'heads/rest',
    measuredOf: ({overview}) => overview.measured,
    tracesFor: oneTrace,
    selectionOf: (view) => view.picked,
  },
  home: {page: 'home', styles: ['../kit/palette.css', '../kit/tokens.css', '../home/home.css'], load: () => [import('../home/view.js'), import('../home/picked_in_link.js')], tracesFor: oneTrace, selectionOf: (view) => view.selected, shows: (view) => view.shows, requestsFor: ({pair}, _header, {pair: known}) => (pair && !known ? [{path: 'home/pair', body: pair}] : []), measurementsFor: ({word}, {selection: {layer, head, token}}) => [{path: 'home/story', body: {layer, head, token: word ?? token}}, {path: 'home/formation', body: {}}]},
  byhand: {page: 'byhand', styles: ['../kit/palette.css', '../kit/tokens.css', '../byhand/byhand.css', '../byhand/paper.css'], load: () => [import('../byhand/view.js'), import('../byhand/picked_in_link.js')], selectionOf: (view) => view.selection()},
  compare: {
    page: 'compare',
    styles: ['../kit/palette.css', '../kit/tokens.css', '../compare/compare.css', '../compare/pair.css'],
    load: () => [import('../compare/view.js'), import('../compare/picked_in_link.js')],
    rest: 'compare/rest',
    tracesFor: ({a, b, text, other}) => [['A', a, text], ['B', b, other || text]].map(([name, model, read]) => ({name, path: 'trace', body: {model, text: read}})),
    selectionOf: (view) => view.selection(),
  },
  panel: {styles: ['../kit/palette.css', '../kit/tokens.css', '../panel/panel.css', '../panel/figures.css'], load: () => [import('../panel/view.js')]},
  training: {page: 'train', styles: ['../kit/palette.css', '../kit/tokens.css', '../training/training.css', '../training/maps.css'], load: () => [import('../training/view.js'), import('../training/picked_in_link.js')], selectionOf: (view) => (view.isTold ? view.selection() : null)},
};

/** The modules of a view; where they could not be loaded, the next call tries again. */
export async function loaded(view) {
  view.modules ??= Promise.all(view.load());
  try {
    const {toLink, ...made} = Object.assign({}, ...(await view.modules));
    Object.assign(view, made, toLink && {toLink: (selection, header) => written(view.page, toLink(selection, header))});
  } catch (error) {
    view.modules = null;
    throw error;
  }
}
