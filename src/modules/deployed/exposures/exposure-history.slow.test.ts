import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../../../tests/faults/fault-world.ts';
import { createTestDatabase } from '../../../../tests/helpers/database.ts';
import { insertItems } from '../../../../tests/helpers/discovery-fixture.ts';
import { isLong } from '../../../../tests/helpers/long-tests.ts';
import { insertRuns } from '../../../../tests/helpers/runs-fixture.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { type Tx, transaction } from '../../../platform/database/index.ts';
import type { ApiRequest } from '../../../platform/http/index.ts';
import { followItemReadings } from '../scrape-jobs/managed-scrape-jobs.ts';
import { deleteScrapeJob } from '../scrape-jobs/scrape-job-queries.ts';
import {
  reapplyTransform,
  recordVersion,
  recordVersionsAcrossOrganizations,
} from '../versions/record-version.ts';
import { exposureHandlers } from './exposure-handlers.ts';

/*
 * Many scrape jobs go through random readings, failures, and other gaps at the same time. Afterward, the
 * exposures of each job are compared with a reference model that knows only which version was read at which
 * time.
 */

const jobCount = isLong ? 300 : 60;
const stepCount = isLong ? 120 : 40;

const { db } = await createTestDatabase();
const random = createRandom('exposures');
const organizationId = 1;

type Kind = 'git' | 'manual' | 'discovered';

/**
 * An observation of a scrape job: either a version that was read, or a break, which means that the job isn't
 * read anymore.
 */
type Contact = { atMs: number } & ({ version: string } | { isBreak: true });

interface Place {
  id: number;
  kind: Kind;
  discoveryJobId: number | null;
  contacts: Contact[];
  isActive: boolean;
  isItemFound: boolean;
  rawVersion: string;
  prefix: string;
  isDeleted: boolean;
}

interface Known {
  version: string;
  firstSeenMs: number;
  endedMs: number | null;
  lastSeenMs: number;
  gaps: [sinceMs: number, untilMs: number | null][];
  intervals: [fromMs: number, toMs: number][];
}

/**
 * The reference model. A version is known from one reading to the next contact, if that contact is a reading
 * as well.
 */
function referenceOf({ contacts, kind }: Place, nowMs: number): Known[] {
  const exposures: Known[] = [];
  let gapSince: number | null = null;
  for (const [index, contact] of contacts.entries()) {
    const { atMs } = contact;
    const next = contacts[index + 1];
    const current = exposures.at(-1);
    if ('isBreak' in contact) {
      const before = contacts[index - 1];
      // Only a person can report that a manual version is no longer deployed, so it is known until the break.
      if (before && 'version' in before) gapSince = kind === 'manual' ? atMs : before.atMs;
      if (!next && current && gapSince !== null) {
        current.gaps.unshift([gapSince, null]);
        current.lastSeenMs = gapSince;
      }
      continue;
    }
    if (current && gapSince !== null && gapSince < atMs) current.gaps.unshift([gapSince, atMs]);
    if (current?.version !== contact.version) {
      if (current) {
        current.endedMs = atMs;
        current.lastSeenMs = gapSince ?? atMs;
      }
      exposures.push({
        version: contact.version,
        firstSeenMs: atMs,
        endedMs: null,
        lastSeenMs: atMs,
        gaps: [],
        intervals: [],
      });
    }
    gapSince = null;
    const known = exposures.at(-1)!;
    known.lastSeenMs = !next && kind === 'manual' ? nowMs : atMs;
    if (next ? 'version' in next || kind === 'manual' : kind === 'manual')
      known.intervals.push([atMs, next?.atMs ?? nowMs]);
  }
  return exposures;
}

let nowMs = Date.UTC(2026, 0, 1);

/** Sets the clock of the database, so that the test and the database use the same exact times. */
async function passTime(): Promise<void> {
  nowMs += random.between(1, 300) * 60_000;
  await sql
    .raw(
      `CREATE OR REPLACE FUNCTION pacekeeper_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
        AS $$ SELECT timestamptz '${new Date(nowMs).toISOString()}' $$`,
    )
    .execute(db);
}

async function createPlace(kind: Kind): Promise<Place> {
  let discoveryJobId: number | null = null;
  if (kind === 'discovered') {
    const { rows } = await sql<{ id: number }>`
      INSERT INTO discovery_jobs (organization_id, name, kind, repository_url, ref)
      VALUES (${organizationId}, 'd', 'git_repository', 'https://git.example.org/a', 'HEAD') RETURNING id`.execute(
      db,
    );
    discoveryJobId = rows[0]!.id;
  }
  const { rows } = await sql<{ id: number }>`
    INSERT INTO scrape_jobs (organization_id, name, parser_type, repository_url, discovery_job_id)
    VALUES (${organizationId}, 'place', ${{ git: 'yq', manual: 'manual', discovered: 'discovered' }[kind]},
      ${kind === 'git' ? 'https://git.example.org/a' : null}, ${discoveryJobId})
    RETURNING id`.execute(db);
  const { id } = rows[0]!;
  if (discoveryJobId !== null)
    await insertItems(db, organizationId, discoveryJobId, [{ status: 'accepted', scrape_job_id: id }]);
  return {
    id,
    kind,
    discoveryJobId,
    contacts: [],
    isActive: true,
    isItemFound: true,
    rawVersion: '1.0.0',
    prefix: '',
    isDeleted: false,
  };
}

const where = ({ id }: Place) => sql`organization_id = ${organizationId} AND id = ${id}`;
const whereDiscovery = ({ discoveryJobId }: Place) =>
  sql`organization_id = ${organizationId} AND id = ${discoveryJobId}`;

function notice(place: Place): void {
  if (place.contacts.length > 0) place.contacts.push({ atMs: nowMs, isBreak: true });
}

function noticeReading(place: Place): void {
  place.contacts.push({ atMs: nowMs, version: place.prefix + place.rawVersion });
  // After the reading of a disabled job, the version isn't known anymore.
  if (!place.isActive) notice(place);
}

async function read(tx: Tx, place: Place): Promise<void> {
  if (random.pick([true, false])) place.rawVersion = `${random.between(1, 4)}.0.0`;
  const found = { organizationId, scrapeJobId: place.id, rawVersion: place.rawVersion, commitSha: null };
  if (place.kind === 'discovered') await recordVersionsAcrossOrganizations(tx, 'agent', [found]);
  else if (place.kind === 'manual') await recordVersion(tx, 'manual', found);
  else await recordVersion(tx, 'agent', found, { endsRun: true });
  noticeReading(place);
}

/** Runs the discovery job of a scrape job. The result is the item in its current state. */
async function scan(tx: Tx, place: Place): Promise<void> {
  const { rows } = await sql<{ before: Date | null }>`
    SELECT last_success_at AS before FROM discovery_jobs WHERE ${whereDiscovery(place)}`.execute(tx);
  await sql`UPDATE discovery_jobs SET last_success_at = pacekeeper_now(), last_outcome = 'succeeded', failing_since = NULL
    WHERE ${whereDiscovery(place)}`.execute(tx);
  const hasVersion = place.contacts.length > 0;
  if (place.isItemFound && (!hasVersion || random.between(0, 3) === 0)) await read(tx, place);
  else if (!place.isItemFound) notice(place);
  else if (place.isActive) noticeReading(place);
  await followItemReadings(tx, organizationId, [place.discoveryJobId!], rows[0]!.before);
}

type Step = (tx: Tx, place: Place) => Promise<void>;

const setActive = async (tx: Tx, place: Place, isActive: boolean) => {
  await sql`UPDATE scrape_jobs SET is_active = ${isActive} WHERE ${where(place)}`.execute(tx);
  if (place.isActive && !isActive) notice(place);
  place.isActive = isActive;
};
const disable: Step = (tx, place) => setActive(tx, place, false);
const enable: Step = (tx, place) => setActive(tx, place, true);
const nothing: Step = () => Promise.resolve();

const fail: Step = async (tx, place) => {
  await insertRuns(tx, 'scrape', { organizationId, jobId: place.id }, ['failed']);
  notice(place);
};
const becomeStale: Step = async (tx, place) => {
  await sql`UPDATE scrape_jobs SET failing_since = pacekeeper_now() WHERE ${where(place)}`.execute(tx);
  notice(place);
};
const changeTransform: Step = async (tx, place) => {
  place.prefix = place.prefix === '' ? 'v' : '';
  await sql`UPDATE scrape_jobs SET version_transform = ${place.prefix === '' ? 'none' : 'add_v_lower'}
    WHERE ${where(place)}`.execute(tx);
  await reapplyTransform(tx, organizationId, place.id);
  // The last readings now have another spelling.
  const former = place.contacts.findLast((contact) => 'version' in contact);
  for (const contact of place.contacts.toReversed()) {
    if (!('version' in contact)) continue;
    if (!former || !('version' in former)) break;
    if (contact !== former && contact.version !== former.version) break;
    if (contact !== former) contact.version = place.prefix + place.rawVersion;
  }
  if (former && 'version' in former) former.version = place.prefix + place.rawVersion;
};
const loseItem =
  (column: 'missing_since' | 'unread_since' | 'version_unknown_since'): Step =>
  async (tx, place) => {
    place.isItemFound = false;
    await sql`UPDATE discovered_items SET ${sql.ref(column)} = pacekeeper_now()
      WHERE organization_id = ${organizationId} AND scrape_job_id = ${place.id}`.execute(tx);
    await scan(tx, place);
  };
const findItem: Step = async (tx, place) => {
  place.isItemFound = true;
  await sql`UPDATE discovered_items SET missing_since = NULL, unread_since = NULL, version_unknown_since = NULL
    WHERE organization_id = ${organizationId} AND scrape_job_id = ${place.id}`.execute(tx);
  await scan(tx, place);
};
const failScan: Step = async (tx, place) => {
  await sql`UPDATE discovery_jobs SET last_outcome = 'none' WHERE ${whereDiscovery(place)}`.execute(tx);
  await sql`UPDATE discovery_jobs SET last_outcome = 'failed' WHERE ${whereDiscovery(place)}`.execute(tx);
  notice(place);
};
const pauseScans: Step = async (tx, place) => {
  await sql`UPDATE discovery_jobs SET is_active = false WHERE ${whereDiscovery(place)}`.execute(tx);
  await sql`UPDATE discovery_jobs SET is_active = true WHERE ${whereDiscovery(place)}`.execute(tx);
  notice(place);
};

const steps: Record<Kind, readonly Step[]> = {
  manual: [read, read, nothing, nothing, disable, enable, enable],
  git: [read, read, read, nothing, fail, fail, becomeStale, disable, enable, enable, changeTransform],
  discovered: [
    scan,
    scan,
    scan,
    nothing,
    loseItem('missing_since'),
    loseItem('unread_since'),
    loseItem('version_unknown_since'),
    findItem,
    findItem,
    failScan,
    pauseScans,
    disable,
    enable,
    enable,
  ],
};

async function deletePlace(place: Place): Promise<void> {
  await sql`DELETE FROM discovered_items WHERE organization_id = ${organizationId} AND scrape_job_id = ${place.id}`.execute(
    db,
  );
  await transaction(db, (tx) => deleteScrapeJob(tx, organizationId, place.id));
  notice(place);
  place.isDeleted = true;
}

const places: Place[] = [];

beforeAll(async () => {
  await passTime();
  for (let index = 0; index < jobCount; index++)
    places.push(await createPlace((['git', 'manual', 'discovered'] as const)[index % 3]!));
  for (let step = 0; step < stepCount; step++) {
    await passTime();
    for (const place of places) await transaction(db, (tx) => random.pick(steps[place.kind])(tx, place));
  }
  await passTime();
  for (const [index, place] of places.entries()) if (index % 5 === 0) await deletePlace(place);
  await passTime();
}, 600_000);

const { listExposures } = exposureHandlers({ db });

async function exposuresOf(
  place: Place,
  range: { since?: string; until?: string } = {},
): Promise<Schemas['Exposure'][]> {
  const request = {
    caller: { organizationId },
    query: { limit: 200, offset: 0, scrape_job_id: place.id, ...range },
  } as Partial<ApiRequest<'listExposures'>> as ApiRequest<'listExposures'>;
  const { body } = (await listExposures(request)) as { body: Schemas['ListExposuresResponse'] };
  return body.items;
}

const ms = (time: string) => Date.parse(time);

describe('after a random history', () => {
  test('exposures and their gaps are the same as in the reference model', async () => {
    let compared = 0;
    for (const place of places) {
      const expected = referenceOf(place, nowMs).toReversed();
      const listed = await exposuresOf(place);
      compared += listed.length;
      expect(
        listed.map((exposure) => ({
          version: exposure.version,
          firstSeenMs: ms(exposure.first_seen_at),
          endedMs: exposure.ended_at === null ? null : ms(exposure.ended_at),
          lastSeenMs: ms(exposure.last_seen_at),
          gaps: exposure.gaps.map(({ since, until }) => [ms(since), until === null ? null : ms(until)]),
          seconds: exposure.known_seconds,
          isDeleted: exposure.scrape_job === null,
        })),
        `${place.kind} ${place.id}`,
      ).toEqual(
        expected.map(({ intervals, ...known }) => ({
          ...known,
          seconds: intervals.reduce((sum, [from, to]) => sum + (to - from) / 1_000, 0),
          isDeleted: place.isDeleted,
        })),
      );
    }
    expect(compared).toBeGreaterThan(jobCount * 3);
  });

  test('an exposure never includes more known time in any range than was observed', async () => {
    const startMs = Date.UTC(2026, 0, 1);
    for (const place of places) {
      const times = [
        startMs + random.between(0, nowMs - startMs),
        startMs + random.between(0, nowMs - startMs),
      ];
      const [sinceMs, untilMs] = [Math.min(...times), Math.max(...times)];
      const range = { since: new Date(sinceMs).toISOString(), until: new Date(untilMs).toISOString() };
      const listed = await exposuresOf(place, range);
      for (const { version, known_seconds, first_seen_at } of listed) {
        const { contacts, kind } = place;
        let observedMs = 0;
        for (const [index, contact] of contacts.entries()) {
          if (!('version' in contact) || contact.version !== version || contact.atMs < ms(first_seen_at))
            continue;
          const next = contacts[index + 1];
          if (kind !== 'manual' && !(next && 'version' in next)) continue;
          const [fromMs, toMs] = [Math.max(contact.atMs, sinceMs), Math.min(next?.atMs ?? nowMs, untilMs)];
          observedMs += Math.max(0, toMs - fromMs);
        }
        expect(known_seconds * 1_000, `${place.kind} ${place.id} ${version}`).toBeLessThanOrEqual(observedMs);
      }
    }
  });
});
