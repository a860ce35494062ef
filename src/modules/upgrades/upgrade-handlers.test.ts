import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { sharedTestServer, type TestOrganization } from '../../../tests/helpers/test-server.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { insertAlerts } from '../../server/server-fixture.ts';

type Upgrade = Schemas['Upgrade'];

const server = await sharedTestServer();
let acme: TestOrganization;

interface Place {
  gather: string;
  name: string;
  deployed: string;
  latest: string | null;
  type?: 'days_behind' | 'majors_behind' | 'end_of_life' | 'known_vulnerabilities';
  severity?: 'moderate' | 'high' | 'critical';
  state?: 'ok' | 'no_data' | 'stale';
  labels?: Record<string, string>;
  behindDays?: number;
  endsInDays?: number;
}

/** Stores evaluated places, in the order in which they are given. A place with a severity has an open alert. */
async function store({ id }: TestOrganization, places: readonly Place[]): Promise<void> {
  await sql`
    WITH place AS (
      SELECT place.* FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(places)}::jsonb) AS (gather text, name text,
        deployed text, latest text, type text, severity text, state text, labels jsonb, "behindDays" int, "endsInDays" int))
        WITH ORDINALITY AS place (gather, name, deployed, latest, type, severity, state, labels, days, ends, n)
    ), gather AS (
      INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme)
      SELECT DISTINCT ${id}::bigint, gather, 'github_releases', 'github.com/example/' || gather, 'auto' FROM place
      RETURNING id, name
    ), scrape AS (
      INSERT INTO scrape_jobs (organization_id, name, parser_type, latest_version)
      SELECT DISTINCT ON (name) ${id}::bigint, name, 'manual', deployed FROM place RETURNING id, name
    ), rule AS (
      INSERT INTO rules (organization_id, name, rule_type, threshold_moderate)
      SELECT DISTINCT ${id}::bigint, coalesce(type, 'days_behind'), coalesce(type, 'days_behind'), 1 FROM place
      RETURNING id, rule_type
    ), config AS (
      INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id,
        labels, state, severity, deployed_version, latest_version, behind_since, requested_seq, due_at)
      SELECT ${id}::bigint, place.name || ' ' || rule.rule_type, scrape.id, ${id}::bigint, gather.id, rule.id,
        coalesce(place.labels, '{}'), CASE WHEN severity IS NULL THEN coalesce(place.state, 'ok') ELSE 'alerting' END,
        severity, deployed, latest, pacekeeper_now() - days * interval '1 day', 0, 'infinity'
      FROM place JOIN gather ON gather.name = place.gather JOIN scrape ON scrape.name = place.name
        JOIN rule ON rule.rule_type = coalesce(place.type, 'days_behind')
      ORDER BY place.n RETURNING id, name, rule_id, severity, deployed_version, latest_version
    )
    INSERT INTO alerts (organization_id, alert_config_id, rule_id, rule_type, severity, reason, discovered_version,
      latest_version, artifact_name, crossed_at, ends_at)
    SELECT ${id}::bigint, config.id, rule.id, rule.rule_type, config.severity,
      CASE rule.rule_type WHEN 'end_of_life' THEN 'end_of_life' WHEN 'known_vulnerabilities' THEN 'known_vulnerabilities'
        ELSE 'behind' END,
      config.deployed_version, config.latest_version, 'github.com/example', pacekeeper_now() - interval '3 days',
      pacekeeper_now() + place.ends * interval '1 day'
    FROM config JOIN rule ON rule.id = config.rule_id
      JOIN place ON place.name || ' ' || coalesce(place.type, 'days_behind') = config.name
    WHERE config.severity IS NOT NULL`.execute(server.db);
}

async function list(query: Parameters<typeof call>[0] = {}): Promise<Upgrade[]> {
  return (await call(query)).items;
}
const call = (query: {
  status?: Schemas['UpgradeStatus'];
  severity?: 'moderate' | 'high' | 'critical';
  label?: string;
  q?: string;
  sort?: 'worst' | '-worst' | 'name' | '-name' | 'places' | '-places' | 'behind_since' | '-behind_since';
  limit?: number;
  offset?: number;
}) => acme.api.call('listUpgrades', { query });

const alertIds = async () =>
  (await acme.api.call('listAlerts', { query: { limit: 200 } })).items.map(({ id }) => id);

beforeEach(async () => {
  acme = await server.createOrganization();
});

const kafka = { gather: 'kafka', latest: '4.4.3' } as const;

describe('an upgrade', () => {
  test('has all places with the same gather job and suggested version', async () => {
    await store(acme, [
      {
        ...kafka,
        name: 'a',
        deployed: '3.0.1',
        severity: 'high',
        labels: { team: 'x', environment: 'prod' },
        behindDays: 90,
      },
      { ...kafka, name: 'b', deployed: '3.2.0', severity: 'critical', labels: { team: 'y' }, behindDays: 50 },
      { ...kafka, name: 'c', deployed: '3.2.0', severity: 'moderate' },
      { ...kafka, name: 'd', deployed: '4.4.3' },
      { ...kafka, name: 'e', deployed: '4.4.3-x', latest: '4.4.3-x' },
      { gather: 'redis', latest: '8.0.0', name: 'f', deployed: '7.9.9', severity: 'high' },
    ]);
    const [first, second, third] = await list();
    expect(first).toMatchObject({
      gather_job: { name: 'kafka' },
      artifact_name: 'github.com/example/kafka',
      target_version: '4.4.3',
      status: 'needs_action',
      severity: 'critical',
      reasons: ['behind'],
      jump: 'major',
      deployed_versions: [
        { version: '3.2.0', place_count: 2 },
        { version: '3.0.1', place_count: 1 },
      ],
      deployed_version_count: 2,
      places: { total: 4, needs_action: 3, planned: 0, snoozed: 0, unknown: 0, ok: 1 },
      labels: { environment: ['prod'], team: ['x', 'y'] },
    });
    const days = (Date.now() - Date.parse(first!.behind_since!)) / 86_400_000;
    expect(days).toBeGreaterThan(89.9);
    expect(second).toMatchObject({ target_version: '8.0.0', severity: 'high' });
    expect(third).toMatchObject({
      target_version: '4.4.3-x',
      status: 'ok',
      severity: null,
      jump: null,
      crossed_at: null,
    });
  });

  test('says that a place can have been behind for longer if the release that its days count from has no date', async () => {
    const sources = ['released_at', 'discovered_at', 'listed_at', 'unexplained'] as const;
    await store(
      acme,
      sources.flatMap((gather): Place[] => [
        { ...kafka, gather, name: gather, deployed: '3.0.1', severity: 'high', behindDays: 90 },
        { ...kafka, gather, name: `later ${gather}`, deployed: '3.2.0', severity: 'high', behindDays: 50 },
      ]),
    );
    await sql`
      INSERT INTO alert_config_explanations (organization_id, alert_config_id, explanation)
      SELECT organization_id, id, jsonb_build_object('date_used', jsonb_build_object('source', CASE
        WHEN name LIKE 'later %' THEN 'discovered_at' ELSE split_part(name, ' ', 1) END))
      FROM alert_configs WHERE organization_id = ${acme.id} AND name NOT LIKE 'unexplained %'`.execute(
      server.db,
    );
    const found = await list({ sort: 'name' });
    expect(
      found.map(({ gather_job, behind_since_is_first_seen }) => [
        gather_job.name,
        behind_since_is_first_seen,
      ]),
    ).toEqual([
      ['discovered_at', true],
      ['listed_at', true],
      ['released_at', false],
      ['unexplained', true],
    ]);
  });

  test('lists the deployed versions of the places with an open alert, and of all places only if no alert is open', async () => {
    await store(acme, [
      { ...kafka, name: 'a', deployed: '3.0.1', severity: 'high' },
      { ...kafka, name: 'b', deployed: '4.4.3' },
      { ...kafka, name: 'c', deployed: '4.4.3' },
      { ...kafka, name: 'd', deployed: '4.4.2', state: 'stale' },
      { gather: 'redis', latest: '8.0.0', name: 'e', deployed: '7.9.0' },
      { gather: 'redis', latest: '8.0.0', name: 'f', deployed: '8.0.0' },
    ]);
    const check = async (expected: [string, number][]) => {
      const [upgrade] = await list({ q: 'kafka' });
      expect(upgrade!.deployed_versions.map(({ version, place_count }) => [version, place_count])).toEqual(
        expected,
      );
      expect(upgrade!.deployed_version_count).toBe(expected.length);
      expect(await acme.api.call('getUpgrade', { path: { upgrade_id: upgrade!.id } })).toEqual(upgrade);
    };
    await check([['3.0.1', 1]]);
    const [alert] = await alertIds();
    await acme.api.call('acknowledgeAlert', { path: { id: alert! } });
    await check([['3.0.1', 1]]);
    expect(await list({ q: 'redis' })).toMatchObject([
      { deployed_versions: [{ version: '7.9.0' }, { version: '8.0.0' }], deployed_version_count: 2 },
    ]);
  });

  test('counts a place with several alert configurations once, by the status that comes first', async () => {
    await store(acme, [
      { ...kafka, name: 'a', deployed: '3.0.1', severity: 'high' },
      { ...kafka, name: 'a', deployed: '3.0.1', type: 'majors_behind' },
    ]);
    const [upgrade] = await list();
    expect(upgrade).toMatchObject({ places: { total: 1, needs_action: 1, ok: 0 } });
  });

  test('includes alerts about ended support, whose data spells the version differently', async () => {
    await store(acme, [
      { ...kafka, latest: 'v4.4.3', name: 'a', deployed: 'v3.0.1', severity: 'high' },
      {
        ...kafka,
        latest: '4.4',
        name: 'a',
        deployed: 'v3.0.1',
        type: 'end_of_life',
        severity: 'critical',
        endsInDays: 4,
      },
    ]);
    const items = await list();
    expect(items).toMatchObject([
      { target_version: 'v4.4.3', reasons: ['behind', 'end_of_life'], severity: 'critical' },
    ]);
    expect(items[0]!.ends_at).not.toBeNull();
  });

  test('about ended support suggests the version of the comparison with an open alert', async () => {
    await store(acme, [
      { ...kafka, latest: '9.9.0', name: 'a', deployed: '9.0.1', type: 'majors_behind' },
      { ...kafka, latest: '10.1.0', name: 'a', deployed: '9.0.1', severity: 'high' },
      { ...kafka, latest: '10', name: 'a', deployed: '9.0.1', type: 'end_of_life', severity: 'critical' },
    ]);
    expect(await list({ status: 'needs_action' })).toMatchObject([
      { target_version: '10.1.0', reasons: ['behind', 'end_of_life'] },
    ]);
  });

  test('has no target if the place already runs the newest version', async () => {
    await store(acme, [
      {
        ...kafka,
        latest: 'v4.4.3',
        name: 'a',
        deployed: '4.4.3',
        type: 'known_vulnerabilities',
        severity: 'high',
      },
    ]);
    expect(await list()).toMatchObject([{ target_version: null, jump: null, status: 'needs_action' }]);
  });

  test('has the status ok only if the state of all places is known', async () => {
    await store(acme, [
      { ...kafka, name: 'a', deployed: '4.4.3' },
      { ...kafka, name: 'b', deployed: '4.4.3', state: 'stale' },
      { gather: 'redis', latest: null, name: 'c', deployed: 'x', state: 'no_data' },
    ]);
    expect(await list({ sort: 'name' })).toMatchObject([
      { artifact_name: 'github.com/example/kafka', status: 'unknown', places: { unknown: 1, ok: 1 } },
      { artifact_name: 'github.com/example/redis', status: 'unknown', target_version: null },
    ]);
    expect((await call({})).counts).toEqual({ needs_action: 0, planned: 0, snoozed: 0, unknown: 2, ok: 0 });
  });

  test('keeps its ID while its places change, and is found by this ID', async () => {
    await store(acme, [{ ...kafka, name: 'a', deployed: '3.0.1', severity: 'high' }]);
    const [before] = await list();
    await sql`UPDATE alert_configs SET deployed_version = '3.5.0' WHERE organization_id = ${acme.id}`.execute(
      server.db,
    );
    const [after] = await list();
    expect(after!.id).toBe(before!.id);
    expect(await acme.api.call('getUpgrade', { path: { upgrade_id: after!.id } })).toEqual(after);
  });

  test('of another organization is not found', async () => {
    await store(acme, [{ ...kafka, name: 'a', deployed: '3.0.1', severity: 'high' }]);
    const [upgrade] = await list();
    const other = await server.createOrganization();
    const path = { upgrade_id: upgrade!.id };
    const unknown = { upgrade_id: upgrade!.id.replace(/.$/, (last) => (last === '0' ? '1' : '0')) };
    for (const attempt of [
      () => other.api.call('getUpgrade', { path }),
      () => other.api.call('listUpgradePlaces', { path }),
      () => other.api.call('changeUpgrade', { path, body: { action: 'acknowledge' } }),
      () => acme.api.call('getUpgrade', { path: unknown }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404 });
  });
});

describe('the list of upgrades', () => {
  const places: Place[] = [
    { ...kafka, name: 'a', deployed: '3.0.1', severity: 'high', labels: { team: 'x' } },
    { ...kafka, name: 'b', deployed: '3.0.1', severity: 'critical', labels: { team: 'y' } },
    {
      gather: 'redis',
      latest: '8.0.0',
      name: 'c',
      deployed: '7.0.0',
      severity: 'high',
      labels: { team: 'x' },
    },
    { gather: 'nginx', latest: '1.29.0', name: 'dns', deployed: '1.29.0', labels: { team: 'x' } },
  ];

  test('counts only the places with a label', async () => {
    await store(acme, places);
    expect(await list({ label: 'team=x' })).toMatchObject([
      { artifact_name: 'github.com/example/kafka', severity: 'high', places: { total: 1 } },
      { artifact_name: 'github.com/example/redis' },
      { artifact_name: 'github.com/example/nginx' },
    ]);
  });

  test.each([
    ['KAFKA', ['kafka']],
    ['8.0', ['redis']],
    ['dns', ['nginx']],
    ['nothing', []],
  ])('finds %s in names and versions of upgrades and places', async (q, expected) => {
    await store(acme, places);
    const found = (await list({ q, sort: 'name' })).map(
      ({ artifact_name }) => artifact_name.split('/').at(-1)!,
    );
    expect(found).toEqual(expected);
  });

  test('is filtered by status and severity, with the number of upgrades of every status', async () => {
    await store(acme, places);
    expect(await call({ status: 'ok' })).toMatchObject({
      items: [{ artifact_name: 'github.com/example/nginx' }],
      total: 1,
      counts: { needs_action: 2, planned: 0, snoozed: 0, unknown: 0, ok: 1 },
    });
    expect(await call({ status: 'snoozed' })).toMatchObject({
      items: [],
      total: 0,
      counts: { needs_action: 2 },
    });
    expect(await call({ severity: 'critical' })).toMatchObject({
      items: [{ severity: 'critical' }],
      total: 1,
    });
  });

  test.each([
    'worst',
    '-worst',
    'name',
    '-name',
    'places',
    '-places',
    'behind_since',
    '-behind_since',
  ] as const)('contains each upgrade once on its pages, sorted by %s', async (sort) => {
    await store(
      acme,
      Array.from(
        { length: 30 },
        (_, index): Place => ({
          gather: `g${index % 11}`,
          latest: `2.${index % 2}.0`,
          name: `p${index}`,
          deployed: '1.0.0',
          ...(index % 3 > 0 && { severity: (['moderate', 'high', 'critical'] as const)[index % 3]! }),
          ...(index % 4 > 0 && { behindDays: index }),
        }),
      ),
    );
    const whole = await list({ sort, limit: 200 });
    const paged: Upgrade[] = [];
    for (;;) {
      const { items, total } = await call({ sort, limit: 4, offset: paged.length });
      expect(total).toBe(whole.length);
      if (items.length === 0) break;
      paged.push(...items);
    }
    expect(paged).toEqual(whole);
    expect(new Set(whole.map(({ id }) => id)).size).toBe(22);
  });
});

describe('the places of an upgrade', () => {
  test('start with the most severe alerts and end with the places without alerts', async () => {
    await store(acme, [
      { ...kafka, name: 'd', deployed: '4.4.3' },
      { ...kafka, name: 'a', deployed: '3.0.1', severity: 'high', labels: { team: 'x' } },
      { ...kafka, name: 'b', deployed: '3.2.0', severity: 'critical' },
      { gather: 'redis', latest: '8.0.0', name: 'c', deployed: '7.0.0', severity: 'critical' },
    ]);
    const upgrade_id = (await list({ q: 'kafka' }))[0]!.id;
    const page = await acme.api.call('listUpgradePlaces', { path: { upgrade_id } });
    expect(page.total).toBe(3);
    expect(page.items).toMatchObject([
      { scrape_job: { name: 'b' }, status: 'needs_action', alert: { severity: 'critical' } },
      {
        scrape_job: { name: 'a' },
        deployed_version: '3.0.1',
        labels: { team: 'x' },
        alert: { reason: 'behind' },
      },
      { scrape_job: { name: 'd' }, status: 'ok', state: 'ok', alert: null },
    ]);
    const query = { label: 'team=x' };
    expect(await acme.api.call('listUpgradePlaces', { path: { upgrade_id }, query })).toMatchObject({
      total: 1,
    });
  });
});

describe('a change to an upgrade', () => {
  async function storeUpgrade() {
    await store(acme, [
      { ...kafka, name: 'a', deployed: '3.0.1', severity: 'high', labels: { team: 'x' } },
      { ...kafka, name: 'b', deployed: '3.2.0', severity: 'critical' },
      { ...kafka, name: 'c', deployed: '4.4.3' },
      { gather: 'redis', latest: '8.0.0', name: 'd', deployed: '7.0.0', severity: 'high' },
    ]);
    const path = { upgrade_id: (await list({ q: 'kafka' }))[0]!.id };
    return {
      path,
      change: (body: Schemas['ChangeUpgradeRequest']) => acme.api.call('changeUpgrade', { path, body }),
      get: () => acme.api.call('getUpgrade', { path }),
    };
  }

  test('acknowledges all open alerts of the upgrade and no other alerts', async () => {
    const { change, get } = await storeUpgrade();
    expect(await change({ action: 'acknowledge', comment: 'Thursday.' })).toEqual({
      changed: 2,
      unchanged: 0,
    });
    expect(await change({ action: 'acknowledge' })).toEqual({ changed: 0, unchanged: 2 });
    expect(await get()).toMatchObject({ status: 'planned', places: { planned: 2, ok: 1 } });
    expect(await list({ status: 'needs_action' })).toMatchObject([
      { artifact_name: 'github.com/example/redis' },
    ]);
    const ids = await alertIds();
    const trails = await Promise.all(
      ids.map((id) => acme.api.call('listAlertActions', { path: { id }, query: { limit: 50 } })),
    );
    const comments = trails.flatMap(({ items }) => items.filter(({ action }) => action === 'commented'));
    expect(comments.map(({ detail }) => detail)).toEqual(['Thursday.', 'Thursday.']);
  });

  test('leaves a place that appears later unacknowledged', async () => {
    const { change, get } = await storeUpgrade();
    await change({ action: 'acknowledge', label: 'team=x' });
    expect(await get()).toMatchObject({
      status: 'needs_action',
      places: { needs_action: 1, planned: 1, ok: 1 },
    });
  });

  test('assigns, snoozes, and ends the snooze', async () => {
    const { change, get } = await storeUpgrade();
    const [member] = await acme.api.call('listOrgMembersDropdown');
    expect(await change({ action: 'assign', member_id: member!.id })).toEqual({ changed: 2, unchanged: 0 });
    const { items } = await acme.api.call('listAlerts', { query: { assignee_id: member!.id } });
    expect(items).toHaveLength(2);
    await change({ action: 'snooze', until_version_changes: true });
    expect(await get()).toMatchObject({ status: 'snoozed', places: { snoozed: 2 } });
    // Ending the snooze also evaluates the configurations again.
    expect(await change({ action: 'unsnooze' })).toEqual({ changed: 2, unchanged: 0 });
  });

  test('is rejected with advice if it would lock more than 1,000 alerts', async () => {
    await insertAlerts(server.db, acme.id, { count: 1_001 });
    const [upgrade] = await list();
    expect(upgrade).toMatchObject({ places: { total: 1 }, target_version: null });
    const path = { upgrade_id: upgrade!.id };
    await expect(
      acme.api.call('changeUpgrade', { path, body: { action: 'acknowledge' } }),
    ).rejects.toMatchObject({ status: 409, detail: expect.stringContaining('label') });
  });

  test('changes nothing if it is invalid', async () => {
    const { change, get } = await storeUpgrade();
    const past = { action: 'snooze', until: '2020-01-01T00:00:00Z' } as const;
    for (const body of [past, { action: 'snooze' }, { action: 'comment' }, { action: 'assign' }] as const)
      await expect(change(body)).rejects.toMatchObject({ status: 400 });
    expect(await get()).toMatchObject({ status: 'needs_action', places: { needs_action: 2 } });
  });
});

describe('today', () => {
  const today = (query: { since?: string; label?: string } = {}) => acme.api.call('getToday', { query });
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const namesOf = ({ items }: Schemas['Today']) => items.map(({ upgrade }) => upgrade.gather_job.name);
  /** Moves the opening of all alerts of a gather job, and optionally their escalation, into the past. */
  const backdate = (gather: string, opened: number, escalated: number | null = null) =>
    sql`
      UPDATE alerts SET created_at = pacekeeper_now() - ${opened} * interval '1 hour',
        escalated_at = pacekeeper_now() - ${escalated} * interval '1 hour'
      WHERE organization_id = ${acme.id} AND alert_config_id IN (
        SELECT c.id FROM alert_configs c JOIN gather_jobs g ON g.id = c.gather_job_id WHERE g.name = ${gather}
          AND c.organization_id = ${acme.id})`.execute(server.db);

  test('lists recently changed upgrades before the others, and in both groups, those with alerts in production first', async () => {
    const place = (gather: string, severity: 'moderate' | 'critical', environment: string): Place => ({
      gather,
      name: `${gather} in ${environment}`,
      deployed: '1.0.0',
      latest: '2.0.0',
      severity,
      labels: { environment },
    });
    await store(acme, [
      place('old staging', 'critical', 'staging'),
      place('old production', 'moderate', 'eu-prod'),
      place('new staging', 'critical', 'staging'),
      place('new production', 'moderate', 'us-prod'),
      place('escalated', 'moderate', 'staging'),
    ]);
    for (const [gather, opened, escalated] of [
      ['old staging', 50, null],
      ['old production', 50, 40],
      ['escalated', 50, 2],
    ] as const)
      await backdate(gather, opened, escalated);
    // A whole minute, because times are rounded down to one.
    const since = hoursAgo(24).replace(/\d\d\.\d+Z$/, '00.000Z');
    const found = await today({ since });
    expect(namesOf(found)).toEqual([
      'new production',
      'new staging',
      'escalated',
      'old production',
      'old staging',
    ]);
    expect(found).toMatchObject({ since, production: ['eu-prod', 'us-prod'], is_complete: true });
    expect(found.items.map(({ production_severity }) => production_severity)).toEqual([
      'moderate',
      null,
      null,
      'moderate',
      null,
    ]);
    expect(found.items.filter(({ changed_at }) => changed_at >= since)).toHaveLength(3);
    expect(found.changes).toEqual({
      opened: 2,
      escalated: 1,
      end_of_life: 0,
      known_vulnerabilities: 0,
      resolved: 0,
    });
  });

  test('counts the alerts of the last seven days by default, and only those with a given label', async () => {
    await acme.api.call('putOrgOverride', {
      path: { key: 'notification.owner_label' },
      body: { value: 'team' },
    });
    await store(acme, [
      { ...kafka, name: 'a', deployed: '3.0.1', severity: 'high', labels: { team: 'x' } },
      {
        ...kafka,
        name: 'b',
        deployed: '3.0.1',
        severity: 'high',
        type: 'end_of_life',
        labels: { team: 'y' },
      },
      {
        gather: 'redis',
        latest: '8.0.0',
        name: 'c',
        deployed: '7.0.0',
        severity: 'critical',
        type: 'known_vulnerabilities',
        labels: { team: 'y' },
      },
      { ...kafka, name: 'd', deployed: '4.4.3', labels: { team: 'y' } },
      { ...kafka, name: 'e', deployed: '4.4.3', state: 'stale' },
    ]);
    const [first] = await alertIds();
    expect((await today()).changes).toEqual({
      opened: 3,
      escalated: 0,
      end_of_life: 1,
      known_vulnerabilities: 1,
      resolved: 0,
    });
    await backdate('redis', 8 * 24);
    await acme.api.call('resolveAlert', { path: { id: first! } });
    const found = await today({ label: 'team=y' });
    expect(found.changes).toMatchObject({ opened: 1, end_of_life: 1, known_vulnerabilities: 0 });
    // The list of owners doesn't depend on the label filter, so that users can choose another owner.
    expect(found.owner_label).toBe('team');
    expect(found.owner_count).toBe(3);
    expect(found.owners.map(({ owner }) => owner).toSorted()).toEqual([null, 'x', 'y'].toSorted());
    expect(found.owners.find(({ owner }) => owner === null)!.places).toMatchObject({ total: 1, unknown: 1 });
    expect((await today({ since: hoursAgo(1) })).changes.resolved).toBe(1);
    expect((await today({ since: hoursAgo(-1) })).changes).toMatchObject({ opened: 0, resolved: 0 });
  });

  test('an organization without monitors has no upgrades, owners, or production', async () => {
    expect(await today()).toMatchObject({
      items: [],
      owners: [],
      owner_count: 0,
      production: [],
      counts: { needs_action: 0, ok: 0, unknown: 0 },
    });
  });
});
