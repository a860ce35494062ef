import type { DotenvFile } from '../../domain/discovery/apply-dotenv.ts';
import { codeOwnersPaths, readCodeOwners } from '../../domain/discovery/code-owners.ts';
import {
  type CustomExtractor,
  type CustomPattern,
  createPathMatcher,
  toCustomPattern,
  tooManyPathsProblem,
} from '../../domain/discovery/custom-patterns.ts';
import { type DiscoveredItem, discover } from '../../domain/discovery/discover.ts';
import { extractFile, isWanted, toFilePath } from '../../domain/discovery/extract-file.ts';
import { type Extracted, emptyExtraction, type FileProblem } from '../../domain/discovery/fact.ts';
import type { LabelSource } from '../../domain/discovery/label-sources.ts';
import type { ScannedFile } from '../../domain/discovery/link-facts.ts';
import type { PathPattern } from '../../domain/discovery/path-pattern.ts';
import { reasonTexts } from '../../domain/discovery/reasons.ts';
import {
  type RenovateConfig,
  type RenovateFile,
  type RenovateProblem,
  readRenovateConfig,
  renovateConfigPaths,
} from '../../domain/discovery/renovate-config.ts';
import { createRenovateIgnoreFinder } from '../../domain/discovery/renovate-ignores.ts';
import { maxDotenvBytes } from '../../domain/discovery/scan-limits.ts';
import { chooseDotenvFiles, chooseFiles, type ScanPath } from '../../domain/discovery/scan-paths.ts';
import {
  createSilentFiles,
  kindAndReasonOfEmptyFile,
  mergeSilentFiles,
  type SilentFiles,
  unreferencedValuesFiles,
  unusedPatchFiles,
} from '../../domain/discovery/silent-files.ts';
import { listDirectory, readScannedFile } from './read-directory.ts';

export interface ScanOptions {
  excludes: readonly PathPattern[];
  labelsOf(path: string): Record<string, string>;
  /**
   * Returns the source of a label that `labelsOf` returned. Without this function, the source is always a label rule.
   */
  labelSourceOf?(key: string, path: string): LabelSource;
  customExtractors?: readonly CustomExtractor[];
  /** True if the directory is a whole repository, and only the usual directories are excluded. */
  isWholeRepository: boolean;
}

export interface Scan {
  fileCount: number;
  items: DiscoveredItem[];
  omittedCount: number;
  problems: (FileProblem & { file: string })[];
  /** Directories that are skipped. */
  excluded: string[];
  silentFiles: SilentFiles[];
  /** Custom patterns that can't be used. */
  patternProblems: RenovateProblem[];
}

/** Scans a checkout for versions that can be tracked. */
export async function scanDirectory(
  root: string,
  { excludes, labelsOf, labelSourceOf, customExtractors = [], isWholeRepository }: ScanOptions,
): Promise<Scan> {
  const { paths, symbolicLinks, excluded, unreadable } = await listDirectory(root, excludes);
  const files: ScannedFile[] = [];
  const problems: Scan['problems'] = symbolicLinks
    .filter((path) => isWanted(toFilePath(path)))
    .map((file) => ({ file, line: 1, reason: 'outside', message: reasonTexts.outside }));
  for (const file of unreadable)
    problems.push({ file, line: 1, reason: 'unreadable', message: "The directory can't be read." });
  const readPaths = new Set<string>();
  const unreadPaths = [...unreadable];
  const renovate = await readRenovate(root, paths);
  const customPatterns = [...customExtractors.map(toCustomPattern), ...renovate.patterns];
  const { match: matchOwn, isCut } = createPathMatcher(customPatterns);
  const { files: chosenFiles, silent, skipped } = chooseFiles(paths, excludes, { matchOwn });
  const read = createSilentFiles();
  for (const chosen of chosenFiles) {
    const { path } = chosen;
    const content = await readScannedFile(root, path);
    if (!('text' in content)) {
      problems.push({ file: path, line: 1, reason: content.problem, message: content.message });
      unreadPaths.push(path);
      continue;
    }
    const extracted = extractOrReport(
      chosen,
      content.text,
      chosen.patternIndexes.map((at) => customPatterns[at]!),
    );
    const silence = kindAndReasonOfEmptyFile(chosen, extracted);
    if (silence) read.add(silence, path);
    if (extracted.problems.length === 0) readPaths.add(path);
    if (extracted.problems.some(({ isRestRead, isFileRead }) => !isRestRead && !isFileRead))
      unreadPaths.push(path);
    for (const problem of extracted.problems) problems.push({ file: path, ...problem });
    if (extracted.facts.length + extracted.links.length > 0) files.push({ path, ...extracted });
  }
  const existing = new Set(paths);
  const dotenvFiles: DotenvFile[] = [];
  for (const path of chooseDotenvFiles(chosenFiles, excludes, (each) => existing.has(each))) {
    const content = await readScannedFile(root, path, maxDotenvBytes);
    if ('text' in content) dotenvFiles.push({ path, text: content.text });
    else problems.push({ file: path, line: 1, reason: content.problem, message: content.message });
  }
  const ownerOf = await readOwners(root, paths);
  const found = discover(files, {
    labelsOf,
    ...(labelSourceOf && { labelSourceOf }),
    ownerOf,
    dotenvFiles,
    paths: chosenFiles.map(({ path }) => path),
    isRead: (path) => readPaths.has(path),
    unreadPaths,
    isWholeRepository,
    ignoredBy: createRenovateIgnoreFinder(renovate.ignores),
  });
  const withItems = new Set(found.items.map(({ place }) => place.file));
  for (const { path, reason } of unreferencedValuesFiles(files, withItems))
    read.add({ kind: 'helm_values', reason }, path);
  for (const { path, kind } of unusedPatchFiles(files, withItems))
    read.add({ kind, reason: 'no_version' }, path);
  return {
    fileCount: paths.length,
    ...found,
    problems: [...problems, ...found.failed, ...found.problems],
    excluded: [...new Set([...excluded, ...skipped.examples])].toSorted(),
    silentFiles: mergeSilentFiles([silent, read.all()]),
    patternProblems: [...renovate.problems, ...(isCut() ? [tooManyPathsProblem] : [])],
  };
}

/**
 * Extracts the versions from a file. A failure is reported as a problem, so that a malicious file can't prevent the
 * other files from being scanned.
 */
function extractOrReport(file: ScanPath, text: string, customPatterns: readonly CustomPattern[]): Extracted {
  try {
    return extractFile(file, text, { isChartTemplate: file.isChartTemplate, customPatterns });
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return { ...emptyExtraction(), problems: [{ line: 1, reason: 'unreadable', message }] };
  }
}

/** Reads the repository's Renovate configuration. */
async function readRenovate(root: string, paths: readonly string[]): Promise<RenovateConfig> {
  const existing = new Set(paths);
  const files: RenovateFile[] = [];
  for (const path of renovateConfigPaths.filter((each) => existing.has(each))) {
    const read = await readScannedFile(root, path);
    const isTooLarge = 'problem' in read && read.problem === 'too_large';
    files.push({ path, text: 'text' in read ? read.text : null, isTooLarge });
  }
  return readRenovateConfig(files);
}

async function readOwners(root: string, paths: readonly string[]): Promise<(path: string) => string | null> {
  const found = codeOwnersPaths.find((path) => paths.includes(path));
  const read = found === undefined ? null : await readScannedFile(root, found);
  return read && 'text' in read ? readCodeOwners(read.text) : () => null;
}
