import { ownValue } from '../../../domain/json/own-value.ts';
import {
  parseVersionRange,
  type VersionFilter,
  versionFilter,
} from '../../../domain/versions/version-filter.ts';
import { versionScheme } from '../../../domain/versions/versions.ts';
import type { ExploitationState } from '../../../domain/vulnerabilities/exploits.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Database } from '../../../platform/database/index.ts';
import { invalidField } from '../../../platform/errors.ts';
import type { ApiRequest, Handlers } from '../../../platform/http/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import { findAffectedSoftware } from './affected-software.ts';
import {
  type ExposureRow,
  listExposures,
  maxGaps,
  maxVersions,
  readExposureContext,
  readSoftwareVersions,
  type SelectedSoftware,
} from './exposure-queries.ts';

type Query = ApiRequest<'listExposures'>['query'];

export function exposureHandlers({ db }: { db: Database }): Handlers<'listExposures'> {
  return {
    async listExposures({ caller, query }) {
      const { organizationId } = caller;
      const { software, knownSince, exploitation, knownExploitedSince } = await selectSoftware(
        db,
        organizationId,
        query,
      );
      const { now, ownerLabel } = await readExposureContext(db, organizationId);
      const range = { since: laterOf(query.since, knownSince), until: query.until };
      const version = software === null ? query.version : undefined;
      const filters = { ...query, ...range, software, version };
      const page = await listExposures(db, organizationId, filters, now, query);
      return {
        status: 200,
        body: {
          as_of: now.toISOString(),
          known_since: knownSince?.toISOString() ?? null,
          exploitation,
          known_exploited_since: knownExploitedSince?.toISOString() ?? null,
          ...page,
          items: page.items.map((row) => toExposure(row, ownerLabel, range)),
        },
      };
    },
  };
}

interface Selection {
  /** Null: any software. */
  software: readonly SelectedSoftware[] | null;
  /** Time since which the vulnerability has been known. Null: unknown, or no vulnerability is selected. */
  knownSince: Date | null;
  /** Null if no vulnerability is selected. */
  exploitation: ExploitationState | null;
  knownExploitedSince: Date | null;
}

async function selectSoftware(db: Database, organizationId: number, query: Query): Promise<Selection> {
  const { gather_job_id, vulnerability_id, version, version_range, digest } = query;
  if (vulnerability_id !== undefined) {
    for (const [field, value] of Object.entries({ version, version_range, digest }))
      if (value !== undefined) throw invalidField(field, "can't be combined with vulnerability_id");
    return findAffectedSoftware(db, organizationId, vulnerability_id, gather_job_id);
  }
  const software = await selectVersions(db, organizationId, query);
  return {
    software: software && [software],
    knownSince: null,
    exploitation: null,
    knownExploitedSince: null,
  };
}

/**
 * Selects those versions of the software that match the filters. Returns null if the request names no gather
 * job.
 */
async function selectVersions(
  db: Database,
  organizationId: number,
  { gather_job_id: gatherJobId, version, version_range: range, digest }: Query,
): Promise<SelectedSoftware | null> {
  if (gatherJobId === undefined) {
    if (range !== undefined) throw invalidField('version_range', 'requires gather_job_id');
    if (digest !== undefined) throw invalidField('digest', 'requires gather_job_id');
    return null;
  }
  if (version === undefined && range === undefined && digest === undefined)
    return { gatherJobId, versions: null };
  const software = await readSoftwareVersions(db, organizationId, gatherJobId, digest ?? null);
  if (software === undefined) return { gatherJobId, versions: [] };
  if (software.versions.length > maxVersions)
    throw invalidField(
      'gather_job_id',
      `has had more than ${maxVersions} different versions, too many to filter by version. Filter by scrape job or time instead`,
    );
  const scheme = versionScheme(software.scheme, software.platformWords);
  const filters: VersionFilter[] = [];
  if (version !== undefined) filters.push(versionFilter(version, scheme));
  if (range !== undefined) {
    const parsed = parseVersionRange(range, scheme);
    if (typeof parsed !== 'function') throw invalidField('version_range', parsed.problem);
    filters.push(parsed);
  }
  if (digest !== undefined) {
    const named = new Set(software.releasesWithDigest);
    filters.push((text) => named.has(text) || text.endsWith(`@${digest}`));
  }
  const slices = new TimeSlices();
  const versions: string[] = [];
  for (const text of software.versions) {
    if (filters.every((filter) => filter(text))) versions.push(text);
    await slices.pause();
  }
  return { gatherJobId, versions };
}

function laterOf(since: string | undefined, knownSince: Date | null): string | undefined {
  if (knownSince === null) return since;
  return since !== undefined && Date.parse(since) > knownSince.getTime() ? since : knownSince.toISOString();
}

function toExposure(row: ExposureRow, ownerLabel: string, range: Range): Schemas['Exposure'] {
  const { job, deleted_job, gaps, ended_at: endedAt } = row;
  const { name = '', labels = {}, gap_since = null, gap_reason = null } = job ?? deleted_job ?? {};
  const openGap =
    endedAt === null && gap_since !== null
      ? { since: toTimestamp(gap_since), until: null, reason: gap_reason ?? 'not_read' }
      : null;
  const known = knownTimeOf(row, openGap?.since ?? null);
  const seconds = secondsInRange(row.first_seen_at, known.until, range) - gaps.seconds;
  const firstSeenAt = row.first_seen_at.toISOString();
  const [lastGap] = gaps.last;
  const changes = [
    firstSeenAt,
    ...(endedAt === null ? [] : [endedAt.toISOString()]),
    ...(openGap === null ? [] : [openGap.since]),
    ...(lastGap === undefined ? [] : [toTimestamp(lastGap.until)]),
  ];
  return {
    id: row.id,
    scrape_job: job && { id: row.scrape_job_id, name },
    name,
    labels,
    owner: ownValue(labels, ownerLabel) ?? null,
    version: row.version,
    commit: row.commit_sha,
    source: row.source,
    status: endedAt !== null ? 'ended' : openGap === null ? 'running' : 'unconfirmed',
    first_seen_at: firstSeenAt,
    last_seen_at: known.lastSeenAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
    known_seconds: Math.max(0, Math.floor(seconds)),
    gap_count: gaps.count + (openGap === null ? 0 : 1),
    gaps: [
      ...(openGap === null ? [] : [openGap]),
      ...gaps.last.map((gap) => ({
        since: toTimestamp(gap.since),
        until: toTimestamp(gap.until),
        reason: gap.reason,
      })),
    ].slice(0, maxGaps),
    created_at: firstSeenAt,
    updated_at: changes.reduce((latest, at) => (at > latest ? at : latest)),
  };
}

/**
 * Returns two times: `until`, at which the exposure ended or was last confirmed, and `lastSeenAt`, at which
 * its version was last known. They differ only if the exposure ended with a gap.
 */
function knownTimeOf(
  { first_seen_at, ended_at, job, gaps }: ExposureRow,
  openGapSince: string | null,
): { until: Date; lastSeenAt: Date } {
  if (ended_at === null) {
    const until = new Date(openGapSince ?? job?.confirmed_at ?? first_seen_at);
    return { until, lastSeenAt: until };
  }
  const [lastGap] = gaps.last;
  // If a gap ended when another version was read, the version was last known at the start of the gap.
  const hasGapAtEnd = lastGap !== undefined && new Date(lastGap.until) >= ended_at;
  return { until: ended_at, lastSeenAt: hasGapAtEnd ? new Date(lastGap.since) : ended_at };
}

type Range = Pick<Query, 'since' | 'until'>;

function secondsInRange(from: Date, to: Date, { since, until }: Range): number {
  const start = Math.max(from.getTime(), since === undefined ? -Infinity : Date.parse(since));
  const end = Math.min(to.getTime(), until === undefined ? Infinity : Date.parse(until));
  return (end - start) / 1_000;
}

/** Converts a timestamp in JSON from PostgreSQL. */
function toTimestamp(text: string): string {
  return new Date(text).toISOString();
}
