/** A place in a template, as the server names it: line and column from 1, null when it has none. */
export interface TemplateIssuePlace {
  line: number | null;
  column: number | null;
}

/**
 * Where a mistake stands in the text, as offsets. It reaches to the end of the word or mark there; one without a place
 * stands at the first character.
 */
export function placeInText(
  text: string,
  { line, column }: TemplateIssuePlace,
): { from: number; to: number } {
  const lines = text.split('\n');
  const index = Math.min(Math.max((line ?? 1) - 1, 0), lines.length - 1);
  const before = lines.slice(0, index).reduce((sum, each) => sum + each.length + 1, 0);
  const content = lines[index] ?? '';
  const start = Math.min(Math.max((column ?? 1) - 1, 0), content.length);
  const length = /^(?:[\w.-]+|\{\{|\{%|\S)/.exec(content.slice(start))?.[0].length ?? 0;
  const from = before + start;
  // At the end of a line there is nothing to mark but what stands before.
  return length > 0 ? { from, to: from + length } : { from: Math.max(before, from - 1), to: from };
}
