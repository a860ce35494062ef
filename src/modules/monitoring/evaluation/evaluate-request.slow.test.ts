import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { addReleases, createMonitoredSoftware } from '../../../../tests/helpers/monitored.ts';
import { silenceWakeUps } from '../../../../tests/helpers/silence-wake-ups.ts';
import { startTestServer, type TestOrganization } from '../../../../tests/helpers/test-server.ts';
import { transaction } from '../../../platform/database/index.ts';
import { createSilentLog } from '../../../platform/log.ts';
import { evaluateHandlers } from './evaluate-request.ts';
import { createReleaseCache } from './release-cache.ts';

const server = await startTestServer();
afterAll(silenceWakeUps(server.db));

/** Adds configurations with the same jobs and rule. They aren't evaluated yet and aren't due. */
async function addConfigs(organization: TestOrganization, like: number, count: number): Promise<void> {
  await sql`
    INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, ordinal,
      due_at, requested_seq)
    SELECT organization_id, name || ' ' || n, scrape_job_id, gather_organization_id, gather_job_id, rule_id, ordinal + n,
      'infinity', 0
    FROM alert_configs, generate_series(1, ${count}::integer) AS n
    WHERE organization_id = ${organization.id} AND id = ${like}`.execute(server.db);
}

/** Makes the database reject every alert of this configuration. */
async function makeAlertsFail(configId: number): Promise<void> {
  await sql
    .raw(`
    CREATE FUNCTION refuse_${configId}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.alert_config_id = ${configId} THEN RAISE EXCEPTION 'poison'; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER refuse_${configId} BEFORE INSERT ON alerts FOR EACH ROW EXECUTE FUNCTION refuse_${configId}()`)
    .execute(server.db);
}

/** Adds a default channel that matches every event. It's disabled, so nothing is sent. */
async function addDefaultChannel({ api }: TestOrganization): Promise<void> {
  const { id } = await api.call('createNotificationChannel', {
    body: { name: 'nobody', url: 'https://hooks.example.org/', is_active: false },
  });
  await api.call('updateNotificationSettings', { body: { default_channel_id: id } });
}

/**
 * Returns the indexes of the two statements at the end of an evaluation: the one that completes the
 * configurations, and the one that schedules the notified channels. Channels must be locked last, because
 * many evaluations wait for these locks.
 */
function lastStatements(texts: readonly string[]): { done: number; told: number } {
  return {
    done: texts.findLastIndex((text) => /UPDATE "?alert_configs\b[^]*SET\s+processed_seq = /.test(text)),
    told: texts.findIndex((text) => /UPDATE "notification_channels"[^]*SET requested_seq = /.test(text)),
  };
}

test('configurations are evaluated while those of another organization in the same batch wait for a lock', async () => {
  const [locked, other] = [await server.createOrganization(), await server.createOrganization()];
  const openAlerts = async ({ api }: TestOrganization) => (await api.call('getAlertSummary')).open;
  for (const organization of [locked, other]) {
    await addDefaultChannel(organization);
    const { configId: id } = await createMonitoredSoftware(server, organization, { deployed: '3.0.0' });
    await expect
      .poll(async () => (await organization.api.call('getAlertConfig', { path: { id } })).state, {
        timeout: 60_000,
      })
      .toBe('ok');
  }
  const isOfThem = sql`organization_id = ANY(${[locked.id, other.id]}::bigint[])`;
  await sql`UPDATE scrape_jobs SET latest_version = '1.0.0' WHERE ${isOfThem}`.execute(server.db);
  await transaction(server.db, async (tx) => {
    await sql`SELECT FROM notification_channels WHERE organization_id = ${locked.id} FOR UPDATE`.execute(tx);
    // Without a wake-up, the loop claims both configurations at its next poll.
    await sql`UPDATE alert_configs SET requested_seq = requested_seq + 1, due_at = pacekeeper_now() WHERE ${isOfThem}`.execute(
      server.db,
    );
    // This timeout is shorter than the timeout of the statement that waits for the lock.
    await expect.poll(() => openAlerts(other), { timeout: 25_000 }).toBe(1);
    expect(await openAlerts(locked)).toBe(0);
  });
  await expect.poll(() => openAlerts(locked), { timeout: 60_000 }).toBe(1);
});

describe('a manual evaluation', () => {
  test('locks the notified channels last, just before its commit', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    await addDefaultChannel(organization);
    const { configId } = await createMonitoredSoftware(server, organization);
    await expect.poll(async () => (await api.call('getAlertSummary')).open).toBe(1);
    await addConfigs(organization, configId, 1);
    const texts = await server.statementsOf(() => api.call('evaluateRules'));
    const { done, told } = lastStatements(texts);
    expect(done).toBeGreaterThan(0);
    expect(told).toBeGreaterThan(done);
  });

  test('updates and completes a configuration in one statement', async () => {
    const organization = await server.createOrganization();
    const { configId } = await createMonitoredSoftware(server, organization);
    await addConfigs(organization, configId, 3);
    const texts = await server.statementsOf(() => organization.api.call('evaluateRules'));
    const writes = texts.filter((text) => /UPDATE "?alert_configs\b[^]*\bstate = /.test(text));
    expect(writes.length).toBeGreaterThan(0);
    for (const text of writes) {
      expect(text).toMatch(/\bprocessed_seq = requested_seq/);
      expect(text).toMatch(/INSERT INTO alert_config_explanations/);
    }
  });

  test('counts only the changes of the current call', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { configId, scrapeJobId, gatherJobId } = await createMonitoredSoftware(server, organization, {
      deployed: null,
    });
    await expect
      .poll(async () => (await api.call('getAlertConfig', { path: { id: configId } })).last_evaluated_at)
      .not.toBeNull();
    expect(await api.call('evaluateRules')).toMatchObject({
      evaluated: 1,
      no_data: 1,
      unchanged: 1,
      alerts_created: 0,
    });

    // Sets the version without the wake-up that a run sends, so that the manual evaluation is the first to detect the
    // change.
    const deploy = (version: string) =>
      sql`UPDATE scrape_jobs SET latest_version = ${version} WHERE id = ${scrapeJobId}`.execute(server.db);
    await deploy('2.0.0');
    expect(await api.call('evaluateRules')).toMatchObject({ evaluated: 1, alerts_created: 1, unchanged: 0 });
    expect(await api.call('evaluateRules')).toMatchObject({ evaluated: 1, alerts_created: 0, unchanged: 1 });
    await deploy('1.0.0');
    expect(await api.call('evaluateRules')).toMatchObject({ alerts_escalated: 1, alerts_updated: 0 });
    await addReleases(server.db, organization.id, gatherJobId, ['3.1.0']);
    expect(await api.call('evaluateRules')).toMatchObject({ alerts_updated: 1, alerts_escalated: 0 });
    await deploy('3.1.0');
    expect(await api.call('evaluateRules')).toMatchObject({ alerts_resolved: 1, failed: 0, remaining: 0 });
  });

  test('opens only one alert per configuration when several calls run concurrently', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { configId } = await createMonitoredSoftware(server, organization);
    await addConfigs(organization, configId, 20);
    const counts = await Promise.all(Array.from({ length: 6 }, () => api.call('evaluateRules')));
    expect(counts.map((count) => count.evaluated)).toEqual([21, 21, 21, 21, 21, 21]);
    expect((await api.call('getAlertSummary')).open).toBe(21);
  });

  test('processes more than one batch', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { configId } = await createMonitoredSoftware(server, organization);
    await addConfigs(organization, configId, 1_000);
    expect(await api.call('evaluateRules')).toMatchObject({ evaluated: 1_001, failed: 0, remaining: 0 });
    expect((await api.call('getAlertSummary')).open).toBe(1_001);
  });

  test('lets evaluations of other organizations run after each of its batches', async () => {
    const [large, small] = [await server.createOrganization(), await server.createOrganization()];
    const { configId } = await createMonitoredSoftware(server, large);
    await addConfigs(large, configId, 150);
    await createMonitoredSoftware(server, small);
    const isSmallDone = Promise.withResolvers<void>();
    const owners: (number | string)[] = [];
    const { evaluateRules } = evaluateHandlers({
      db: server.db,
      log: createSilentLog(),
      releaseCache: createReleaseCache(),
      evaluationTurns: {
        begin: () => Promise.reject(new Error('requests run their work in turns')),
        async run(owner, work) {
          owners.push(owner);
          if (owner === large.id && owners.length > 1) await isSmallDone.promise;
          return work();
        },
      },
    });
    const evaluate = async ({ id: organizationId }: TestOrganization) => {
      const response = await evaluateRules({
        caller: { organizationId },
        signal: new AbortController().signal,
      } as Parameters<typeof evaluateRules>[0]);
      return response === 'streamed' ? null : response.body.evaluated;
    };
    const evaluating = evaluate(large);
    await expect.poll(() => owners, { timeout: 60_000 }).toEqual([large.id, large.id]);
    expect(await evaluate(small)).toBe(1);
    isSmallDone.resolve();
    expect(await evaluating).toBe(151);
    expect(owners.slice(0, 3)).toEqual([large.id, large.id, small.id]);
    // The large organization needs more batches on a slow machine, because their size adapts to their duration.
    expect(new Set(owners.slice(3))).not.toContain(small.id);
  });

  test('counts a configuration that fails and still evaluates the others', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { configId } = await createMonitoredSoftware(server, organization, { deployed: null });
    await addConfigs(organization, configId, 9);
    await makeAlertsFail(configId);
    await sql`UPDATE scrape_jobs SET latest_version = '1.0.0' WHERE organization_id = ${organization.id}`.execute(
      server.db,
    );
    expect(await api.call('evaluateRules')).toMatchObject({
      evaluated: 9,
      alerts_created: 9,
      failed: 1,
      remaining: 0,
    });
    expect((await api.call('getAlertSummary')).open).toBe(9);
  });

  test('skips the configurations of a disabled rule', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { ruleId } = await createMonitoredSoftware(server, organization);
    await api.call('toggleRule', { path: { id: ruleId } });
    expect(await api.call('evaluateRules')).toMatchObject({ evaluated: 0, remaining: 0 });
  });
});

describe('an automatic evaluation', () => {
  test('locks the notified channels last, just before its commit', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    await addDefaultChannel(organization);
    const { scrapeJobId, configId } = await createMonitoredSoftware(server, organization, { deployed: null });
    await expect
      .poll(async () => (await api.call('getAlertConfig', { path: { id: configId } })).last_evaluated_at)
      .not.toBeNull();
    const texts = await server.statementsOf(async () => {
      await api.call('setScrapeJobVersion', { path: { id: scrapeJobId }, body: { version: '1.0.0' } });
      await expect.poll(async () => (await api.call('getAlertSummary')).open).toBe(1);
    });
    const { done, told } = lastStatements(texts);
    expect(done).toBeGreaterThan(0);
    expect(told).toBeGreaterThan(done);
  });

  test('takes no leases unless something fails', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { configId, scrapeJobId } = await createMonitoredSoftware(server, organization, { deployed: null });
    await addConfigs(organization, configId, 20);
    const texts = await server.statementsOf(async () => {
      await api.call('setScrapeJobVersion', { path: { id: scrapeJobId }, body: { version: '1.0.0' } });
      await expect.poll(async () => (await api.call('getAlertSummary')).open).toBe(21);
    });
    expect(
      texts.filter((text) => /UPDATE "alert_configs"[^]*SET lease_token = gen_random/.test(text)),
    ).toEqual([]);
  });

  test('evaluates all 1,000 configurations of a scrape job when its version is set', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { configId, scrapeJobId } = await createMonitoredSoftware(server, organization, { deployed: null });
    await addConfigs(organization, configId, 999);
    await api.call('setScrapeJobVersion', { path: { id: scrapeJobId }, body: { version: '1.0.0' } });
    await expect.poll(async () => (await api.call('getAlertSummary')).open).toBe(1_000);
  });

  test('evaluates the other configurations of a batch when one of them fails', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { configId, scrapeJobId } = await createMonitoredSoftware(server, organization, { deployed: null });
    await addConfigs(organization, configId, 30);
    await makeAlertsFail(configId);
    await api.call('setScrapeJobVersion', { path: { id: scrapeJobId }, body: { version: '1.0.0' } });
    await expect.poll(async () => (await api.call('getAlertSummary')).open).toBe(30);
  });

  test('updates an open alert in place when the thresholds change', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { ruleId } = await createMonitoredSoftware(server, organization);
    await expect.poll(async () => (await api.call('listAlerts', {})).items[0]?.severity).toBe('high');
    const [before] = (await api.call('listAlerts', {})).items;
    await api.call('updateRule', { path: { id: ruleId }, body: { thresholds: { critical: 2 } } });
    await expect
      .poll(async () => (await api.call('listAlerts', {})).items)
      .toMatchObject([{ id: before!.id, severity: 'critical' }]);
    expect((await api.call('getAlert', { path: { id: before!.id } })).escalated_at).not.toBeNull();
  });
});
