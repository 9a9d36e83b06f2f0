// Written by scripts/make_header_types.py from headers.py and */header.py; a contract test compares them.

interface Tensor {
  data: Uint8Array | Uint16Array | Uint32Array | Float32Array;
  shape: number[];
}

type Arrays = Record<string, Tensor>;

interface Payload<Header> {
  header: Header;
  arrays: Arrays;
}

/** Of what a link can say: see link.py. */
interface Property {
  asked: string[];
  picked: string[];
  type: string;
  of: string;
  along: boolean;
  quiet: boolean;
}

/** One token as it is labelled; see `heads.tokens.token_rows`. */
interface Token {
  text: string;
  word?: number;
  special?: boolean;
  continues?: boolean;
  unknown?: boolean;
  read?: string;
  n?: number;
  group?: string;
  space?: number;
  written?: boolean;
  sink?: boolean;
  writes?: string;
  wrote?: string;
  hidden?: boolean;
}

/** The tokens of both sides; `target` only where the rows are other tokens than the columns. */
interface TokenRows {
  source: Token[];
  target?: Token[];
}

/** A kind of head, as a legend shows it. */
interface Kind {
  name: string;
  title: string;
  says: string;
  metric: string;
  least: number;
  glyph: string[];
  light: string;
  dark: string;
}

/** What the dashboard adds on the link: see app/host/url.py. */
interface Link {
  session: string;
  page: string;
  asked: Record<string, string>;
  heard: number;
  brings: number;
  carry?: string | null;
  changed?: string;
  network?: string;
}

/** What every header begins with. */
interface Message {
  view: string;
  revision: string;
}

/** What every view has; the optional ones are added on the way by the dashboard. */
interface Picture {
  view: string;
  revision: string;
  lang: string;
  size: string;
  strings: Record<string, string>;
  sources: string[];
  address?: string;
  title?: string;
  link?: Link;
  question?: Record<string, any>;
  is_heard?: boolean;
  picked?: any;
  look?: any;
}

interface HeadsModel {
  name: string;
  layers: number;
  heads: number;
  part: string | null;
  parts: string[];
  edits: string[];
  untrained?: string;
  seed?: string;
}

/** Which rows wrote which tokens; see `heads.written_tokens`. */
interface WrittenTokens {
  rows: number[];
  tokens: Token[];
  shares: (number | null)[];
  ranks: (number | null)[];
  chosen: boolean[];
  how: string[];
  is_continued: boolean;
}

/** What each row holds for likeliest; see `heads.written_tokens`. */
interface PredictedWords {
  rows: [string, number][][];
  is_next: boolean;
  goes_on: boolean;
  first: number | null;
}

/** What a model without a head for words gives: the mean of the last vectors of its tokens. */
interface TextVector {
  width: number;
}

/** What is picked in the heads view; the words are those of a link. */
interface HeadsSelection {
  layer: number;
  head: number;
  token: number | null;
  released: boolean;
  key: number | null;
  view: string;
  also: number[][];
  together: string;
  filter: string;
  overview: string;
  beside: string;
}

/** What was measured of all heads, or how far that is. */
interface KindFacts {
  source: string;
  n: number;
  kinds?: Kind[];
  metrics?: MetricFacts[];
  share?: number;
  reason?: string | null;
  without_sinks?: boolean;
}

interface MetricFacts {
  name: string;
  title: string;
  says: string;
  unit: string;
  formula: string;
  source: string;
  even?: number;
  why?: string;
}

/** One head's scores taken apart; only `why` where they cannot be. */
interface NeuronFacts {
  layer: number;
  head: number;
  why?: string;
  first?: number;
  keys?: number[];
  more?: number;
  scale?: number;
  softcap?: number | null;
  sink?: number | null;
  key_head?: number;
  shares?: number;
  adds?: boolean;
}

interface HeadsHeader {
  view: string;
  revision: string;
  lang: string;
  size: string;
  strings: Record<string, string>;
  sources: string[];
  address?: string;
  title?: string;
  link?: Link;
  question?: Record<string, any>;
  is_heard?: boolean;
  picked?: any;
  look?: any;
  model: HeadsModel;
  text: string;
  tokens: TokenRows;
  sink_share: number;
  written: WrittenTokens | null;
  predicted: PredictedWords | null;
  vector: TextVector | null;
  selection: HeadsSelection;
  notice: string | null;
  seen: number[];
  keeps_head?: boolean;
  is_open?: boolean;
  neurons?: NeuronFacts;
  kinds?: KindFacts;
}

interface ExactHeader {
  view: string;
  revision: string;
  layer: number;
  head: number;
}

interface WindowHeader {
  view: string;
  revision: string;
  layer: number;
  head: number;
  rows: [number, number];
  columns: [number, number];
}

interface NeuronsHeader {
  view: string;
  revision: string;
  layer: number;
  head: number;
  why?: string;
  first?: number;
  keys?: number[];
  more?: number;
  scale?: number;
  softcap?: number | null;
  sink?: number | null;
  key_head?: number;
  shares?: number;
  adds?: boolean;
}

interface KindsHeader {
  view: string;
  revision: string;
  source: string;
  n: number;
  kinds?: Kind[];
  metrics?: MetricFacts[];
  share?: number;
  reason?: string | null;
  without_sinks?: boolean;
}

/** One look beside a head; `asked` is what it was asked for with. */
interface LookHeader {
  view: string;
  revision: string;
  asked: Record<string, any>;
  blocks: (Prose | Facts | Table | PanelMaps | Chart | Dials)[];
  share: number;
  reason: string | null;
}

/** A sentence, and how a row of it that tells something looks at its tokens; see `heads.excited`. */
interface ExcitedSentence {
  sentence: string;
  value: number;
  row: Token;
  index: number | null;
  tokens: Token[];
}

interface ExcitedHeader {
  view: string;
  revision: string;
  asked: Record<string, any>;
  said: string[];
  each: ExcitedSentence[];
}

interface HomeSelection {
  layer: number;
  head: number;
  token: number;
}

/** A word that may come next. */
interface Candidate {
  text: string;
  share: number;
}

interface HomeHeader {
  view: string;
  revision: string;
  lang: string;
  size: string;
  strings: Record<string, string>;
  sources: string[];
  address?: string;
  title?: string;
  link?: Link;
  question?: Record<string, any>;
  is_heard?: boolean;
  picked?: any;
  look?: any;
  text: string;
  links: Record<string, string>;
  model: string;
  heads: number;
  tokens: Token[];
  before: number;
  after: number;
  steps: string[];
  candidates: Candidate[];
  is_next: boolean;
  writes: string;
  is_trained: boolean;
  compares: string;
  selection: HomeSelection;
}

/** The arithmetic of one weight. */
interface Score {
  raw: number | null;
  scale: number;
  score: number;
  share: number;
  total: number;
  weight: number;
}

/** One part of a lead: a head, or all others, all feed-forward layers, all the rest. */
interface Added {
  kind: string;
  value: number;
  n: number;
  place?: number[];
}

/** A word that is among the likeliest of a run. */
interface Measured {
  text: string;
  shares: number[];
}

/** What a run without some heads predicts. */
interface Without {
  heads: number[][];
  link: string;
  text: string;
  share: number;
  is_other: boolean;
}

/** What a run without one head changed. */
interface Moved {
  place: number[];
  after: number;
}

interface HomeStory {
  view: string;
  revision: string;
  selection: HomeSelection;
  key: number;
  score: Score;
  lead?: number;
  moved?: number;
  added?: Added[];
  is_same_place?: boolean;
  without?: Without[];
  candidates?: Measured[];
  measure?: string;
  watched?: string;
  start?: number;
  effects?: Moved[];
  reason?: string;
}

interface Side {
  name: string;
  heads: number[];
}

/** Over what all heads were compared. */
interface Similarity {
  source: string;
  n: number;
  skipped: number;
  by_words: boolean;
  stress: number;
}

/** What is said of two heads; `most` are [query, key, a, b]. */
interface PairFacts {
  js: number | null;
  cosine: number | null;
  correlation: number | null;
  largest: number;
  most: [number, number, number, number][];
}

/** Two heads beside the verdict, and how far they are apart. */
interface ShownPair {
  a: number[];
  b: number[];
  value: number;
  unit: string;
}

interface Verdict {
  first: string;
  said: string;
  pairs: ShownPair[];
}

/** What each side holds for likeliest after its text; `both` are words with their probability in A and in B. */
interface NextWords {
  a: [string, number][];
  b: [string, number][];
  both: [string, number, number][];
  untrained: string[];
}

/** A head of A, one of B, and a cell. */
interface PairSelection {
  a: number[];
  b: number[];
  query: number | null;
  key: number | null;
  pair: PairFacts;
}

/** What both sides read, and the units that stand beside each other. */
interface Texts {
  text: string;
  text_b: string | null;
  units: Token[];
  first_tokens: number[];
  last_tokens: number[];
  are_tokens: boolean;
  is_encoder: boolean;
  left_out: string[][];
  sinks: number[];
  sink_share: number;
  next_row: number | null;
  swapped: [number, string, string][];
}

interface CompareHeader {
  view: string;
  revision: string;
  lang: string;
  size: string;
  strings: Record<string, string>;
  sources: string[];
  address?: string;
  title?: string;
  link?: Link;
  question?: Record<string, any>;
  is_heard?: boolean;
  picked?: any;
  look?: any;
  text: string;
  text_b: string | null;
  units: Token[];
  first_tokens: number[];
  last_tokens: number[];
  are_tokens: boolean;
  is_encoder: boolean;
  left_out: string[][];
  sinks: number[];
  sink_share: number;
  next_row: number | null;
  swapped: [number, string, string][];
  a: Side;
  b: Side;
  seen: Record<string, number[]>;
  asks: string;
  next: NextWords | null;
  verdict: Verdict | null;
  similarity: Similarity | null;
  kinds: Kind[] | null;
  selection: PairSelection;
  notice: string | null;
  scale: number | null;
}

interface PairHeader {
  view: string;
  revision: string;
  a: number[];
  b: number[];
  pair: PairFacts;
}

/** Where a loss fell while a head formed. */
interface Phase {
  layer: number;
  head: number;
  first: number;
  last: number;
  drop: number;
  low: number;
  high: number;
}

/** One training; see `training.picture.run_header`. */
interface Run {
  label: string;
  task: string;
  counted: string;
  outcome: string;
  planned: number;
  layers: number;
  heads: number;
  sites: string[];
  checkpoints: number[];
  measured: number[];
  accuracy: Record<string, [number, number][]>;
  answers: string[];
  even: number[];
  answered: string[];
  right: string;
  examples: number;
  phase: Phase | null;
  queries: Token[];
  keys: Token[];
  isCausal: boolean;
  expected: [number, number[]][][];
}

/** What is picked in the training view; None is left to it. */
interface Moment {
  step: number | null;
  layer: number | null;
  head: number | null;
  query: number | null;
  key: number | null;
  run: number;
}

interface TrainingHeader {
  view: string;
  revision: string;
  lang: string;
  size: string;
  strings: Record<string, string>;
  sources: string[];
  address?: string;
  title?: string;
  link?: Link;
  question?: Record<string, any>;
  is_heard?: boolean;
  picked?: any;
  look?: any;
  identity: string;
  text: string;
  runs: Run[];
  selection: Moment;
  notice: string | null;
}

/** One axis of a matrix; `start` and `count` where a part of it travels. */
interface StepAxis {
  kind: string;
  n: number;
  letter: string;
  start?: number;
  count?: number;
  tokens?: string;
  labels?: string[];
}

/** One matrix of a chain: its name, its axes by their ids, and how it is coloured. */
interface StepMatrix {
  name: string;
  rows: string;
  columns: string;
  kind: string;
  max: number;
  role?: string;
  turned?: string;
  stored?: boolean;
}

/** A matrix as a step reads it, where that is transposed. */
interface Reading {
  id: string;
  turned: boolean;
}

/** What is said of a step, the same for all heads. */
interface StepWords {
  title: string;
  stop: string;
  section: string;
  says: string;
  exercise: string;
  code: string;
  where: string;
}

/** What the reader guesses before a step shows its result. */
interface Question {
  row: number | null;
  text: string;
  answers: [number, number][];
  wrong?: string;
}

/** One step by the ids of what it reads and writes. */
interface ChainStep {
  name: string;
  kind: string;
  group: string;
  rule: string;
  part: string;
  words: number;
  result: string;
  operands: (string | Reading)[];
  formula: string;
  question: Question | null;
  bias?: string;
  rest?: string;
  extras?: Record<string, string>;
  facts?: Record<string, any>;
  factors?: Record<string, number>;
  ids?: number[];
}

interface StepSelection {
  step: string;
  row: number;
  key: number;
  feature: number;
}

/** The blocks of the whole model, and the one that is on the stage, counted from 0. */
interface ModelMap {
  encoder: number;
  decoder: number;
  stack: string;
  layer: number;
}

/** One word that a model wrote, with its probability. */
interface Word {
  text: string;
  share: number;
}

/** What the model wrote, and what it writes in a changed run; `now` is None where nothing is changed. */
interface WrittenText {
  before: Word[];
  now: Word[] | null;
  is_cut: boolean;
}

interface StepperModel {
  name: string;
  edits: string[];
}

interface StepperHeader {
  view: string;
  revision: string;
  lang: string;
  size: string;
  strings: Record<string, string>;
  sources: string[];
  address?: string;
  title?: string;
  link?: Link;
  question?: Record<string, any>;
  is_heard?: boolean;
  picked?: any;
  look?: any;
  model: StepperModel;
  text: string;
  tokens: TokenRows;
  tab: string;
  selection: StepSelection;
  controls: Record<string, any> | null;
  map: ModelMap | null;
  written: WrittenText | null;
  notice: string | null;
  notes: string[];
  formula: Record<string, any>[] | null;
  axes: Record<string, StepAxis>;
  matrices: Record<string, StepMatrix>;
  words: StepWords[];
  steps: ChainStep[];
  place?: Record<string, string>;
  is_free?: boolean;
  keeps_place?: boolean;
}

/** One matrix; `values` names its array, `size` says how large the whole is. */
interface PanelMap {
  title: string;
  values: string;
  rows: string[];
  columns: string[];
  size: number[];
  scale: 'share' | 'signed';
  limit: number;
  row_axis: string;
  column_axis: string;
  marked: number[] | null;
  leads: string;
  first: number;
  texts: string[][];
}

interface PanelMaps {
  kind: 'maps';
  maps: PanelMap[];
}

interface PanelHeader {
  view: string;
  revision: string;
  lang: string;
  size: string;
  strings: Record<string, string>;
  sources: string[];
  address?: string;
  title?: string;
  link?: Link;
  question?: Record<string, any>;
  is_heard?: boolean;
  picked?: any;
  look?: any;
  text: string;
  leads?: boolean;
  blocks: (Prose | Facts | Table | PanelMaps | Chart | Dials)[];
}

interface ByHandHeader {
  view: string;
  revision: string;
  lang: string;
  size: string;
  strings: Record<string, string>;
  sources: string[];
  address?: string;
  title?: string;
  link?: Link;
  question?: Record<string, any>;
  is_heard?: boolean;
  picked?: any;
  look?: any;
  sentences: string[][];
  place?: Record<string, string>;
  of_lesson?: boolean;
}

/** One paragraph, in the reader's language. */
interface Prose {
  text: string;
  lead: [number, number, string, number | null] | null;
  kind: 'prose';
}

/** One number with its name. */
interface Fact {
  name: string;
  value: string;
  note: string;
}

/** Numbers side by side. */
interface Facts {
  facts: Fact[];
  kind: 'facts';
}

/** Rows under column heads; numbers come as they are printed. */
interface Table {
  columns: string[];
  rows: string[][];
  title: string;
  marked: number | null;
  bars: number[];
  leads: ([number, number, string, number | null] | null)[];
  kind: 'table';
}

/** One line of a chart. */
interface Curve {
  name: string;
  y: (number | null)[];
}

/** Numbers that depend on one: a figure in the dashboard with its numbers under it, a table of them in a file. */
interface Chart {
  title: string;
  x: number[];
  curves: Curve[];
  x_title: string;
  log_x: boolean;
  log_y: boolean;
  marked: number | null;
  names: string[];
  names_title: string;
  figure: string;
  kind: 'chart';
}

/** A circle with arrows from its middle, all of one length. */
interface Dial {
  name: string;
  angles: number[];
  value: string;
}

/** Circles side by side, wrapped where there is no room; the arrows of each are in the order of `arrows`. */
interface Dials {
  title: string;
  arrows: (['q' | 'k', string])[];
  dials: Dial[];
  kind: 'dials';
}
