/** What may stand in a cell; lists and objects stand there as JSON. */
export type CsvValue = string | number | boolean | object | null | undefined;

/** What a spreadsheet would run as a formula, it is to show as text. */
function cell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const isSafe = typeof value === 'number' || !/^[=+\-@\t\r]/.test(text);
  const harmless = isSafe ? text : `'${text}`;
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

export function toCsv(header: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return [header, ...rows]
    .map((row) => row.map(cell).join(','))
    .join('\r\n')
    .concat('\r\n');
}

export function downloadText(fileName: string, text: string, type: string): void {
  // The mark tells spreadsheets that it is UTF-8.
  const url = URL.createObjectURL(new Blob(['\u{feff}', text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
