import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  createNotificationsServer,
  type TestCaller,
} from '../../../../tests/helpers/notifications-fixture.ts';
import type { Schemas } from '../../../generated/client-api.ts';

const { db, call, makeOrganization, meetingAt, statementsOf } = await createNotificationsServer();
type Rule = Schemas['NotificationRule'];
type Simulation = Schemas['NotificationRuleSimulationResult'];

const create = (as: TestCaller, body: object = {}) =>
  call<Rule>(as, 'POST /notification-rules', { name: 'A rule', ...body });
const get = (as: TestCaller, id: number) => call<Rule>(as, `GET /notification-rules/${id}`);
const update = (as: TestCaller, id: number, body: object) =>
  call<Rule>(as, `PUT /notification-rules/${id}`, body);
const toggle = (as: TestCaller, id: number) => call<Rule>(as, `POST /notification-rules/${id}/toggle`);
const simulate = async (as: TestCaller, id: number, body: object) =>
  (
    await call<Simulation>(as, `POST /notification-rules/${id}/simulate`, {
      severity: 'high',
      event_type: 'alert.created',
      ...body,
    })
  ).body;
const makeChannel = async (as: TestCaller, body: object = {}) =>
  (
    await call<{ id: number }>(as, 'POST /notification-channels', {
      name: 'Ops',
      url: 'https://hooks.chat.example/x',
      ...body,
    })
  ).body.id;

/**
 * Inserts a monitoring rule and a configuration that uses it, without the modules that usually create them.
 */
async function makeConfig(
  { organizationId }: TestCaller,
  labels: object = {},
  jobLabels: object = {},
): Promise<{ ruleId: number; configId: number }> {
  const { rows } = await sql<{ rule_id: number; config_id: number }>`
    WITH rule AS (
      INSERT INTO rules (organization_id, name, rule_type, threshold_high)
      VALUES (${organizationId}, 'Majors', 'majors_behind', 1) RETURNING id
    ), gather AS (
      INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme)
      VALUES (${organizationId}, 'nginx', 'github_releases', 'github.com/nginx/nginx', 'auto') RETURNING id
    ), scrape AS (
      INSERT INTO scrape_jobs (organization_id, name, parser_type, labels)
      VALUES (${organizationId}, 'nginx', 'manual', ${JSON.stringify(jobLabels)}::jsonb) RETURNING id
    )
    INSERT INTO alert_configs (organization_id, name, rule_id, gather_organization_id, gather_job_id, scrape_job_id, labels)
    SELECT ${organizationId}, 'nginx', rule.id, ${organizationId}, gather.id, scrape.id, ${JSON.stringify(labels)}::jsonb
    FROM rule, gather, scrape
    RETURNING rule_id, id AS config_id`.execute(db);
  return { ruleId: rows[0]!.rule_id, configId: rows[0]!.config_id };
}

async function setOwnerLabel({ organizationId }: TestCaller, label: string): Promise<void> {
  await sql`INSERT INTO settings (organization_id, key, value)
    VALUES (${organizationId}, 'notification.owner_label', ${JSON.stringify(label)}::jsonb)`.execute(db);
}

async function addMatch({ organizationId }: TestCaller, ruleId: number, age: string): Promise<string> {
  const eventId = randomUUID();
  await sql`
    INSERT INTO notification_rule_matches (organization_id, notification_rule_id, event_id, matched_at)
    VALUES (${organizationId}, ${ruleId}, ${eventId}, pacekeeper_now() - ${age}::interval)`.execute(db);
  return eventId;
}

describe('a notification rule', () => {
  test('is created with the defaults of the API contract', async () => {
    const as = await makeOrganization();
    const { status, body } = await create(as);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      name: 'A rule',
      description: '',
      priority: 100,
      severities: [],
      event_types: [],
      label_matchers: [],
      rule_ids: [],
      alert_config_ids: [],
      channel_ids: null,
      route_to_owner: false,
      stop_processing: false,
      is_active: true,
      inactive_reason: null,
      match_count: 0,
      last_matched_at: null,
      created_at: body.created_at,
      updated_at: body.updated_at,
      revision: 1,
    });
    expect((await get({ ...as, role: 'viewer' }, body.id)).body).toEqual(body);
  });

  test('stores all given fields, and an update changes only the fields it contains', async () => {
    const as = await makeOrganization();
    const { ruleId, configId } = await makeConfig(as);
    const channel = await makeChannel(as);
    const given = {
      description: 'Why',
      priority: 0,
      severities: ['critical', 'high'],
      event_types: ['alert.created'],
      label_matchers: [{ label: 'team', operator: '=~', value: 'a|b' }],
      rule_ids: [ruleId],
      alert_config_ids: [configId],
      channel_ids: [channel],
      route_to_owner: true,
      stop_processing: true,
      is_active: false,
    };
    const { body } = await create(as, { ...given, channel_ids: [channel, channel] });
    expect(body).toMatchObject(given);
    const { body: after } = await update(as, body.id, { severities: [], channel_ids: null });
    const { updated_at } = after;
    expect(after).toEqual({ ...body, severities: [], channel_ids: null, updated_at, revision: 2 });
  });

  test('is rejected with an empty list of channels or a pattern that RE2 rejects', async () => {
    const as = await makeOrganization();
    const { body: own } = await create(as);
    const matcher = (operator: string, value: string) => ({
      label_matchers: [{ label: 'team', operator, value }],
    });
    const bodies: [object, string][] = [
      [{ channel_ids: [] }, 'channel_ids'],
      [matcher('=~', '(?=a)'), 'label_matchers.0.value'],
      [matcher('!~', 'a)|(b'), 'label_matchers.0.value'],
    ];
    for (const [body, field] of bodies) {
      for (const refused of [await create(as, body), await update(as, own.id, body)]) {
        expect(refused).toMatchObject({ status: 400, body: { errors: [{ field }] } });
      }
    }
    expect((await create(as, matcher('=', '(?=a)'))).status).toBe(201);
    expect((await get(as, own.id)).body).toEqual(own);
  });

  test('can refer only to resources of its organization, and the error is the same as for missing resources', async () => {
    const [one, other] = [await makeOrganization(), await makeOrganization()];
    const { ruleId, configId } = await makeConfig(other);
    const channel = await makeChannel(other);
    const { body: own } = await create(one);
    for (const [field, id] of [
      ['rule_ids', ruleId],
      ['alert_config_ids', configId],
      ['channel_ids', channel],
    ] as const) {
      const answers = [];
      for (const given of [id, 999_999]) {
        for (const refused of [
          await create(one, { [field]: [given] }),
          await update(one, own.id, { [field]: [given] }),
        ]) {
          answers.push([
            refused.status,
            JSON.stringify({ ...refused.body, request_id: '' }).replaceAll(String(given), 'N'),
          ]);
        }
      }
      expect(new Set(answers.map(String)).size, field).toBe(1);
      expect(answers[0]![0]).toBe(400);
    }
    expect((await get(one, own.id)).body).toEqual(own);
  });

  test('of another organization returns the same error as one that never existed, and stays unchanged', async () => {
    const [one, other] = [await makeOrganization(), await makeOrganization()];
    const { body: foreign } = await create(other);
    const operations: [string, object?][] = [
      ['GET /notification-rules/ID'],
      ['PUT /notification-rules/ID', { name: 'Mine' }],
      ['DELETE /notification-rules/ID'],
      ['POST /notification-rules/ID/toggle'],
      ['GET /notification-rules/ID/stats'],
      ['POST /notification-rules/ID/simulate', { severity: 'high', event_type: 'alert.created' }],
    ];
    for (const [operation, body] of operations) {
      const [taken, never] = [
        await call(one, operation.replace('ID', String(foreign.id)), body),
        await call(one, operation.replace('ID', '999999'), body),
      ];
      expect([operation, taken.status]).toEqual([operation, 404]);
      expect({ ...taken.body, request_id: '' }).toEqual({ ...never.body, request_id: '' });
    }
    expect((await call<{ items: unknown[] }>(one, 'GET /notification-rules')).body.items).toEqual([]);
    expect((await get(other, foreign.id)).body).toEqual(foreign);
  });

  test('can be disabled and enabled, and every concurrent toggle is applied', async () => {
    const as = await makeOrganization();
    const { id } = (await create(as)).body;
    expect((await toggle(as, id)).body.is_active).toBe(false);
    const toggles = await meetingAt('notification_rules', id, () =>
      Promise.all([toggle(as, id), toggle(as, id), toggle(as, id), toggle(as, id)]),
    );
    expect(toggles.filter(({ body }) => body.is_active)).toHaveLength(2);
    expect((await get(as, id)).body.is_active).toBe(false);
  });

  test('whose channels were all deleted cannot be enabled until it has new channels', async () => {
    const as = await makeOrganization();
    const { id } = (await create(as, { channel_ids: [await makeChannel(as)] })).body;
    await call(as, `DELETE /notification-channels/${(await get(as, id)).body.channel_ids![0]}`);
    expect((await toggle(as, id)).status).toBe(409);
    expect((await update(as, id, { is_active: true })).status).toBe(409);
    expect((await get(as, id)).body).toMatchObject({ is_active: false, inactive_reason: 'channel_deleted' });
    expect((await update(as, id, { name: 'Renamed' })).body.inactive_reason).toBe('channel_deleted');
    const repaired = await update(as, id, { channel_ids: [await makeChannel(as)] });
    expect(repaired.body).toMatchObject({ is_active: false, inactive_reason: null });
    expect((await toggle(as, id)).body).toMatchObject({ is_active: true, inactive_reason: null });
  });

  test('is deleted with its matches', async () => {
    const as = await makeOrganization();
    const { id } = (await create(as)).body;
    await addMatch(as, id, '1 hour');
    expect((await call({ ...as, role: 'viewer' }, `DELETE /notification-rules/${id}`)).status).toBe(403);
    expect((await call(as, `DELETE /notification-rules/${id}`)).status).toBe(204);
    expect((await get(as, id)).status).toBe(404);
    const log = await call<{ items: { action: string }[] }>(as, 'GET /audit-log');
    expect(log.body.items.map((item) => item.action)).toEqual([
      'notification_rule.deleted',
      'notification_rule.created',
    ]);
  });
});

describe('the list of notification rules', () => {
  test('is filtered and sorted, contains match counts, and takes one statement regardless of its length', async () => {
    const as = await makeOrganization();
    const channel = await makeChannel(as);
    const first = (await create(as, { name: 'b', priority: 10, channel_ids: [channel] })).body.id;
    const second = (await create(as, { name: 'a', priority: 20, is_active: false })).body.id;
    await addMatch(as, first, '1 hour');
    await addMatch(as, first, '2 hours');
    const items = async (query: string) =>
      (await call<{ items: Rule[] }>(as, `GET /notification-rules${query}`)).body.items;
    const ids = async (query: string) => (await items(query)).map((item) => item.id);
    expect(await ids('')).toEqual([second, first]);
    expect(await ids('?sort=priority')).toEqual([first, second]);
    expect(await ids('?sort=name')).toEqual([second, first]);
    expect(await ids(`?channel_id=${channel}`)).toEqual([first]);
    expect(await ids('?is_active=true&q=B')).toEqual([first]);
    expect((await items('?sort=priority')).map((item) => item.match_count)).toEqual([2, 0]);
    const few = await statementsOf(() => items(''));
    for (let count = 0; count < 5; count++) await create(as);
    const many = await statementsOf(() => items(''));
    expect([few.length, many.length]).toEqual([1, 1]);
  });
});

describe('the statistics of a notification rule', () => {
  test('include both stored and archived matches', async () => {
    const as = await makeOrganization();
    const channel = await makeChannel(as);
    const { id } = (await create(as)).body;
    const events = [
      await addMatch(as, id, '1 hour'),
      await addMatch(as, id, '25 hours'),
      await addMatch(as, id, '8 days'),
    ];
    await sql`UPDATE notification_rules SET archived_match_count = 40, last_archived_match_at = '2020-01-01' WHERE id = ${id}`.execute(
      db,
    );
    const other = (await create(as)).body.id;
    await addMatch(as, other, '1 hour');
    for (const [eventId, status] of [
      [events[0], 'succeeded'],
      [events[1], 'dead_letter'],
      // The rule matched this event more than seven days ago, so its delivery isn't counted.
      [events[2], 'failed'],
      [randomUUID(), 'succeeded'],
    ] as const) {
      await sql`
        WITH entry AS (
          INSERT INTO audit_entries (organization_id, action, event_type, event_id, actor_type, actor_name)
          VALUES (${as.organizationId}, 'created', 'alert.created', ${eventId}, 'system', 'Pacekeeper') RETURNING id
        )
        INSERT INTO notification_deliveries
          (organization_id, channel_id, channel_name, audit_entry_id, event_id, event_type, status, max_attempts)
        SELECT ${as.organizationId}, ${channel}, 'Ops', id, ${eventId}, 'alert.created', ${status}, 4 FROM entry`.execute(
        db,
      );
    }
    const read = () => call<Schemas['NotificationRuleStats']>(as, `GET /notification-rules/${id}/stats`);
    const { body } = await read();
    expect(body).toMatchObject({
      match_count: 43,
      matches_24h: 1,
      matches_7d: 2,
      deliveries: {
        by_status: { pending: 0, in_progress: 0, succeeded: 1, failed: 0, dead_letter: 1, canceled: 0 },
      },
    });
    const { rows } = await sql<{ latest: Date }>`
      SELECT max(matched_at) AS latest FROM notification_rule_matches WHERE notification_rule_id = ${id}`.execute(
      db,
    );
    expect(body.last_matched_at).toBe(rows[0]!.latest.toISOString());
    expect((await get(as, id)).body).toMatchObject({
      match_count: 43,
      last_matched_at: body.last_matched_at,
    });
    await sql`DELETE FROM notification_rule_matches WHERE notification_rule_id = ${id}`.execute(db);
    expect((await read()).body).toMatchObject({
      match_count: 40,
      last_matched_at: '2020-01-01T00:00:00.000Z',
    });
    expect(await statementsOf(read)).toHaveLength(3);
  });
});

describe('a simulation of a notification rule', () => {
  test('lists the channels that an alert would notify', async () => {
    const as = await makeOrganization();
    const [on, off] = [
      await makeChannel(as, { name: 'On' }),
      await makeChannel(as, { name: 'Off', is_active: false }),
    ];
    const { id } = (await create(as, { severities: ['high'], channel_ids: [on, off] })).body;
    const channels = [
      {
        id: on,
        name: 'On',
        would_notify: true,
        reason: null,
        fallback_reason: null,
        waits_for_digest: false,
        waits_until: null,
      },
      {
        id: off,
        name: 'Off',
        would_notify: false,
        reason: 'channel_inactive',
        fallback_reason: null,
        waits_for_digest: false,
        waits_until: null,
      },
    ];
    expect(await simulate({ ...as, role: 'viewer' }, id, {})).toEqual({
      matched: true,
      mismatches: [],
      channels,
      reason: null,
      stopped_by: null,
      event: {
        channels: channels.map((channel) => ({ ...channel, notification_rule_ids: [id] })),
        skipped_reason: null,
      },
    });
    expect(await simulate(as, id, { severity: 'critical' })).toMatchObject({
      matched: false,
      mismatches: [{ criterion: 'severities', expected: 'high', actual: 'critical' }],
      channels: [
        { id: on, would_notify: false, reason: 'not_matched' },
        { id: off, would_notify: false, reason: 'not_matched' },
      ],
    });
  });

  test('uses the default channel if the rule has no channels', async () => {
    const as = await makeOrganization();
    const { id } = (await create(as)).body;
    expect(await simulate(as, id, {})).toMatchObject({
      matched: true,
      channels: [],
      reason: 'no_default_channel',
      event: { channels: [], skipped_reason: 'no_default_channel' },
    });
    const channel = await makeChannel(as, { digest_minutes: 30 });
    await call(as, 'PUT /notification-settings', { default_channel_id: channel });
    expect((await simulate(as, id, {})).channels).toEqual([
      {
        id: channel,
        name: 'Ops',
        would_notify: true,
        reason: null,
        fallback_reason: null,
        waits_for_digest: true,
        waits_until: null,
      },
    ]);
  });

  test('notifies no channel of the rule if an earlier rule stops processing, and reports that rule', async () => {
    const as = await makeOrganization();
    const [first, second] = [await makeChannel(as), await makeChannel(as)];
    const stops = { stop_processing: true, severities: ['critical'] };
    const earlier = (await create(as, { name: 'Pager', channel_ids: [first], priority: 1, ...stops })).body;
    const { id } = (await create(as, { channel_ids: [second] })).body;
    expect(await simulate(as, id, { severity: 'critical' })).toMatchObject({
      matched: true,
      channels: [{ id: second, would_notify: false, reason: 'stopped_by_earlier_rule' }],
      reason: 'stopped_by_earlier_rule',
      stopped_by: { id: earlier.id, name: 'Pager' },
      event: { channels: [{ id: first, would_notify: true, notification_rule_ids: [earlier.id] }] },
    });
    expect(await simulate(as, id, { severity: 'high' })).toMatchObject({
      channels: [{ id: second, would_notify: true, reason: null }],
      stopped_by: null,
    });
  });

  test('notifies no channel for a snoozed alert, unless the event type is sent despite a snooze', async () => {
    const as = await makeOrganization();
    const { ruleId, configId } = await makeConfig(as);
    await sql`
      INSERT INTO alerts (organization_id, alert_config_id, rule_id, rule_type, severity, reason, discovered_version,
        artifact_name, is_snoozed_until_version_changes)
      VALUES (${as.organizationId}, ${configId}, ${ruleId}, 'majors_behind', 'high', 'behind', '1.0.0', 'nginx', true)`.execute(
      db,
    );
    const channel = await makeChannel(as);
    const { id } = (await create(as, { channel_ids: [channel] })).body;
    const simulated = (event_type: string) => simulate(as, id, { alert_config_id: configId, event_type });
    expect(await simulated('alert.acknowledged')).toMatchObject({
      matched: true,
      channels: [{ id: channel, would_notify: false, reason: 'snoozed' }],
      reason: 'snoozed',
      event: { channels: [{ id: channel, would_notify: false }], skipped_reason: 'snoozed' },
    });
    expect(await simulated('alert.escalated')).toMatchObject({
      channels: [{ would_notify: true }],
      reason: null,
    });
  });

  test('uses the rule and labels of a configuration, or the given labels', async () => {
    const as = await makeOrganization();
    const { ruleId, configId } = await makeConfig(as, { team: 'payments' });
    const criteria = {
      rule_ids: [ruleId],
      alert_config_ids: [configId],
      label_matchers: [{ label: 'team', operator: '=~', value: 'pay.*' }],
    };
    const { id } = (await create(as, criteria)).body;
    expect((await simulate(as, id, { alert_config_id: configId })).matched).toBe(true);
    expect(
      (await simulate(as, id, { alert_config_id: configId, labels: { team: 'ops' } })).mismatches,
    ).toEqual([{ criterion: 'label_matchers', expected: 'team =~ "pay.*"', actual: 'ops' }]);
    expect((await simulate(as, id, {})).mismatches).toEqual([
      { criterion: 'rule_ids', expected: String(ruleId), actual: 'none' },
      { criterion: 'alert_config_ids', expected: String(configId), actual: 'none' },
      { criterion: 'label_matchers', expected: 'team =~ "pay.*"', actual: 'none' },
    ]);
  });

  test('routes to the owner in the label that a setting selects, including an inherited label', async () => {
    const as = await makeOrganization();
    const { configId } = await makeConfig(as, {}, { owner: 'acme/payments', squad: '@acme/search' });
    const [payments, search, fallback] = [
      await makeChannel(as, { owners: ['@acme/payments'] }),
      await makeChannel(as, { owners: ['acme/search'] }),
      await makeChannel(as),
    ];
    const { id } = (await create(as, { route_to_owner: true })).body;
    const simulated = () => simulate(as, id, { alert_config_id: configId });
    const notified = (channel: number, fallback_reason: string | null = null) => ({
      channels: [{ id: channel, would_notify: true, reason: null, fallback_reason }],
      event: { channels: [{ id: channel, fallback_reason, notification_rule_ids: [id] }] },
    });
    expect(await simulated()).toMatchObject(notified(payments));
    await setOwnerLabel(as, 'squad');
    expect(await simulated()).toMatchObject(notified(search));
    await call(as, `PUT /notification-channels/${search}`, { owners: [] });
    expect(await simulated()).toMatchObject({
      matched: true,
      channels: [],
      reason: 'no_owner_channel',
      event: {
        channels: [],
        skipped_reason: 'no_owner_channel',
      },
    });
    await call(as, 'PUT /notification-settings', { default_channel_id: fallback });
    expect(await simulated()).toMatchObject(notified(fallback, 'no_owner_channel'));
    await update(as, id, { route_to_owner: false });
    expect(await simulated()).toMatchObject(notified(fallback));
  });

  test('lists the owner channels of a disabled rule', async () => {
    const as = await makeOrganization();
    const payments = await makeChannel(as, { owners: ['acme/payments'] });
    const { id } = (await create(as, { route_to_owner: true, is_active: false })).body;
    expect(await simulate(as, id, { labels: { owner: 'acme/payments' } })).toMatchObject({
      channels: [{ id: payments, would_notify: false, reason: 'not_matched' }],
    });
  });

  test('reports that the rule is disabled, and stores nothing', async () => {
    const as = await makeOrganization();
    const { id } = (await create(as, { is_active: false })).body;
    const before = (await get(as, id)).body;
    const statements = await statementsOf(async () => {
      expect((await simulate(as, id, {})).mismatches).toEqual([
        { criterion: 'is_active', expected: 'true', actual: 'false' },
      ]);
    });
    expect(statements.every((statement) => /^\s*select/i.test(statement))).toBe(true);
    expect((await get(as, id)).body).toEqual(before);
  });

  test('rejects a configuration of another organization like a missing one', async () => {
    const [one, other] = [await makeOrganization(), await makeOrganization()];
    const { configId } = await makeConfig(other);
    const { id } = (await create(one)).body;
    for (const alert_config_id of [configId, 999_999]) {
      expect(await simulate(one, id, { alert_config_id })).toMatchObject({
        status: 400,
        errors: [{ field: 'alert_config_id', message: `alert configuration ${alert_config_id} not found` }],
      });
    }
  });
});

describe('the patterns of enabled rules', () => {
  const patterns = (from: number, count = 20) => ({
    label_matchers: Array.from({ length: count }, (_, n) => ({
      label: 'team',
      operator: '=~',
      value: `t${from + n}`,
    })),
  });
  const tooMany = { status: 409, body: { detail: expect.stringContaining('300 different patterns') } };

  test('are limited to 300 distinct patterns, even after updates', async () => {
    const as = await makeOrganization();
    const made: Rule[] = [];
    for (let from = 0; from < 300; from += 20) made.push((await create(as, patterns(from))).body);
    expect(await create(as, patterns(300, 1))).toMatchObject(tooMany);
    // Repeated patterns, rules without patterns, and patterns of a disabled rule don't count toward the
    // limit.
    expect((await create(as, patterns(0))).status).toBe(201);
    expect((await create(as)).status).toBe(201);
    const disabled = (await create(as, { ...patterns(300), is_active: false })).body;
    expect(await toggle(as, disabled.id)).toMatchObject(tooMany);
    expect(await update(as, made[0]!.id, patterns(400, 1))).toMatchObject(tooMany);
    expect((await update(as, made[0]!.id, { name: 'other' })).status).toBe(200);
    expect((await toggle(as, made[1]!.id)).status).toBe(200);
    expect((await toggle(as, disabled.id)).status).toBe(200);
    expect((await create(await makeOrganization(), patterns(500))).status).toBe(201);
  });

  test('never exceed the limit, even with concurrent requests', async () => {
    const as = await makeOrganization();
    for (let from = 0; from < 280; from += 20) await create(as, patterns(from));
    const replies = await Promise.all([1, 2, 3].map((n) => create(as, patterns(n * 1_000))));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });
});
