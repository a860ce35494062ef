import { findSupport } from '../../../domain/rules/find-support.ts';
import { versionToLookUp } from '../../../domain/rules/resolve-deployed.ts';
import type { Rule } from '../../../domain/rules/rule-type.ts';
import { daysLeft } from '../../../domain/support/support-phases.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Database } from '../../../platform/database/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import type { ReleaseCache } from '../evaluation/release-cache.ts';
import type { SupportKey } from '../evaluation/support-cache.ts';
import { supportFacts } from '../evaluation/support-queries.ts';
import { listSupportedConfigs, type SupportedConfig, type SupportFilters } from './support-end-queries.ts';

export type SupportEnd = Schemas['SupportEnd'];

export interface SupportEnds {
  readonly nowMs: number;
  /** Sorted by date. Ends without a known date come first if support has ended, and last otherwise. */
  readonly ends: readonly SupportEnd[];
  /** Deployed versions whose end of support isn't known, by reason. */
  readonly unknown: Schemas['Support']['unknown'];
  /** True if all alert configurations were included. */
  readonly isComplete: boolean;
}

/** Returns the end-of-support dates of deployed versions, whether or not a rule monitors them. */
export async function findSupportEnds(
  db: Database,
  releaseCache: ReleaseCache,
  organizationId: number,
  filters: SupportFilters & { readonly days: number | null },
): Promise<SupportEnds> {
  const { configs, withoutLifecycle, isLoaded, isAll, nowMs } = await listSupportedConfigs(
    db,
    organizationId,
    filters,
  );
  const supportOf = await releaseCache.support.load(db, configs.map(keyOf));
  const untilMs = filters.days === null ? Infinity : nowMs + filters.days * dayMs;
  const slices = new TimeSlices();
  const ends: SupportEnd[] = [];
  const unknown = new Map<UnknownReason, number>();
  const count = (reason: UnknownReason, added = 1) =>
    added > 0 && unknown.set(reason, (unknown.get(reason) ?? 0) + added);
  count(isLoaded ? 'no_lifecycle' : 'reference_not_loaded', withoutLifecycle);
  for (const group of Map.groupBy(configs, pairOf).values()) {
    const [first] = group;
    const facts = supportFacts(supportOf(keyOf(first!)), first!.lifecycle, longestOverride(group), true);
    const end = facts ? toEnd(group, facts, nowMs) : 'no_lifecycle';
    if (typeof end === 'string') count(end);
    else if (untilMs === Infinity || end.has_ended || (end.ends_at && Date.parse(end.ends_at) <= untilMs))
      ends.push(end);
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  ends.sort((a, b) => sortKeyOf(a) - sortKeyOf(b) || a.alert_config_ids[0]! - b.alert_config_ids[0]!);
  return {
    nowMs,
    ends,
    unknown: [...unknown].map(([reason, things]) => ({ reason, count: things })),
    isComplete: isAll,
  };
}

type UnknownReason = Schemas['Support']['unknown'][number]['reason'];

const dayMs = 86_400_000;

/**
 * Returns the key of a pair of a scrape job and a gather job. Alert configurations with different rules can
 * share both.
 */
function pairOf(config: SupportedConfig): string {
  return `${config.scrape_job_id} ${config.gather_organization_id} ${config.gather_job_id}`;
}

function keyOf(config: SupportedConfig): SupportKey {
  const gatherJob = {
    organizationId: config.gather_organization_id,
    id: config.gather_job_id,
    scheme: config.version_scheme,
    revision: config.releases_revision,
    // This lookup doesn't read releases, so these fields have no effect.
    isImage: false,
    isDeployed: false,
    platformWords: '',
  };
  return { gatherJob, lifecycle: config.lifecycle };
}

function longestOverride(configs: readonly SupportedConfig[]): SupportedConfig['lifecycle_override'] {
  const overrides = configs.flatMap(({ lifecycle_override }) => lifecycle_override ?? []);
  return overrides.toSorted((a, b) => (a.ends_on < b.ends_on ? 1 : -1))[0] ?? null;
}

/** Placeholder rule. Only its support phase matters here, which is the default. */
const noRule: Rule = {
  type: 'end_of_life',
  thresholds: {},
  stableOnly: true,
  daysBasis: null,
  minReleaseAgeDays: 0,
};

/** Returns the end of support of a deployed version, or the reason why it isn't known. */
function toEnd(
  configs: readonly SupportedConfig[],
  facts: NonNullable<ReturnType<typeof supportFacts>>,
  nowMs: number,
): SupportEnd | UnknownReason {
  const [config] = configs;
  const { deployed_version: deployedVersion } = config!;
  const version = versionOf(config!, facts.applicationVersions);
  const { verdict, endsOn, newest, newestEndsOn } = findSupport(facts, noRule, version, nowMs);
  const { line, end } = verdict;
  if (line === null || end === null) return verdict.stateReason ?? 'no_support_date';
  const { endsAtMs } = end;
  return {
    scrape_job: {
      id: config!.scrape_job_id,
      name: config!.scrape_job_name,
    },
    gather_job: {
      id: config!.gather_job_id,
      name: config!.gather_job_name,
    },
    alert_config_ids: configs.map(({ id }) => id),
    deployed_version: deployedVersion,
    product: facts.product,
    label: facts.label,
    line: line.name,
    ends_on: endsOn,
    ends_at: endsAtMs === null ? null : new Date(endsAtMs).toISOString(),
    has_ended: endsAtMs === null ? end.hasEnded : endsAtMs <= nowMs,
    days_left: endsAtMs === null ? null : daysLeft(endsAtMs, nowMs),
    is_paid: endsOn !== null && endsOn === facts.paidUntil,
    newest:
      newest === null
        ? null
        : {
            line: newest.name,
            ends_on: newestEndsOn,
            latest_version: newest.latest,
          },
  };
}

/**
 * Returns the version whose support is looked up. If the deployed version has changed since the last
 * evaluation, the text of the new version is used.
 */
function versionOf(
  { deployed, deployed_version: text }: SupportedConfig,
  applicationVersions: ReadonlyMap<string, string> | null,
): string | null {
  return versionToLookUp(
    deployed?.text === text ? deployed : { text, match: 'none', release: null },
    applicationVersions,
  );
}

function sortKeyOf({ ends_at, has_ended }: SupportEnd): number {
  if (ends_at !== null) return Date.parse(ends_at);
  return has_ended ? -Infinity : Infinity;
}
