// Which of many tokens keep their label, by what they say and where they stand; and labels moved apart. No DOM.

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

/** Move labels apart: ascending positions, at least `gap` between neighbours, inside low…high, as near as can be. */
export function spread(positions, gap, low, high) {
  const last = positions.length - 1;
  const room = last > 0 ? Math.min(gap, (high - low) / last) : gap;
  const blocks = []; // labels that touch move together, to the mean of where they would like to be
  positions.forEach((position, i) => {
    blocks.push({sum: position - i * room, count: 1});
    while (blocks.length > 1 && mean(blocks.at(-1)) < mean(blocks.at(-2))) {
      const {sum, count} = blocks.pop();
      blocks.at(-1).sum += sum;
      blocks.at(-1).count += count;
    }
  });
  const starts = blocks.flatMap((block) => Array(block.count).fill(mean(block)));
  return starts.map((start, i) => Math.max(low, Math.min(high - last * room, start)) + i * room);
}

const mean = ({sum, count}) => sum / count;
