// Text on the clipboard, and as a file.

/** Put text on the clipboard; a page without https has none, and there a selected field does it. */
export async function copyText(text, root) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    field.className = 'off';
    root.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
}

/** Hand text over as a file of this name; with a mark that spreadsheets read UTF-8 by. */
export function saveText(text, name, type) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(['\ufeff', text], {type: `${type};charset=utf-8`}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
