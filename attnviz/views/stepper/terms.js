// Which terms of a long sum are listed: those whose numbers are drawn, or the largest; the others as one. No DOM.

/**
 * Args: `shown`, the places that are drawn (null where all are); `room`, how many terms fit.
 * Returns {list, rest}: terms in their own order, and {count, product} of all others, null where none is left out.
 */
export function listedTerms(cell, {shown, room}) {
  const own = cell.form === 'shares' ? cell.terms[cell.own] : null;
  const isFixed = (term) => term.isBias || term.isSink || term === own;
  let list = cell.terms.filter((term) => isFixed(term) || !shown || shown.includes(term.index));
  const needsRest = list.length < cell.terms.length || cell.rest;
  const most = needsRest || list.length > room ? room - 1 : room;
  if (list.length > most) {
    const free = list.filter((term) => !isFixed(term)).sort((a, b) => Math.abs(b.product) - Math.abs(a.product));
    const kept = new Set(free.slice(0, Math.max(1, most - list.filter(isFixed).length)));
    list = list.filter((term) => isFixed(term) || kept.has(term));
  }
  const listed = new Set(list);
  const others = cell.terms.filter((term) => !listed.has(term));
  const count = others.length + (cell.rest?.count ?? 0);
  const product = others.reduce((total, term) => total + term.product, 0) + (cell.rest?.product ?? 0);
  return {list: list.map((term) => ({...term, isOwn: term === own})), rest: count ? {count, product} : null};
}
