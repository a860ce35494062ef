import { extractorLabels } from './extractor-labels.ts';
import type { FilePath } from './extractors/extractor.ts';
import type { Extracted, ExtractorName, Link } from './fact.ts';
import type { ScannedFile } from './link-facts.ts';
import { findValuesFileUses } from './link-values-files.ts';
import { reasonTexts } from './reasons.ts';
import { isUnreadKind, type UnreadKindName, unreadKindOf, unreadKinds } from './unread-kinds.ts';

/** The kind of a file: one that an extractor reads, or one that Pacekeeper doesn't read. */
export type FileKind = ExtractorName | UnreadKindName;

/** Reasons why a file yields no versions, each with its text. */
export const silentReasonTexts = {
  kind_not_read: "Pacekeeper doesn't read this kind of file.",
  out_of_scope: "This kind of file doesn't describe deployed software.",
  no_version: 'The files contain no version that Pacekeeper recognizes.',
  not_named: 'No release names these files as its values.',
  malformed: reasonTexts.malformed,
  templated: reasonTexts.templated,
  too_large: reasonTexts.too_large,
  limit: reasonTexts.limit,
  timed_out: reasonTexts.timed_out,
  encrypted: reasonTexts.encrypted,
  git_lfs: reasonTexts.git_lfs,
  outside: reasonTexts.outside,
  submodule: reasonTexts.submodule,
  unreadable: reasonTexts.unreadable,
} as const satisfies Record<string, string>;

export type SilentReason = keyof typeof silentReasonTexts;

/** Files of one kind that yield no versions for the same reason. */
export interface SilentFiles {
  /** Null if the kind isn't known, because the files weren't read. */
  kind: FileKind | null;
  reason: SilentReason;
  count: number;
  /** Paths of some of the files. */
  examples: string[];
}

/** Directories that a scan skips. */
export interface SkippedDirectories {
  count: number;
  /** Paths of some of the directories. */
  examples: string[];
}

/** Returns the display name of a kind. Agents of another version can report kinds that aren't known here. */
export function titleOfKind(kind: string | null): string {
  if (kind === null) return 'Files';
  if (isUnreadKind(kind)) return unreadKinds[kind].title;
  return Object.hasOwn(extractorLabels, kind) ? extractorLabels[kind as ExtractorName] : kind;
}

const maxExamples = 3;
const maxPathLength = 200;
/** Maximum number of skipped directories that are listed. Real repositories have a few. */
const maxSkipped = 20;
/** The count of skipped directories stops at this number. */
const maxCountedSkipped = 10_000;

/** True for a link with values that are used only if another file refers to them. */
export function isUsedOnlyByReference({ type }: Link): boolean {
  return (
    type === 'environment_values' ||
    type === 'value_flags' ||
    type === 'chart_values' ||
    type === 'app_version_uses' ||
    type === 'templated_application' ||
    type === 'templated_version' ||
    type === 'built_image' ||
    type === 'gitlab_pipeline' ||
    type === 'flux_variables' ||
    type === 'ansible_uses' ||
    type === 'ansible_variables' ||
    type === 'ansible_inventory' ||
    type === 'environment_file'
  );
}

/** Returns the kind and the reason of a file that yields nothing, or null if it isn't of a known kind. */
export function kindAndReasonOfEmptyFile(
  file: FilePath,
  { facts, links, problems, kind }: Extracted,
): { kind: FileKind; reason: SilentReason } | null {
  if (facts.length + problems.length > 0 || !links.every(isUsedOnlyByReference)) return null;
  // If a custom pattern applies to the file, the kind that the name of the file shows doesn't matter.
  if (kind === 'custom') return { kind, reason: 'no_version' };
  const unread = kind !== undefined && isUnreadKind(kind) ? kind : unreadKindOf(file);
  if (unread !== null) return silentReasonOfUnreadKind(unread);
  return kind === undefined ? null : { kind, reason: 'no_version' };
}

export function silentReasonOfUnreadKind(kind: UnreadKindName): { kind: FileKind; reason: SilentReason } {
  return { kind, reason: 'isOutOfScope' in unreadKinds[kind] ? 'out_of_scope' : 'kind_not_read' };
}

/**
 * Returns the files that look like values but yield nothing. Either no release refers to them, or a release
 * refers to them with a templated path.
 *
 * @param found Files in which items were found.
 */
export function unreferencedValuesFiles(
  files: readonly ScannedFile[],
  found: ReadonlySet<string>,
): { path: string; reason: 'not_named' | 'templated' }[] {
  const { matchesTemplatedPath } = findValuesFileUses(files);
  return files.flatMap(({ path, links, facts }) =>
    facts.length === 0 && links.some(({ type }) => type === 'possible_values') && !found.has(path)
      ? [{ path, reason: matchesTemplatedPath(path) ? 'templated' : 'not_named' }]
      : [],
  );
}

/**
 * Returns the files that could be patches of a version but yield nothing, because no kustomization uses them
 * as patches.
 *
 * @param found Files in which items were found.
 */
export function unusedPatchFiles(
  files: readonly ScannedFile[],
  found: ReadonlySet<string>,
): { path: string; kind: FileKind }[] {
  return files.flatMap(({ path, links: all, facts, problems }) => {
    const links = all.filter(({ type }) => type !== 'flux_variables');
    const [first] = links;
    const isPatch = first?.type === 'version_patch' && links.every(({ type }) => type === 'version_patch');
    if (!isPatch || facts.length + problems.length > 0 || found.has(path)) return [];
    return [{ path, kind: first.kind === null ? 'kustomize' : 'kubernetes' }];
  });
}

/** Counts files without versions by kind and reason. */
export function createSilentFiles() {
  const groups = new Map<string, SilentFiles>();
  return {
    add({ kind, reason }: Pick<SilentFiles, 'kind' | 'reason'>, path: string): void {
      addGroup(groups, { kind, reason, count: 1, examples: [path.slice(0, maxPathLength).toWellFormed()] });
    },
    all: (): SilentFiles[] => [...groups.values()],
  };
}

/**
 * Merges the unread and empty files of all steps of a scan. The groups are sorted by reason, with the kinds
 * of files that Pacekeeper doesn't read first, and then by the number of files.
 */
export function mergeSilentFiles(lists: readonly (readonly SilentFiles[])[]): SilentFiles[] {
  const groups = new Map<string, SilentFiles>();
  for (const group of lists.flat()) addGroup(groups, group);
  const order = Object.keys(silentReasonTexts);
  return [...groups.values()].toSorted(
    (a, b) => order.indexOf(a.reason) - order.indexOf(b.reason) || b.count - a.count,
  );
}

function addGroup(groups: Map<string, SilentFiles>, { kind, reason, count, examples }: SilentFiles): void {
  const key = `${kind} ${reason}`;
  const group = groups.get(key);
  if (!group) groups.set(key, { kind, reason, count, examples: examples.slice(0, maxExamples) });
  else {
    group.count += count;
    group.examples.push(...examples.slice(0, maxExamples - group.examples.length));
  }
}

export function summarizeSkipped(directories: ReadonlySet<string>): SkippedDirectories {
  const names = [...directories].toSorted();
  return {
    count: names.length,
    examples: names.slice(0, maxSkipped).map((path) => path.slice(0, maxPathLength).toWellFormed()),
  };
}

/** Adds a skipped directory until the maximum number is reached. */
export function addSkipped(directories: Set<string>, path: string): void {
  if (directories.size < maxCountedSkipped) directories.add(path);
}
