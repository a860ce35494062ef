import { ownValue } from '../../../domain/json/own-value.ts';
import { selectCandidates } from '../../../domain/rules/candidates.ts';
import { higherReleases } from '../../../domain/rules/find-findings.ts';
import { createIgnoredUntilLookup } from '../../../domain/rules/judge-findings.ts';
import type { ReleaseSet } from '../../../domain/rules/release-set.ts';
import { resolveDeployed, versionToLookUp } from '../../../domain/rules/resolve-deployed.ts';
import { findFixes } from '../../../domain/vulnerabilities/patch-clock.ts';
import {
  findPatchCases,
  type PatchCase,
  type PatchFacts,
  summarizePatchCases,
} from '../../../domain/vulnerabilities/patch-times.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Database } from '../../../platform/database/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import { readSettings } from '../../settings/index.ts';
import type { ReleaseCache } from '../evaluation/release-cache.ts';
import { type SharedVulnerabilities, toIgnored } from '../evaluation/vulnerability-queries.ts';
import { readVersionChanges } from '../simulation/read-version-changes.ts';
import { readNowMs, type SimulatedConfig, selectConfigs } from '../simulation/simulation-queries.ts';

export interface PatchTimesRequest {
  readonly organizationId: number;
  /** Number of months, including the current one. */
  readonly months: number;
}

/** Maximum number of alert configurations that are read. */
const maxConfigs = 20_000;
/**
 * Number of places (pairs of a scrape job and a gather job) whose releases and vulnerability records are read
 * at a time.
 */
const placesAtOnce = 50;

/** Maximum number of cases in memory, which need about 100 MB. Places beyond it make the result incomplete. */
const maxCases = 500_000;

/** The cases of the places with the same value of the owner label. */
interface OwnerCases {
  readonly cases: PatchCase[];
  /** When the first version of these places became known, in milliseconds since 1970. `Infinity` if none is known. */
  knownFromMs: number;
}

/**
 * Computes how long it took to deploy fixes of vulnerabilities, by month and owner. Past months use today's labels,
 * releases, and records. Read-only.
 */
export async function runPatchTimes(
  db: Database,
  releaseCache: ReleaseCache,
  { organizationId, months: monthCount }: PatchTimesRequest,
  signal: AbortSignal,
  longestMs = 10_000,
): Promise<Schemas['PatchTimes']> {
  const slices = new TimeSlices(signal, longestMs);
  const nowMs = await readNowMs(db);
  const ownerLabel = (await readSettings(db, organizationId))['notification.owner_label'];
  const { configs, count } = await selectConfigs(db, organizationId, { kind: 'all' }, slices, maxConfigs);
  const places = distinctPlaces(configs);
  const ownerOf = ({ labels }: SimulatedConfig) => ownValue(labels, ownerLabel) ?? null;
  const owners = new Map<string | null, OwnerCases>(
    places.map((place) => [ownerOf(place), { cases: [], knownFromMs: Number.POSITIVE_INFINITY }]),
  );
  const known = places.filter(({ vulnerabilities }) => vulnerabilities !== null);
  let measuredCount = 0;
  let caseCount = 0;
  for (let at = 0; at < known.length && slices.isTimeLeft; at += placesAtOnce) {
    const some = known.slice(at, at + placesAtOnce);
    const jobIds = some.map(({ scrapeJobId }) => scrapeJobId);
    const changes = await readVersionChanges(db, organizationId, jobIds, 0, slices);
    const releasesOf = await releaseCache.load(
      db,
      some.map(({ gatherJob }) => gatherJob),
    );
    const sharedOf = await releaseCache.vulnerabilities.load(db, some);
    for (const place of some) {
      const [ofJob, shared] = [changes.get(place.scrapeJobId), sharedOf(place)];
      if (!slices.isTimeLeft || ofJob === undefined || shared === null) continue;
      const owner = owners.get(ownerOf(place))!;
      owner.knownFromMs = Math.min(owner.knownFromMs, ofJob[0]?.atMs ?? Number.POSITIVE_INFINITY);
      const facts = toFacts(place, releasesOf(place.gatherJob), shared, nowMs);
      const found =
        caseCount < maxCases ? await slices.runWhileTimeIsLeft(findPatchCases(ofJob, facts)) : null;
      if (found === null) continue;
      caseCount += found.length;
      for (const each of found) owner.cases.push(each);
      measuredCount++;
    }
  }
  const months = lastMonths(nowMs, monthCount);
  return {
    as_of: new Date(nowMs).toISOString(),
    owner_label: ownerLabel,
    is_complete: measuredCount === known.length && configs.length === count,
    place_count: places.length,
    unknown_count: places.length - known.length,
    months: toMonths([...owners.values()], months, nowMs),
    groups: [...owners]
      .map(([value, owner]) => ({ value, months: toMonths([owner], months, nowMs) }))
      .toSorted((a, b) => (a.value === null ? 1 : b.value === null ? -1 : a.value.localeCompare(b.value))),
  };
}

/**
 * Returns one configuration for each pair of a scrape job and a gather job that is still monitored: the oldest one, whose
 * labels name the owner. It ignores the vulnerabilities that any configuration of the pair ignores.
 */
function distinctPlaces(configs: readonly SimulatedConfig[]): SimulatedConfig[] {
  const byPlace = Map.groupBy(
    configs.filter(({ isActive }) => isActive),
    ({ scrapeJobId, gatherJob }) => `${scrapeJobId} ${gatherJob.organizationId} ${gatherJob.id}`,
  );
  return [...byPlace.values()].map((ofPlace) => ({
    ...ofPlace[0]!,
    vulnerabilities: ofPlace.find(({ vulnerabilities }) => vulnerabilities !== null)?.vulnerabilities ?? null,
    ignoredVulnerabilities: ofPlace.flatMap(({ ignoredVulnerabilities }) => ignoredVulnerabilities),
  }));
}

function toFacts(
  { ignoredVulnerabilities }: SimulatedConfig,
  releases: ReleaseSet,
  { known, applicationVersions }: SharedVulnerabilities,
  nowMs: number,
): PatchFacts {
  const ignoredUntil = createIgnoredUntilLookup(ignoredVulnerabilities.map(toIgnored));
  const options = { candidatePattern: null, ignoredVersions: [], stableOnly: true, minReleaseAgeDays: 0 };
  return {
    findAll(text) {
      const { match, release } = resolveDeployed(text, releases);
      const lookup = versionToLookUp({ text, match, release: release?.text ?? null }, applicationVersions);
      const findings = lookup === null ? null : known.find(lookup);
      if (findings === null) return null;
      return new Set(findings.flatMap((finding) => (ignoredUntil(finding) > nowMs ? [] : finding.id)));
    },

    findFixTimes(text, ids) {
      const deployed = resolveDeployed(text, releases);
      if (deployed.version === null) return new Map();
      const candidates = selectCandidates(releases, options, deployed, nowMs);
      const steps = findFixes(
        higherReleases(deployed.version, candidates, applicationVersions),
        ids,
        (version, some) => known.affectedBy(version, some),
      );
      let step = steps.next();
      while (step.done !== true) step = steps.next();
      return new Map([...step.value].map(([id, { dateMs }]) => [id, dateMs]));
    },

    publishedAtMs: (id) => known.publishedAtMs(id),
  };
}

function toMonths(
  owners: readonly OwnerCases[],
  months: readonly string[],
  nowMs: number,
): Schemas['PatchTimesMonth'][] {
  const cases = owners.flatMap((owner) => owner.cases);
  const knownFromMs = Math.min(...owners.map((owner) => owner.knownFromMs));
  return summarizePatchCases(cases, months, knownFromMs, nowMs).map((summary) => ({
    month: summary.month,
    has_data: summary.hasData,
    median_days: summary.medianDays,
    fixed_count: summary.fixedCount,
    open_count: summary.openCount,
  }));
}

/** Returns the months up to the current one, oldest first. */
function lastMonths(nowMs: number, count: number): string[] {
  const now = new Date(nowMs);
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (count - 1 - index), 1))
      .toISOString()
      .slice(0, 7),
  );
}
