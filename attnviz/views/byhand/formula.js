// The formula of attention as MathML, its letters in their colours.

const MATHML = 'http://www.w3.org/1998/Math/MathML';

function node(tag, children, colour = '') {
  const made = document.createElementNS(MATHML, tag);
  made.append(...children);
  if (colour) /** @type {any} */ (made).style.color = colour;
  return made;
}

/** softmax(QKᵀ / √d) V, with or without its division. @param {string} spoken */
export function softmaxFormula(isDivided, spoken) {
  const product = node('mrow', [node('mi', ['Q'], 'var(--q)'), node('msup', [node('mi', ['K'], 'var(--key)'), node('mo', ['⊤'])])]);
  const inside = isDivided ? node('mfrac', [product, node('msqrt', [node('mi', ['d'])])]) : product;
  const math = node('math', [node('mi', ['softmax']), node('mo', ['(']), inside, node('mo', [')']), node('mi', ['V'], 'var(--v)')]);
  math.setAttribute('lang', 'en');
  math.setAttribute('aria-label', spoken);
  return math;
}
