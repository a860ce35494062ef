import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { setClockOffset } from '../../tests/helpers/database.ts';
import { createDeliveryFixture } from '../../tests/helpers/delivery-fixture.ts';
import { pollUntil } from '../../tests/helpers/delivery-world.ts';
import { recordUnchanged } from '../../tests/helpers/runs-fixture.ts';
import { inParts, item } from '../../tests/helpers/upstream-fixture.ts';
import { type RecoveryEventType, recoveryEvents } from '../domain/routing/notification-event.ts';
import { reportTargets } from '../modules/freshness/targets/report-targets.ts';
import { disableChannels } from '../modules/notifications/deliveries/worker/disable-channels.ts';
import {
  endProblemsOfRemovedProvidersAcrossOrganizations,
  endProviderProblemAcrossOrganizations,
  notifyRejectedClientAcrossOrganizations,
  planServiceEvent,
} from '../modules/notifications/index.ts';
import { startMovedReleasesLoop } from '../modules/upstream/index.ts';
import { recordReleases } from '../modules/upstream/releases/record-releases.ts';
import { transaction } from '../platform/database/index.ts';
import { createSilentLog } from '../platform/log.ts';
import { housekeepingTasks } from './housekeeping-tasks.ts';

const { db, world, inbox, answers, setUp, allFinal, trigger } = await createDeliveryFixture();
world.startLoop();
const tasks = housekeepingTasks({ onRun: () => undefined, log: createSilentLog() });

beforeAll(async () => {
  await sql`INSERT INTO housekeeping_tasks (name) SELECT unnest(${tasks.map((task) => task.name)}::text[])`.execute(
    db,
  );
});

async function run(name: string): Promise<void> {
  const task = tasks.find((each) => each.name === name)!;
  while ((await transaction(db, (tx) => task.run(tx))) !== 'done');
}

const pagerduty = { preset: 'pagerduty', presetOptions: { routing_key: 'R'.repeat(32) } };

type Organization = Awaited<ReturnType<typeof setUp>>;

interface Incident {
  event_action: string;
  dedup_key: string;
}

const incidents = ({ received }: Organization) => received().map(({ body }) => JSON.parse(body) as Incident);

/**
 * A problem, with the functions that begin and end it. Each function returns after housekeeping has seen the
 * change.
 */
interface ReportedProblem {
  begin(organizationId: number): Promise<{ id: number }>;
  recover(organizationId: number, id: number): Promise<void>;
  remove(organizationId: number, id: number): Promise<void>;
}

async function idOf(query: ReturnType<typeof sql<{ id: number }>>): Promise<number> {
  const { rows } = await query.execute(db);
  return rows[0]!.id;
}

const deleteFrom = (table: string, watch: string) => async (organizationId: number, id: number) => {
  await sql`DELETE FROM ${sql.table(table)} WHERE organization_id = ${organizationId} AND id = ${id}`.execute(
    db,
  );
  await run(watch);
};

/** Creates a job without a success for days. */
async function createSilentJob(organizationId: number): Promise<number> {
  return idOf(sql<{ id: number }>`
    INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme, cron_expression,
      created_at, updated_at)
    VALUES (${organizationId}, 'nginx', 'github_releases', 'github.com/nginx/nginx', 'auto', '@hourly',
      pacekeeper_now() - interval '9 days', pacekeeper_now() - interval '9 days') RETURNING id`);
}

/** Creates a second channel, which has the problem and never receives anything. */
async function createOtherChannel(organizationId: number): Promise<number> {
  const url = `${inbox.url}other-${organizationId}`;
  return world.createChannel(organizationId, { url, name: 'Other' });
}

const measure = (organizationId: number, id: number, day: number, isMet: boolean) =>
  transaction(db, (tx) =>
    reportTargets(
      tx,
      organizationId,
      [{ id, known: 3, unknown: 0, outOfTarget: isMet ? 0 : 1, forecast30d: 0, isMet }],
      Date.UTC(2026, 2, day),
    ),
  );

async function setChannel(id: number, change: ReturnType<typeof sql>): Promise<void> {
  await sql`UPDATE notification_channels SET ${change} WHERE id = ${id}`.execute(db);
  await run('watch-channels');
}

const problems: Record<RecoveryEventType, ReportedProblem> = {
  'job.recovered': {
    async begin(organizationId) {
      const id = await createSilentJob(organizationId);
      await run('watch-sources');
      return { id };
    },
    async recover(organizationId, jobId) {
      await transaction(db, (tx) => recordUnchanged(tx, 'gather', [{ organizationId, jobId }]));
      await run('watch-recovered-sources');
    },
    remove: deleteFrom('gather_jobs', 'watch-recovered-sources'),
  },
  'agent.online': {
    async begin(organizationId) {
      const id = await idOf(sql<{ id: number }>`
        INSERT INTO agents (organization_id, name, kind, hostname, version, capabilities, credential_names, last_heartbeat_at)
        VALUES (${organizationId}, 'dc-1', 'remote', 'host', '1', '{}', '{}', pacekeeper_now() - interval '2 minutes')
        RETURNING id`);
      await run('watch-agents');
      return { id };
    },
    async recover(_organizationId, id) {
      await sql`
        UPDATE agents SET last_heartbeat_at = pacekeeper_now(), offline_notified_at = NULL WHERE id = ${id}`.execute(
        db,
      );
      await run('watch-agents');
    },
    remove: deleteFrom('agents', 'watch-agents'),
  },
  'login_provider.recovered': {
    async begin(organizationId) {
      const email = `owner-${organizationId}@example.org`;
      const userId = await idOf(sql<{ id: number }>`
        INSERT INTO users (email, name, password_hash) VALUES (${email}, 'Owner', '') RETURNING id`);
      await sql`
        INSERT INTO memberships (organization_id, user_id, role) VALUES (${organizationId}, ${userId}, 'owner')`.execute(
        db,
      );
      const provider = { id: `corp-${organizationId}`, name: 'Corp' };
      await transaction(db, (tx) =>
        notifyRejectedClientAcrossOrganizations(tx, { userId, identityId: 1, provider }),
      );
      return { id: organizationId };
    },
    recover: (organizationId) =>
      transaction(db, (tx) =>
        endProviderProblemAcrossOrganizations(tx, `corp-${organizationId}`, 'recovered'),
      ),
    remove: () => transaction(db, (tx) => endProblemsOfRemovedProvidersAcrossOrganizations(tx, [])),
  },
  'target.met': {
    async begin(organizationId) {
      const id = await idOf(sql<{ id: number }>`
        INSERT INTO freshness_targets (organization_id, name, metric, max_value, goal_percent)
        VALUES (${organizationId}, 'Soon', 'majors', 1, 100) RETURNING id`);
      await measure(organizationId, id, 1, true);
      await measure(organizationId, id, 2, false);
      await measure(organizationId, id, 3, false);
      return { id };
    },
    async recover(organizationId, id) {
      await measure(organizationId, id, 4, true);
      await measure(organizationId, id, 5, true);
    },
    remove: deleteFrom('freshness_targets', 'schedule-freshness'),
  },
  'channel.enabled': {
    async begin(organizationId) {
      const id = await createOtherChannel(organizationId);
      const rejected = { organizationId, channelId: id, channelName: 'Other', deliveryId: 0 };
      await transaction(db, (tx) => disableChannels(tx, [rejected], 'gone'));
      return { id };
    },
    recover: (_organizationId, id) => setChannel(id, sql`is_active = true`),
    remove: deleteFrom('notification_channels', 'watch-channels'),
  },
  'channel.recovered': {
    async begin(organizationId) {
      const id = await createOtherChannel(organizationId);
      await setChannel(
        id,
        sql`failing_since = pacekeeper_now() - interval '1 hour', consecutive_failures = 5`,
      );
      return { id };
    },
    recover: (_organizationId, id) =>
      setChannel(
        id,
        sql`failing_since = NULL, consecutive_failures = 0, last_success_at = pacekeeper_now() + interval '1 second'`,
      ),
    remove: deleteFrom('notification_channels', 'watch-channels'),
  },
  'delivery.recovered': {
    async begin(organizationId) {
      const id = await createOtherChannel(organizationId);
      await setChannel(id, sql`last_dead_letter_at = pacekeeper_now()`);
      return { id };
    },
    async recover(_organizationId, id) {
      await setChannel(id, sql`last_success_at = pacekeeper_now() + interval '1 second'`);
      await setClockOffset(db, '25 hours');
      await run('watch-channels');
    },
    remove: deleteFrom('notification_channels', 'watch-channels'),
  },
};

describe.each(Object.keys(problems) as RecoveryEventType[])('an incident ended by %s', (type) => {
  const { begin, recover, remove } = problems[type];

  test.each([
    ['a recovery', recover, 'recovered'],
    ['a deletion', remove, 'deleted'],
  ] as const)('is resolved once, with the key that opened it, by %s', async (_how, end, resolution) => {
    const organization = await setUp(pagerduty);
    const { organizationId } = organization;
    const { id } = await begin(organizationId);
    await pollUntil(async () => incidents(organization).length === 1);
    await end(organizationId, id);
    await pollUntil(async () => incidents(organization).length === 2);
    for (const task of ['watch-recovered-sources', 'watch-agents', 'watch-channels', 'schedule-freshness'])
      await run(task);
    const [opened, closed] = incidents(organization);
    expect(opened!.event_action).toBe('trigger');
    expect(closed).toMatchObject({ event_action: 'resolve', dedup_key: opened!.dedup_key });
    expect(await allFinal(organizationId, 2)).toMatchObject([
      { event_type: expect.stringMatching(/failing|offline|missed|disabled|failed/) },
      { event_type: type },
    ]);
    const { rows } = await sql<{ data: Record<string, { resolution: string }> }>`
      SELECT data FROM audit_entries WHERE organization_id = ${organizationId} AND event_type = ${type}`.execute(
      db,
    );
    expect(rows.flatMap(({ data }) => Object.values(data))).toMatchObject([{ resolution }]);
  });
});

test('every event about a problem has a test of its end', () => {
  expect(new Set(Object.keys(problems))).toEqual(new Set(Object.values(recoveryEvents)));
});

describe('the end of a problem', () => {
  const { begin, recover } = problems['job.recovered'];

  test('reaches the channel that has the report, even if the default channel has changed and the deliveries were deleted', async () => {
    const organization = await setUp(pagerduty);
    const { organizationId } = organization;
    const { id } = await begin(organizationId);
    await allFinal(organizationId, 1);
    await sql`
      WITH attempts AS (DELETE FROM delivery_attempts WHERE organization_id = ${organizationId})
      DELETE FROM notification_deliveries WHERE organization_id = ${organizationId}`.execute(db);
    const otherId = await createOtherChannel(organizationId);
    await world.setSetting(organizationId, 'default_notification_channel_id', otherId);
    await recover(organizationId, id);
    expect(await allFinal(organizationId, 1)).toMatchObject([
      { channel_id: organization.channelId, event_type: 'job.recovered' },
    ]);
    expect(incidents(organization)).toMatchObject([{ event_action: 'trigger' }, { event_action: 'resolve' }]);
  });

  test('waits for a report that its receiver has not accepted yet', async () => {
    const organization = await setUp(pagerduty);
    const { organizationId, path } = organization;
    answers.set(path, { status: 500 });
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [3_600]);
    const { id } = await begin(organizationId);
    await pollUntil(async () => (await world.deliveries(organizationId))[0]?.status === 'failed');
    answers.delete(path);
    await recover(organizationId, id);
    await trigger(organizationId);
    // An event about an alert isn't delayed.
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await allFinal(organizationId, 1);
    expect(incidents(organization).filter(({ event_action }) => event_action === 'resolve')).toEqual([]);
    await setClockOffset(db, '2 hours');
    await trigger(organizationId);
    await allFinal(organizationId, 3);
    const key = incidents(organization)[0]!.dedup_key;
    expect(incidents(organization).filter(({ dedup_key }) => dedup_key === key)).toMatchObject([
      { event_action: 'trigger' },
      { event_action: 'trigger' },
      { event_action: 'resolve' },
    ]);
  });

  test('reaches every organization that was notified of a global job', async () => {
    const [first, second] = [await setUp(pagerduty), await setUp(pagerduty)];
    const jobId = await createSilentJob(1);
    for (const { organizationId } of [first, second]) {
      await world.createAlerts(organizationId);
      await sql`
        UPDATE alert_configs SET gather_organization_id = 1, gather_job_id = ${jobId}
        WHERE organization_id = ${organizationId}`.execute(db);
    }
    await run('watch-sources');
    for (const organization of [first, second])
      await pollUntil(async () => incidents(organization).length === 1);
    await recover(1, jobId);
    for (const organization of [first, second])
      await pollUntil(async () => incidents(organization)[1]?.event_action === 'resolve');
  });

  test('is not reported to a channel that doesn’t have the report, unless a notification rule lists the event', async () => {
    const { organizationId, channelId } = await setUp(pagerduty);
    const [ruled, otherId] = [
      await createOtherChannel(organizationId),
      await createOtherChannel(organizationId),
    ];
    await sql`
      INSERT INTO notification_rules (organization_id, name, event_types, channel_ids)
      VALUES (${organizationId}, 'failing', '{job.failing}', ${[channelId]}::bigint[]),
        (${organizationId}, 'recovered', '{job.recovered}', ${[ruled]}::bigint[])`.execute(db);
    await world.setSetting(organizationId, 'default_notification_channel_id', otherId);
    const { id } = await begin(organizationId);
    await allFinal(organizationId, 1);
    await recover(organizationId, id);
    const deliveries = await allFinal(organizationId, 3);
    expect(deliveries.map(({ event_type, channel_id }) => [event_type, channel_id]).toSorted()).toEqual(
      [
        ['job.failing', channelId],
        ['job.recovered', channelId],
        ['job.recovered', ruled],
      ].toSorted(),
    );
  });

  test('of a version tracker or source that loses its schedule allows a new report when it has a schedule again', async () => {
    const organization = await setUp(pagerduty);
    const { organizationId } = organization;
    const { id } = await begin(organizationId);
    await sql`UPDATE gather_jobs SET cron_expression = NULL WHERE id = ${id}`.execute(db);
    await run('watch-recovered-sources');
    await sql`UPDATE gather_jobs SET cron_expression = '@hourly' WHERE id = ${id}`.execute(db);
    // Pretend that the job was last edited days ago, because a recent edit would delay the report.
    await sql`UPDATE gather_jobs SET updated_at = created_at WHERE id = ${id}`.execute(db);
    await run('watch-sources');
    await pollUntil(async () => incidents(organization).length === 3);
    expect(incidents(organization).map(({ event_action }) => event_action)).toEqual([
      'trigger',
      'resolve',
      'trigger',
    ]);
  });

  test('is reported after a run of the version tracker or source succeeds, not when the tracker or source is disabled', async () => {
    const organization = await setUp(pagerduty);
    const { organizationId } = organization;
    const { id } = await begin(organizationId);
    await sql`UPDATE gather_jobs SET is_active = false WHERE id = ${id}`.execute(db);
    await run('watch-recovered-sources');
    expect((await allFinal(organizationId, 1)).length).toBe(1);
    await recover(organizationId, id);
    await pollUntil(async () => incidents(organization).length === 2);
  });
});

test('housekeeping locks channels before problems, in the same order as recording attempts', async () => {
  const { organizationId } = await setUp(pagerduty);
  const { id } = await problems['channel.enabled'].begin(organizationId);
  await sql`UPDATE notification_channels SET is_active = true WHERE id = ${id}`.execute(db);
  const watch = await transaction(db, async (tx) => {
    await sql`SELECT FROM notification_channels WHERE organization_id = ${organizationId} FOR NO KEY UPDATE`.execute(
      tx,
    );
    const promise = run('watch-channels');
    await pollUntil(
      async () =>
        (await sql`SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'`.execute(db)).rows
          .length > 0,
    );
    const locked = await sql`
      SELECT FROM reported_troubles WHERE organization_id = ${organizationId} FOR UPDATE SKIP LOCKED`.execute(
      tx,
    );
    expect(locked.rows).toHaveLength(1);
    return { promise };
  });
  await watch.promise;
});

test('a failing channel that is disabled closes its report, and is reported again if it fails after it is enabled', async () => {
  const organization = await setUp(pagerduty);
  const { organizationId } = organization;
  const { id } = await problems['channel.recovered'].begin(organizationId);
  await setChannel(id, sql`is_active = false`);
  await setChannel(id, sql`is_active = true`);
  await pollUntil(async () => incidents(organization).length === 3);
  expect(incidents(organization).map(({ event_action }) => event_action)).toEqual([
    'trigger',
    'resolve',
    'trigger',
  ]);
});

test('a monthly report opens no incident, and its delivery says why nothing was sent', async () => {
  const organization = await setUp(pagerduty);
  const { organizationId } = organization;
  const report = {
    month: '2026-02',
    things: 1,
    libyears: 0,
    libyears_before: null,
    within_percent: null,
    within_percent_before: null,
    targets_met: 0,
    target_count: 0,
    furthest_behind: null,
  };
  await transaction(db, (tx) =>
    planServiceEvent(tx, organizationId, { type: 'freshness.report', data: { report } }),
  );
  expect(await allFinal(organizationId, 1)).toMatchObject([{ status: 'succeeded', reason: 'no_incident' }]);
  expect(incidents(organization)).toEqual([]);
});

describe('a moved release', () => {
  async function move(organizationId: number): Promise<void> {
    const jobId = await idOf(sql`
      INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme)
      VALUES (${organizationId}, 'action', 'git_tags', 'https://github.com/acme/setup.git', 'auto') RETURNING id`);
    const deps = { findVersions: () => Promise.reject(new Error('no pattern')) };
    const outcome = { isCompleteList: true, validators: null };
    for (const letter of ['a', 'e']) {
      const parts = inParts([item('v4.1.2', { commit: letter.repeat(40) })], 1);
      await transaction(db, (tx) => recordReleases(tx, deps, { organizationId, jobId }, parts, outcome));
    }
    const loop = startMovedReleasesLoop({ db, log: createSilentLog() });
    try {
      const waiting = () =>
        sql`SELECT FROM release_moves WHERE organization_id = ${organizationId}`.execute(db);
      await expect.poll(async () => (await waiting()).rows, { timeout: 60_000 }).toEqual([]);
    } finally {
      await loop.stop();
    }
  }

  test('is reported to the default channel with its old and new commit', async () => {
    const organization = await setUp();
    await move(organization.organizationId);
    expect(await allFinal(organization.organizationId, 1)).toMatchObject([
      { event_type: 'release.moved', status: 'succeeded' },
    ]);
    const [message] = organization.received();
    expect(JSON.parse(message!.body)).toMatchObject({
      type: 'release.moved',
      data: {
        event: 'release.moved',
        release: {
          id: expect.any(Number),
          url: expect.stringMatching(/\/releases\/\d+$/),
          version: 'v4.1.2',
          from: 'a'.repeat(40),
          to: 'e'.repeat(40),
        },
      },
    });
  });

  test('opens no incident, because no later event would end it', async () => {
    const organization = await setUp(pagerduty);
    await move(organization.organizationId);
    expect(await allFinal(organization.organizationId, 1)).toMatchObject([
      { status: 'succeeded', reason: 'no_incident' },
    ]);
    expect(incidents(organization)).toEqual([]);
  });
});
