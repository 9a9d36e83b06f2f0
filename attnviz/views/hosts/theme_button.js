// The stop of the Tab key for the theme, after the other tools: it lies over the button of Streamlit's menu and opens it.
// That button stands in the header, before the pages of a phone; it is left to the mouse.

export default function theme({data, parentElement}) {
  const skip = document.querySelector('[data-testid="stSkipToContent"]');
  if (skip) skip.ariaLabel = data.skip; // what Streamlit says is English
  nameBrand(data.home);
  const languages = Array.from(document.querySelectorAll('[class*="st-key-language-box--"] [role=radio]'));
  languages.forEach((option, at) => option.setAttribute('lang', data.languages[at]));
  const menu = /** @type {HTMLElement | null} */ (document.querySelector('[data-testid="stMainMenuButton"]'));
  if (!menu) return; // in a frame of another page
  const button = parentElement.querySelector('button') ?? parentElement.appendChild(document.createElement('button'));
  Object.assign(button, {type: 'button', textContent: data.label, ariaHasPopup: 'menu', onclick: () => menu.click()});
  Object.assign(menu, {tabIndex: -1, ariaHidden: 'true', onfocus: () => button.focus()}); // once the menu is closed
}

/** The brand is a button that leads to Home; on Home it is a picture, which then is the link that it is elsewhere. */
function nameBrand(name) {
  const brand = document.querySelector('[data-testid="stHeaderLogo"]')?.parentElement;
  if (!brand) return;
  brand.ariaLabel = name;
  if (brand.tagName === 'BUTTON') return;
  const goUp = () => document.querySelector('[data-testid="stMain"]')?.scrollTo({top: 0});
  Object.assign(brand, {role: 'link', tabIndex: 0, ariaCurrent: 'page', onclick: goUp, onkeydown: ({key}) => void (key === 'Enter' && goUp())});
}
