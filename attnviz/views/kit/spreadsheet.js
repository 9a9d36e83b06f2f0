// Tables for a spreadsheet: tab-separated for the clipboard, CSV for a file. No cell can become a formula. No DOM.
// attnviz/export/csv_text.py has the same rule.

import {fmt, shortest} from './number.js';

const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;
const NUMBER = /^[+-]?(\d[\d,]*\.?\d*|\.\d+)(e[+-]?\d+)?%?$/i;

/**
 * A table as text for the clipboard.
 * @param {(string | number | null)[][]} rows numbers are written with all the digits of a float32, null is empty
 */
export const toTsv = (rows) => rows.map((row) => row.map((cell) => textOf(cell).replace(/[\t\r\n]+/g, ' ')).join('\t')).join('\n');

/**
 * A table as a CSV file, RFC 4180.
 * @param {(string | number | null)[][]} rows
 */
export const toCsv = (rows) => rows.map((row) => row.map((cell) => quoted(textOf(cell))).join(',')).join('\r\n');

/** @param {string | number | null} cell */
function textOf(cell) {
  if (typeof cell === 'number') return Number.isFinite(cell) ? shortest(cell) : fmt(cell);
  const text = cell ?? '';
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** @param {string} text */
const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
