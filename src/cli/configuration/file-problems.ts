import { type Document, isMap, isPair, isScalar, isSeq, type LineCounter, type Node } from 'yaml';
import type { Path } from '../../domain/configuration/check-document.ts';
import { kinds, nameFieldOf } from '../../domain/configuration/kinds.ts';
import { type Item, isItem } from '../../domain/json/json-item.ts';
import { cleanLine } from '../../domain/templates/clean-text.ts';
import { type CliError, usageError } from '../cli-error.ts';
import { counted } from '../output/counted.ts';

/** A problem in a configuration file. */
export interface FileProblem {
  fileName: string;
  line: number;
  /** Description of the problem: `rule "Ninety days": thresholds: must be a map of fields`. */
  text: string;
}

const maxListed = 100;

/** Creates one error for all problems, ordered by file and line. */
export function problemsError(
  fileNames: readonly string[],
  problems: readonly FileProblem[],
  note: string | null = null,
): CliError {
  const [only] = fileNames;
  const order = (name: string) => fileNames.indexOf(name);
  const sorted = problems.toSorted((a, b) => order(a.fileName) - order(b.fileName) || a.line - b.line);
  const listed = [...new Set(sorted.map((problem) => `  ${formatProblem(fileNames, problem)}`))];
  const which =
    fileNames.length === 1
      ? `${only} has ${counted(listed.length, 'error')}`
      : `The files have ${counted(listed.length, 'error')}`;
  const more = listed.length > maxListed ? [`  and ${listed.length - maxListed} more`] : [];
  return usageError(
    [
      `No changes made. ${which}:`,
      ...listed.slice(0, maxListed),
      ...more,
      ...(note === null ? [] : [note]),
    ].join('\n'),
  );
}

/** Formats a problem as `line 3: TEXT`, or `a.yaml, line 3: TEXT` if there are several files. */
export function formatProblem(fileNames: readonly string[], { fileName, line, text }: FileProblem): string {
  return `${fileNames.length > 1 ? `${fileName}, ` : ''}line ${line}: ${text}`;
}

/** Describes a location for the user: `rule "Ninety days"`, `setting gather.max_releases`. */
export function describeSubject(document: Item, [section, index]: Path): string | null {
  const kind = kinds.find((each) => each.section === section);
  if (section === 'settings' && index !== undefined) return `setting ${cleanLine(String(index))}`;
  if (section === 'templates' && index !== undefined)
    return `notification template ${cleanLine(String(index))}`;
  if (!kind || index === undefined) return null;
  const list = document[kind.section];
  const entry: unknown = Array.isArray(list) ? list[Number(index)] : undefined;
  const name = isItem(entry) ? entry[nameFieldOf(kind.section)] : undefined;
  return typeof name === 'string' || typeof name === 'number'
    ? `${kind.word} "${cleanLine(String(name)).trim()}"`
    : `${kind.word} without ${kind.nameField === undefined ? 'a name' : `an ${kind.nameField}`}`;
}

/**
 * Describes a problem: `rule "Ninety days": thresholds.high: must be at least 1`.
 * @param written The same location, with names as in the file.
 */
export function describeProblem(document: Item, path: Path, written: Path, message: string): string {
  // These messages already contain the name of the section or setting, so don't add it.
  if (/^unknown (?:section|setting) "/.test(message)) return cleanLine(message, 1_000);
  const isUnknown = message.startsWith('unknown field "');
  const subject = describeSubject(document, path);
  const inside = written.slice(subject === null ? 0 : 2, isUnknown ? -1 : undefined).join('.');
  return [subject, inside, message]
    .filter((part) => part !== null && part !== '')
    .map((part) => cleanLine(String(part), 1_000))
    .join(': ');
}

/**
 * Returns the line of the value at a path. If the value is missing, returns the line of its closest parent.
 */
export function lineOfPath(document: Document, lines: LineCounter, path: Path): number {
  let node: unknown = document.contents;
  let offset = offsetOf(node) ?? 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(
        (each) => isPair(each) && isScalar(each.key) && String(each.key.value) === String(step),
      );
      if (!pair) break;
      offset = offsetOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = offsetOf(node) ?? offset;
    } else break;
  }
  return lines.linePos(offset).line;
}

function offsetOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
