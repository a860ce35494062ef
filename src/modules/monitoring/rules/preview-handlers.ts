import { sql } from 'kysely';
import type { ListDoubt } from '../../../domain/alerts/config-evaluation.ts';
import { derivePurls } from '../../../domain/identity/job-identity.ts';
import type { CountedVersion } from '../../../domain/rules/candidates.ts';
import type { DataGap } from '../../../domain/rules/data-gap.ts';
import { explain } from '../../../domain/rules/explanation.ts';
import { judge, type Verdict } from '../../../domain/rules/judge.ts';
import { prepareReleases } from '../../../domain/rules/release-set.ts';
import type { Rule } from '../../../domain/rules/rule-type.ts';
import { ruleTypes } from '../../../domain/rules/rule-types.ts';
import type { AlertSeverity } from '../../../domain/rules/severity.ts';
import { imageSourceTypeIds, sourceTypes } from '../../../domain/source-types/source-types.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { invalidField } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import { systemOrganizationId } from '../../accounts/index.ts';
import { readAliases } from '../../settings/index.ts';
import { toComparedRule } from '../evaluation/compared-rule.ts';
import { platformWordsOf } from '../evaluation/evaluation-queries.ts';
import { dataGapSql } from '../evaluation/find-data-gap.ts';
import { listDoubtReason } from '../evaluation/list-doubt.ts';
import type { GatherJobKey, ReleaseCache } from '../evaluation/release-cache.ts';
import { type LifecycleRow, lifecycleRowSql, supportFacts } from '../evaluation/support-queries.ts';
import {
  type VulnerabilityRow,
  vulnerabilityFacts,
  vulnerabilityRowSql,
} from '../evaluation/vulnerability-queries.ts';
import { toRequestedRule, unstoredRuleId, withFieldPrefix } from './given-rule.ts';
import { findRule } from './rule-queries.ts';

/** Releases and reference data that a version is compared with. */
interface PreviewedSource {
  /** Null if no gather job reads the source. */
  gatherJob: GatherJobKey | null;
  ignoredVersions: readonly string[];
  countedVersions: readonly CountedVersion[];
  isArchived: boolean;
  hasReleases: boolean;
  /** Reason why the list of releases can't confirm that a version is up to date. Null if it can. */
  listDoubt: ListDoubt['reason'] | null;
  lifecycle: LifecycleRow | null;
  vulnerabilities: VulnerabilityRow | null;
  dataGap: DataGap | null;
  nowMs: number;
}

/** Evaluates an unsaved rule with a version. The result is the same as in a regular evaluation. */
export function rulePreviewHandlers({
  db,
  releaseCache,
}: {
  db: Database;
  releaseCache: ReleaseCache;
}): Handlers<'previewRule'> {
  return {
    async previewRule({ caller, body }) {
      const { deployed_version: deployedVersion, gather_job_id: gatherJobId, source } = body;
      const rule = await withFieldPrefix('rule', () => toRequestedRule(body.rule));
      if (gatherJobId !== undefined && source !== undefined)
        throw invalidField('source', "can't be combined with gather_job_id");
      if (gatherJobId === undefined && source === undefined)
        throw invalidField('gather_job_id', 'is required without source');
      const found =
        source === undefined
          ? await findJob(db, caller.organizationId, gatherJobId!, rule)
          : await withFieldPrefix('source', () => findSource(db, caller.organizationId, source, rule));
      const verdict = await evaluate(db, releaseCache, { rule, deployedVersion, source: found });
      return { status: 200, body: toPreview(verdict, found) };
    },
  };
}

async function evaluate(
  db: Database,
  releaseCache: ReleaseCache,
  { rule, deployedVersion, source }: { rule: Rule; deployedVersion: string; source: PreviewedSource },
): Promise<Verdict> {
  return (await prepareJudge(db, releaseCache, rule, [source]))(source, deployedVersion);
}

/** Loads the data of sources, and returns a function that evaluates a deployed version of one of them. */
async function prepareJudge(
  db: Database | Tx,
  releaseCache: ReleaseCache,
  rule: Rule,
  sources: readonly PreviewedSource[],
): Promise<(source: PreviewedSource, deployedVersion: string | null) => Verdict> {
  const keyOf = ({ gatherJob, lifecycle, vulnerabilities }: PreviewedSource) => ({
    gatherJob: gatherJob ?? noGatherJob,
    lifecycle,
    vulnerabilities,
  });
  const keys = sources.map(keyOf);
  const { kind } = ruleTypes[rule.type];
  const releasesOf = await releaseCache.load(
    db,
    sources.flatMap(({ gatherJob }) => gatherJob ?? []),
  );
  const supportOf = await releaseCache.support.load(db, kind === 'support' ? keys : []);
  const findingsOf = await releaseCache.vulnerabilities.load(db, kind === 'vulnerabilities' ? keys : []);
  return (source, deployedVersion) => {
    const { gatherJob, lifecycle, vulnerabilities } = source;
    const key = keyOf(source);
    return judge({
      rule,
      options: {
        candidatePattern: null,
        ignoredVersions: source.ignoredVersions,
        countedVersions: source.countedVersions,
      },
      deployedVersion,
      releases: gatherJob === null ? prepareReleases('auto', []) : releasesOf(gatherJob),
      support: kind === 'support' ? supportFacts(supportOf(key), lifecycle, null) : null,
      vulnerabilities:
        kind === 'vulnerabilities' ? vulnerabilityFacts(findingsOf(key), vulnerabilities, []) : null,
      dataGap: source.dataGap,
      isArchived: source.isArchived,
      hasReleases: source.hasReleases,
      nowMs: source.nowMs,
    });
  };
}

/** Placeholder without releases, so the application version of a chart is unknown. */
const noGatherJob: GatherJobKey = {
  organizationId: systemOrganizationId,
  id: 0,
  revision: 0,
  scheme: 'auto',
  platformWords: '',
  isImage: false,
  isDeployed: false,
};

function toPreview(verdict: Verdict, source: PreviewedSource): Schemas['PreviewRuleResponse'] {
  const doubt = unconfirmedReason(verdict, source);
  const unconfirmed = { state: 'no_data', state_reason: doubt, severity: null } as const;
  const { lifecycle, vulnerabilities, ...explanation } = explain(verdict.evidence);
  const fetchedAt = (row: { as_of_ms: number } | null) => ({
    fetched_at: row && new Date(row.as_of_ms).toISOString(),
  });
  return {
    state: verdict.state,
    state_reason: verdict.reason === 'behind' ? null : (verdict.reason ?? verdict.stateReason),
    severity: verdict.severity,
    behind_by: verdict.behindBy,
    ...(doubt !== null && { ...unconfirmed, behind_by: null }),
    explanation: {
      ...explanation,
      ...(doubt !== null && { ...unconfirmed, reason: null }),
      lifecycle: lifecycle && { ...lifecycle, ...fetchedAt(source.lifecycle) },
      vulnerabilities: vulnerabilities ? { ...vulnerabilities, ...fetchedAt(source.vulnerabilities) } : null,
    } as Schemas['EvaluationExplanation'],
  };
}

/** Returns the reason why the verdict isn't certain, as if the configuration had never been confirmed. */
function unconfirmedReason(
  { requiresCompleteList }: Verdict,
  { listDoubt }: PreviewedSource,
): ListDoubt['reason'] | null {
  return requiresCompleteList ? listDoubt : null;
}

interface JobRow {
  id: number;
  organization_id: number;
  version_scheme: GatherJobKey['scheme'];
  is_image: boolean;
  is_deployed: boolean;
  platform_words: string;
  releases_revision: number;
  ignored_versions: string[];
  counted_versions: string[];
  counted_since: Date[];
  is_archived: boolean;
  has_releases: boolean;
  list_doubt: ListDoubt['reason'] | null;
}

interface ReferenceRow {
  lifecycle: LifecycleRow | null;
  vulnerabilities: VulnerabilityRow | null;
  data_gap: DataGap | null;
  now: Date;
}

/** Finds a gather job of the organization or a global one. */
async function findJob(
  db: Database,
  organizationId: number,
  id: number,
  rule: Rule,
): Promise<PreviewedSource> {
  const source = (await findJobs(db, organizationId, [id], rule)).get(id);
  if (source === undefined) throw invalidField('gather_job_id', 'gather job not found');
  return source;
}

async function findJobs(
  db: Database | Tx,
  organizationId: number,
  ids: readonly number[],
  rule: Rule,
): Promise<Map<number, PreviewedSource>> {
  const { rows } = await sql<JobRow & ReferenceRow>`
    SELECT g.id, g.organization_id, g.version_scheme, g.source_type = ANY(${imageSourceTypeIds}) AS is_image,
      g.scrape_job_id IS NOT NULL AS is_deployed, ${platformWordsOf('g')} AS platform_words, g.releases_revision,
      g.ignored_versions, g.counted_versions, g.counted_since, g.is_archived IS TRUE AS is_archived,
      g.source_type <> 'lifecycle' AS has_releases,
      ${listDoubtReason} AS list_doubt,
      ${lifecycleRowSql()} AS lifecycle, ${vulnerabilityRowSql()} AS vulnerabilities,
      ${dataGapSql(sql`${rule.type}::text`)} AS data_gap, pacekeeper_now() AS now
    FROM gather_jobs g
    WHERE g.organization_id IN (${organizationId}, ${systemOrganizationId}) AND g.id = ANY(${[...ids]}::bigint[])`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, toSource(row)]));
}

function toSource(row: JobRow & ReferenceRow): PreviewedSource {
  return {
    gatherJob: {
      organizationId: row.organization_id,
      id: row.id,
      scheme: row.version_scheme,
      isImage: row.is_image,
      isDeployed: row.is_deployed,
      platformWords: row.platform_words,
      revision: row.releases_revision,
    },
    ignoredVersions: row.ignored_versions,
    countedVersions: row.counted_versions.map((version, index) => ({
      version,
      sinceMs: row.counted_since[index]?.getTime() ?? 0,
    })),
    isArchived: row.is_archived,
    hasReleases: row.has_releases,
    listDoubt: row.list_doubt,
    ...toReference(row),
  };
}

/** A comparison that isn't stored. */
export interface PreviewedComparison {
  ruleId: number;
  gatherJobId: number;
  /** Null if the version isn't known. */
  deployedVersion: string | null;
}

/**
 * Counts the alerts that comparisons would open now, by severity. A comparison whose result isn't known, for example
 * because the job has no releases yet, counts as `unknown`.
 *
 * @param unstoredRule Rule of the comparisons with `unstoredRuleId`. Null if there's none.
 */
export async function previewAlerts(
  db: Database | Tx,
  releaseCache: ReleaseCache,
  organizationId: number,
  comparisons: readonly PreviewedComparison[],
  unstoredRule: Rule | null,
): Promise<Record<AlertSeverity | 'unknown', number>> {
  const counts = { moderate: 0, high: 0, critical: 0, unknown: 0 };
  const slices = new TimeSlices();
  for (const [ruleId, compared] of Map.groupBy(comparisons, (comparison) => comparison.ruleId)) {
    const rule = ruleId === unstoredRuleId ? unstoredRule : await findActiveRule(db, organizationId, ruleId);
    if (rule === null) continue;
    const ids = [...new Set(compared.map(({ gatherJobId }) => gatherJobId))];
    const sources = await findJobs(db, organizationId, ids, rule);
    const judgeOne = await prepareJudge(db, releaseCache, rule, [...sources.values()]);
    for (const { gatherJobId, deployedVersion } of compared) {
      const source = sources.get(gatherJobId);
      if (source === undefined) continue;
      const verdict = judgeOne(source, deployedVersion);
      const { state, severity } = verdict;
      if (state === 'no_data' || unconfirmedReason(verdict, source) !== null) counts.unknown++;
      else if (severity !== null) counts[severity]++;
      await slices.pause();
    }
  }
  return counts;
}

async function findActiveRule(db: Database | Tx, organizationId: number, id: number): Promise<Rule | null> {
  const row = await findRule(db, organizationId, id);
  return row?.is_active ? toComparedRule(row) : null;
}

/** Looks up reference data for a source in the same way as for a new gather job. */
async function findSource(
  db: Database,
  organizationId: number,
  { source_type, artifact_name, source_options }: Schemas['PreviewGatherSourceRequest'],
  rule: Rule,
): Promise<PreviewedSource> {
  if (source_type === 'deployed_versions') throw invalidField('source_type', "can't be previewed");
  const artifact = sourceTypes[source_type].normalizeArtifactName(artifact_name);
  if (!artifact.ok) throw invalidField('artifact_name', artifact.message);
  const { artifactName } = artifact;
  const purls = derivePurls(
    { source_type, artifact_name: artifactName },
    await readAliases(db, organizationId),
  );
  const { rows } = await sql<ReferenceRow>`
    SELECT ${lifecycleRowSql()} AS lifecycle, ${vulnerabilityRowSql()} AS vulnerabilities,
      ${dataGapSql(sql`${rule.type}::text`)} AS data_gap, pacekeeper_now() AS now
    FROM (SELECT ${source_type}::text AS source_type, ${artifactName}::text AS artifact_name,
      ${JSON.stringify(source_options ?? {})}::jsonb AS source_options, ${purls}::text[] AS purls,
      ${source_type === 'lifecycle' ? artifactName : null}::text AS lifecycle_product, NULL::text[] AS vulnerability_packages) AS g`.execute(
    db,
  );
  return {
    gatherJob: null,
    ignoredVersions: [],
    countedVersions: [],
    isArchived: false,
    hasReleases: source_type !== 'lifecycle',
    listDoubt: null,
    ...toReference(rows[0]!),
  };
}

function toReference({ lifecycle, vulnerabilities, data_gap: dataGap, now }: ReferenceRow) {
  return { lifecycle, vulnerabilities, dataGap, nowMs: now.getTime() };
}
