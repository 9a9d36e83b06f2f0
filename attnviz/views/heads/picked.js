// Who says which head is picked. While a text is being drawn, a person may go on picking heads in the picture before it.
// A text that was typed comes without a head of its own: the person's stays, and Python hears of it as of any pick.
// A link, an example or another model brings one: Python's counts, and Python forgets picks made in the picture before.
// The pinned token belongs to its text, so a new text always brings its own.

/** What is picked where a new text begins; `before` is what was picked in the picture before it, null where none was. */
export function pickedAtFirst({selection, model, keeps_head: keepsHead}, before) {
  const picked = {key: null, released: false, ...selection};
  if (!before || !keepsHead) return picked;
  const head = {layer: Math.min(before.layer, model.layers - 1), head: Math.min(before.head, model.heads - 1)};
  const kept = Object.fromEntries(['view', 'also', 'together', 'filter', 'overview'].filter((name) => before[name]).map((name) => [name, before[name]]));
  return {...picked, ...head, ...kept};
}
