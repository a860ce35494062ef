export function downloadText(fileName: string, text: string, type: string): void {
  // Add a byte order mark, by which spreadsheets detect UTF-8.
  const url = URL.createObjectURL(new Blob(['\u{feff}', text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
