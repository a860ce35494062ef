import { readCodeOwners } from '../../src/domain/discovery/code-owners.ts';
import { type DiscoveredItem, discover } from '../../src/domain/discovery/discover.ts';
import { extractFile } from '../../src/domain/discovery/extract-file.ts';
import type { Extracted, FileProblem } from '../../src/domain/discovery/fact.ts';
import { compileLabelRules, type LabelRule } from '../../src/domain/discovery/guess-labels.ts';
import type { KnownSource } from '../../src/domain/discovery/propose-source.ts';
import { chooseDotenvFiles, chooseFiles, defaultExclusions } from '../../src/domain/discovery/scan-paths.ts';

export interface FileDiscoveryOutcome {
  items: DiscoveredItem[];
  problems: (FileProblem & { file: string })[];
}

/**
 * Discovers all items in the given files, which are keyed by path, as a scan of a repository with these files would.
 */
export function discoverFiles(
  files: Readonly<Record<string, string>>,
  {
    known = [],
    labelRules = [],
    cache = new Map(),
    isWholeRepository = true,
  }: {
    known?: readonly KnownSource[];
    /**
     * Results of earlier extractions, keyed by path and text. A scan extracts only files that have changed.
     */
    cache?: Map<string, Extracted>;
    labelRules?: readonly LabelRule[];
    isWholeRepository?: boolean;
  } = {},
): FileDiscoveryOutcome {
  const rules = compileLabelRules(labelRules);
  if (!rules.ok) throw new Error(rules.message);
  const { files: chosen } = chooseFiles(Object.keys(files), defaultExclusions);
  const read = chosen.map((file) => {
    const text = files[file.path]!;
    const key = JSON.stringify([file.path, file.isChartTemplate, text]);
    const extracted = cache.get(key) ?? extractFile(file, text, { isChartTemplate: file.isChartTemplate });
    cache.set(key, extracted);
    return { path: file.path, ...extracted };
  });
  // Scans keep only files that have something to link.
  const scanned = read.filter(({ facts, links }) => facts.length + links.length > 0);
  const owners = files['.github/CODEOWNERS'];
  const dotenvPaths = chooseDotenvFiles(chosen, defaultExclusions, (path) => path in files);
  const {
    items,
    failed,
    problems: linkProblems,
  } = discover(scanned, {
    isWholeRepository,
    unreadPaths: read.flatMap(({ path, problems }) =>
      problems.some(({ isRestRead, isFileRead }) => !isRestRead && !isFileRead) ? path : [],
    ),
    known,
    dotenvFiles: dotenvPaths.map((path) => ({ path, text: files[path]! })),
    paths: chosen.map(({ path }) => path),
    isRead: (path) => read.some((file) => file.path === path && file.problems.length === 0),
    labelsOf: rules.labelsOf,
    ownerOf: owners === undefined ? () => null : readCodeOwners(owners),
  });
  return {
    items,
    problems: [
      ...read.flatMap(({ path, problems }) => problems.map((problem) => ({ file: path, ...problem }))),
      ...failed,
      ...linkProblems,
    ],
  };
}

/**
 * Formats the discovered items as short lines, such as `charts.jetstack.io/cert-manager 1.2.3`, followed by
 * the reason if an item has one.
 */
export function describeItems(files: Readonly<Record<string, string>>): string[] {
  return discoverFiles(files).items.map(
    ({ artifact, proposal, version, reason }) =>
      `${proposal?.artifact_name ?? artifact.name} ${version ?? '-'}${reason === null ? '' : ` (${reason})`}`,
  );
}
