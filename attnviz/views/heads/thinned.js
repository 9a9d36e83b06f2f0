// Which of many tokens keep their label: by what they say, then by where they stand. No DOM.

const LETTER = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;

/** 2 where a word begins, 1 inside a word, 0 for punctuation and what the model added. */
function rank({text, special, continues}) {
  if (special || !LETTER.test(text)) return 0;
  return continues ? 1 : 2;
}

/** Indices at least `near` apart; each is the first of the best among the `near` rows that could come next. */
export function thinned(tokens, near) {
  const ranks = tokens.map(rank);
  const rows = [];
  for (let from = 0; from < tokens.length; from = rows.at(-1) + near) {
    const stretch = ranks.slice(from, from + near);
    rows.push(from + stretch.indexOf(Math.max(...stretch)));
  }
  return rows;
}

/** Those of `wanted` that keep their distance from each other, the first ones first. */
export function apart(wanted, near) {
  const kept = [];
  for (const row of wanted) if (kept.every((other) => Math.abs(other - row) >= near)) kept.push(row);
  return kept;
}
