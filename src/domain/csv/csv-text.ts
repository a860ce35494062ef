import { escapeControls } from '../text/visible-controls.ts';

/** Start of text that spreadsheets interpret as a formula, including after a tab or a line break. */
const formulaStart = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/u;

/**
 * Characters that require quotes. They include the semicolon, because spreadsheets in locales with a decimal
 * comma use it as the separator.
 */
const separators = /[",;\t\r\n]/;

/**
 * Formats rows as CSV (RFC 4180). Text that a spreadsheet would run as a formula is prefixed with `'`.
 * Numbers stay numbers, lists and objects become JSON, and control characters become visible symbols.
 */
export function toCsv(titles: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [titles, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const written = typeof value === 'string' ? value : JSON.stringify(value);
  // CSV files are also displayed in terminals, so make control characters visible. Line breaks and tabs stay
  // unchanged.
  const text = escapeControls(written.replaceAll('\r\n', '\n'), '\n\t');
  const escaped = formulaStart.test(text) ? `'${text}` : text;
  return separators.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}
