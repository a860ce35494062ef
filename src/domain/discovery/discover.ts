import { knownSources } from '../catalog/catalog.ts';
import type { ArtifactAlias } from '../identity/artifact-aliases.ts';
import { cleanLine } from '../templates/clean-text.ts';
import type { DotenvFile } from './apply-dotenv.ts';
import { roleOfExtractor } from './extractor-roles.ts';
import type { Fact, FactLocation, LinkProblem } from './fact.ts';
import { guessService } from './guess-labels.ts';
import { itemKey } from './item-key.ts';
import type { LabelSource } from './label-sources.ts';
import { findIncompleteServices } from './link-compose-services.ts';
import { type LinkedFact, linkFacts, type ScannedFile } from './link-facts.ts';
import { linkProblem, linkSeparately } from './link-separately.ts';
import { createProposer, type KnownSource, type Proposal } from './propose-source.ts';
import type { Reason } from './reasons.ts';
import type { FindIgnoringEntry } from './renovate-ignores.ts';
import { directoryOf } from './repository-path.ts';
import { maxItems } from './scan-limits.ts';
import { createEnvironmentGuesser } from './shared-suffixes.ts';

export interface DiscoveredItem {
  extractor: Fact['extractor'];
  /** Key that is the same in every scan, even if the file moves. Several items can share a key. */
  key: string;
  place: FactLocation & { file: string };
  artifact: Fact['artifact'] & { purl: string | null };
  version: string | null;
  version_state: Fact['state'];
  digest: string | null;
  note: string | null;
  /** Reason that the item isn't proposed; `null` if it's proposed. */
  reason: Reason | null;
  proposal: Proposal | null;
  environment: string | null;
  service: string | null;
  labels: Record<string, string>;
  /** Sources of the labels, by key. */
  label_sources: Record<string, LabelSource>;
  /** Entry of the repository's Renovate configuration that ignores the item. Null if none does. */
  renovate_ignore: string | null;
  /** Source repository of the software in a chart, if the chart specifies it. */
  project_url?: string;
}

export interface DiscoverOptions {
  /** Sources that are known independently of the files. Defaults to the catalog and command-line tools. */
  known?: readonly KnownSource[];
  /**
   * Aliases of the organization. Agents don't have them: the server applies aliases to the items of a scan.
   */
  aliases?: readonly ArtifactAlias[];
  /**
   * Returns true if an item is wanted. Unwanted items are dropped and don't count toward the limit of a scan.
   * By default, all items are wanted.
   */
  wants?(item: { extractor: string; file: string }): boolean;
  /** `.env` files next to Compose files. */
  dotenvFiles?: readonly DotenvFile[];
  /**
   * Paths of all files of the scan, even if they contain no versions. By default, those of the given files.
   */
  paths?: readonly string[];
  /**
   * Returns true if a file was read without problems, even if it contains no versions. By default, every file
   * is assumed to have had problems.
   */
  isRead?(path: string): boolean;
  /** Paths of files and directories that couldn't be read, so that they may refer to any file. Default: none. */
  unreadPaths?: readonly string[];
  /**
   * True if the files are all files of a repository. In a part of a repository, a file to which no other file refers
   * can still be deployed. Default: false.
   */
  isWholeRepository?: boolean;
  labelsOf(path: string): Record<string, string>;
  /** Returns the owners, separated by commas. */
  ownerOf(path: string): string | null;
  /**
   * Returns the environment of a path. By default, it's guessed from the names of the directories and the
   * file.
   */
  environmentOf?(path: string): string | null;
  /** Source of the labels that `environmentOf` returns. `path` by default. */
  environmentSource?: LabelSource;
  /**
   * Returns the entry of the repository's Renovate configuration that ignores a version. By default, no
   * version is ignored.
   */
  ignoredBy?: FindIgnoringEntry;
  /** Returns the source of a label that `labelsOf` returned. By default, the source is a label rule. */
  labelSourceOf?(key: string, path: string): LabelSource;
}

export interface Discovered {
  items: DiscoveredItem[];
  /** Number of items that exceed the limit of a scan. */
  omittedCount: number;
  /** Files that contain the omitted items. */
  omittedFiles: string[];
  /**
   * Problems of facts that couldn't be processed, and of files whose versions weren't all searched. Items at
   * these locations are unknown.
   */
  failed: LinkProblem[];
}

export interface DiscoveredInFiles extends Discovered {
  /** Problems that involve several files. Problems within one file are reported when it's read. */
  problems: LinkProblem[];
}

const searchLimitMessage =
  'Some versions in this file are set in other files. The scan reached its limit before it searched all of them.';

/** Converts the facts of all files to items that can be accepted. */
export function discover(files: readonly ScannedFile[], options: DiscoverOptions): DiscoveredInFiles {
  const propose = createProposer(options.known ?? knownSources, options.aliases);
  const { wants = () => true } = options;
  const unsearchedFiles = new Set<string>();
  const { linked: all, failed } = linkSeparately(files, (part) => {
    unsearchedFiles.clear();
    return linkFacts(part, { ...options, reportUnsearched: (path) => unsearchedFiles.add(path) });
  });
  for (const file of unsearchedFiles)
    failed.push({ file, line: 1, reason: 'limit', message: searchLimitMessage, isFileRead: true });
  const linked = all.filter((fact) => wants(fact) && !isOwnWithoutVersion(fact));
  const charts = new Map<string, string>();
  for (const { path, links } of files)
    for (const link of links) if (link.type === 'chart') charts.set(directoryOf(path), link.name);
  const chartOf = (file: string) => charts.get(directoryOf(file)) ?? null;
  const environmentOf =
    options.environmentOf ?? createEnvironmentGuesser(options.paths ?? files.map(({ path }) => path));
  const items = linked.slice(0, maxItems).flatMap((fact) => {
    try {
      return [toItem(fact, chartOf(fact.file), propose, { ...options, environmentOf })];
    } catch (error) {
      failed.push(linkProblem(fact.file, fact.place.line, error));
      return [];
    }
  });
  const omittedFiles = [...new Set(linked.slice(maxItems).map(({ file }) => file))];
  const problems = findIncompleteServices(files);
  return { items, omittedCount: Math.max(0, linked.length - maxItems), omittedFiles, failed, problems };
}

/**
 * True for a chart in the repository, whose version no deployment selects, and for an image that a Compose file builds
 * with a moving tag.
 */
function isOwnWithoutVersion({ origin, artifact, extractor, state }: Fact): boolean {
  if (origin.type !== 'local') return false;
  return artifact.kind === 'chart' || (extractor === 'compose' && state === 'floating');
}

function toItem(
  fact: LinkedFact,
  chart: string | null,
  propose: ReturnType<typeof createProposer>,
  options: DiscoverOptions & Required<Pick<DiscoverOptions, 'environmentOf'>>,
): DiscoveredItem {
  const { labelsOf, ownerOf, environmentOf } = options;
  const { purl, proposal } = propose(fact);
  const { file, extractor, artifact, version, state, digest, note, projectUrl = null } = fact;
  const owner = ownerOf(file);
  const fromPath = cleanValues(labelsOf(file));
  // Workflows and tools have no environment, even if a file name suggests one, because they belong to the
  // repository.
  const environment =
    fromPath['environment'] ??
    (roleOfExtractor(extractor) === 'ci' ? null : (fact.environment ?? environmentOf(file)));
  const guessed = guessService(fact, chart);
  const service = fromPath['service'] ?? guessed?.name ?? null;
  const labels = {
    ...cleanValues({
      ...(environment !== null && { environment }),
      ...(service !== null && { service }),
      ...(owner !== null && { owner }),
      ...fact.labels,
    }),
    ...fromPath,
  };
  const sourceOf = (key: string): LabelSource => {
    if (Object.hasOwn(fromPath, key)) return options.labelSourceOf?.(key, file) ?? 'rule';
    if (fact.labels !== undefined && Object.hasOwn(fact.labels, key)) return 'pattern';
    if (key === 'owner') return 'code_owners';
    if (key === 'environment' && fact.environment !== undefined) return 'name';
    return (key === 'service' ? guessed?.source : options.environmentSource) ?? 'path';
  };
  const reason = fact.reason ?? (proposal === null ? 'no_source' : null);
  return {
    extractor,
    key: itemKey(fact),
    place: {
      file,
      ...fact.place,
    },
    artifact: {
      ...artifact,
      purl,
    },
    version,
    version_state: state,
    digest,
    note,
    reason,
    proposal,
    environment,
    service,
    labels,
    label_sources: Object.fromEntries(Object.keys(labels).map((key) => [key, sourceOf(key)])),
    renovate_ignore: options.ignoredBy?.(file, artifact) ?? null,
    ...(projectUrl !== null && { project_url: projectUrl }),
  };
}

/** Cleans each label value to a single visible line. Labels that become empty are dropped. */
function cleanValues(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels)
      .map(([key, value]) => [key, cleanLine(value)] as const)
      .filter(([, value]) => value !== ''),
  );
}
