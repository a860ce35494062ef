import { sql } from 'kysely';
import { selectCandidates } from '../../../domain/rules/candidates.ts';
import { type HigherRelease, higherReleases } from '../../../domain/rules/find-findings.ts';
import { judgeFindings } from '../../../domain/rules/judge-findings.ts';
import type { ReleaseSet } from '../../../domain/rules/release-set.ts';
import { resolveDeployed, versionToLookUp } from '../../../domain/rules/resolve-deployed.ts';
import { imageSourceTypeIds } from '../../../domain/source-types/source-types.ts';
import {
  exploitationOf,
  exploitedSinceMs,
  exploitScoreOf,
} from '../../../domain/vulnerabilities/exploits.ts';
import type { Finding } from '../../../domain/vulnerabilities/find-vulnerabilities.ts';
import type { StoredIgnore } from '../../../domain/vulnerabilities/ignored-vulnerability.ts';
import {
  deployedSince,
  findFixes,
  type PatchDays,
  patchDueAtMs,
} from '../../../domain/vulnerabilities/patch-clock.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Database } from '../../../platform/database/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import { readSettings } from '../../settings/index.ts';
import { platformWordsOf } from '../evaluation/evaluation-queries.ts';
import type { GatherJobKey, ReleaseCache } from '../evaluation/release-cache.ts';
import {
  type SharedVulnerabilities,
  toIgnored,
  type VulnerabilityRow,
  vulnerabilityRowSql,
} from '../evaluation/vulnerability-queries.ts';
import { readVersionChanges } from '../simulation/read-version-changes.ts';

interface ConfigRow {
  version: string | null;
  deployed_version: string | null;
  scrape_job_id: number;
  stable_only: boolean;
  ignored_vulnerabilities: StoredIgnore[];
  gather_organization_id: number;
  gather_job_id: number;
  version_scheme: GatherJobKey['scheme'];
  is_image: boolean;
  is_deployed: boolean;
  platform_words: string;
  releases_revision: number;
  vulnerabilities: VulnerabilityRow | null;
  now: Date;
}

interface ConfigVulnerabilities {
  /** False if the vulnerabilities of the deployed version aren't known, so that an empty list says nothing. */
  isKnown: boolean;
  items: Schemas['Vulnerability'][];
}

const unknown: ConfigVulnerabilities = { isKnown: false, items: [] };

/**
 * Returns the vulnerabilities of the deployed version in the last evaluation, worst first. Returns `null` if
 * the configuration doesn't exist.
 */
export async function findConfigVulnerabilities(
  { db, releaseCache }: { db: Database; releaseCache: ReleaseCache },
  organizationId: number,
  id: number,
): Promise<ConfigVulnerabilities | null> {
  // If the release is a Helm chart, use the version of its application, which only the explanation contains.
  const { rows } = await sql<ConfigRow>`
    SELECT coalesce(e.explanation #>> '{vulnerabilities,version}', c.deployed_version) AS version, c.deployed_version,
      c.scrape_job_id, r.stable_only, c.ignored_vulnerabilities, c.gather_organization_id, c.gather_job_id,
      g.version_scheme, g.source_type = ANY(${imageSourceTypeIds}) AS is_image,
      g.scrape_job_id IS NOT NULL AS is_deployed, ${platformWordsOf('g')} AS platform_words, g.releases_revision,
      ${vulnerabilityRowSql()} AS vulnerabilities, pacekeeper_now() AS now
    FROM alert_configs c
    JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id
    JOIN rules r ON r.organization_id = c.organization_id AND r.id = c.rule_id
    LEFT JOIN alert_config_explanations e ON e.organization_id = c.organization_id AND e.alert_config_id = c.id
    WHERE c.organization_id = ${organizationId} AND c.id = ${id}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  if (row.vulnerabilities === null || row.version === null) return unknown;
  const key = { gatherJob: toGatherJob(row), vulnerabilities: row.vulnerabilities };
  const shared = (await releaseCache.vulnerabilities.load(db, [key]))(key);
  const findings = shared?.known.find(row.version) ?? null;
  if (shared === null || findings === null) return unknown;
  if (findings.length === 0) return { isKnown: true, items: [] };
  const ignored = row.ignored_vulnerabilities.map(toIgnored);
  const packages = row.vulnerabilities.packages.map((each) => each.key);
  const names = findings.flatMap(({ id: finding, aliases }) => [finding, ...aliases]);
  const summaries = await readSummaries(db, packages, names);
  const releases = (await releaseCache.load(db, [key.gatherJob]))(key.gatherJob);
  const times = await readTimes(db, organizationId, row, { shared, releases, findings });
  const days = await readPatchDays(db, organizationId);
  const nowMs = row.now.getTime();
  const items = findings.map((finding) => {
    const verdict = judgeFindings([finding], {}, ignored, nowMs);
    const isIgnored = verdict.ignored.length > 0;
    const texts = [finding.id, ...finding.aliases].flatMap((name) => summaries.get(name) ?? []);
    const clock = {
      publishedAtMs: shared.known.publishedAtMs(finding.id),
      fixAvailableSinceMs: times.fixed.get(finding.id)?.dateMs ?? null,
      deployedSinceMs: times.deployed.get(finding.id) ?? null,
      knownExploitedSinceMs: exploitedSinceMs(shared.exploits, finding),
    };
    const dueAtMs = isIgnored ? null : patchDueAtMs(clock, finding.severity, days);
    return {
      id: finding.id,
      aliases: [...finding.aliases],
      severity: finding.severity,
      summary: texts.find((text) => text !== '') ?? '',
      fixed_in: finding.fixedIn,
      exploitation: exploitationOf(shared.exploits, finding),
      known_exploited_since: toTime(clock.knownExploitedSinceMs),
      epss: exploitScoreOf(shared.exploits, finding),
      published_at: toTime(clock.publishedAtMs),
      fix_available_since: toTime(clock.fixAvailableSinceMs),
      deployed_since: toTime(clock.deployedSinceMs),
      due_at: toTime(dueAtMs),
      is_breached: dueAtMs !== null && dueAtMs <= nowMs,
      is_ignored: isIgnored,
      ignored_until: toTime(verdict.nextCrossingAtMs),
      url: `https://osv.dev/vulnerability/${encodeURIComponent(finding.id)}`,
    };
  });
  return { isKnown: true, items };
}

function toGatherJob(row: ConfigRow): GatherJobKey {
  return {
    organizationId: row.gather_organization_id,
    id: row.gather_job_id,
    scheme: row.version_scheme,
    platformWords: row.platform_words,
    isImage: row.is_image,
    isDeployed: row.is_deployed,
    revision: row.releases_revision,
  };
}

function toTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

interface Found {
  shared: SharedVulnerabilities;
  releases: ReleaseSet;
  findings: readonly Finding[];
}

/** Returns the lowest release without each vulnerability, and since when each vulnerability has been deployed. */
async function readTimes(
  db: Database,
  organizationId: number,
  { deployed_version: text, scrape_job_id: scrapeJobId, stable_only: stableOnly, now }: ConfigRow,
  { shared: { known, applicationVersions }, releases, findings }: Found,
): Promise<{ fixed: ReadonlyMap<string, HigherRelease>; deployed: ReadonlyMap<string, number> }> {
  if (text === null) return { fixed: new Map(), deployed: new Map() };
  const slices = new TimeSlices();
  const ids = findings.map(({ id }) => id);
  const findAffecting = (version: string, some: Iterable<string>) => known.affectedBy(version, some);
  const resolved = resolveDeployed(text, releases);
  const options = { candidatePattern: null, ignoredVersions: [], stableOnly, minReleaseAgeDays: 0 };
  const candidates = selectCandidates(releases, options, resolved, now.getTime());
  const higher =
    resolved.version === null ? [] : higherReleases(resolved.version, candidates, applicationVersions);
  const fixed = await slices.run(findFixes(higher, ids, findAffecting));
  const changes =
    (await readVersionChanges(db, organizationId, [scrapeJobId], 0, slices)).get(scrapeJobId) ?? [];
  // Ignore versions that were deployed after the last evaluation, because the listed vulnerabilities are
  // those of the evaluated version.
  const end = changes.findLastIndex(({ version }) => version === text) + 1;
  const since = deployedSince(changes.slice(0, end), ids, (version, some) => {
    const { match, release } = resolveDeployed(version, releases);
    const lookup = versionToLookUp(
      { text: version, match, release: release?.text ?? null },
      applicationVersions,
    );
    return lookup === null ? null : findAffecting(lookup, some);
  });
  return { fixed, deployed: since };
}

/** Reads the date of each source of exploit data. The date is null if the source was never loaded. */
export async function readExploitDataTimes(
  db: Database,
): Promise<Pick<Schemas['ListVulnerabilitiesResponse'], 'known_exploited_as_of' | 'epss_as_of'>> {
  const { rows } = await sql<{ name: string; as_of: Date | null }>`
    SELECT name, as_of FROM reference_sources
    WHERE organization_id = 1 AND name IN ('epss', 'known_exploited')`.execute(db);
  const asOf = (source: string) => rows.find(({ name }) => name === source)?.as_of?.toISOString() ?? null;
  return { known_exploited_as_of: asOf('known_exploited'), epss_as_of: asOf('epss') };
}

async function readPatchDays(db: Database, organizationId: number): Promise<PatchDays> {
  const settings = await readSettings(db, organizationId);
  return {
    critical: settings['vulnerabilities.critical_patch_days'],
    high: settings['vulnerabilities.high_patch_days'],
    moderate: settings['vulnerabilities.moderate_patch_days'],
    low: settings['vulnerabilities.low_patch_days'],
    unknown: settings['vulnerabilities.unknown_patch_days'],
    knownExploited: settings['vulnerabilities.known_exploited_patch_days'],
  };
}

async function readSummaries(
  db: Database,
  keys: readonly string[],
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; summary: string }>`
    SELECT id, summary FROM vulnerabilities
    WHERE organization_id = 1 AND package_key = ANY(${keys}::text[]) AND id = ANY(${ids}::text[])`.execute(
    db,
  );
  return new Map(rows.map(({ id, summary }) => [id, summary]));
}
