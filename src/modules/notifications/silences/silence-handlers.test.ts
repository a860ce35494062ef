import { sql } from 'kysely';
import { RE2JS } from 're2js';
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { resetClockOffset, setClockOffset } from '../../../../tests/helpers/database.ts';
import { createDeliveryWorld } from '../../../../tests/helpers/delivery-world.ts';
import {
  createNotificationsServer,
  type TestCaller,
} from '../../../../tests/helpers/notifications-fixture.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { SandboxTimeoutError } from '../../../platform/sandbox/index.ts';
import { countMatchingAlerts } from './count-matching-alerts.ts';

const { db, connection, call, makeOrganization } = await createNotificationsServer();
const world = createDeliveryWorld({ db, connection });
afterEach(() => resetClockOffset(db));
afterAll(() => world.close());

type Silence = Schemas['Silence'];
type Problem = { detail: string; errors?: { field: string; message: string }[] };

const team = (value: string) => ({ label: 'team', operator: '=', value });
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const body = (changes: object = {}) => ({
  label_matchers: [team('payments')],
  ends_at: inHours(4),
  reason: 'Database maintenance',
  ...changes,
});

async function create(as: TestCaller, changes: object = {}): Promise<Silence> {
  const reply = await call<Silence>(as, 'POST /silences', body(changes));
  expect(reply.status).toBe(201);
  return reply.body;
}

async function setLabels(organizationId: number, alertIds: readonly number[], labels: object): Promise<void> {
  await sql`UPDATE alerts SET labels = ${JSON.stringify(labels)}::jsonb
    WHERE organization_id = ${organizationId} AND id = ANY(${[...alertIds]}::bigint[])`.execute(db);
}

describe('a silence', () => {
  test('that is scheduled can start immediately, but not in the past', async () => {
    const as = await makeOrganization();
    const { id } = await create(as, { starts_at: inHours(1), ends_at: inHours(3) });
    const { body } = await call<Silence>(as, `PUT /silences/${id}`, { starts_at: inHours(-1) });
    expect(body.status).toBe('active');
    expect(Math.abs(Date.parse(body.starts_at) - Date.now())).toBeLessThan(30_000);
    expect((await call<Silence>(as, `PUT /silences/${id}`, { starts_at: inHours(-2) })).status).toBe(400);
  });

  test('is scheduled, active, or ended depending on the time', async () => {
    const as = await makeOrganization();
    const now = await create(as);
    expect(now).toMatchObject({
      status: 'active',
      reason: 'Database maintenance',
      created_by: { type: 'user', name: 'Ana' },
      rule_ids: [],
      severities: [],
    });
    const later = await create(as, { starts_at: inHours(1), reason: '  Upgrade  ' });
    expect(later).toMatchObject({ status: 'scheduled', reason: 'Upgrade' });
    const statuses = async () => {
      const { body: page } = await call<{ items: Silence[] }>(as, 'GET /silences?sort=created_at');
      return page.items.map(({ status }) => status);
    };
    expect(await statuses()).toEqual(['active', 'scheduled']);
    await setClockOffset(db, '2 hours');
    expect(await statuses()).toEqual(['active', 'active']);
    await setClockOffset(db, '5 hours');
    expect(await statuses()).toEqual(['ended', 'ended']);
    const { body: page } = await call<{ items: Silence[] }>(as, 'GET /silences?status=active');
    expect(page.items).toEqual([]);
  });

  test('with a start time in the past starts now', async () => {
    const as = await makeOrganization();
    const silence = await create(as, { starts_at: '2020-01-01T00:00:00Z' });
    expect(silence.status).toBe('active');
    expect(Date.parse(silence.starts_at)).toBeGreaterThan(Date.parse(inHours(-1)));
  });

  test('can end early, and then can no longer be changed', async () => {
    const as = await makeOrganization();
    const { id } = await create(as);
    const ended = await call<Silence>(as, `PUT /silences/${id}`, { ends_at: '2020-01-01T00:00:00Z' });
    expect(ended).toMatchObject({ status: 200, body: { status: 'ended' } });
    expect(Date.parse(ended.body.ends_at)).toBeGreaterThan(Date.parse('2020-01-02T00:00:00Z'));
    expect(await call(as, `PUT /silences/${id}`, { ends_at: inHours(9) })).toMatchObject({ status: 409 });
  });

  test('that is deleted is not found, and the audit log shows who created, updated, and deleted it', async () => {
    const as = await makeOrganization();
    const { id } = await create(as);
    expect((await call(as, `PUT /silences/${id}`, { reason: 'Longer', ends_at: inHours(9) })).status).toBe(
      200,
    );
    expect((await call(as, `DELETE /silences/${id}`)).status).toBe(204);
    expect((await call(as, `GET /silences/${id}`)).status).toBe(404);
    const { body: log } = await call<{ items: Schemas['AuditLogEntry'][] }>(as, 'GET /audit-log');
    expect(log.items.map(({ action, resource_id, actor }) => [action, resource_id, actor.name])).toEqual([
      ['silence.deleted', id, 'Ana'],
      ['silence.updated', id, 'Ana'],
      ['silence.created', id, 'Ana'],
    ]);
    expect(log.items[1]!.changes).toMatchObject([
      { field: 'reason', from: 'Database maintenance', to: 'Longer' },
      { field: 'ends_at' },
    ]);
  });

  test('can be updated with the values that the API returned, even after its rule is deleted', async () => {
    const as = await makeOrganization();
    const { rows } = await sql<{ id: number }>`
      INSERT INTO rules (organization_id, name, rule_type, threshold_moderate)
      VALUES (${as.organizationId}, 'Thirty days', 'days_behind', 30) RETURNING id`.execute(db);
    const silence = await create(as, { rule_ids: [rows[0]!.id, rows[0]!.id] });
    expect(silence.rule_ids).toEqual([rows[0]!.id]);
    await sql`DELETE FROM rules WHERE id = ${rows[0]!.id}`.execute(db);
    expect(await call(as, `PUT /silences/${silence.id}`, silence)).toMatchObject({
      status: 200,
      body: { rule_ids: silence.rule_ids, revision: silence.revision },
    });
  });

  test.for<[string, object, string, string]>([
    ['without criteria', { label_matchers: [] }, 'label_matchers', 'is required, unless'],
    ['that ends in the past', { ends_at: '2020-01-01T00:00:00Z' }, 'ends_at', 'must be in the future'],
    ['that ends before it starts', { starts_at: inHours(9) }, 'ends_at', 'must be after starts_at'],
    ['of more than a year', { ends_at: inHours(24 * 367) }, 'ends_at', 'at most a year after starts_at'],
    [
      'that starts in more than a year',
      { starts_at: inHours(24 * 400), ends_at: inHours(24 * 401) },
      'starts_at',
      'at most a year from now',
    ],
    ['without a reason', { reason: '  ' }, 'reason', "can't be empty"],
    [
      'with an invalid pattern',
      { label_matchers: [{ ...team('('), operator: '=~' }] },
      'label_matchers.0.value',
      '',
    ],
    ["for a rule that doesn't exist", { rule_ids: [9_999_999] }, 'rule_ids', 'rule 9999999 not found'],
  ])('%s is rejected', async ([, changes, field, message]) => {
    const as = await makeOrganization();
    const reply = await call<Problem>(as, 'POST /silences', body(changes));
    expect(reply.status).toBe(400);
    const [problem] = reply.body.errors!;
    expect(problem!.field).toBe(field);
    expect(problem!.message).toContain(message);
  });

  test("that has started can't be changed to start at another time", async () => {
    const as = await makeOrganization();
    const { id } = await create(as);
    const reply = await call<Problem>(as, `PUT /silences/${id}`, { starts_at: inHours(1) });
    expect(reply).toMatchObject({ status: 400, body: { errors: [{ field: 'starts_at' }] } });
    const later = await create(as, { starts_at: inHours(1) });
    expect((await call(as, `PUT /silences/${later.id}`, { starts_at: inHours(2) })).status).toBe(200);
  });

  test('can be changed by members and read by viewers, but only in its organization', async () => {
    const as = await makeOrganization();
    const { id } = await create({ ...as, role: 'member' });
    const viewer = { ...as, role: 'viewer' as const };
    expect((await call(viewer, `GET /silences/${id}`)).status).toBe(200);
    expect((await call(viewer, 'POST /silences/preview', { severities: ['high'] })).status).toBe(200);
    for (const operation of ['POST /silences', `PUT /silences/${id}`, `DELETE /silences/${id}`])
      expect((await call(viewer, operation, body())).status).toBe(403);
    const other = await makeOrganization();
    for (const operation of [`GET /silences/${id}`, `PUT /silences/${id}`, `DELETE /silences/${id}`])
      expect(
        (await call(other, operation, operation.startsWith('PUT') ? { reason: 'x' } : undefined)).status,
      ).toBe(404);
    expect((await call<{ items: Silence[] }>(other, 'GET /silences')).body.items).toEqual([]);
  });

  test('is rejected if 200 other silences have not ended, even with concurrent requests', async () => {
    const as = await makeOrganization();
    await sql`
      INSERT INTO silences (organization_id, severities, starts_at, ends_at, reason, created_by_type, created_by_name)
      SELECT ${as.organizationId}::bigint, '{high}'::text[], pacekeeper_now(), pacekeeper_now() + n * interval '1 hour', 'x', 'system', 'x'
      FROM generate_series(1, 198) AS n
      UNION ALL
      SELECT ${as.organizationId}, '{high}'::text[], pacekeeper_now() - interval '9 hours', pacekeeper_now() - interval '1 hour', 'x', 'system', 'x'
      FROM generate_series(1, 50)`.execute(db);
    const replies = await Promise.all(Array.from({ length: 5 }, () => call(as, 'POST /silences', body())));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409]);
  });
});

describe('the patterns of silences that have not ended', () => {
  const patterns = (from: number, count = 20) => ({
    label_matchers: Array.from({ length: count }, (_, n) => ({ ...team(`t${from + n}`), operator: '=~' })),
  });
  const tooMany = {
    status: 409,
    body: { detail: expect.stringContaining("that haven't ended can use 100 different patterns") },
  };

  test('are limited to 100 distinct patterns, even after updates', async () => {
    const as = await makeOrganization();
    const made: Silence[] = [];
    for (let from = 0; from < 100; from += 20) made.push(await create(as, patterns(from)));
    expect(await call(as, 'POST /silences', body(patterns(100, 1)))).toMatchObject(tooMany);
    const same = await create(as, patterns(0));
    await create(as, { label_matchers: [{ ...team('t5'), operator: '!~' }, team('any')] });
    const put = `PUT /silences/${made[4]!.id}`;
    expect((await call(as, put, patterns(100))).status).toBe(200);
    expect(await call(as, `PUT /silences/${same.id}`, patterns(120, 1))).toMatchObject(tooMany);
    expect((await call(as, `PUT /silences/${same.id}`, { reason: 'other' })).status).toBe(200);
    expect((await call(as, put, { ends_at: '2020-01-01T00:00:00Z' })).status).toBe(200);
    await create(as, patterns(120));
    await create(await makeOrganization(), patterns(200));
  });

  test('never exceed the limit, even with concurrent requests', async () => {
    const as = await makeOrganization();
    for (let from = 0; from < 80; from += 20) await create(as, patterns(from));
    const replies = await Promise.all(
      [1, 2, 3].map((n) => call(as, 'POST /silences', body(patterns(n * 1_000)))),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const { id } = await create(as);
    const { id: other } = await create(as);
    const [first] = (await call<{ items: Silence[] }>(as, 'GET /silences?sort=created_at')).body.items;
    expect((await call(as, `PUT /silences/${first!.id}`, patterns(0, 10))).status).toBe(200);
    const changes = await Promise.all(
      [id, other].map((each) => call(as, `PUT /silences/${each}`, patterns(each * 10_000, 10))),
    );
    expect(changes.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});

describe('the preview of a silence', () => {
  test('counts the open alerts that it matches', async () => {
    const as = await makeOrganization();
    const { organizationId } = as;
    const [pay, search, none] = [
      await world.createAlerts(organizationId, 3),
      await world.createAlerts(organizationId, 2),
      await world.createAlerts(organizationId, 4),
    ];
    await setLabels(organizationId, pay, { team: 'payments', env: 'production' });
    await setLabels(organizationId, search, { team: 'search' });
    await sql`UPDATE alerts SET severity = 'critical' WHERE id = ${pay[0]!}`.execute(db);
    await sql`UPDATE alerts SET resolved_at = pacekeeper_now(), resolution = 'manual' WHERE id = ${none[0]!}`.execute(
      db,
    );
    const { rows } = await sql<{
      rule_id: number;
    }>`SELECT rule_id FROM alerts WHERE id = ${search[0]!}`.execute(db);
    const count = async (criteria: object) =>
      (await call<{ open_alerts: number }>(as, 'POST /silences/preview', criteria)).body.open_alerts;
    const label = (operator: string, value: string, name = 'team') => ({
      label_matchers: [{ label: name, operator, value }],
    });
    expect(await count({})).toBe(8);
    expect(await count(label('=', 'payments'))).toBe(3);
    expect(await count(label('=', ''))).toBe(3);
    expect(await count(label('!=', 'payments'))).toBe(5);
    expect(await count(label('!=', ''))).toBe(5);
    expect(await count(label('=~', 'pay.*|sea.*'))).toBe(5);
    expect(await count(label('=~', 'pay'))).toBe(0);
    expect(await count(label('!~', '.+'))).toBe(3);
    expect(await count({ ...label('=~', '.*'), severities: ['critical'] })).toBe(1);
    expect(await count({ rule_ids: [rows[0]!.rule_id] })).toBe(2);
    const both = [...label('=~', 'p.*').label_matchers, ...label('!~', 'prod.*', 'env').label_matchers];
    expect(await count({ label_matchers: both })).toBe(0);
  });

  test('compares no patterns on the main thread of the server', async () => {
    const as = await makeOrganization();
    const alerts = await world.createAlerts(as.organizationId, 3);
    await setLabels(as.organizationId, alerts, { team: 'payments' });
    const matcher = vi.spyOn(RE2JS.prototype, 'matcher');
    onTestFinished(() => matcher.mockRestore());
    const label_matchers = [{ label: 'team', operator: '=~', value: 'pay.*' }];
    const { body } = await call<{ open_alerts: number }>(as, 'POST /silences/preview', { label_matchers });
    expect(body.open_alerts).toBe(3);
    expect(matcher).not.toHaveBeenCalled();
  });

  test('returns an error if the comparison takes too long', async () => {
    const { organizationId } = await makeOrganization();
    await world.createAlerts(organizationId, 1);
    const sandbox = { run: () => Promise.reject(new SandboxTimeoutError(2_000)) };
    const label_matchers = [{ label: 'team', operator: '=~', value: '.*' }] as const;
    const criteria = { label_matchers, rule_ids: [], severities: [] };
    const counting = countMatchingAlerts({ db, sandbox }, organizationId, criteria);
    await expect(counting).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('Use fewer or simpler patterns'),
    });
  });
});
