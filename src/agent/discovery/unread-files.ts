import type { FileProblem } from '../../domain/discovery/fact.ts';
import { reasonTexts } from '../../domain/discovery/reasons.ts';
import { createSilentFiles, type SilentFiles } from '../../domain/discovery/silent-files.ts';
import type { Schemas } from '../../generated/agent-api.ts';

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
const maxMessageLength = 300;

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
    const shortMessage = message
      .slice(0, maxMessageLength)
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, ' ');
    characters += path.length + shortMessage.length;
    if (listed.length === maxFiles || characters > maxCharacters) break;
    listed.push({ path, reason, message: shortMessage });
  }
  return { is_complete_list: unread.length === 0, unread_files: listed, unread_count: unread.length };
}
