import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { scanDirectory } from '../../src/cli/discovery/scan-directory.ts';
import type { DiscoveredItem } from '../../src/domain/discovery/discover.ts';
import { identityOf } from '../../src/domain/discovery/item-identity.ts';
import { type FoundItem, matchItems, type StoredItem } from '../../src/domain/discovery/match-items.ts';
import { defaultExclusions } from '../../src/domain/discovery/scan-paths.ts';
import { runSteps } from './finish-steps.ts';

/** A small repository, with the items that discovery must find in it. */
export interface DiscoveryCase {
  id: string;
  kind: string;
  why: string;
  expected: readonly string[];
}

/** One line of `expected` that specifies a version: `[file: ]name version[, environment name]`. */
export interface ExpectedVersion {
  text: string;
  file: string | null;
  name: string;
  /** Null for an image that is identified by a digest. */
  version: string | null;
  environment: string | null;
  versionPattern: string | null;
}

export interface CaseResult {
  found: string[];
  missed: string[];
  /**
   * Items that discovery proposes although no line of `expected` contains them, or with another environment or pattern
   * than expected.
   */
  wrong: string[];
  /** Lines of `expected` in free text, which `parseExpected` can't parse. */
  unread: string[];
  items: DiscoveredItem[];
  problems: string[];
  /** For a case with several commits: what happened to each item in each commit. */
  steps: string[];
}

export function readCases(folder: string): DiscoveryCase[] {
  return JSON.parse(readFileSync(path.join(folder, 'index.json'), 'utf8'));
}

/** Runs discovery on a case and compares the result with the lines that specify a version. */
export async function measureCase(folder: string, { id, expected }: DiscoveryCase): Promise<CaseResult> {
  const root = path.join(folder, id);
  const commits = commitsOf(root);
  const last = await scan(commits.length === 0 ? root : path.join(root, commits.at(-1)!));
  const result: CaseResult = { found: [], missed: [], wrong: [], unread: [], steps: [], ...last };
  if (commits.length > 0) {
    result.steps = await followItems(commits.map((commit) => path.join(root, commit)));
    result.unread.push(...expected);
    return result;
  }
  const taken = new Set<DiscoveredItem>();
  const versions: ExpectedVersion[] = [];
  for (const text of expected) {
    const parsed = parseExpected(text);
    if (parsed) versions.push(parsed);
    else result.unread.push(text);
  }
  for (const version of versions) {
    const item = last.items.find((each) => !taken.has(each) && isExpected(each, version));
    if (item) taken.add(item);
    (item ? result.found : result.missed).push(version.text);
  }
  if (result.unread.length === 0)
    result.wrong = last.items.filter((item) => item.reason === null && !taken.has(item)).map(describeItem);
  return result;
}

/** Parses a line of `expected`. Returns null for a line in free text. */
export function parseExpected(text: string): ExpectedVersion | null {
  const match =
    /^(?:(?<file>[\w./-]+): )?(?<name>[\w-]+(?:[./:][\w.-]+)*) (?:(?<version>(?=\S*\d)\w[\w.+-]*)|by digest)(?:,? environment (?<environment>[\w-]+))?(?: with version_pattern (?<pattern>\S+))?(?: \(.*\))?$/.exec(
      text.trim(),
    );
  const pattern = /^(?<name>\S+) with version_pattern (?<pattern>\S+)/.exec(text);
  const groups = match?.groups ?? pattern?.groups;
  if (!groups?.['name']) return null;
  return {
    text,
    file: groups['file'] ?? null,
    name: groups['name'],
    version: groups['version'] ?? null,
    environment: groups['environment'] ?? null,
    versionPattern: groups['pattern'] ?? null,
  };
}

function isExpected(item: DiscoveredItem, expected: ExpectedVersion): boolean {
  const names = [item.proposal?.artifact_name, item.artifact.name, withHost(item.artifact.name)];
  const isNamed = names.some((name) => name === expected.name || name?.endsWith(`/${expected.name}`));
  const isVersion =
    expected.versionPattern !== null
      ? item.proposal?.version_pattern === expected.versionPattern
      : expected.version === null
        ? item.digest !== null
        : item.version === expected.version;
  return (
    isNamed &&
    isVersion &&
    (expected.file === null || item.place.file === expected.file) &&
    (expected.environment === null || item.environment === expected.environment)
  );
}

function withHost(name: string): string {
  return /^[^/]*[.:][^/]*\//.test(name) ? name : `docker.io/${name.includes('/') ? '' : 'library/'}${name}`;
}

export function describeItem({
  place,
  artifact,
  version,
  digest,
  version_state,
  reason,
  proposal,
  environment,
  service,
}: DiscoveredItem): string {
  const source = proposal ? ` -> ${proposal.artifact_name}` : '';
  const pattern = proposal?.version_pattern ? ` by ${proposal.version_pattern}` : '';
  const labels = [environment && `environment=${environment}`, service && `service=${service}`].filter(
    Boolean,
  );
  return `${place.file}:${place.line} ${artifact.kind} ${artifact.name} ${version ?? digest ?? '-'} ${reason ?? version_state}${source}${pattern} ${labels.join(' ')}`.trim();
}

/** Returns the directories `1`, `2`, … of a case, which are successive commits. */
function commitsOf(root: string): string[] {
  return existsSync(root)
    ? readdirSync(root)
        .filter((name) => /^\d+$/.test(name))
        .toSorted((a, b) => Number(a) - Number(b))
    : [];
}

async function scan(root: string): Promise<{ items: DiscoveredItem[]; problems: string[] }> {
  const { items, problems } = await scanDirectory(root, {
    excludes: defaultExclusions,
    labelsOf: () => ({}),
    isWholeRepository: true,
  });
  return {
    items,
    problems: problems.map(({ file, line, reason, message }) => `${file}:${line} ${reason}: ${message}`),
  };
}

/** Matches the items of each commit with those of the previous commits, and describes their changes. */
async function followItems(roots: readonly string[]): Promise<string[]> {
  const steps: string[] = [];
  let stored: StoredItem<number>[] = [];
  let nextId = 1;
  for (const [at, root] of roots.entries()) {
    const { items, problems } = await scan(root);
    const found = items.map((item): FoundItem => {
      const file = item.place.file;
      const blob = readFileSync(path.join(root, file), 'utf8');
      return {
        ...identityOf({ ...item, path: file }),
        key: item.key,
        path: file,
        blob,
        version: item.version,
      };
    });
    const { ids, replaces, missing } = runSteps(matchItems(stored, found));
    const unreadFiles = new Set(problems.map((problem) => problem.replace(/:\d+ .*$/s, '')));
    const current = found.map((item, index): StoredItem<number> => {
      const id = ids[index] ?? nextId++;
      const replaced = replaces[index];
      const what = ids[index] === null ? 'is new' : 'is the same';
      steps.push(
        `${at + 1}: item ${id} ${what}: ${describeItem(items[index]!)}${replaced == null ? '' : `; replaces item ${replaced}`}`,
      );
      return { ...item, id, isEnded: false, isUnread: false, isIgnored: false };
    });
    const lost = stored.filter(({ id }) => missing.includes(id));
    for (const item of lost) {
      const state = unreadFiles.has(item.path) ? 'is not read and keeps its version' : 'is missing';
      if (!replaces.includes(item.id)) steps.push(`${at + 1}: item ${item.id} ${state}`);
    }
    // Each directory contains the files of one commit. If a number is missing, that commit had no files, so every
    // item ended.
    const hasGap = Number(path.basename(roots[at + 1] ?? '')) > Number(path.basename(root)) + 1;
    stored = [
      ...current.map((item) => ({ ...item, isEnded: hasGap })),
      ...lost.map((item) => ({ ...item, isEnded: item.isEnded || replaces.includes(item.id) })),
    ];
  }
  return steps;
}
