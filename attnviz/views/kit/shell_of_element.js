// Which view an element lies in.

const shells = new WeakMap();

export const noteShell = (root, shell) => shells.set(root, shell);
export const shellOf = (element) => shells.get(element.closest('.attnviz'));
