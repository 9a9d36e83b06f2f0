// The arithmetic of the largest weight, printed so that a calculator gives each number from those before it. No DOM but text.

import {rounded} from '../kit/rounded.js';
import {fill, fillText} from '../kit/words.js';
import {agreeing} from '../stepper/digits.js';

const MOST = 30; // of a score whose exponential is written out; above, that of its distance from the largest

/** The fewest digits of x, two decimals at least, from which exp gives a printed number. */
function exponentFor(x, printed) {
  for (let digits = 3; digits < 10; digits++) {
    const score = rounded(x, digits, 2);
    if (Math.abs(Math.exp(score.value) - printed.value) < printed.unit / 2) return score;
  }
  return null;
}

/** The lines of the scene, each a node or a text; none where the score is no such product. */
export function arithmeticOf({header, arrays}, say) {
  const {raw, scale, score, share, total, weight} = header.score;
  const n = arrays.products.data.length;
  const lines = {softmax: say('view-home-softmax')};
  const isLarge = Math.abs(score) > MOST;
  const numerator = isLarge ? share : Math.exp(score);
  const all = isLarge ? total : total * Math.exp(score) / share;
  const ratio = agreeing([numerator, all], 100 * weight, (a, b) => (100 * a) / b, 0);
  const printed = ratio.inputs[0];
  const exponent = ratio.isRounded ? null : isLarge ? rounded(Math.log(share) || 0) : exponentFor(score, printed);
  if (exponent && Math.abs(share / total - weight) < 1e-4) {
    const power = document.createElement('sup');
    power.textContent = exponent.text;
    lines.share = fill(document, say('view-home-share'), {power, own: printed.text, total: ratio.inputs[1].text, percent: `${ratio.result.text}%`});
  }
  if (raw === null) return lines;
  lines.products = fillText(say('view-home-products'), {n});
  const decimals = exponent && !isLarge ? (exponent.text.split('.')[1] ?? '').length : 2;
  const isRoot = Math.abs(scale * Math.sqrt(n) - 1) < 1e-6;
  const made = agreeing([raw], raw * scale, (x) => (isRoot ? x / Math.sqrt(n) : x * scale), decimals);
  const by = isRoot ? `÷ √${n}` : `× ${rounded(scale).text}`;
  const scaled = `${made.inputs[0].text} ${by} = ${made.result.text}`;
  const isFinal = Math.abs(raw * scale - score) < 1e-4 * Math.max(1, Math.abs(score));
  lines.scaled = isFinal ? scaled : `${scaled}; ${fillText(say('view-home-final'), {score: exponent?.text ?? rounded(score).text})}`;
  return lines;
}
