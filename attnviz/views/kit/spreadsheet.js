// Tables for a spreadsheet: tab-separated for the clipboard, CSV for a file, JSON for a program. No cell can become a formula in
// a spreadsheet. No DOM.
// attnviz/export/csv_text.py has the same rule.

import {fmt, shortest} from './number.js';

export const SIDES = ' – '; // between what a table's facts say of A and of B: models and places
/** A matrix as a table: `columns` across, a line for each of `rows`. */
export const matrixTable = (corner, rows, columns, valueAt) => [[corner, ...columns], ...rows.map((name, row) => [name, ...columns.map((_, column) => valueAt(row, column))])];

const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;
const NUMBER = /^[+-]?(\d[\d,]*\.?\d*|\.\d+)(e[+-]?\d+)?%?$/i;

/**
 * A table as text for the clipboard; a cell with lines or tabs in it is quoted, as spreadsheets read it.
 * @param {(string | number | null)[][]} rows numbers are written with all the digits of a float32; null, and what is no number, is empty
 */
export const toTsv = (rows) => rows.map((row) => row.map((cell) => quoted(textOf(cell), /[\t\r\n]|^"/)).join('\t')).join('\n');

/**
 * A table as a CSV file, RFC 4180.
 * @param {(string | number | null)[][]} rows
 */
export const toCsv = (rows) => rows.map((row) => row.map((cell) => quoted(textOf(cell), /[",\r\n]/)).join(',')).join('\r\n');

/**
 * The table with what it is about as further columns, filled in its first line: one header row, so that a spreadsheet and
 * pandas read it as it is.
 */
export function withFacts([head, ...lines], about) {
  const facts = Object.entries(about).filter(([, value]) => value.length);
  const said = facts.map(([, value]) => [value].flat().join('; '));
  return [[...head, ...facts.map(([name]) => name)], ...lines.map((line, at) => [...line, ...facts.map((_, i) => (at ? null : said[i]))])];
}

/** The table as JSON: what it is about, its head, its lines; what is no number there is null. */
export const toJson = ([columns, ...rows], about) => JSON.stringify({...about, columns, rows: rows.map((row) => row.map(exactly))});

const exactly = (cell) => (typeof cell === 'number' ? (Number.isFinite(cell) ? Number(shortest(cell)) : null) : cell);

/** @param {string | number | null} cell */
function textOf(cell) {
  if (typeof cell === 'number') return Number.isNaN(cell) ? '' : Number.isFinite(cell) ? shortest(cell) : fmt(cell);
  const text = cell ?? '';
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** @param {string} text @param {RegExp} ends what would end its cell */
const quoted = (text, ends) => (ends.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
