// The kind of a head, where kinds were measured. No DOM.

/** The kind of a head of one side; null where kinds were not measured. */
export function kindIn(header, arrays, side, number) {
  const of = arrays[`kinds_${side}`];
  return of ? header.kinds[of.data[number]] : null;
}
