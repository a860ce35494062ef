/** What one line of a block map shows. */

/** Nothing but spaces and a comment. */
export function isVoid(line: string): boolean {
  return /^\s*(?:#.*)?$/u.test(line);
}

/** Whether an item of a list begins at `indent`. */
export function isDashAt(line: string, indent: number): boolean {
  return (
    line[indent] === '-' &&
    (line.length === indent + 1 || line[indent + 1] === ' ' || line[indent + 1] === '\t')
  );
}

/** The key at the beginning of a line, and the text after its colon. Null without a key. */
export function readKey(line: string): { name: string; rest: string } | null {
  // A key is short; the line may be long.
  const match = keyPattern.exec(line.slice(0, 600));
  if (!match) return null;
  const [whole, double, single, plain = ''] = match;
  // A new string: a part of the line would keep all of the text around it in memory.
  const name = Buffer.from(double ?? single ?? plain, 'utf8').toString('utf8');
  return { name, rest: line.slice(whole.length).trim() };
}

const keyPattern = /^(?:"([^"\\]*)"|'([^']*)'|([^\s"'#&*!|>%@`{}[\],?:-][^\s:#]*))\s*:(?=\s|$)/u;

/** What follows a key, without anchor, tag and comment: empty when its value stands on the next lines. */
export function withoutProperties(rest: string): string {
  return rest.replace(/^(?:[&!]\S*(?:\s+|$))+/u, '').replace(/^#.*$/u, '');
}

/** A line for a message. */
export function shown(line: string): string {
  const text = line.trim();
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
