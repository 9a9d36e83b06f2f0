// What matrices, cells and their words are called.

import {el} from '../kit/dom.js';
import {fillText} from '../kit/words.js';

const ROLES = {
  P: 'view-byhand-role-positions', X: 'view-byhand-role-words', WQ: 'view-byhand-role-wq', WK: 'view-byhand-role-wk',
  WV: 'view-byhand-role-wv', Q: 'view-byhand-role-q', K: 'view-byhand-role-k', V: 'view-byhand-role-v', S: 'view-byhand-role-s', C: 'view-byhand-role-c', WO: 'view-byhand-role-wo',
};
const PLAIN = {S: 'QKᵀ', KT: 'Kᵀ'};
const COLOURS = {Q: 'q', WQ: 'q', K: 'key', KT: 'key', WK: 'key', V: 'v', WV: 'v', A: 'pos'};

/** The variable of the colour of a matrix's letter. */
export const colourOfName = (m) => `var(--${COLOURS[m] ?? 'ink'})`;

/** A matrix's name as plain text. */
export function nameText(m, sheet, say) {
  if (m === 'A') return say('view-byhand-weights');
  if (m === 'O' || m === 'Y') return say('view-byhand-result');
  if (m === 'C') return sheet.count > 1 ? say('view-byhand-heads-beside') : say('view-byhand-result');
  if (m === 'D') return [sheet.isDivided ? '÷ √d' : '', sheet.isMasked ? say('view-byhand-plus-mask') : ''].filter(Boolean).join(' ') || say('view-byhand-not-divided');
  if (m === 'X' || m === 'E') return sheet.hasPositions && m === 'E' ? say('view-byhand-vectors') : 'X';
  return m[0] === 'W' ? `W_${m[1]}` : (PLAIN[m] ?? m);
}

/** The same with its letter lowered. */
export function nameNodes(m, sheet, say) {
  return m[0] === 'W' ? ['W', el('sub', {}, m[1])] : [nameText(m, sheet, say)];
}

/** What a matrix is, and its size. */
export function roleText(m, rows, columns, {hasPositions}, say, isShort = false) {
  const size = `${rows} × ${columns}`;
  const role = m === 'X' && hasPositions ? 'view-byhand-sum-from' : ROLES[m];
  return isShort || !role ? size : [say(role), size].join(say('view-kit-list-separator'));
}

/** The name of a row and of a column of a matrix: words where it has them, else their numbers. */
export function placeNames({m, row, column}, sheet, say) {
  const word = (at) => sheet.words[at];
  const isOfWords = !m.startsWith('W');
  const [rows, columns] = [isOfWords && m !== 'KT', ['S', 'D', 'A', 'KT'].includes(m)];
  const numbered = (at) => String(at + 1);
  return {row: rows ? word(row) : fillText(say('view-byhand-row'), {n: numbered(row)}), column: columns ? word(column) : fillText(say('view-byhand-column'), {n: numbered(column)})};
}
