/** An instruction of a Dockerfile with its continuation lines joined. */
export interface DockerInstruction {
  /** In upper case: `FROM`. */
  keyword: string;
  /** What follows, in one line. */
  value: string;
  /** Line on which it begins, counted from 1. */
  line: number;
  /** The comment on the line above it. */
  comment: string | null;
}

const maxInstructions = 20_000;
/** Characters of one instruction that are kept; long ones are scripts. */
const maxValueLength = 20_000;

/** Reads instructions as Docker does: continuation lines, comments between them, the escape directive, here-documents. */
export function readDockerfile(text: string): DockerInstruction[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const escape = escapeOf(lines);
  const instructions: DockerInstruction[] = [];
  const lastPlaces = new Map(lines.map((line, at) => [line.trim(), at]));
  let comment: string | null = null;
  for (let at = 0; at < lines.length && instructions.length < maxInstructions; at++) {
    const begin = at;
    let value = '';
    let isOpen = true;
    for (; isOpen && at < lines.length; at++) {
      const line = lines[at]!.trimEnd();
      const isSkipped = /^\s*(?:#|$)/.test(line);
      // Comments and empty lines between continuation lines are dropped, and end nothing.
      if (isSkipped) {
        if (value === '') {
          comment = line === '' ? null : line;
          break;
        }
        continue;
      }
      isOpen = line.endsWith(escape);
      if (value.length < maxValueLength) value += isOpen ? line.slice(0, -1) : line;
    }
    if (value === '') continue;
    at--;
    const above = comment;
    comment = null;
    const match = /^\s*([A-Za-z]+)(?:\s+|$)/.exec(value);
    if (!match) continue;
    const keyword = match[1]!.toUpperCase();
    const rest = value.slice(match[0].length).trim();
    instructions.push({ keyword, value: rest, line: begin + 1, comment: above });
    if (keyword === 'RUN' || keyword === 'COPY' || keyword === 'ADD')
      at = skipHereDocuments(value, lines, lastPlaces, at);
  }
  return instructions;
}

/** Directives count only in the first lines, before every other comment. */
function escapeOf(lines: readonly string[]): string {
  for (const line of lines) {
    const directive = /^#\s*([A-Za-z]+)\s*=\s*(\S+)\s*$/.exec(line.slice(0, 200));
    if (!directive) return '\\';
    if (directive[1]!.toLowerCase() === 'escape') return directive[2] === '`' ? '`' : '\\';
  }
  return '\\';
}

/** The position of the last line of the here-documents of an instruction. */
function skipHereDocuments(
  value: string,
  lines: readonly string[],
  lastPlaces: ReadonlyMap<string, number>,
  at: number,
): number {
  let last = at;
  const names = [...value.slice(0, 2_000).matchAll(/<<-?\s*["']?([A-Za-z_]\w*)["']?/g)].map(
    ([, name]) => name!,
  );
  for (const name of names.slice(0, 10)) {
    // Searches only once for a here-document that never ends.
    if ((lastPlaces.get(name) ?? -1) <= last) return last;
    do last++;
    while (lines[last]!.trim() !== name);
  }
  return last;
}
