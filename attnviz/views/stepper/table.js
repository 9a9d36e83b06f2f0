// A matrix as a table: its numbers as they travelled, under and beside its labels. No DOM.

export function tableOf(matrix) {
  const {rows, columns} = matrix;
  const places = (axis) => Array.from({length: axis.count}, (_, at) => axis.start + at);
  const head = [matrix.name, ...places(columns).map((column) => columns.name(column))];
  return [head, ...places(rows).map((row) => [rows.name(row), ...places(columns).map((column) => matrix.at(row, column))])];
}
