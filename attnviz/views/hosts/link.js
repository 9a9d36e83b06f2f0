// The dashboard's button that copies the address of what is on the screen. As the one component on every page it also
// tells the document its language, and whether it is light or dark: Streamlit's pop-ups stand outside the app's element.
// And it keeps the language and size the person chose, and a text that could not be shown, for a later visit.

const SAID_MS = 2000; // how long "copied" stands
const CHOSEN = 'attnviz.chosen';
const DRAFT = 'attnviz.draft';
const VISITOR = 'attnviz.visitor'; // of this tab: who started a training may stop it after a reload
const places = new WeakMap();
let isRecalled = false; // once a document: Python is told what was kept, and never again

export default function show({data, parentElement, setStateValue}) {
  const place = places.get(parentElement) ?? create(parentElement);
  place.words = data;
  place.button.title = data.help;
  if (!place.timer) place.label.textContent = data.label;
  document.documentElement.lang = data.lang;
  if (!isRecalled) recall(data, setStateValue);
  isRecalled = true;
  keep(data);
  requestAnimationFrame(() => {
    document.documentElement.style.colorScheme = getComputedStyle(parentElement.getRootNode().host ?? parentElement).colorScheme;
  });
  return () => {
    clearTimeout(place.timer);
    places.delete(parentElement);
  };
}

function create(parentElement) {
  const button = document.createElement('button');
  const label = document.createElement('span');
  label.setAttribute('aria-live', 'polite');
  button.type = 'button';
  button.append(label);
  const place = {button, label, words: null, timer: 0};
  button.addEventListener('click', async () => {
    await copy(location.href, parentElement);
    label.textContent = place.words.copied;
    clearTimeout(place.timer);
    place.timer = setTimeout(() => {
      place.timer = 0;
      label.textContent = place.words.label;
    }, SAID_MS);
  });
  parentElement.append(button);
  places.set(parentElement, place);
  return place;
}

/** The clipboard needs a secure page; a dashboard on a school's network often is none, and selecting works there too. */
async function copy(text, parentElement) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    parentElement.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
}

/** Where the link leaves room for it, say what was kept; a text only to the page that was loaded again. */
export function recall({lang, size, isSilent, draft, visitor}, setStateValue) {
  const said = {};
  const chosen = read(localStorage, CHOSEN);
  if (isSilent && typeof chosen?.lang === 'string' && chosen.lang !== lang) said.lang = chosen.lang;
  if (isSilent && typeof chosen?.size === 'string' && chosen.size !== size) said.size = chosen.size;
  const left = performance.getEntriesByType('navigation')[0]?.type === 'reload' ? read(sessionStorage, DRAFT) : null;
  if (typeof left?.draft === 'string' && left.shown === shownText() && left.draft !== draft) said.draft = left.draft;
  const before = read(sessionStorage, VISITOR);
  if (typeof before === 'string' && before !== visitor) said.visitor = before;
  else write(sessionStorage, VISITOR, visitor);
  if (Object.keys(said).length) setTimeout(() => setStateValue('remembered', said));
}

function keep({lang, size, isChosen, draft}) {
  if (isChosen) write(localStorage, CHOSEN, {lang, size});
  write(sessionStorage, DRAFT, draft === null ? null : {draft, shown: shownText()});
}

function shownText() {
  return new URLSearchParams(location.search).get('text');
}

/** Storage may be full, forbidden, or hold what somebody else wrote there. */
function read(storage, name) {
  try {
    return JSON.parse(storage.getItem(name));
  } catch {
    return null;
  }
}

function write(storage, name, value) {
  try {
    if (value === null) storage.removeItem(name);
    else storage.setItem(name, JSON.stringify(value));
  } catch {
    // without a storage nothing is kept
  }
}
