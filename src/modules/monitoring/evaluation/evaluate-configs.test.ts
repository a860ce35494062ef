import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { resetClockOffset, setClockOffset } from '../../../../tests/helpers/database.ts';
import { addReleases, createMonitoredSoftware, type Monitored } from '../../../../tests/helpers/monitored.ts';
import { silenceWakeUps } from '../../../../tests/helpers/silence-wake-ups.ts';
import { startTestServer } from '../../../../tests/helpers/test-server.ts';
import { type Tx, transaction } from '../../../platform/database/index.ts';
import { recordVersion } from '../../deployed/index.ts';
import { triggerEvaluation } from '../trigger-evaluation.ts';
import { evaluateConfigs } from './evaluate-configs.ts';
import { lockConfigsToEvaluate } from './evaluation-queries.ts';
import { createReleaseCache, type ReleaseCache } from './release-cache.ts';

const server = await startTestServer();
const { db } = server;
afterAll(silenceWakeUps(server.db));

afterEach(() => resetClockOffset(db));

/**
 * Creates an evaluated configuration that is 60 days behind. Its thresholds are moderate at 30 days and
 * critical at 65 days.
 */
async function createEvaluated() {
  const organization = await server.createOrganization();
  const { api } = organization;
  const monitored = await createMonitoredSoftware(server, organization, {
    rule: {
      rule_type: 'days_behind',
      thresholds: { moderate: 30, critical: 65 },
      days_basis: 'deployed_release',
    },
  });
  const path = { id: monitored.configId };
  /**
   * Evaluates the configuration directly.
   * @returns The number of gather jobs whose releases were loaded.
   */
  const evaluate = async (): Promise<number> => {
    let wanted = 0;
    const cache = createReleaseCache();
    const counting: ReleaseCache = {
      ...cache,
      load(reader, jobs) {
        wanted += jobs.length;
        return cache.load(reader, jobs);
      },
    };
    await transaction(db, async (tx) => {
      const locked = await lockConfigsToEvaluate(tx, sql`id = ${monitored.configId}`);
      await evaluateConfigs(tx, locked, counting);
    });
    return wanted;
  };
  const read = () => api.call('getAlertConfig', { path });
  await api.call('evaluateRules');
  // Evaluate again, because the first evaluation after a change is always followed by another one that verifies that
  // the result is stable.
  await evaluate();
  expect(await evaluate()).toBe(0);
  return { ...monitored, organization, api, path, evaluate, read };
}

describe('a configuration that was already compared', () => {
  test("isn't compared again, and stays due at the same time", async () => {
    const { evaluate, read } = await createEvaluated();
    const before = await read();
    expect(before).toMatchObject({ severity: 'moderate', next_evaluation_at: expect.any(String) });
    await setClockOffset(db, '4 days');
    expect(await evaluate()).toBe(0);
    const { last_evaluated_at, ...after } = await read();
    expect(after).toMatchObject({ severity: 'moderate', next_evaluation_at: before.next_evaluation_at });
    expect(Date.parse(last_evaluated_at!) - Date.parse(before.last_evaluated_at!)).toBeGreaterThan(
      3 * 86_400_000,
    );
  });

  test('is compared again when it is due', async () => {
    const { evaluate, read } = await createEvaluated();
    await setClockOffset(db, '6 days');
    await evaluate();
    expect(await read()).toMatchObject({ severity: 'critical', next_evaluation_at: null });
    await evaluate();
    expect(await evaluate()).toBe(0);
  });

  test('is compared again when the clock is set back to before the last comparison', async () => {
    const { evaluate, read } = await createEvaluated();
    await setClockOffset(db, '-40 days');
    expect(await evaluate()).toBe(1);
    expect(await read()).toMatchObject({ state: 'ok' });
  });

  test.each<[string, (made: Awaited<ReturnType<typeof createEvaluated>>) => Promise<unknown>]>([
    [
      'a release is added',
      ({ organization, gatherJobId }) => addReleases(db, organization.id, gatherJobId, ['9.0.0']),
    ],
    [
      'the deployed version changes',
      ({ scrapeJobId }) =>
        sql`UPDATE scrape_jobs SET latest_version = '2.0.0' WHERE id = ${scrapeJobId}`.execute(db),
    ],
    [
      'its rule changes',
      ({ ruleId }) => sql`UPDATE rules SET threshold_high = 40 WHERE id = ${ruleId}`.execute(db),
    ],
    [
      'its rule is disabled',
      ({ ruleId }) => sql`UPDATE rules SET is_active = false WHERE id = ${ruleId}`.execute(db),
    ],
    [
      'its candidate pattern changes',
      ({ configId }) =>
        sql`UPDATE alert_configs SET candidate_pattern = '^2' WHERE id = ${configId}`.execute(db),
    ],
    [
      'its source fails',
      ({ gatherJobId }) =>
        sql`UPDATE gather_jobs SET failing_since = pacekeeper_now() WHERE id = ${gatherJobId}`.execute(db),
    ],
    [
      'its list of releases is cut',
      ({ gatherJobId }) =>
        sql`UPDATE gather_jobs SET list_incomplete_since = pacekeeper_now() WHERE id = ${gatherJobId}`.execute(
          db,
        ),
    ],
    [
      'its alert is resolved manually',
      ({ configId }) =>
        sql`UPDATE alerts SET resolved_at = pacekeeper_now(), resolution = 'manual' WHERE alert_config_id = ${configId}`.execute(
          db,
        ),
    ],
    [
      'its alert is snoozed',
      async ({ read }) =>
        sql`UPDATE alerts SET snoozed_until = pacekeeper_now() + interval '1 hour' WHERE id = ${(await read()).active_alert_id}`.execute(
          db,
        ),
    ],
    [
      'the server version changes',
      ({ configId }) =>
        sql`UPDATE alert_configs SET steady_fingerprint = 'of another one' WHERE id = ${configId}`.execute(
          db,
        ),
    ],
  ])('is compared again when %s', async (_what, change) => {
    const made = await createEvaluated();
    await change(made);
    expect(await made.evaluate()).toBe(1);
  });
});

describe('the creation of a configuration', () => {
  /**
   * Creates a configuration before the transaction of `change` is committed. If a lock delays the creation,
   * the configuration is created after the commit.
   * @returns The configuration after its evaluation.
   */
  async function createDuring(
    change: (tx: Tx, organizationId: number, monitored: Monitored) => Promise<unknown>,
  ) {
    const organization = await server.createOrganization();
    const { api } = organization;
    const monitored = await createMonitoredSoftware(server, organization);
    await api.call('deleteAlertConfig', { path: { id: monitored.configId } });
    const { created } = await transaction(db, async (tx) => {
      await change(tx, organization.id, monitored);
      const created = api.call('createAlertConfig', {
        body: {
          name: 'web again',
          scrape_job_id: monitored.scrapeJobId,
          gather_job_id: monitored.gatherJobId,
          rule_id: monitored.ruleId,
        },
      });
      await expect
        .poll(async () => (await isWaiting()) || (await isEvaluated(organization.id)), { interval: 20 })
        .toBe(true);
      return { created };
    });
    const path = { id: (await created).id };
    await expect.poll(() => isEvaluated(organization.id)).toBe(true);
    return api.call('getAlertConfig', { path });
  }

  async function isWaiting(): Promise<boolean> {
    const { rows } = await sql`
      SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
    return rows.length > 0;
  }

  async function isEvaluated(organizationId: number): Promise<boolean> {
    const { rows } = await sql`
      SELECT 1 FROM alert_configs
      WHERE organization_id = ${organizationId} AND processed_seq = requested_seq AND last_evaluated_at IS NOT NULL`.execute(
      db,
    );
    return rows.length > 0;
  }

  test('includes a version that is recorded at the same time', async () => {
    const config = await createDuring((tx, organizationId, { scrapeJobId }) =>
      recordVersion(tx, 'manual', {
        organizationId,
        scrapeJobId,
        rawVersion: '3.0.0',
        commitSha: null,
      }),
    );
    expect(config).toMatchObject({ deployed_version: '3.0.0', state: 'ok' });
  });

  test('includes a rule that is updated at the same time', async () => {
    const config = await createDuring(async (tx, organizationId, { ruleId }) => {
      await sql`UPDATE rules SET threshold_high = NULL WHERE id = ${ruleId}`.execute(tx);
      await triggerEvaluation(tx, { organizationId, ruleId });
    });
    expect(config).toMatchObject({ severity: 'moderate' });
  });
});
