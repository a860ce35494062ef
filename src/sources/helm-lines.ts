/** Functions that classify and split one line of a block map. */

/** True if a line contains only spaces and a comment. */
export function isBlankOrComment(line: string): boolean {
  return /^\s*(?:#.*)?$/u.test(line);
}

/** True if a list item begins at `indent`. */
export function isDashAt(line: string, indent: number): boolean {
  return (
    line[indent] === '-' &&
    (line.length === indent + 1 || line[indent + 1] === ' ' || line[indent + 1] === '\t')
  );
}

/** Returns the key at the beginning of a line and the text after its colon, or `null` without a key. */
export function readKey(line: string): { name: string; rest: string } | null {
  // Search only the beginning of the line, because keys are short but the line can be long.
  const match = keyPattern.exec(line.slice(0, 600));
  if (!match) return null;
  const [whole, double, single, plain = ''] = match;
  // Copy the name, because a substring keeps the whole surrounding text in memory.
  const name = Buffer.from(double ?? single ?? plain, 'utf8').toString('utf8');
  return { name, rest: line.slice(whole.length).trim() };
}

const keyPattern = /^(?:"([^"\\]*)"|'([^']*)'|([^\s"'#&*!|>%@`{}[\],?:-][^\s:#]*))\s*:(?=\s|$)/u;

/**
 * Returns the text after a key without its anchor, tag, and comment. The text is empty if the value begins on
 * the next line.
 */
export function withoutProperties(rest: string): string {
  return rest.replace(/^(?:[&!]\S*(?:\s+|$))+/u, '').replace(/^#.*$/u, '');
}

/** Quotes and shortens a line for an error message. */
export function quoteLine(line: string): string {
  const text = line.trim();
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
