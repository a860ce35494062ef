import { upstreamRank } from '../versions/auto-scheme.ts';
import { epochOfRank, withEpoch } from '../versions/precedence.ts';
import type { Advisory, AdvisorySeverity } from './advisory.ts';
import { highestAdvisorySeverity } from './advisory-severity.ts';
import {
  type AffectedMatch,
  type AffectedVersions,
  type ComparedVersion,
  contradicts,
  findAffectedMatch,
  isInUnmappedRange,
  precisions,
  prepareAffected,
  toComparedVersion,
} from './affected-versions.ts';
import { isJavaPackage, toJavaNotation } from './java-version.ts';

export interface PackageName {
  readonly ecosystem: string;
  readonly name: string;
}

/** A vulnerability of a version, merged from all records about it. */
export interface Finding {
  /** CVE ID, or another ID if there is no CVE ID. */
  readonly id: string;
  /** IDs and aliases of the records, without `id`, in alphabetical order. */
  readonly aliases: readonly string[];
  /** Highest severity of the records. `null` if no record has a severity. */
  readonly severity: AdvisorySeverity | null;
  /** Highest version that fixes the vulnerability, or `null` if no record contains one. */
  readonly fixedIn: string | null;
}

/** Finds the known vulnerabilities of software that is published as one or more packages. */
export class KnownVulnerabilities {
  readonly #groups: readonly AdvisoryGroup[];
  readonly #groupsById: ReadonlyMap<string, AdvisoryGroup>;
  readonly #isJava: boolean;
  readonly #found = new Map<string, readonly Finding[] | null>();
  #keptCount = 0;

  constructor(advisories: readonly Advisory[], packages: readonly PackageName[]) {
    const wanted = new Set(packages.map(packageKey));
    this.#isJava = packages.some(isJavaPackage);
    this.#groups = groupByAlias(advisories.filter(({ isWithdrawn }) => !isWithdrawn)).flatMap((group) => {
      const records = group
        .map(({ affected }) => affected.filter((entry) => wanted.has(packageKey(entry))).map(prepareAffected))
        .filter((entries) => entries.length > 0);
      return records.length === 0
        ? []
        : [{ ...describe(group), publishedAtMs: firstPublishedAtMs(group), records }];
    });
    this.#groupsById = new Map(this.#groups.map((group) => [group.id, group]));
  }

  /** Returns the vulnerabilities of a version, most severe first, or `null` if `version` isn't a version. */
  find(version: string): readonly Finding[] | null {
    const known = this.#found.get(version);
    if (known !== undefined) return known;
    const compared = this.#compared(version);
    const found = compared === null ? null : this.#findAll(compared);
    // Caches the result, because many configurations have the same version.
    const size = Math.max(1, found?.length ?? 0);
    if (this.#keptCount + size > maxCached) {
      this.#found.clear();
      this.#keptCount = 0;
    }
    this.#keptCount += size;
    this.#found.set(version, found);
    return found;
  }

  /**
   * True if a version has no known vulnerabilities, or if all of them are ignored. `false` if `version` isn't
   * a version. Stops at the first vulnerability that isn't ignored. Doesn't cache the result, because many
   * releases are checked.
   */
  isClean(version: string, isIgnored: (one: Pick<Finding, 'id' | 'aliases'>) => boolean): boolean {
    const compared = this.#compared(version);
    if (compared === null) return false;
    return !this.#groups.some((group) => hitsOf(group, compared).length > 0 && !isIgnored(group));
  }

  /** Returns when the first record of a vulnerability was published, in milliseconds, or `null` if it isn't known. */
  publishedAtMs(id: string): number | null {
    return this.#groupsById.get(id)?.publishedAtMs ?? null;
  }

  /**
   * Returns those of the given IDs whose vulnerabilities affect a version, or `null` if `version` isn't a
   * version. Caches nothing, because many releases are checked.
   */
  affectedBy(version: string, ids: Iterable<string>): ReadonlySet<string> | null {
    const compared = this.#compared(version);
    if (compared === null) return null;
    const affecting = new Set<string>();
    for (const id of ids) {
      const group = this.#groupsById.get(id);
      if (group !== undefined && hitsOf(group, compared).length > 0) affecting.add(id);
    }
    return affecting;
  }

  /**
   * Returns the IDs of vulnerabilities that may affect the version. Their databases couldn't map all affected
   * versions, so `find` doesn't return them.
   */
  findUncertain(version: string): string[] {
    const compared = this.#compared(version);
    if (compared === null) return [];
    return this.#groups
      .filter((group) => isUncertain(group, compared))
      .map(({ id }) => id)
      .toSorted();
  }

  /**
   * Returns the lowest of `releases` that isn't below `version` and has no known vulnerabilities. Returns `null` if no
   * release meets these conditions, or if `version` isn't a version.
   *
   * @param releases Releases in any order.
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

  #compared(version: string): ComparedVersion | null {
    return toComparedVersion(this.#isJava ? toJavaNotation(version) : version);
  }

  #findAll(version: ComparedVersion): Finding[] {
    return this.#groups
      .flatMap((group) => {
        const hits = hitsOf(group, version);
        if (hits.length === 0) return [];
        const { records: _, publishedAtMs: __, ...finding } = group;
        return [{ ...finding, fixedIn: highestVersion(hits.map(({ fixed }) => fixed)) }];
      })
      .toSorted((a, b) => severityRank(b.severity) - severityRank(a.severity) || (a.id < b.id ? -1 : 1));
  }
}

/**
 * Maximum number of cached findings, summed over all versions of the software. A version without findings is counted as
 * one.
 */
const maxCached = 100_000;

interface AdvisoryGroup extends Omit<Finding, 'fixedIn'> {
  /** Affected versions for each record and package. */
  readonly records: readonly (readonly AffectedVersions[])[];
  readonly publishedAtMs: number | null;
}

function firstPublishedAtMs(group: readonly Advisory[]): number | null {
  const times = group.flatMap(({ publishedAtMs }) => publishedAtMs ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

/** Returns the hits of all records, except for those that a more precise record contradicts. */
function hitsOf({ records }: AdvisoryGroup, version: ComparedVersion): AffectedMatch[] {
  const hitsByRecord = records.map((entries) =>
    entries.map((entry) => findAffectedMatch(entry, version)).filter((hit) => hit !== null),
  );
  return hitsByRecord.flatMap((hits, at) =>
    hits.filter(
      (hit) =>
        !records.some(
          (entries, other) =>
            other !== at &&
            hitsByRecord[other]!.length === 0 &&
            entries.some((entry) => contradicts(entry, hit, version)),
        ),
    ),
  );
}

/** True if a record possibly affects the version, and no other record provides more precise information. */
function isUncertain({ records }: AdvisoryGroup, version: ComparedVersion): boolean {
  const isHit = records.some((entries) =>
    entries.some((entry) => findAffectedMatch(entry, version) !== null),
  );
  const unmapped: AffectedMatch = { fixed: null, precision: precisions.open, from: '' };
  return (
    !isHit &&
    records.some((entries) => entries.some((entry) => isInUnmappedRange(entry, version))) &&
    !records.some((entries) => entries.some((entry) => contradicts(entry, unmapped, version)))
  );
}

function packageKey({ ecosystem, name }: PackageName): string {
  // The key is case-sensitive like package names, and includes the distribution release if the ecosystem has one
  // (`Debian:12`).
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

/** Groups records that share an ID or an alias, directly or through other records. */
function groupByAlias(advisories: readonly Advisory[]): Advisory[][] {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    // Shortens the path to the root, so that lookups in long chains remain fast.
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

function severityRank(severity: AdvisorySeverity | null): number {
  return severity === null ? -1 : ['low', 'moderate', 'high', 'critical'].indexOf(severity);
}
