// Which cell of a result is meant: by the place a person keeps from step to step, or by the number they point at. No DOM.

/** A place moved into the part of an axis that is here. */
export const within = (x, axis) => Math.max(axis.start, Math.min(axis.start + axis.count - 1, x));

export const isTokenColumn = ({result}) => result.columns.kind === 'token';

/** The row and column of a step's result that are picked: a token, and a token or a feature, kept from step to step. */
export function pickedIn(step, {row, key, feature}) {
  const {rows, columns} = step.result;
  return {row: within(row, rows), column: within(isTokenColumn(step) ? key : feature, columns)};
}

/** The cell that a number on the stage belongs to: itself, or where its row or its column of what goes in leads. */
export function targetOf(_step, kind, picked, {key, row, column}) {
  if (key === 'rest') return {row, column: picked.column, isRest: true};
  if (key === 'result') return {row, column};
  if (String(key).startsWith('step:')) return {row, column, sibling: Number(key.slice(5))};
  const isSchool = kind === 'school';
  if ((isSchool && key === 0) || kind === 'parts' || key === 'mean' || key === 'variance')
    return {row, column: picked.column};
  const isColumn = isSchool || key === 'gain' || key === 'shift';
  return isColumn ? {row: picked.row, column} : {row, column};
}
