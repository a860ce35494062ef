/** An instruction of a Dockerfile with its continuation lines joined. */
export interface DockerInstruction {
  /** Keyword in upper case, such as `FROM`. */
  keyword: string;
  /** The rest of the instruction on one line. */
  value: string;
  /** First line of the instruction, counted from 1. */
  line: number;
  /** Comment on the line above the instruction. */
  comment: string | null;
}

const maxInstructions = 20_000;
/** Maximum number of characters kept of one instruction. Long instructions are scripts. */
const maxValueLength = 20_000;

/**
 * Reads instructions like Docker, including continuation lines, comments between them, the escape directive,
 * and here-documents.
 */
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
      // Comments and empty lines between continuation lines are dropped and don't end the instruction.
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

/** Returns the escape character. Directives are valid only in the first lines, before any other comment. */
function escapeOf(lines: readonly string[]): string {
  for (const line of lines) {
    const directive = /^#\s*([A-Za-z]+)\s*=\s*(\S+)\s*$/.exec(line.slice(0, 200));
    if (!directive) return '\\';
    if (directive[1]!.toLowerCase() === 'escape') return directive[2] === '`' ? '`' : '\\';
  }
  return '\\';
}

/** Returns the position of the last line of the here-documents of an instruction. */
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
    // If the end marker doesn't occur later in the file, the here-document never ends. The map avoids a
    // search for the marker.
    if ((lastPlaces.get(name) ?? -1) <= last) return last;
    do last++;
    while (lines[last]!.trim() !== name);
  }
  return last;
}
