import type { ArtifactAlias } from '../identity/artifact-aliases.ts';
import { codeOwnersPaths, readCodeOwners } from './code-owners.ts';
import { type CustomExtractor, createPathMatcher, toCustomPattern } from './custom-patterns.ts';
import { type DiscoveredItem, discover } from './discover.ts';
import { extractFile } from './extract-file.ts';
import type { FileProblem } from './fact.ts';
import { compileLabelRules, type LabelRule } from './guess-labels.ts';
import type { ScannedFile } from './link-facts.ts';
import { type RenovateProblem, readRenovateConfig } from './renovate-config.ts';
import { createRenovateIgnoreFinder } from './renovate-ignores.ts';
import { chooseDotenvFiles, chooseFiles, defaultExclusions } from './scan-paths.ts';
import {
  createSilentFiles,
  kindAndReasonOfEmptyFile,
  mergeSilentFiles,
  type SilentFiles,
} from './silent-files.ts';

export interface PreviewInput {
  files: readonly { path: string; content: string }[];
  labelRules: readonly LabelRule[];
  customExtractors: readonly CustomExtractor[];
  aliases: readonly ArtifactAlias[];
}

export interface PreviewResult {
  items: DiscoveredItem[];
  omittedCount: number;
  problems: (FileProblem & { file: string })[];
  silentFiles: SilentFiles[];
  patternProblems: RenovateProblem[];
}

/** Deadline of a preview in a sandbox. Files of the maximum request size take a fraction of this time. */
export const previewDeadlineMs = 10_000;

const maxItems = 1_000;
const maxProblems = 100;

/**
 * Returns the items and problems that a scan of a repository with these files would find. Must run in a
 * sandbox, because the files are untrusted.
 */
export function previewFiles({ files, labelRules, customExtractors, aliases }: PreviewInput): PreviewResult {
  const contentOf = new Map(files.map(({ path, content }) => [path, content]));
  const scanned: ScannedFile[] = [];
  const problems: PreviewResult['problems'] = [];
  const renovate = readRenovateConfig(files.map(({ path, content }) => ({ path, text: content })));
  const customPatterns = [...customExtractors.map(toCustomPattern), ...renovate.patterns];
  const { match: matchOwn } = createPathMatcher(customPatterns);
  const { files: chosen, silent } = chooseFiles([...contentOf.keys()], defaultExclusions, { matchOwn });
  const read = createSilentFiles();
  for (const file of chosen) {
    const extracted = extractFile(file, contentOf.get(file.path)!, {
      isChartTemplate: file.isChartTemplate,
      customPatterns: file.patternIndexes.map((at) => customPatterns[at]!),
    });
    scanned.push({ path: file.path, ...extracted });
    const silence = kindAndReasonOfEmptyFile(file, extracted);
    if (silence) read.add(silence, file.path);
    problems.push(...extracted.problems.map((problem) => ({ file: file.path, ...problem })));
  }
  const readPaths = new Set(scanned.flatMap((file) => (file.problems.length === 0 ? file.path : [])));
  const rules = compileLabelRules(labelRules);
  const owners = codeOwnersPaths.find((path) => contentOf.has(path));
  const dotenvPaths = chooseDotenvFiles(chosen, defaultExclusions, (path) => contentOf.has(path));
  const {
    items,
    omittedCount,
    failed,
    problems: linkProblems,
  } = discover(scanned, {
    aliases,
    dotenvFiles: dotenvPaths.map((path) => ({ path, text: contentOf.get(path)! })),
    paths: chosen.map(({ path }) => path),
    isRead: (path) => readPaths.has(path),
    ignoredBy: createRenovateIgnoreFinder(renovate.ignores),
    labelsOf: rules.ok ? rules.labelsOf : () => ({}),
    ownerOf: owners === undefined ? () => null : readCodeOwners(contentOf.get(owners)!),
  });
  return {
    items: items.slice(0, maxItems),
    omittedCount: omittedCount + Math.max(0, items.length - maxItems),
    problems: [...problems, ...failed, ...linkProblems].slice(0, maxProblems),
    silentFiles: mergeSilentFiles([silent, read.all()]),
    patternProblems: renovate.problems,
  };
}
