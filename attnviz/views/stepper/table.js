// A matrix as a table for a spreadsheet: tab-separated, with its labels.

const CLEAN = /[\t\r\n]/g;

/** The matrix as text; numbers are whole, as they travelled. No DOM. */
export function tableOf(matrix) {
  const {rows, columns} = matrix;
  const places = (axis) => Array.from({length: axis.count}, (_, at) => axis.from + at);
  const name = (axis, at) => axis.name(at).replace(CLEAN, ' ');
  const head = [matrix.name, ...places(columns).map((column) => name(columns, column))].join('\t');
  const body = places(rows).map((row) =>
    [name(rows, row), ...places(columns).map((column) => written(matrix.at(row, column)))].join('\t'),
  );
  return [head, ...body].join('\n');
}

const written = (x) => (x === -Infinity ? '-inf' : String(Math.fround(x)));

/** Put the matrix on the clipboard and say so on the button. */
export async function copyTable(matrix, button, say) {
  await put(tableOf(matrix), button);
  const before = button.title;
  button.title = say('view-stepper-copied');
  button.classList.add('done');
  setTimeout(() => {
    button.title = before;
    button.classList.remove('done');
  }, 1600);
}

/** The clipboard needs a secure page; where there is none, selecting works. */
async function put(text, near) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    near.after(field);
    field.select();
    document.execCommand('copy');
    field.remove();
    near.focus();
  }
}
