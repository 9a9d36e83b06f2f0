// One map as a table of text, for a spreadsheet.

/** Tab-separated: keys across, a query a line, six decimals. No DOM. */
export function tableOf(run, c, layer, head) {
  const plain = ({text, n}) => text.replace(/[\t\r\n]+/g, ' ') + (n ? ` ${n}` : '');
  const lines = [['', ...run.keys.map(plain)]];
  run.queries.forEach((token, query) => {
    const weights = run.keys.map((_, key) => (run.isCausal && key > query ? '' : run.weight(c, layer, head, query, key).toFixed(6)));
    lines.push([plain(token), ...weights]);
  });
  return lines.map((cells) => cells.join('\t')).join('\n');
}
