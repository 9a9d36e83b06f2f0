// Text and pictures on the clipboard, and as files.

/** Put text on the clipboard; a page without https has none, and there a selected field does it. */
export async function copyText(text, root) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    Object.assign(field.style, {position: 'fixed', opacity: '0'});
    root.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
}

/** Whether this page may put pictures there: only one with https, or of this machine. */
export const canCopyPictures = () => typeof ClipboardItem !== 'undefined' && Boolean(navigator.clipboard?.write);

/** Put a picture there; it may be on its way. @param {Promise<Blob>} png */
export const copyPicture = (png) => navigator.clipboard.write([new ClipboardItem({'image/png': png})]);

/** Hand something over as a file of this name. @param {BlobPart} content */
export function saveFile(content, name, type = '') {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
