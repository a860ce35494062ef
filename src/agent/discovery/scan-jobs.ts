import { createHash } from 'node:crypto';
import type { DotenvFile } from '../../domain/discovery/apply-dotenv.ts';
import { codeOwnersPaths, readCodeOwners } from '../../domain/discovery/code-owners.ts';
import {
  type CustomPattern,
  createPathMatcher,
  tooManyPathsProblem,
} from '../../domain/discovery/custom-patterns.ts';
import { decodeText } from '../../domain/discovery/decode-text.ts';
import { discover } from '../../domain/discovery/discover.ts';
import { extractFile, isWanted, toFilePath } from '../../domain/discovery/extract-file.ts';
import { type Extracted, emptyExtraction, type FileProblem } from '../../domain/discovery/fact.ts';
import { compileLabelRules, type LabelRule } from '../../domain/discovery/guess-labels.ts';
import type { ScannedFile } from '../../domain/discovery/link-facts.ts';
import { matchesPath, type PathPattern, parsePathPattern } from '../../domain/discovery/path-pattern.ts';
import { reasonTexts } from '../../domain/discovery/reasons.ts';
import {
  type RenovateConfig,
  type RenovateProblem,
  readRenovateConfig,
} from '../../domain/discovery/renovate-config.ts';
import { createRenovateIgnoreFinder, type RenovateIgnores } from '../../domain/discovery/renovate-ignores.ts';
import { maxFileBytes, maxItems, maxScannedFiles } from '../../domain/discovery/scan-limits.ts';
import {
  chooseDotenvFiles,
  chooseFiles,
  defaultExclusions,
  roleOf,
} from '../../domain/discovery/scan-paths.ts';
import {
  createSilentFiles,
  kindAndReasonOfEmptyFile,
  type SilentFiles,
  type SkippedDirectories,
  unreferencedValuesFiles,
  unusedPatchFiles,
} from '../../domain/discovery/silent-files.ts';
import { isUnreadKind, unreadKindOf } from '../../domain/discovery/unread-kinds.ts';
import { type DiscoveryResultItem, toResultItem } from './result-item.ts';
import { createScanReport, type ScanReport, type UnreadFile, unreadFilesOf } from './scan-report.ts';
import { splitBytes } from './split-bytes.ts';

/**
 * Sandbox jobs for the steps of a scan that process untrusted data: selecting files by path, reading the
 * files, and linking their facts.
 */

/** A file of the tree that can contain versions. */
export interface ChosenFile {
  path: string;
  oid: string;
  isChartTemplate: boolean;
  /** Role of the file. Files with the same content and role have the same facts. */
  role: string;
  /** Indexes of the custom patterns for the file. */
  patternIndexes: readonly number[];
}

export interface ChooseTreeFilesInput {
  /** Patterns of the job and of the repository's Renovate configuration. */
  customPatterns: readonly CustomPattern[];
  include: readonly string[];
  exclude: readonly string[];
}

export interface ChosenTreeFiles {
  fileCount: number;
  /** The CODEOWNERS file. */
  owners: { path: string; oid: string } | null;
  /** The `.env` files next to Compose files. */
  dotenvFiles: { path: string; oid: string }[];
  report: ScanReport;
  unread: UnreadFile[];
  /** Symbolic links whose paths don't match any wanted file. */
  links: string[];
  /** Files of kinds that Pacekeeper doesn't read. */
  silent: SilentFiles[];
  skipped: SkippedDirectories;
  /** Problems with the custom patterns, for example that there were too many paths to compare. */
  patternProblems: RenovateProblem[];
}

const filesOfPart = 2_000;
/**
 * Maximum length of a path, because PostgreSQL and the API contract limit paths. Actual paths are shorter
 * than 250 bytes.
 */
const maxPathBytes = 1_000;

/**
 * Maximum number of files that are listed because they weren't compared with the patterns. A summary lists
 * fewer.
 */
const maxUncompared = 10_000;

/** Chooses files from the output of `git ls-tree -r -z`. */
export async function* chooseTreeFiles(
  { include, exclude, customPatterns }: ChooseTreeFilesInput,
  listing: AsyncIterable<Uint8Array>,
): AsyncGenerator<ChosenFile[], ChosenTreeFiles, undefined> {
  const report = createScanReport();
  const unread: UnreadFile[] = [];
  const links: string[] = [];
  const skipFile = (
    path: string | null,
    reason: UnreadFile['reason'],
    message: string = reasonTexts[reason],
  ) => {
    report.add(reason, path ?? '(a path that is not UTF-8)', message);
    if (path !== null) unread.push({ path, reason, message });
  };
  const excludes = [...defaultExclusions, ...toPatterns(exclude)];
  const includes = toPatterns(include);
  const isIncluded = (path: string) =>
    includes.length === 0 || includes.some((pattern) => matchesPath(pattern, path));
  const matcher = createPathMatcher(customPatterns);
  let uncompared = 0;
  const matchOwn = (path: string): number[] => {
    if (
      customPatterns.length === 0 ||
      !isIncluded(path) ||
      excludes.some((pattern) => matchesPath(pattern, path))
    )
      return [];
    if (!matcher.isCut()) return matcher.match(path);
    if (uncompared++ < maxUncompared) skipFile(path, 'limit', tooManyPathsProblem.message);
    return [];
  };
  /** Indexes of the custom patterns that apply to each file. Contains only files with custom patterns. */
  const ownOf = new Map<string, number[]>();
  const hashes = new Map<string, string>();
  const oidOf = new Map<string, string>();
  const dotenvOf = new Map<string, string>();
  const dotenvLinks = new Set<string>();
  /** Files of kinds that Pacekeeper recognizes but can't read. */
  const recognized: string[] = [];
  let fileCount = 0;
  for await (const { mode, oid, path } of readTree(listing)) {
    if (mode === '40000') continue;
    if (mode === '160000') {
      skipFile(path, 'submodule');
      continue;
    }
    fileCount += 1;
    if (path === null || /\p{Cc}/u.test(path)) {
      skipFile(path, 'unreadable', "The path isn't valid text.");
      continue;
    }
    const isOwners = codeOwnersPaths.includes(path);
    const isDotenv = /(?:^|\/)\.env$/.test(path);
    if (isDotenv) {
      if (mode === '120000') dotenvLinks.add(path);
      else if (dotenvOf.size < maxScannedFiles) dotenvOf.set(path, oid);
    }
    const matched = mode === '120000' ? [] : matchOwn(path);
    if (isDotenv && matched.length === 0) continue;
    if (matched.length > 0) ownOf.set(path, matched);
    if (!isOwners && matched.length === 0 && !isWanted(toFilePath(path))) {
      // Record the link, because it can replace a directory.
      if (mode === '120000') links.push(path);
      else if (unreadKindOf(toFilePath(path)) !== null) recognized.push(path);
      continue;
    }
    if (mode === '120000') skipFile(path, 'outside');
    else if (Buffer.byteLength(path) > maxPathBytes)
      report.add('too_large', path, `The path has more than ${maxPathBytes} bytes.`);
    else oidOf.set(path, oid);
  }
  const ownersPath = codeOwnersPaths.find((path) => oidOf.has(path));
  const owners = ownersPath === undefined ? null : { path: ownersPath, oid: oidOf.get(ownersPath)! };
  const {
    files: chosen,
    silent,
    skipped,
  } = chooseFiles([...oidOf.keys(), ...recognized], excludes, {
    isIncluded,
    matchOwn: (path) => ownOf.get(path) ?? [],
  });
  for (const { path } of chosen.slice(maxScannedFiles))
    skipFile(path, 'limit', `More than ${maxScannedFiles} files.`);
  chosen.length = Math.min(chosen.length, maxScannedFiles);
  for (const path of chooseDotenvFiles(chosen, excludes, (each) => dotenvLinks.has(each)))
    report.add('outside', path);
  const dotenvFiles = chooseDotenvFiles(chosen, excludes, (path) => dotenvOf.has(path)).map((path) => ({
    path,
    oid: dotenvOf.get(path)!,
  }));
  for (let at = 0; at < chosen.length; at += filesOfPart) {
    yield chosen.slice(at, at + filesOfPart).map((file) => {
      const { path, isChartTemplate, patternIndexes: indexes } = file;
      const role = `${roleOf(file)}${hashOf(indexes)}`;
      return { path, oid: oidOf.get(path)!, isChartTemplate, patternIndexes: indexes, role };
    });
  }
  const patternProblems = matcher.isCut() ? [tooManyPathsProblem] : [];
  return {
    fileCount,
    owners,
    dotenvFiles,
    report: report.all(),
    unread,
    links,
    silent,
    skipped,
    patternProblems,
  };

  /** Returns a hash of patterns, because the facts of a file depend on them. Many files have the same patterns. */
  function hashOf(indexes: readonly number[]): string {
    if (indexes.length === 0) return '';
    const key = indexes.join();
    const known = hashes.get(key);
    if (known !== undefined) return known;
    const patterns = JSON.stringify(indexes.map((at) => customPatterns[at]));
    const hash = ` ${createHash('sha256').update(patterns).digest('hex').slice(0, 16)}`;
    hashes.set(key, hash);
    return hash;
  }
}

/** Parses path patterns. Invalid patterns were rejected when the job was saved. */
function toPatterns(patterns: readonly string[]): PathPattern[] {
  return patterns.flatMap((pattern) => parsePathPattern(pattern) ?? []);
}

interface TreeEntry {
  mode: string;
  oid: string;
  /** Null if the path isn't UTF-8. */
  path: string | null;
}

/** Reads tree entries in the format `mode type oid\tpath\0`. */
async function* readTree(listing: AsyncIterable<Uint8Array>): AsyncGenerator<TreeEntry, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const record of splitBytes(listing, 0)) {
    const tab = record.indexOf(9);
    const [mode = '', , oid = ''] = record.toString('latin1', 0, tab).split(' ');
    let path: string | null = null;
    try {
      path = decoder.decode(record.subarray(tab + 1));
    } catch {
      // The path isn't UTF-8.
    }
    yield { mode, oid, path };
  }
}

/** A file with its content. */
export interface FileToRead {
  path: string;
  isChartTemplate: boolean;
  bytes: Uint8Array;
  /** Custom patterns for the file. */
  customPatterns: readonly CustomPattern[];
}

/** Returns the facts of each file as one line of JSON, which is parsed only when files are linked. */
export function readTreeFiles(files: readonly FileToRead[]): string[] {
  return files.map((file) => {
    const json = JSON.stringify(readTreeFile(file));
    if (json.length <= maxFactsLength) return json;
    const message = 'Its versions have very long names.';
    return JSON.stringify({ ...emptyExtraction(), problems: [{ line: 1, reason: 'too_large', message }] });
  });
}

/** Maximum length of the facts of one file, in characters. 5,000 versions take 2 million. */
const maxFactsLength = 4 * 1024 * 1024;

function readTreeFile({ path, isChartTemplate, bytes, customPatterns }: FileToRead): Extracted {
  const text = decodeText(bytes);
  if (isEncrypted(bytes)) return withProblem('encrypted');
  if (text === null) return unreadable("The file isn't UTF-8 text.");
  if (/^version https:\/\/(?:git-lfs|hawser)\.github\.com\//.test(text.slice(0, 200)))
    return withProblem('git_lfs');
  try {
    return extractFile(toFilePath(path), text, { isChartTemplate, customPatterns });
  } catch (error) {
    // A file that crashes its extractor must not hide the others.
    return unreadable(error instanceof Error ? error.message.slice(0, 200) : '');
  }
}

function unreadable(message: string): Extracted {
  return withProblem('unreadable', message);
}

function withProblem(
  reason: 'encrypted' | 'git_lfs' | 'unreadable',
  message: string = reasonTexts[reason],
): Extracted {
  return { ...emptyExtraction(), problems: [{ line: 1, reason, message }] };
}

/** True for files that git-crypt or Ansible Vault has encrypted as a whole. */
function isEncrypted(bytes: Uint8Array): boolean {
  return /^(?:\0GITCRYPT\0|\$ANSIBLE_VAULT;)/.test(Buffer.from(bytes.subarray(0, 20)).toString('latin1'));
}

/** Reads a repository's Renovate configuration. */
export function readRenovateFiles(
  files: readonly { path: string; bytes: Uint8Array | null }[],
): RenovateConfig {
  return readRenovateConfig(
    files.map(({ path, bytes }) => ({
      path,
      text: bytes === null ? null : decodeText(bytes),
      isTooLarge: bytes === null,
    })),
  );
}

export interface LinkTreeFilesInput {
  /** Extractors to use. If empty, all are used. */
  extractors: readonly string[];
  labelRules: readonly LabelRule[];
  /** Versions that the repository's Renovate configuration ignores. */
  ignores: RenovateIgnores | null;
  /** The content of the CODEOWNERS file. */
  owners: Uint8Array | null;
  /** The `.env` files next to Compose files. Their contents are never stored. */
  dotenvFiles: readonly { path: string; oid: string; bytes: Uint8Array }[];
  /** True if the job includes all files of the repository. */
  isWholeRepository: boolean;
  /** Files and directories that couldn't be read before this step. */
  unreadPaths: readonly string[];
}

export interface LinkResult {
  found: number;
  report: ScanReport;
  unread: UnreadFile[];
  /** Files that were read and yield no versions. */
  silent: SilentFiles[];
}

/** Header that precedes the facts of a file. */
export interface FileFactsHeader {
  path: string;
  oid: string;
}

const itemsOfPart = 1_000;
const charactersOfPart = 2 * 1024 * 1024;

/**
 * Links the facts of all files and creates items from them.
 * @param read Two lines for each file: its header, and its facts from `readTreeFiles`.
 */
export async function* linkTreeFiles(
  {
    extractors,
    labelRules,
    ignores,
    owners,
    dotenvFiles,
    isWholeRepository,
    unreadPaths,
  }: LinkTreeFilesInput,
  read: AsyncIterable<Uint8Array>,
): AsyncGenerator<DiscoveryResultItem[], LinkResult, undefined> {
  const report = createScanReport();
  const unread: UnreadFile[] = [];
  const files: ScannedFile[] = [];
  const oidOf = new Map<string, string>();
  const paths: string[] = [];
  const readPaths = new Set<string>();
  const silent = createSilentFiles();
  const isUsed = (extractor: string) => extractors.length === 0 || extractors.includes(extractor);
  let head: FileFactsHeader | null = null;
  for await (const line of splitBytes(read, 10)) {
    const value: unknown = JSON.parse(line.toString('utf8'));
    if (head === null) {
      head = value as FileFactsHeader;
      continue;
    }
    const { path, oid } = head;
    head = null;
    const extracted = value as Extracted;
    paths.push(path);
    if (extracted.problems.length === 0) readPaths.add(path);
    const hiding = extracted.problems.flatMap((problem) => unreadFilesOf(path, problem));
    const hidden = hiding.find(({ isFileRead }) => !isFileRead) ?? hiding[0];
    if (hidden) {
      unread.push(hidden);
      // Images that a template builds are in the values of its chart.
      const hasOwn = extracted.facts.length > 0 || extracted.links.some(({ type }) => type !== 'built_image');
      if (hidden.isFileRead && !hasOwn) silent.add({ kind: null, reason: hidden.reason }, path);
    }
    for (const each of extracted.problems) addProblem(path, each);
    const silence = kindAndReasonOfEmptyFile(toFilePath(path), extracted);
    if (silence && (isUnreadKind(silence.kind) || isUsed(silence.kind))) silent.add(silence, path);
    if (extracted.facts.length + extracted.links.length === 0) continue;
    oidOf.set(path, oid);
    files.push({ path, ...extracted });
  }
  const rules = compileLabelRules(labelRules);
  const readDotenvFiles = dotenvFiles.flatMap(({ path, oid, bytes }): DotenvFile[] => {
    const text = decodeText(bytes);
    if (text === null) {
      addProblem(path, { line: 1, reason: 'unreadable', message: "The file isn't UTF-8 text." });
      return [];
    }
    oidOf.set(path, oid);
    return [{ path, text }];
  });
  const { items, omittedCount, omittedFiles, failed, problems } = discover(files, {
    wants: ({ extractor }) => isUsed(extractor),
    dotenvFiles: readDotenvFiles,
    paths,
    isRead: (path) => readPaths.has(path),
    unreadPaths: [...unreadPaths, ...unread.flatMap(({ path, isFileRead }) => (isFileRead ? [] : path))],
    isWholeRepository,
    ignoredBy: createRenovateIgnoreFinder(ignores),
    labelsOf: memoized((path) => (rules.ok ? rules.labelsOf(path) : {})),
    ownerOf: memoized(readOwners(owners)),
  });
  for (const { file, ...problem } of problems) addProblem(file, problem);
  for (const { file, ...problem } of failed) {
    addProblem(file, problem);
    unread.push(...unreadFilesOf(file, problem));
  }
  const withItems = new Set(items.map(({ place }) => place.file));
  if (isUsed('helm_values'))
    for (const { path, reason } of unreferencedValuesFiles(files, withItems))
      silent.add({ kind: 'helm_values', reason }, path);
  for (const { path, kind } of unusedPatchFiles(files, withItems))
    if (isUsed(kind)) silent.add({ kind, reason: 'no_version' }, path);
  const limitMessage = `${omittedCount} items beyond the limit of ${maxItems}.`;
  if (omittedCount > 0) report.add('limit', '', limitMessage);
  for (const path of omittedFiles) unread.push({ path, reason: 'limit', message: limitMessage });
  let part: DiscoveryResultItem[] = [];
  let characters = 0;
  let found = 0;
  for (const item of items) {
    const result = toResultItem(item, oidOf.get(item.place.file)!);
    const message = item.reason === 'invalid' ? (item.note ?? undefined) : undefined;
    if (item.reason !== null) report.add(item.reason, `${item.place.file}:${item.place.line}`, message);
    found += 1;
    part.push(result);
    characters += JSON.stringify(result).length;
    if (part.length < itemsOfPart && characters < charactersOfPart) continue;
    yield part;
    part = [];
    characters = 0;
  }
  if (part.length > 0) yield part;
  return { found, report: report.all(), unread, silent: silent.all() };

  function addProblem(path: string, { line, reason, message }: FileProblem): void {
    report.add(reason, `${path}:${line}`, message);
  }
}

function readOwners(owners: Uint8Array | null): (path: string) => string | null {
  const text = owners && owners.byteLength <= maxFileBytes ? decodeText(owners) : null;
  return text === null ? () => null : readCodeOwners(text);
}

/** Caches the value for the last path only, because the items of a file are adjacent. */
function memoized<T>(valueOf: (path: string) => T): (path: string) => T {
  let last: { path: string; value: T } | null = null;
  return (path) => {
    if (last?.path !== path) last = { path, value: valueOf(path) };
    return last.value;
  };
}
