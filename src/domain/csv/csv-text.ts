import { visibleControls } from '../text/visible-controls.ts';

/** What spreadsheets take for a formula, also behind a tabulator or a line break. */
const formulaStart = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/u;

/** What some spreadsheets take for the end of a cell where a decimal point is a comma; in quotes they take it for text. */
const separators = /[",;\t\r\n]/;

/** RFC 4180. Texts that a spreadsheet would run as a formula get a `'` in front; numbers stay numbers, lists and objects are JSON, and control characters are visible. */
export function toCsv(titles: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [titles, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const written = typeof value === 'string' ? value : JSON.stringify(value);
  // Files are shown in terminals too. Line breaks and tabulators are part of a text; others of its controls are shown.
  const text = visibleControls(written.replaceAll('\r\n', '\n'), '\n\t');
  const escapeFormula = formulaStart.test(text) ? `'${text}` : text;
  return separators.test(escapeFormula) ? `"${escapeFormula.replaceAll('"', '""')}"` : escapeFormula;
}
