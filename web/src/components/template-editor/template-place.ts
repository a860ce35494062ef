/**
 * Position of an issue in a template, as returned by the server. Line and column start at 1. Null if the
 * issue has no position.
 */
export interface TemplateIssuePosition {
  line: number | null;
  column: number | null;
}

/**
 * Returns the range of an issue as text offsets. The range covers the word or symbol at the position. An issue without
 * a position is placed at the first character.
 */
export function toTextRange(
  text: string,
  { line, column }: TemplateIssuePosition,
): { from: number; to: number } {
  const lines = text.split('\n');
  const index = Math.min(Math.max((line ?? 1) - 1, 0), lines.length - 1);
  const before = lines.slice(0, index).reduce((sum, each) => sum + each.length + 1, 0);
  const content = lines[index] ?? '';
  const start = Math.min(Math.max((column ?? 1) - 1, 0), content.length);
  const length = /^(?:[\w.-]+|\{\{|\{%|\S)/.exec(content.slice(start))?.[0].length ?? 0;
  const from = before + start;
  // At the end of a line, mark the preceding character.
  return length > 0 ? { from, to: from + length } : { from: Math.max(before, from - 1), to: from };
}
