export function downloadText(fileName: string, text: string, type: string): void {
  // Spreadsheets detect UTF-8 by the byte order mark. JSON must not have one.
  const mark = type.startsWith('text/csv') ? '\u{feff}' : '';
  const url = URL.createObjectURL(new Blob([mark, text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
