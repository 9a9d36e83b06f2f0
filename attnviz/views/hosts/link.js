// The dashboard's button that copies the address of what is on the screen. As the one component on every page it also
// tells the document its language, and whether it is light or dark: Streamlit's pop-ups stand outside the app's element.

const SAID_MS = 2000; // how long "copied" stands
const places = new WeakMap();

export default function show({data, parentElement}) {
  const place = places.get(parentElement) ?? create(parentElement);
  place.words = data;
  place.button.title = data.help;
  if (!place.timer) place.label.textContent = data.label;
  document.documentElement.lang = data.lang;
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
