import { setTimeout as sleep } from 'node:timers/promises';
import { createApiClient } from '../../src/client/api-client.ts';
import { loadLifecycles, loadVulnerabilities } from '../../src/modules/reference/index.ts';
import type { Database } from '../../src/platform/database/index.ts';
import { insertItems } from './discovery-fixture.ts';
import { osvBatches, osvRecord } from './osv-records.ts';
import type { PageWorld } from './page-world.ts';
import { lifecycleProduct } from './reference-fixture.ts';

const dayMs = 86_400_000;
const fleetEnvironments = ['integration', 'staging', 'production'];

/**
 * Upstream software of the services, with the major version of the newest release and the number of days
 * between releases.
 */
const upstreams = [
  { name: 'postgres', owner: 'postgres', major: 17, days: 40 },
  { name: 'redis', owner: 'redis', major: 8, days: 31 },
  { name: 'nginx', owner: 'nginx', major: 1, days: 25 },
  { name: 'kafka', owner: 'apache', major: 4, days: 60 },
  { name: 'keycloak', owner: 'keycloak', major: 26, days: 14 },
  { name: 'grafana', owner: 'grafana', major: 12, days: 9 },
  { name: 'prometheus', owner: 'prometheus', major: 3, days: 21 },
  { name: 'opentelemetry-collector-contrib', owner: 'open-telemetry', major: 0, days: 14 },
  { name: 'temporal', owner: 'temporalio', major: 1, days: 35 },
  { name: 'cert-manager', owner: 'cert-manager', major: 1, days: 45 },
] as const;

const services = [
  'checkout',
  'payments',
  'cart',
  'search',
  'catalog',
  'pricing',
  'inventory',
  'shipping',
  'returns',
  'accounts',
  'sessions',
  'mail',
  'billing',
  'invoices',
  'ledger',
  'fraud-detection',
  'recommendations',
  'reviews',
  'images',
  'gateway',
  'analytics',
  'warehouse-synchronization',
  'loyalty',
  'vouchers',
  'translations',
  'notifications',
  'exports',
  'reporting',
  'feature-flags',
  'consent',
  'tax',
  'geo',
  'tracking',
  'partners',
];
const teams = [
  'shop',
  'platform',
  'data',
  'identity and access management',
  'payments',
  'logistics',
  'search',
  'mobile',
];

/** Adds 300 resources in three environments, covering all states, to the organization of the page tests. */
export async function addFleet(db: Database, world: PageWorld): Promise<void> {
  const { api, organizationId } = world;
  await api.call('putOrgOverride', {
    path: { key: 'environments.order' },
    body: { value: fleetEnvironments },
  });
  const rules = await createRules();
  const gatherJobs = await Promise.all(upstreams.map(createUpstream));
  await waitUntil(async () => {
    const jobs = await Promise.all(gatherJobs.map(({ id }) => api.call('getGatherJob', { path: { id } })));
    return jobs.every(({ release_count }) => release_count > 0);
  });
  for (const [index, service] of services.entries()) {
    await Promise.all(
      [0, 1, 2].map(async (part) => {
        const upstream = gatherJobs[(index * 3 + part) % gatherJobs.length]!;
        for (const [place, environment] of fleetEnvironments.entries())
          await createThing({
            index,
            service,
            part,
            place,
            environment,
            upstream,
          });
      }),
    );
  }
  await loadReferences();
  await discoverMany();
  await createOther();
  await waitUntil(async () => {
    const { items } = await api.call('listAlertConfigs', { query: { state: 'no_data', limit: 200 } });
    return items.every(({ last_evaluated_at }) => last_evaluated_at !== null);
  });
  await handleAlerts();

  async function createRules(): Promise<number[]> {
    const bodies = [
      {
        name: 'Thirty days',
        rule_type: 'days_behind',
        thresholds: { moderate: 30, high: 90, critical: 365 },
      },
      { name: 'One major version', rule_type: 'majors_behind', thresholds: { moderate: 1, critical: 2 } },
      { name: 'Four minor versions', rule_type: 'minors_behind', thresholds: { moderate: 4, high: 12 } },
      { name: 'Supported', rule_type: 'end_of_life', thresholds: { moderate: 180, high: 60, critical: 0 } },
      {
        name: 'No known vulnerabilities',
        rule_type: 'known_vulnerabilities',
        thresholds: { critical: 1, high: 1 },
      },
      { name: 'Still maintained', rule_type: 'upstream_silent', thresholds: { moderate: 180 } },
    ] as const;
    return Promise.all(bodies.map(async (body) => (await api.call('createRule', { body })).id));
  }

  async function createUpstream({ name, owner, major, days }: (typeof upstreams)[number]) {
    const releases = Array.from({ length: 60 }, (_, index) => {
      const number = 59 - index;
      return {
        tag: `v${Math.max(0, major - 2 + Math.floor(number / 20))}.${Math.floor((number % 20) / 4)}.${number % 4}`,
        publishedAt: new Date(Date.now() - (index * days + 3) * dayMs).toISOString(),
        isPrerelease: false,
      };
    });
    // Major versions are clamped at 0, so tags can repeat. Keep one release per tag.
    const distinct = [
      ...new Map(releases.toReversed().map((each) => [each.tag, each])).values(),
    ].toReversed();
    world.github.repositories.set(`${owner}/${name}`, distinct);
    const { id } = await api.call('createGatherJob', {
      body: {
        name,
        source_type: 'github_releases',
        artifact_name: `${world.github.host}/${owner}/${name}`,
        ...(name === 'postgres' && { lifecycle_product: 'postgresql' }),
        ...(name === 'nginx' && { vulnerability_packages: ['Bitnami/nginx'] }),
      },
    });
    return { id, name, versions: distinct.map(({ tag }) => tag.slice(1)) };
  }

  async function createThing(given: {
    index: number;
    service: string;
    part: number;
    place: number;
    environment: string;
    upstream: { id: number; name: string; versions: string[] };
  }): Promise<void> {
    const { index, service, part, place, environment, upstream } = given;
    const number = index * 9 + part * 3 + place;
    const labels = {
      service: `${service}-${upstream.name}`,
      environment,
      team: teams[index % teams.length]!,
    };
    const { id } = await api.call('createScrapeJob', {
      body: { name: `${service}/${upstream.name} in ${environment}`, parser_type: 'manual', labels },
    });
    // Production is behind the other environments. Some services were never deployed, or run a version that
    // upstream doesn't list.
    const behind = (index * 7 + part * 3) % 45;
    const version =
      number % 41 === 40
        ? null
        : number % 37 === 36
          ? 'nightly'
          : upstream.versions[Math.min(behind + place * 2, upstream.versions.length - 1)]!;
    if (version !== null) await api.call('setScrapeJobVersion', { path: { id }, body: { version } });
    // Leave some resources without a monitor.
    if (number % 29 === 28) return;
    const special = upstream.name === 'postgres' ? 3 : upstream.name === 'nginx' ? 4 : number % 3;
    const rule_id = rules[number % 31 === 30 ? 5 : special]!;
    await api.call('createAlertConfig', {
      body: {
        name: `${service}: ${upstream.name} (${environment})`,
        scrape_job_id: id,
        gather_job_id: upstream.id,
        rule_id,
        labels: { tier: String(1 + (index % 3)) },
      },
    });
  }

  async function loadReferences(): Promise<void> {
    const ends = { '15': '2025-11-13', '16': '2026-12-09', '17': '2029-11-08' };
    const product = { ...lifecycleProduct('postgresql', ends), label: 'PostgreSQL' };
    await loadLifecycles(db, { asOfMs: Date.now(), products: [product] });
    const records = [
      { id: 'BIT-nginx-2026-1', aliases: ['CVE-2026-10001'], fixed: '1.2.0', severity: 'High' },
      { id: 'BIT-nginx-2026-2', aliases: ['CVE-2026-10002'], fixed: '1.1.1', severity: 'Critical' },
      { id: 'BIT-nginx-2026-3', aliases: ['CVE-2026-10003'], fixed: '1.4.0' },
    ];
    await loadVulnerabilities(db, {
      records: osvBatches(records.map(osvRecord)),
      asOfMs: Date.now(),
      isConfirmed: true,
    });
  }

  async function discoverMany(): Promise<void> {
    const { id } = await api.call('createDiscoveryJob', {
      body: {
        name: 'platform-deployments',
        is_active: false,
        repository_url: 'https://git.example.org/acme/platform-deployments',
      },
    });
    const found = fleetEnvironments.flatMap((environment) =>
      services.map((name, index) => ({
        key: `kubernetes:Deployment:${environment}:${name}:image`,
        name,
        path: `clusters/${environment}/eu-central-1/${name}/overlays/deployment.yaml`,
        line: 21 + index,
        artifact_name: `ghcr.io/acme/${name}`,
        artifact_purl: null,
        version: `2.${index}.1`,
        labels: {
          environment,
          service: name,
        },
        ...(index % 7 === 6 && {
          proposal: null,
          confidence: 'none' as const,
          reason: 'no_source',
        }),
        ...(index % 5 === 4 && { confidence: 'likely' as const }),
        ...(index % 11 === 10 && { status: 'ignored' as const }),
        ...(index % 13 === 12 && { status: 'gone' as const }),
      })),
    );
    await insertItems(db, organizationId, id, found);
  }

  async function createOther(): Promise<void> {
    const inAWeek = new Date(Date.now() + 7 * dayMs).toISOString();
    const tomorrow = new Date(Date.now() + dayMs).toISOString();
    await api.call('createSilence', {
      body: {
        label_matchers: [
          {
            label: 'team',
            operator: '=',
            value: 'data',
          },
        ],
        ends_at: inAWeek,
        severities: ['moderate'],
        reason: 'The data platform moves to another region.',
      },
    });
    await api.call('createSilence', {
      body: {
        label_matchers: [
          {
            label: 'environment',
            operator: '=~',
            value: 'integration|staging',
          },
        ],
        starts_at: tomorrow,
        ends_at: inAWeek,
        reason: 'Load tests',
      },
    });
    const owner = createApiClient({ baseUrl: world.url, token: await ownerToken() });
    await owner.call('createAuditExport', { body: { name: 'SIEM', url: `${world.inbox.url}siem` } });
    await owner.call('createAuditExport', {
      body: { name: 'Archive', url: `${world.inbox.url}gone/archive` },
    });
    for (const kind of ['generic', 'github'] as const)
      await owner.call('createHook', { body: { name: `Releases of ${kind}`, kind } });
    for (const name of ['Everything of the shop', 'Out of support'])
      await owner.call('createSavedView', {
        body: {
          page: 'software',
          name,
          is_shared: true,
          search: { label: 'team=shop' },
        },
      });
    const { key } = await owner.call('createAPIKey', {
      body: { name: 'Agents of the cluster', role: 'agent' },
    });
    for (const [index, name] of ['cluster-eu-central-1', 'cluster-us-east-1', 'data-center'].entries())
      await createApiClient({ baseUrl: world.url, apiKey: key }).call('sendHeartbeat', {
        body: {
          name,
          hostname: `${name}-${index}.internal.example.org`,
          version: '0.1.0',
          running: [],
          capabilities: ['scrape', 'gather'],
          credential_names: ['deploy-key', 'registry'],
        },
      });
    await db
      .updateTable('agents')
      .set({ last_heartbeat_at: new Date(Date.now() - 3 * dayMs).toISOString() })
      .where('name', '=', 'data-center')
      .execute();
  }

  async function ownerToken(): Promise<string> {
    const login = await createApiClient({ baseUrl: world.url }).call('login', { body: world.owner });
    return login.access_token;
  }

  async function handleAlerts(): Promise<void> {
    const { items } = await api.call('listAlerts', { query: { limit: 60 } });
    for (const [index, { id, status }] of items.entries()) {
      if (status !== 'unacknowledged') continue;
      const path = { id };
      if (index % 6 === 0)
        await api.call('acknowledgeAlert', { path, body: { comment: 'Planned for the next sprint.' } });
      if (index % 6 === 1) await api.call('snoozeAlert', { path, body: { until_version_changes: true } });
      if (index % 6 === 2)
        await api.call('commentOnAlert', {
          path,
          body: { comment: 'Waits for the migration of the **schema**.' },
        });
      if (index % 12 === 3) await api.call('resolveAlert', { path });
    }
  }
}

async function waitUntil(ask: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 120_000; !(await ask()); await sleep(200))
    if (performance.now() > deadline) throw new Error('The fleet was not ready in time.');
}
