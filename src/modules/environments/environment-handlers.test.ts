import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { startTestServer, type TestOrganization } from '../../../tests/helpers/test-server.ts';
import { createResultCache } from '../counts/index.ts';
import { readPromotions } from './read-promotions.ts';

const server = await startTestServer();

async function createTracker(
  { api }: TestOrganization,
  labels: Record<string, string>,
  ...versions: string[]
): Promise<number> {
  const { id } = await api.call('createScrapeJob', {
    body: { name: Object.values(labels).join(' '), parser_type: 'manual', labels },
  });
  for (const version of versions) await api.call('setScrapeJobVersion', { path: { id }, body: { version } });
  return id;
}

describe('the environment matrix', () => {
  test('shows the worst alert configuration and the measured number of newer releases in each cell', async () => {
    const organization = await server.createOrganization();
    const { api, id: organizationId } = organization;
    const labels = { service: 'web', environment: 'production' };
    const scrape_job_id = await createTracker(organization, labels, '1.0.0');
    await createTracker(organization, { service: 'web', environment: 'staging' }, '1.1.0');
    const { id: gather_job_id } = await api.call('createGatherJob', {
      body: {
        name: 'web',
        source_type: 'github_releases',
        artifact_name: 'github.com/acme/web',
        is_active: false,
      },
    });
    const ids: number[] = [];
    for (const rule_type of ['days_behind', 'majors_behind', 'minors_behind'] as const) {
      const rule = await api.call('createRule', {
        body: { name: rule_type, rule_type, thresholds: { moderate: 1 } },
      });
      const body = { name: rule_type, scrape_job_id, gather_job_id, rule_id: rule.id };
      ids.push((await api.call('createAlertConfig', { body })).id);
    }
    const [measured, worst, disabled] = ids;
    await api.call('updateAlertConfig', { path: { id: disabled! }, body: { is_active: false } });
    const production = async () =>
      (await api.call('getEnvironmentMatrix', {})).items[0]!.cells.find(
        ({ environment }) => environment === labels.environment,
      )!;
    // The number of releases is unknown until it is measured.
    expect((await production()).upstream).toMatchObject({ releases_behind: null, days_behind: null });
    await sql`
      UPDATE alert_configs SET deployed_version = '1.0.0', latest_version = '1.4.0', due_at = 'infinity',
        severity = CASE WHEN id = ${measured!} THEN 'moderate' ELSE 'critical' END,
        state = CASE WHEN id = ${disabled!} THEN 'inactive' ELSE 'alerting' END
      WHERE organization_id = ${organizationId}`.execute(server.db);
    const measure = (deployed: string, isLowerBound: boolean, releases: number) =>
      sql`
        INSERT INTO freshness_things (organization_id, alert_config_id, fingerprint, deployed_version, releases,
          exposed_since, is_known, is_estimate, is_lower_bound)
        VALUES (${organizationId}, ${measured!}, '', ${deployed}, ${releases},
          pacekeeper_now() - interval '45.5 days', true, false, ${isLowerBound})
        ON CONFLICT (organization_id, alert_config_id) DO UPDATE SET deployed_version = EXCLUDED.deployed_version,
          releases = EXCLUDED.releases, is_lower_bound = EXCLUDED.is_lower_bound`.execute(server.db);
    await measure('1.0.0', false, 4);
    const cell = await production();
    expect(cell.upstream).toEqual({
      alert_config_id: worst,
      state: 'alerting',
      severity: 'critical',
      latest_version: '1.4.0',
      releases_behind: 4,
      days_behind: 45,
    });
    expect(cell).toMatchObject({ alert_config_id: null, severity: null });
    // The measurement of another version isn't used, and an incomplete list doesn't prove that there are zero
    // releases.
    await measure('0.9.0', false, 5);
    expect((await production()).upstream).toMatchObject({ releases_behind: null, days_behind: null });
    await measure('1.0.0', true, 0);
    expect((await production()).upstream).toMatchObject({ releases_behind: null });
    await measure('1.0.0', true, 3);
    expect((await production()).upstream).toMatchObject({ releases_behind: 3 });
    const { cells } = (await api.call('getEnvironmentMatrix', {})).items[0]!;
    expect(cells.find(({ environment }) => environment === 'staging')!.upstream).toBeNull();
  });

  test('compares each environment with the previous one that has the service', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    await api.call('putOrgOverride', {
      path: { key: 'environments.order' },
      body: { value: ['dev', 'staging', 'production'] },
    });
    const web = (environment: string, ...versions: string[]) =>
      createTracker(organization, { service: 'web', environment }, ...versions);
    const staging = await web('staging', '1.0.0', '1.1.0', 'v1.2.0');
    const east = await web('production', '1.2.0');
    const west = await web('production', '1.0.0');
    await web('elsewhere', '1.0.0');
    await createTracker(organization, { service: 'shop', component: 'till', environment: 'dev' }, 'b4c614f');
    await createTracker(organization, { environment: 'dev' }, '1');

    const matrix = await api.call('getEnvironmentMatrix', {});
    expect(matrix.environments).toEqual(['dev', 'staging', 'production', 'elsewhere']);
    expect(matrix).toMatchObject({ total: 2, total_is_exact: true });
    expect(matrix.items.map(({ service, component }) => [service, component])).toEqual([
      ['shop', 'till'],
      ['web', null],
    ]);
    const row = matrix.items[1]!;
    expect(row.newest_version).toBe('v1.2.0');
    expect(row.cells).toMatchObject([
      { relation: 'missing', versions: [] },
      { relation: 'first', versions: [{ version: 'v1.2.0', count: 1, scrape_job_ids: [staging] }] },
      {
        relation: 'behind',
        compared_with: 'staging',
        releases_behind: 2,
        alert_config_id: null,
        versions: [
          {
            version: '1.0.0',
            scrape_job_ids: [west],
          },
          {
            version: '1.2.0',
            scrape_job_ids: [east],
          },
        ],
      },
      { relation: 'same', compared_with: 'production' },
    ]);

    const services = async (query: object) =>
      (await api.call('getEnvironmentMatrix', { query })).items.map(({ service }) => service);
    expect(await services({ drift: 'behind' })).toEqual(['web']);
    expect(await services({ drift: 'ahead' })).toEqual([]);
    expect(await services({ drift: 'any', environments: 'dev' })).toEqual(['web']);
    expect(await services({ q: 'TILL' })).toEqual(['shop']);
    expect(await services({ label: 'environment=elsewhere' })).toEqual(['web']);
    expect(await services({ limit: 1, offset: 1 })).toEqual(['web']);
    const pastEnd = await api.call('getEnvironmentMatrix', {
      query: { label: 'environment=elsewhere', offset: 5 },
    });
    expect(pastEnd).toMatchObject({ items: [], total: 1 });
    const other = await server.createOrganization();
    expect(await other.api.call('getEnvironmentMatrix', {})).toMatchObject({ environments: [], total: 0 });
  });

  test('shows every change immediately, including changes by other servers', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    await createTracker(organization, { service: 'web', environment: 'a-staging' }, '1.0.0', '1.1.0');
    const id = await createTracker(organization, { service: 'web', environment: 'production' }, '1.1.0');
    const relation = async () => {
      const { items, environments } = await api.call('getEnvironmentMatrix', {});
      const behind = await api.call('getEnvironmentMatrix', { query: { drift: 'behind' } });
      expect(behind.total).toBe(items[0]?.cells.at(-1)?.relation === 'behind' ? 1 : 0);
      return `${environments.at(-1)} ${items[0]?.cells.at(-1)?.relation}`;
    };
    expect(await relation()).toBe('production same');
    await api.call('setScrapeJobVersion', { path: { id }, body: { version: '1.0.0' } });
    expect(await relation()).toBe('production behind');
    await sql`UPDATE scrape_jobs SET latest_version = '1.2.0' WHERE id = ${id}`.execute(server.db);
    expect(await relation()).toBe('production ahead');
    await sql`UPDATE scrape_jobs SET labels = '{"service": "web", "environment": "z"}' WHERE id = ${id}`.execute(
      server.db,
    );
    expect(await relation()).toBe('z ahead');
    await sql`UPDATE scrape_jobs SET is_active = false WHERE id = ${id}`.execute(server.db);
    expect(await relation()).toBe('a-staging first');
    await sql`UPDATE scrape_jobs SET is_active = true WHERE id = ${id}`.execute(server.db);
    expect(await relation()).toBe('z ahead');
    await api.call('deleteScrapeJob', { path: { id } });
    expect(await relation()).toBe('a-staging first');
    await createTracker(organization, { service: 'web', environment: 'b' }, '1.0.0');
    expect(await relation()).toBe('b behind');
    await api.call('putOrgOverride', { path: { key: 'environments.order' }, body: { value: ['b'] } });
    expect(await relation()).toBe('a-staging ahead');
  });

  test('has no column for an environment without a service', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    await createTracker(organization, { service: 'web', environment: 'b' }, '1');
    await createTracker(organization, { environment: 'a' }, '1');
    const gone = await createTracker(organization, { service: 'web', environment: 'c' }, '1');
    const read = async () => {
      const { environments } = await api.call('getEnvironmentMatrix', {});
      const { total } = await api.call('getEnvironmentMatrix', { query: { drift: 'missing' } });
      return [environments, total];
    };
    expect(await read()).toEqual([['b', 'c'], 0]);
    await api.call('updateScrapeJob', { path: { id: gone }, body: { is_active: false } });
    expect(await read()).toEqual([['b'], 0]);
  });

  test('finds drift between commits, between selected environments, and for services with a label', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    await createTracker(organization, { service: 'web', environment: 'a' }, 'b4c614f', 'd7eed0c');
    await createTracker(organization, { service: 'web', environment: 'b' }, 'b4c614f');
    await createTracker(organization, { service: 'shop', environment: 'a', team: 'x' }, '2');
    await createTracker(organization, { service: 'shop', environment: 'b' }, 'v2');
    await createTracker(organization, { service: 'shop', environment: 'c' }, '3');
    const found = async (query: object) => {
      const { items, total } = await api.call('getEnvironmentMatrix', { query });
      expect(total).toBe(items.length);
      return items.map(({ service }) => service);
    };
    expect(await found({ drift: 'behind' })).toEqual(['web']);
    expect(await found({ drift: 'ahead' })).toEqual(['shop']);
    expect(await found({ drift: 'missing' })).toEqual(['web']);
    expect(await found({ drift: 'any' })).toEqual(['shop', 'web']);
    expect(await found({ drift: 'any', environments: 'a,b' })).toEqual(['web']);
    expect(await found({ drift: 'any', label: 'team=x' })).toEqual(['shop']);
    expect(await found({ drift: 'any', q: 'we' })).toEqual(['web']);
  });

  test('uses the labels from the settings', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const set = (key: string, value: unknown) =>
      api.call('putOrgOverride', { path: { key }, body: { value } });
    await set('environments.label', 'stage');
    await set('environments.service_label', 'it_s.service');
    await createTracker(organization, { 'it_s.service': 'web', stage: 'one' }, '1');
    expect(await api.call('getEnvironmentMatrix', {})).toMatchObject({
      environments: ['one'],
      items: [{ service: 'web', component: null }],
    });
    await expect(set('environments.label', "x' --")).rejects.toMatchObject({ status: 400 });
  });
});

test('promotions count each version once, and list skipped and in-flight versions', async () => {
  const organization = await server.createOrganization();
  const { api } = organization;
  await api.call('putOrgOverride', {
    path: { key: 'environments.order' },
    body: { value: ['staging', 'production'] },
  });
  const place = (environment: string) => createTracker(organization, { service: 'web', environment }, '0.9');
  const [staging, production] = [await place('staging'), await place('production')];
  const unobserved = await api.call('listPromotions', {});
  expect(unobserved.items).toMatchObject([
    { promoted: 0, median_seconds: null, skipped: 0, in_flight_count: 0 },
  ]);
  const deploy = async (id: number, ...versions: string[]) => {
    for (const version of versions)
      await api.call('setScrapeJobVersion', { path: { id }, body: { version } });
  };
  await deploy(staging, '1.0', '1.1', '1.2', '1.1', '1.2', '1.3');
  await deploy(production, '1.0', '1.2');
  const promotions = await api.call('listPromotions', {});
  expect(promotions.items).toMatchObject([
    {
      service: 'web',
      component: null,
      from: 'staging',
      to: 'production',
      promoted: 2,
      reversed: 0,
      skipped: 1,
      in_flight_count: 1,
      median_seconds: expect.any(Number),
      skipped_versions: [{ version: '1.1' }],
      in_flight: [{ version: '1.3' }],
    },
  ]);
  expect(promotions.summary).toMatchObject({ promoted: 2, skipped: 1, in_flight_count: 1 });
  expect(promotions.summary.interval_seconds).toBe(0);
  const schedule = (cron: string | null) =>
    sql`
    UPDATE scrape_jobs SET parser_type = 'yq', repository_url = 'https://git.example.org/web', cron_expression = ${cron}
    WHERE organization_id = ${organization.id} AND labels ->> 'environment' = 'production'`.execute(
      server.db,
    );
  const interval = async (since: string) => {
    const { items, summary } = await api.call('listPromotions', { query: { since } });
    expect(items[0]?.interval_seconds).toBe(summary.interval_seconds);
    return summary.interval_seconds;
  };
  await schedule('*/15 * * * *');
  expect(await interval('2020-01-01T00:00:00Z')).toBe(900);
  await schedule(null);
  expect(await interval('2020-01-02T00:00:00Z')).toBeNull();
  const reversed = await api.call('listPromotions', { query: { from: 'production', to: 'staging' } });
  expect(reversed.items).toMatchObject([{ promoted: 2, reversed: 2, skipped: 0 }]);
  const same = api.call('listPromotions', { query: { from: 'staging', to: 'staging' } });
  await expect(same).rejects.toMatchObject({ status: 400 });
});

test('promotions are computed once for all start times in the same minute', async () => {
  const organization = await server.createOrganization();
  for (const environment of ['dev', 'production'])
    await createTracker(organization, { service: 'web', environment }, '1', '2');
  const statementsFor = (since: string) =>
    server.statementsOf(() => organization.api.call('listPromotions', { query: { since } }));
  const readsChanges = (statements: string[]) =>
    statements.some((text) => text.includes('is_change') && text.includes('versions'));
  expect(readsChanges(await statementsFor('2026-11-01T10:00:00Z'))).toBe(true);
  expect(readsChanges(await statementsFor('2026-11-01T10:00:59.999Z'))).toBe(false);
  expect(readsChanges(await statementsFor('2026-11-01T10:01:00Z'))).toBe(true);
});

test('the summary of promotions covers all services, not only those of the page, and services without promotions leave no gaps on pages', async () => {
  const organization = await server.createOrganization();
  const { api } = organization;
  const order = ['dev', 'staging', 'production'];
  await api.call('putOrgOverride', { path: { key: 'environments.order' }, body: { value: order } });
  const place = (service: string, environment: string, ...versions: string[]) =>
    createTracker(organization, { service, environment }, '0', ...versions);
  await place('a', 'staging', '1', '2');
  for (const service of ['b', 'd']) {
    await place(service, 'staging', '1', '2');
    await place(service, 'production', '1');
  }
  await place('c', 'dev', '1');
  await place('e', 'dev', '1', '2');
  await place('e', 'production', '1');
  const read = async (query: object = {}) => {
    const { items, ...rest } = await api.call('listPromotions', { query });
    return { services: items.map(({ service, from, to }) => `${service}: ${from} to ${to}`), ...rest };
  };
  const summary = { service_count: 3, promoted: 3, in_flight_count: 3, skipped: 0 };
  const rows = ['b: staging to production', 'd: staging to production', 'e: dev to production'];
  expect(await read()).toMatchObject({ services: rows, total: 3, total_is_exact: true, summary });
  for (const [offset, row] of rows.entries())
    expect(await read({ limit: 1, offset })).toMatchObject({ services: [row], total: 3, summary });
  expect(await read({ limit: 1, offset: 3 })).toMatchObject({ services: [], total: 3, summary });

  const listed = async (query: object) => {
    const { services, total, summary } = await read(query);
    expect(total).toBe(services.length);
    expect(summary.service_count).toBe(total);
    return services;
  };
  expect(await listed({ q: 'D' })).toEqual([rows[1]]);
  expect(await listed({ service: 'a' })).toEqual([]);
  expect(await listed({ from: 'dev' })).toEqual(['e: dev to production']);
  expect(await listed({ from: 'production' })).toEqual([]);
  expect(await listed({ to: 'staging' })).toEqual(['c: dev to staging', 'e: dev to staging']);
  // A version that hasn't arrived in any later environment is in flight.
  expect(await listed({ from: 'staging', to: 'production' })).toEqual([
    'a: staging to production',
    ...rows.slice(0, 2),
  ]);
  expect(await listed({ to: 'elsewhere' })).toEqual([]);
});

test("a summary of promotions reports the number of included services if it can't include all of them because of too many changes", async () => {
  const organization = await server.createOrganization();
  await sql`
    INSERT INTO scrape_jobs (organization_id, name, parser_type, labels, latest_version, latest_version_at)
    SELECT ${organization.id}, 'job', 'manual', jsonb_build_object('service', 'service-' || n, 'environment', environment),
      '1', pacekeeper_now()
    FROM generate_series(101, 250) n, unnest(ARRAY['a', 'b']) AS environment`.execute(server.db);
  await sql`
    INSERT INTO versions (organization_id, scrape_job_id, version, raw_version, version_transform, source, is_change)
    SELECT organization_id, id, version, version, 'none', 'manual', true
    FROM scrape_jobs, unnest(ARRAY['0', '1']) AS version
    WHERE organization_id = ${organization.id} ORDER BY id, version`.execute(server.db);
  const read = async (maxSummaryChanges: number) => {
    const kept = createResultCache();
    const page = { limit: 50, offset: 0 };
    const { summary, total } = await readPromotions(
      server.db,
      kept,
      organization.id,
      {},
      page,
      maxSummaryChanges,
    );
    return { ...summary, total };
  };
  expect(await read(400)).toMatchObject({ service_count: 100, promoted: 100, total: 150 });
  expect(await read(401)).toMatchObject({ service_count: 150, promoted: 150, total: 150 });
});
