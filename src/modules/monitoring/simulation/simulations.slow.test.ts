import type { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { createMonitoredSoftware } from '../../../../tests/helpers/monitored.ts';
import { startTestServer, type TestOrganization } from '../../../../tests/helpers/test-server.ts';
import { transaction } from '../../../platform/database/index.ts';
import type { Caller } from '../../../platform/http/index.ts';
import { createSilentLog } from '../../../platform/log.ts';
import { createSimulations } from './simulations.ts';

const server = await startTestServer();
const options = {
  connection: server.connection,
  config: { databaseListenUrl: null, logLevel: 'silent', logFormat: 'json' },
  log: createSilentLog(),
} as const;
const watched = createSimulations({ ...options, stuckAfterMs: 3_000 });
const patient = createSimulations(options);
afterAll(() => Promise.all([watched.stop(), patient.stop()]));

const caller = { userId: 1, apiKeyId: null } as Caller;
const signal = new AbortController().signal;

function simulate({ id: organizationId }: TestOrganization) {
  const compared = {
    type: 'majors_behind' as const,
    thresholds: {
      moderate: 1,
      high: null,
      critical: null,
    },
    stableOnly: true,
    daysBasis: null,
    minReleaseAgeDays: 0,
  };
  const rule = { id: null, compared };
  const of = { kind: 'configs', selection: { kind: 'all' } } as const;
  return watched.run('simulation', { organizationId, days: 30, rule, of, before: null }, caller, signal);
}

const forecast = ({ id: organizationId }: TestOrganization, days = 30, simulations = watched) =>
  simulations.share('forecast', {
    organizationId,
    days,
    filters: {
      ruleId: null,
      label: null,
    },
    severity: null,
    limit: 10,
    offset: 0,
    after: null,
  });

test('a stuck thread is terminated, and the other pending requests complete in a new thread', async () => {
  const [stuck, other] = [await server.createOrganization(), await server.createOrganization()];
  await createMonitoredSoftware(server, stuck);
  await createMonitoredSoftware(server, other);
  // This forecast starts the thread.
  await forecast(other);
  const { failed, others } = await transaction(server.db, async (tx) => {
    await sql`LOCK TABLE versions IN ACCESS EXCLUSIVE MODE`.execute(tx);
    const failed = simulate(stuck).catch((error: unknown) => error);
    const waiting = forecast(stuck);
    return { failed: await failed, others: await Promise.all([waiting, forecast(other)]) };
  });
  expect(failed).toMatchObject({ code: 'unavailable' });
  expect(others).toMatchObject([{ forecast: { total: 0 } }, { forecast: { total: 0 } }]);
  expect(await simulate(stuck)).toMatchObject({ evaluated: 1 });
});

test('identical concurrent forecasts share a calculation, and an organization can have only a few pending forecasts', async () => {
  const organization = await server.createOrganization();
  const same = await Promise.all(Array.from({ length: 50 }, () => forecast(organization, 30, patient)));
  // The first forecast has already started when the other calls arrive, so the other calls share a second one.
  expect(new Set(same).size).toBe(2);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, days) => forecast(organization, days + 1, patient)),
  );
  const rejected = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(rejected).toHaveLength(4);
  expect(rejected[0]).toMatchObject({ code: 'rate_limited' });
});

test('a thread that exits fails only the running requests, and the waiting ones complete in a new thread', async () => {
  const threads: Worker[] = [];
  const onWorker = (worker: Worker) => void threads.push(worker);
  process.on('worker', onWorker);
  const crashing = createSimulations(options);
  try {
    const organizations: TestOrganization[] = [];
    for (let count = 0; count < 4; count++) organizations.push(await server.createOrganization());
    const outcomes = await transaction(server.db, async (tx) => {
      await sql`LOCK TABLE versions IN ACCESS EXCLUSIVE MODE`.execute(tx);
      const pending = Promise.allSettled(
        organizations.map((organization) => forecast(organization, 30, crashing)),
      );
      await expect.poll(() => threads).toHaveLength(1);
      await threads[0]!.terminate();
      return { pending };
    });
    const settled = await outcomes.pending;
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled']);
  } finally {
    process.off('worker', onWorker);
    await crashing.stop();
  }
});

test('a stop rejects all running, waiting, and later requests', async () => {
  const stopping = createSimulations(options);
  const organizations: TestOrganization[] = [];
  for (let count = 0; count < 4; count++) organizations.push(await server.createOrganization());
  const pending = Promise.allSettled(
    organizations.map((organization) => forecast(organization, 30, stopping)),
  );
  await stopping.stop();
  const rejected = { status: 'rejected', reason: { code: 'unavailable' } };
  expect(await pending).toMatchObject([rejected, rejected, rejected, rejected]);
  await expect(forecast(organizations[0]!, 30, stopping)).rejects.toMatchObject({ code: 'unavailable' });
});
