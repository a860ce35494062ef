import { sql } from 'kysely';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { insertItems, insertManagedScrapeJob } from '../../../../tests/helpers/discovery-fixture.ts';
import { createUpstreamFixture, item } from '../../../../tests/helpers/upstream-fixture.ts';
import { attachWakeUps, type Database, transaction } from '../../../platform/database/index.ts';
import { type Claim, claimDueRows } from '../../../platform/due-rows/index.ts';
import { createSilentLog } from '../../../platform/log.ts';
import { dueDigestFanOutsTable } from '../../upstream/index.ts';
import { type DueDigests, digestColumns, digestStep, startDigestLoop } from './start-digest-loop.ts';

const { db, connectAgain, statementsOf, createOrganization, createJob, record } =
  await createUpstreamFixture();
const otherServer = await connectAgain();
const systemId = 1;
const artifact = 'ghcr.io/acme/web';
const digest = `sha256:${'a'.repeat(64)}`;

beforeEach(async () => {
  await sql`DELETE FROM digest_fan_outs`.execute(db);
  await sql`DELETE FROM discovered_items`.execute(db);
});

type Job = { organizationId: number; jobId: number };

const createRegistryJob = (organizationId: number): Promise<Job> =>
  createJob(organizationId, { source_type: 'oci_registry', artifact_name: artifact });

const tell = (job: Job, version: string, of = digest) =>
  record(job, [{ ...item(version), digest: of }], { isCompleteList: false });

/** Creates an accepted item without a known version, in a new organization unless one is given. */
async function createWaiting(given?: number) {
  const organizationId = given ?? (await createOrganization());
  const { rows } = await sql<{ id: number }>`
    INSERT INTO discovery_jobs (organization_id, name, kind, repository_url, ref)
    VALUES (${organizationId}, 'Deployments', 'git_repository', 'https://git.example.org/acme/deploy', 'HEAD') RETURNING id`.execute(
    db,
  );
  const jobId = rows[0]!.id;
  const scrapeJobId = await insertManagedScrapeJob(db, organizationId, jobId);
  await sql`UPDATE scrape_jobs SET latest_version = NULL WHERE id = ${scrapeJobId}`.execute(db);
  const [id] = await insertItems(db, organizationId, jobId, [
    { version: null, version_state: 'digest', digest, status: 'accepted', scrape_job_id: scrapeJobId },
  ]);
  return { organizationId, jobId, scrapeJobId, id: id! };
}

type Waiting = Awaited<ReturnType<typeof createWaiting>>;

async function compare(on: Database, { organizationId, scrapeJobId }: Waiting, job: Job): Promise<void> {
  await sql`
    WITH rule AS (
      INSERT INTO rules (organization_id, name, rule_type, threshold_moderate)
      VALUES (${organizationId}, 'rule', 'majors_behind', 1) RETURNING id
    )
    INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, due_at)
    SELECT ${organizationId}, 'config', ${scrapeJobId}, ${job.organizationId}, ${job.jobId}, rule.id, 'infinity'
    FROM rule`.execute(on);
}

async function versionOf({ id }: Waiting): Promise<string | null> {
  const { rows } = await sql<{ matched_version: string | null }>`
    SELECT matched_version FROM discovered_items WHERE id = ${id}`.execute(otherServer);
  return rows[0]!.matched_version;
}

async function listDue(): Promise<{ job: number; of: number }[]> {
  const { rows } = await sql<{ job: number; of: number }>`
    SELECT gather_job_id AS job, for_organization_id AS "of" FROM digest_fan_outs WHERE due_at < 'infinity'
    ORDER BY 1, 2`.execute(otherServer);
  return rows;
}

async function claimOne(): Promise<Claim<DueDigests> | undefined> {
  const [claim] = await claimDueRows<DueDigests>(db, dueDigestFanOutsTable, {
    limit: 1,
    leaseMs: 60_000,
    columns: digestColumns,
  });
  return claim;
}

const step = (claim: Claim<DueDigests>) => transaction(db, (tx) => digestStep(tx, claim, 1_000));

async function drain(): Promise<number> {
  for (let steps = 0; ; steps++) {
    const claim = await claimOne();
    if (!claim) return steps;
    await step(claim);
  }
}

describe('an alert configuration with a global gather job', () => {
  test('starts a fan-out only for its organization', async () => {
    const job = await createRegistryJob(systemId);
    const [one, two] = [await createWaiting(), await createWaiting()];
    await tell(job, '1.25.3');
    await sql`DELETE FROM digest_fan_outs`.execute(db);
    await compare(db, one, job);
    expect(await listDue()).toEqual([{ job: job.jobId, of: one.organizationId }]);
    expect(await drain()).toBe(1);
    expect([await versionOf(one), await versionOf(two)]).toEqual(['1.25.3', null]);
  });

  test("doesn't change the cursor of a fan-out for all organizations", async () => {
    const job = await createRegistryJob(systemId);
    const [one, two] = [await createWaiting(), await createWaiting()];
    await tell(job, '1.25.3');
    await step((await claimOne())!);
    expect([await versionOf(one), await versionOf(two)]).toEqual(['1.25.3', null]);
    const another = await createWaiting(one.organizationId);
    await compare(db, another, job);
    const { rows } = await sql`
      SELECT cursor_organization_id AS "from" FROM digest_fan_outs
      WHERE for_organization_id = ${systemId}`.execute(db);
    expect(rows).toEqual([{ from: one.organizationId + 1 }]);
  });

  test('blocks neither new configurations of other organizations nor the fan-out', async () => {
    const job = await createRegistryJob(systemId);
    const [one, two] = [await createWaiting(), await createWaiting()];
    await tell(job, '1.25.3');
    const claim = (await claimOne())!;
    await transaction(otherServer, async (tx) => {
      await compare(tx, one, job);
      // The statements would fail with a timeout if they had to wait for a lock.
      await transaction(db, async (other) => {
        await sql`SET LOCAL lock_timeout = '500ms'`.execute(other);
        await compare(other, two, job);
        await digestStep(other, claim, 1_000);
      });
    });
    expect(await drain()).toBeGreaterThan(0);
    expect([await versionOf(one), await versionOf(two)]).toEqual(['1.25.3', '1.25.3']);
  });
});

describe('a fan-out', () => {
  test('reaches the last organization even if the releases change before every step', async () => {
    const job = await createRegistryJob(systemId);
    const waiting: Waiting[] = [];
    for (let count = 0; count < 3; count++) waiting.push(await createWaiting());
    for (let count = 0; count < 3; count++) {
      await tell(job, '1.25.3');
      await tell(job, `2.0.${count}`, `sha256:${String(count).repeat(64)}`);
      await step((await claimOne())!);
    }
    expect(await Promise.all(waiting.map(versionOf))).toEqual(['1.25.3', '1.25.3', '1.25.3']);
  });

  test('goes through all organizations again if the releases change while it runs', async () => {
    const job = await createRegistryJob(systemId);
    const waiting = [await createWaiting(), await createWaiting()];
    await tell(job, '1.25');
    await step((await claimOne())!);
    await tell(job, '1.25.3');
    await drain();
    expect(await Promise.all(waiting.map(versionOf))).toEqual(['1.25.3', '1.25.3']);
    expect(await listDue()).toEqual([]);
  });

  test('locks no rows of organizations whose items already have their versions', async () => {
    const job = await createRegistryJob(systemId);
    for (let count = 0; count < 3; count++) await createWaiting();
    await tell(job, '1.25.3');
    await drain();
    await tell(job, '2.0.0', `sha256:${'b'.repeat(64)}`);
    const statements = await statementsOf(async () => expect(await drain()).toBe(1));
    expect(statements.filter((text) => /discovery_jobs|UPDATE discovered_items/.test(text))).toEqual([]);
  });

  test('changes nothing after it has lost its lease', async () => {
    const job = await createRegistryJob(systemId);
    const waiting = await createWaiting();
    await tell(job, '1.25.3');
    const late = (await claimOne())!;
    await sql`UPDATE digest_fan_outs SET lease_until = pacekeeper_now()`.execute(db);
    const claim = (await claimOne())!;
    await expect(step(late)).rejects.toThrow('outlived its lease');
    expect(await versionOf(waiting)).toBeNull();
    await step(claim);
    expect(await versionOf(waiting)).toBe('1.25.3');
  });
});

describe('the digest loop', () => {
  test("isn't blocked by one fan-out that waits for a lock", async () => {
    const stuck = await createWaiting();
    await tell(await createRegistryJob(stuck.organizationId), '1.25.3');
    const other = await createWaiting();
    await tell(await createRegistryJob(other.organizationId), '1.25.3');
    let loop: ReturnType<typeof startDigestLoop> | undefined;
    await transaction(otherServer, async (tx) => {
      await sql`SELECT FROM discovery_jobs WHERE id = ${stuck.jobId} FOR UPDATE`.execute(tx);
      loop = startDigestLoop({ db, log: createSilentLog() });
      await expect.poll(() => versionOf(other)).toBe('1.25.3');
      expect(await versionOf(stuck)).toBeNull();
    });
    await expect.poll(() => versionOf(stuck)).toBe('1.25.3');
    await loop!.stop();
  });

  test("processes organizations in turn, so that many changed jobs of one organization don't delay another", async () => {
    const busy = await createWaiting();
    for (let count = 0; count < 60; count++)
      await tell(await createRegistryJob(busy.organizationId), '1.25.3');
    const other = await createWaiting();
    await tell(await createRegistryJob(other.organizationId), '1.25.3');
    let stopping: Promise<void> | undefined;
    const loop = startDigestLoop({ db, log: createSilentLog() });
    onTestFinished(
      attachWakeUps(db, {
        // When the item of the second organization has its version, the loop stops. Claimed fan-outs are
        // finished, and no more are claimed.
        wake: () =>
          void versionOf(other).then((version) => {
            if (version !== null) stopping ??= loop.stop();
          }),
        on: () => () => undefined,
      }),
    );
    await expect.poll(() => versionOf(other)).toBe('1.25.3');
    await (stopping ?? loop.stop());
    expect((await listDue()).length).toBeGreaterThan(20);
  });
});

test('updating only the digest of an item clears its matched version', async () => {
  const job = await createRegistryJob(systemId);
  const waiting = await createWaiting();
  await tell(job, '1.25.3');
  await drain();
  await sql`
    UPDATE discovered_items SET digest_since = pacekeeper_now() - interval '1 day' WHERE id = ${waiting.id}`.execute(
    db,
  );
  await sql`
    UPDATE discovered_items SET digest = ${`sha256:${'c'.repeat(64)}`} WHERE id = ${waiting.id}`.execute(db);
  const { rows } = await sql`
    SELECT matched_version, digest_since > pacekeeper_now() - interval '1 hour' AS "isNew"
    FROM discovered_items WHERE id = ${waiting.id}`.execute(db);
  expect(rows).toEqual([{ matched_version: null, isNew: true }]);
});
