import { upstreamRank } from '../versions/auto-scheme.ts';
import { epochOfRank, withEpoch } from '../versions/precedence.ts';
import type { Advisory, AdvisorySeverity } from './advisory.ts';
import { highestAdvisorySeverity } from './advisory-severity.ts';
import {
  type AffectedVersions,
  type ComparedVersion,
  findHit,
  prepareAffected,
  toCompared,
} from './affected-versions.ts';

export interface PackageName {
  readonly ecosystem: string;
  readonly name: string;
}

/** One vulnerability of a version, merged from all records that are about it. */
export interface Finding {
  /** The CVE if there is one. */
  readonly id: string;
  /** The ids of the records and their aliases, without `id`, in alphabetical order. */
  readonly aliases: readonly string[];
  /** `null` if no record rates it. */
  readonly severity: AdvisorySeverity | null;
  /** The highest of the versions that fix it, or `null` if no record names one. */
  readonly fixedIn: string | null;
}

/** The known vulnerabilities of software that is published as some packages. */
export class KnownVulnerabilities {
  readonly #groups: readonly AdvisoryGroup[];
  readonly #found = new Map<string, readonly Finding[] | null>();
  #keptCount = 0;

  constructor(advisories: readonly Advisory[], packages: readonly PackageName[]) {
    const wanted = new Set(packages.map(packageKey));
    this.#groups = groupByAlias(advisories.filter(({ isWithdrawn }) => !isWithdrawn)).flatMap((group) => {
      const affected = group
        .flatMap((advisory) => advisory.affected)
        .filter((entry) => wanted.has(packageKey(entry)))
        .map(prepareAffected);
      return affected.length === 0 ? [] : [{ ...describe(group), affected }];
    });
  }

  /** Worst first, `null` if `version` isn't a version. */
  find(version: string): readonly Finding[] | null {
    const known = this.#found.get(version);
    if (known !== undefined) return known;
    const compared = toCompared(version);
    const found = compared === null ? null : this.#findAll(compared);
    // Many configurations have the same version.
    const size = Math.max(1, found?.length ?? 0);
    if (this.#keptCount + size > maxKept) {
      this.#found.clear();
      this.#keptCount = 0;
    }
    this.#keptCount += size;
    this.#found.set(version, found);
    return found;
  }

  /**
   * Whether a version has no known vulnerability but ignored ones, `false` if `version` isn't a version. Looks no further
   * than the first, and keeps nothing: releases to upgrade to are many.
   */
  isClean(version: string, isIgnored: (one: Pick<Finding, 'id' | 'aliases'>) => boolean): boolean {
    const compared = toCompared(version);
    if (compared === null) return false;
    return !this.#groups.some(
      (group) => group.affected.some((entry) => findHit(entry, compared).isAffected) && !isIgnored(group),
    );
  }

  /**
   * The lowest of `releases` that isn't below `version` and has no known vulnerability. `null` if each has one, or if
   * `version` isn't a version.
   *
   * @param releases In any order.
   */
  lowestWithout(version: string, releases: readonly string[]): string | null {
    const deployed = upstreamRank(version);
    if (deployed === null) return null;
    const inOrder = releases
      .map((text) => ({ text, rank: upstreamRank(text) }))
      .filter((release): release is { text: string; rank: string } => release.rank !== null)
      .toSorted((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0));
    const lowest = withEpoch(deployed, epochOfRank(inOrder.at(-1)?.rank ?? ''));
    const above = inOrder.filter(({ rank }) => rank >= lowest);
    return above.find(({ text }) => this.isClean(text, () => false))?.text ?? null;
  }

  #findAll(version: ComparedVersion): Finding[] {
    return this.#groups
      .flatMap(({ affected, ...finding }) => {
        const hits = affected.map((entry) => findHit(entry, version)).filter((hit) => hit.isAffected);
        if (hits.length === 0) return [];
        return [{ ...finding, fixedIn: highestVersion(hits.map(({ fixed }) => fixed)) }];
      })
      .toSorted((a, b) => severityPlace(b.severity) - severityPlace(a.severity) || (a.id < b.id ? -1 : 1));
  }
}

/** Findings of all versions of one artifact together; a version without any counts as one. */
const maxKept = 100_000;

interface AdvisoryGroup extends Omit<Finding, 'fixedIn'> {
  readonly affected: readonly AffectedVersions[];
}

function packageKey({ ecosystem, name }: PackageName): string {
  // `Debian:12` is an ecosystem with a release; names of packages keep their case.
  return `${ecosystem}\0${name}`;
}

function describe(group: readonly Advisory[]): Omit<Finding, 'fixedIn'> {
  const ids = [...new Set(group.flatMap(({ id, aliases }) => [id, ...aliases]))].toSorted();
  const id = ids.find((candidate) => candidate.startsWith('CVE-')) ?? ids[0] ?? '';
  return {
    id,
    aliases: ids.filter((other) => other !== id),
    severity: highestAdvisorySeverity(group.map(({ severity }) => severity)),
  };
}

/** Records that share an id or an alias, directly or through others. */
function groupByAlias(advisories: readonly Advisory[]): Advisory[][] {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    // Shortens the path, so that long chains stay cheap.
    for (let node = id; node !== root; ) {
      const next = parents.get(node) ?? root;
      parents.set(node, root);
      node = next;
    }
    return root;
  };
  for (const { id, aliases } of advisories) {
    for (const alias of aliases) {
      const [a, b] = [rootOf(id), rootOf(alias)];
      if (a !== b) parents.set(b, a);
    }
  }
  return [...Map.groupBy(advisories, ({ id }) => rootOf(id)).values()];
}

function highestVersion(versions: readonly (string | null)[]): string | null {
  let highest: string | null = null;
  for (const version of versions) {
    if (version === null) continue;
    if (highest === null || (upstreamRank(version) ?? '') > (upstreamRank(highest) ?? '')) highest = version;
  }
  return highest;
}

function severityPlace(severity: AdvisorySeverity | null): number {
  return severity === null ? -1 : ['low', 'moderate', 'high', 'critical'].indexOf(severity);
}
