import type { FileProblem } from '../../domain/discovery/fact.ts';
import { type Reason, reasonTexts } from '../../domain/discovery/reasons.ts';
import { createSilentFiles, type SilentFiles } from '../../domain/discovery/silent-files.ts';
import type { Schemas } from '../../generated/agent-api.ts';

/** Versions that a scan found but doesn't propose: a count and examples for each reason. */
export interface ScanReport {
  counts: Partial<Record<Reason, number>>;
  examples: { name: string; reason: string }[];
}

const maxExamples = 10;
const maxExamplesOfReason = 3;
const maxTextLength = 300;

export function createScanReport() {
  const counts = new Map<Reason, number>();
  const examples: { name: string; reason: string; code: Reason }[] = [];

  function add(code: Reason, name: string, message: string = reasonTexts[code]): void {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count <= maxExamplesOfReason && examples.length < maxExamples * maxExamplesOfReason)
      examples.push({ name: shorten(name), reason: shorten(message), code });
  }

  return {
    add,
    all: (): ScanReport => ({ counts: Object.fromEntries(counts), examples }),
  };
}

/**
 * Merges the reports of the steps of a scan. Every reason gets one example before any reason gets a second
 * one.
 */
export function mergeReports(reports: readonly ScanReport[]): ScanReport {
  const counts: ScanReport['counts'] = {};
  for (const report of reports)
    for (const [code, count] of Object.entries(report.counts))
      counts[code as Reason] = (counts[code as Reason] ?? 0) + count;
  const byReason = [
    ...Map.groupBy(
      reports.flatMap(({ examples }) => examples),
      ({ reason }) => reason,
    ).values(),
  ];
  const examples = [0, 1, 2].flatMap((at) => byReason.flatMap((list) => list.slice(at, at + 1)));
  return {
    counts,
    examples: examples.slice(0, maxExamples).map(({ name, reason }) => ({ name, reason })),
  };
}

/** A file or directory that a scan couldn't read, so nothing is known about its items. */
export interface UnreadFile {
  path: string;
  reason: Exclude<Schemas['UnreadReason'], 'held'>;
  message: string;
  /** True if the file was read except for some values, so that it doesn't count as unread. */
  isFileRead?: boolean;
}

const unreadReasons: ReadonlySet<string> = new Set<UnreadFile['reason']>([
  'malformed',
  'templated',
  'too_large',
  'limit',
  'timed_out',
  'encrypted',
  'git_lfs',
  'outside',
  'submodule',
  'unreadable',
]);

/** Returns the file as unread if the problem hides versions in it, otherwise an empty list. */
export function unreadFilesOf(
  path: string,
  { line, reason, message, isRestRead, isFileRead }: FileProblem,
): UnreadFile[] {
  if (isRestRead || !unreadReasons.has(reason)) return [];
  return [
    {
      path,
      reason: reason as UnreadFile['reason'],
      message: `Line ${line}: ${message}`,
      ...(isFileRead && { isFileRead }),
    },
  ];
}

/** Counts files that couldn't be read, by reason. Their kind is null, because it isn't known. */
export function countUnreadFiles(files: readonly UnreadFile[]): SilentFiles[] {
  const silent = createSilentFiles();
  for (const { path, reason, isFileRead } of new Map(files.map((file) => [file.path, file])).values())
    if (!isFileRead) silent.add({ kind: null, reason }, path);
  return silent.all();
}

/** Limits of the API contract. */
const maxFiles = 3_000;
const maxCharacters = 500_000;

/**
 * Returns the fields of a summary for files that weren't read. If there are too many to list, the server
 * assumes that every file without items is among them.
 *
 * @param links Symbolic links that aren't in `files`. Each may have replaced a directory that an earlier scan
 * read.
 */
export function summarizeUnreadFiles(files: readonly UnreadFile[], links: readonly string[]) {
  const byPath = new Map(files.map((file) => [file.path, file]));
  // Unread files come first, because a long list is truncated at its end.
  const [unread = [], read = []] = [false, true].map((isFileRead) =>
    [...byPath.values()].filter((file) => (file.isFileRead ?? false) === isFileRead),
  );
  let characters = 0;
  const listed: UnreadFile[] = [];
  const linked = links.map((path): UnreadFile => ({ path, reason: 'outside', message: reasonTexts.outside }));
  for (const { path, reason, message } of [...unread, ...read, ...linked]) {
    const shortMessage = shorten(message);
    characters += path.length + shortMessage.length;
    if (listed.length === maxFiles || characters > maxCharacters) break;
    listed.push({ path, reason, message: shortMessage });
  }
  return { is_complete_list: unread.length === 0, unread_files: listed, unread_count: unread.length };
}

function shorten(text: string): string {
  return text
    .slice(0, maxTextLength)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ');
}
