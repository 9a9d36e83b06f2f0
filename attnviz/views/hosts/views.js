// The views as the dashboard mounts them: what draws each, its styles, what of it stands in the link and what it fetches.

import {mount as compare} from '../compare/view.js';
import * as compareLink from '../compare/link.js';
import {keepPair} from '../compare/pairs.js';
import {keepPart} from '../heads/extras.js';
import {featuresOf} from '../heads/vectors.js';
import {keepKinds} from '../heads/measured.js';
import * as headsLink from '../heads/link.js';
import {BlocksLook} from '../heads/blocks_look.js';
import {keepExcited, keepLook} from '../heads/looks.js';
import {offer} from '../heads/beside.js';
import {SentencesLook} from '../heads/sentences_look.js';
import {exactNumbers} from '../heads/numbers.js';
import {pickedAtFirst} from '../heads/pick.js';
import {measurementsFor, requestsFor} from '../heads/requests.js';
import {mount as heads} from '../heads/view.js';
import * as homeLink from '../home/link.js';
import {mount as home} from '../home/view.js';
import {exactHeads, exactKey, headFeatures} from '../kit/pool.js';
import {mount as panel} from '../panel/view.js';
import * as stepperLink from '../stepper/link.js';
import {mount as stepper} from '../stepper/view.js';
import * as trainingLink from '../training/link.js';
import {mount as training} from '../training/view.js';

/** Exact numbers of one head. */
function keepExact({group, layer, head, arrays}) {
  const [queries, keys] = arrays.head?.shape ?? arrays.top_keys?.shape ?? [];
  const numbers = exactNumbers(arrays, queries, keys);
  if (numbers) exactHeads.put(exactKey(group, layer, head), numbers);
}

/** Queries and keys of one head. */
function keepFeatures({group, layer, head, arrays, ...facts}) {
  headFeatures.put(exactKey(group, layer, head), featuresOf({...facts, layer, head}, arrays));
}

const oneTrace = ({model, text, target = ''}) => [{name: '', path: 'trace', body: {model, text, target}}];

offer({why: BlocksLook, rollout: BlocksLook, effect: BlocksLook, sentences: SentencesLook});

export const VIEWS = {
  stepper: {
    mount: stepper,
    styles: ['../kit/tokens.css', '../stepper/stepper.css', '../stepper/bar.css', '../stepper/rail.css', '../stepper/stage.css', '../stepper/side.css'],
    ...stepperLink,
    tracesFor: (question, place) => [{name: '', path: 'step/trace', body: {...question, picked: place}}],
    picture: 'step/picture', // Python says the question; the picture is fetched for what is picked in it
    selectionOf: (view) => view.selection(),
  },
  heads: {
    mount: heads,
    styles: ['../kit/tokens.css', '../heads/frame.css', '../heads/overview.css', '../heads/lines.css', '../heads/filters.css', '../heads/written_tokens.css', '../heads/neurons.css', '../heads/map.css', '../heads/text.css', '../heads/beside.css', '../panel/panel.css', '../panel/figures.css'],
    ...headsLink,
    rest: 'heads/rest',
    tracesFor: oneTrace,
    selectionOf: (view) => view.picked,
    pickedAtFirst,
    requestsFor,
    measurementsFor,
  },
  home: {mount: home, styles: ['../kit/tokens.css', '../home/home.css'], ...homeLink, tracesFor: oneTrace, selectionOf: (view) => ({word: view.picked}), measurementsFor: () => [{path: 'home/pair', body: {}}, {path: 'home/formation', body: {}}]},
  compare: {
    mount: compare,
    styles: ['../kit/tokens.css', '../compare/compare.css', '../compare/pair.css'],
    ...compareLink,
    rest: 'compare/rest',
    tracesFor: ({a, b, text, other}) => [['A', a, text], ['B', b, other || text]].map(([name, model, read]) => ({name, path: 'trace', body: {model, text: read}})),
    selectionOf: (view) => view.selection(),
  },
  panel: {mount: panel, styles: ['../kit/tokens.css', '../panel/panel.css', '../panel/figures.css']},
  training: {mount: training, styles: ['../kit/tokens.css', '../training/training.css', '../training/maps.css'], ...trainingLink},
  // Numbers that belong to a view: they are kept, and the view is told.
  'home-pair': {},
  'home-formation': {},
  exact: {keep: keepExact},
  window: {keep: keepPart},
  neurons: {keep: keepFeatures},
  kinds: {keep: keepKinds},
  look: {keep: keepLook},
  excited: {keep: keepExcited},
  pair: {keep: keepPair},
};
