import { sql } from 'kysely';
import { type Database, type Tx, transaction } from '../../../platform/database/index.ts';
import {
  type Claim,
  type DueLoop,
  type DueTable,
  handleIndividually,
  startDueLoop,
  withDeferredTriggers,
} from '../../../platform/due-rows/index.ts';
import type { Log } from '../../../platform/log.ts';
import { systemOrganizationId } from '../../accounts/index.ts';
import { planServiceEvent } from '../../notifications/index.ts';
import type { MovedRelease } from './apply-incoming.ts';

/** Reports of moved releases, due until the events are sent. */
export const dueReleaseMovesTable = {
  name: 'release_moves',
  keys: { organization_id: 'bigint', id: 'bigint' },
} as const satisfies DueTable;

export interface DueReport {
  organization_id: number;
  id: number;
}

/** A moved release as stored until it's reported. */
export type StoredMove = Pick<MovedRelease, 'id' | 'tag' | 'version' | 'kind' | 'from' | 'to'>;

interface Report {
  organizationId: number;
  id: number;
  gatherJobId: number;
  artifactName: string;
  noticedAt: Date;
  releases: StoredMove[];
  releaseCount: number;
}

/** A deployment that resolves to a moved release. */
interface Place {
  name: string;
  /** Version that is deployed. */
  deployed: string;
  /** Index of the release. */
  at: number;
  total: number;
}

/** Maximum number of releases, and of deployments, that a message lists. */
const listedAtMost = 5;

/**
 * Digests are cut to this length in a message: the algorithm and 12 characters, as many as of a commit. They
 * are enough to identify the value.
 */
const shortLength = 19;

/** Starts a loop that sends the events about moved releases. */
export function startMovedReleasesLoop(deps: { db: Database; log: Log }): DueLoop {
  const { db } = deps;
  return startDueLoop<DueReport>({
    ...deps,
    table: dueReleaseMovesTable,
    batchSize: 20,
    maxInFlight: 20,
    leaseMs: 60_000,
    handle: (claims) =>
      handleIndividually(claims, (part) =>
        transaction(db, (tx) => withDeferredTriggers(tx, () => reportMovedReleases(tx, part))),
      ),
  });
}

/**
 * Sends an event about published versions whose commit or digest changed: one event for all releases that
 * changed in the same run, with the places where they are deployed. For a global job, the event is sent to
 * the system organization and to every organization that compares versions with the job's releases.
 */
export async function reportMovedReleases(tx: Tx, claims: readonly Claim<DueReport>[]): Promise<void> {
  const reports = await takeReports(tx, claims);
  for (const report of reports) {
    const { organizationId, gatherJobId } = report;
    const users = organizationId === systemOrganizationId ? await listUsers(tx, gatherJobId) : [];
    for (const recipientId of [organizationId, ...users]) await sendReport(tx, recipientId, report);
  }
}

/**
 * Deletes the claimed rows and returns them, oldest first. Excludes rows of deleted jobs, and those that another
 * server has claimed.
 */
async function takeReports(tx: Tx, claims: readonly Claim<DueReport>[]): Promise<Report[]> {
  const { rows } = await sql<Report>`
    DELETE FROM release_moves AS moves
    USING unnest(
      ${claims.map(({ row }) => row.organization_id)}::bigint[], ${claims.map(({ row }) => row.id)}::bigint[],
      ${claims.map(({ leaseToken }) => leaseToken)}::uuid[]
    ) AS claimed (organization_id, id, lease_token)
    WHERE moves.organization_id = claimed.organization_id AND moves.id = claimed.id
      AND moves.lease_token = claimed.lease_token
    RETURNING moves.organization_id AS "organizationId", moves.id, gather_job_id AS "gatherJobId",
      artifact_name AS "artifactName", noticed_at AS "noticedAt", releases, release_count AS "releaseCount"`.execute(
    tx,
  );
  return rows.toSorted((a, b) => a.organizationId - b.organizationId || a.id - b.id);
}

async function listUsers(tx: Tx, gatherJobId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT DISTINCT organization_id AS id FROM alert_configs
    WHERE gather_organization_id = ${systemOrganizationId} AND gather_job_id = ${gatherJobId}
      AND organization_id <> ${systemOrganizationId} AND is_active
    ORDER BY organization_id`.execute(tx);
  return rows.map(({ id }) => id);
}

async function sendReport(tx: Tx, organizationId: number, report: Report): Promise<void> {
  const { releases, releaseCount, artifactName, noticedAt } = report;
  const places = await findPlaces(tx, organizationId, report);
  // A deployed release is a more useful subject than a release that no one has deployed.
  const subjectAt = places[0]?.at ?? 0;
  const { tag: _, ...subject } = releases[subjectAt]!;
  const others = releases.filter((__, at) => at !== subjectAt).slice(0, listedAtMost);
  const data = {
    release: {
      ...subject,
      artifact_name: artifactName,
      noticed_at: noticedAt.toISOString(),
      other_count: releaseCount - 1,
      others: linesOf(others.map(({ version, from, to }) => `${version}: ${short(from)} → ${short(to)}`)),
      place_count: places[0]?.total ?? 0,
      places: linesOf(places.map(({ name, deployed }) => `${name}: ${deployed}`)),
    },
  };
  await planServiceEvent(tx, organizationId, { type: 'release.moved', data });
}

/**
 * Returns the first active monitors whose deployed version is one of the releases, or resolved to one of them
 * in the last evaluation. Monitors of the first release come first.
 */
async function findPlaces(
  tx: Tx,
  organizationId: number,
  { organizationId: jobOrganizationId, gatherJobId, releases }: Report,
): Promise<Place[]> {
  const { rows } = await sql<Place>`
    SELECT c.name, s.latest_version AS deployed, moved.at, count(*) OVER ()::integer AS total
    FROM alert_configs AS c
    JOIN scrape_jobs AS s ON s.organization_id = c.organization_id AND s.id = c.scrape_job_id
    LEFT JOIN alert_config_explanations AS e ON e.organization_id = c.organization_id AND e.alert_config_id = c.id
      AND e.explanation #>> '{deployed,version}' = s.latest_version
      AND e.explanation #>> '{deployed,match}' IN ('same_version', 'moving_tag')
    CROSS JOIN LATERAL (
      SELECT min(place)::integer - 1 AS at
      FROM unnest(${releases.map(({ tag }) => tag)}::text[], ${releases.map(({ version }) => version)}::text[])
        WITH ORDINALITY AS moved (tag, version, place)
      WHERE moved.tag = s.latest_version OR moved.version = s.latest_version
        OR moved.version = e.explanation #>> '{deployed,release}'
    ) AS moved
    WHERE c.organization_id = ${organizationId} AND c.gather_organization_id = ${jobOrganizationId}
      AND c.gather_job_id = ${gatherJobId} AND c.is_active AND moved.at IS NOT NULL
    ORDER BY moved.at, c.name, c.id LIMIT ${listedAtMost}`.execute(tx);
  return rows;
}

function linesOf(lines: readonly string[]): string | null {
  return lines.length === 0 ? null : lines.join('\n');
}

function short(value: string): string {
  return value.slice(0, value.startsWith('sha') ? shortLength : 12);
}
