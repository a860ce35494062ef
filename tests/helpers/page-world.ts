import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type ApiClient, createApiClient } from '../../src/client/api-client.ts';
import { createOrganization, createUser } from '../../src/modules/accounts/index.ts';
import type { Database } from '../../src/platform/database/index.ts';
import { insertItems } from './discovery-fixture.ts';
import { hasTestData, testDataPath } from './test-data.ts';
import { type FakeRelease, startFakeGithub } from './upstreams/fake-github.ts';
import { startFakeHelmRepository, writeHelmIndex } from './upstreams/fake-helm-repository.ts';
import { hasGitHttpBackend, startGitServer } from './upstreams/git-server.ts';
import { readReleaseHistories } from './upstreams/release-histories.ts';
import { createWebhookInbox, type WebhookInbox } from './webhook-inbox.ts';

export interface PageLogin {
  email: string;
  password: string;
}

/** An organization with data for every page, including failures. */
export interface PageWorld {
  organizationId: number;
  owner: PageLogin;
  viewer: PageLogin;
  /** API client that is authenticated as an admin of the organization. */
  api: ApiClient;
  inbox: WebhookInbox;
  url: string;
  /** Fake GitHub, which the gather jobs with the source type `github_releases` read. */
  github: Awaited<ReturnType<typeof startFakeGithub>>;
  /**
   * IDs that can replace `$id`, by the path of the page. Some pages have several IDs, in different states.
   */
  ids: Readonly<Record<string, readonly (number | string)[]>>;
  /** The public host or URL that each fake upstream represents, keyed by the address of the fake. */
  standIns: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const dayMs = 86_400_000;

/**
 * Deployed tools. `behind` is the number of stable releases between the deployed version and the latest one.
 */
const tools = [
  {
    tool: 'terraform',
    owner: 'hashicorp',
    service: 'Infrastructure',
    team: 'platform',
    rule: 'days',
    behind: 9,
  },
  { tool: 'vault', owner: 'hashicorp', service: 'Secrets', team: 'platform', rule: 'majors', behind: 40 },
  { tool: 'nomad', owner: 'hashicorp', service: 'Batch jobs', team: 'data', rule: 'minors', behind: 25 },
  { tool: 'argocd', owner: 'argoproj', service: 'Deployments', team: 'platform', rule: 'days', behind: 60 },
  { tool: 'caddy', owner: 'caddyserver', service: 'Shop front', team: 'shop', rule: 'days', behind: 6 },
  { tool: 'node', owner: 'nodejs', service: 'Checkout', team: 'shop', rule: 'majors', behind: 150 },
  { tool: 'node', owner: 'nodejs', service: 'Search', team: 'shop', rule: 'minors', behind: 0 },
] as const;

/**
 * Fills an installation through its API, with upstreams and a webhook inbox on loopback.
 * @param server A server with an embedded agent that can reach 127.0.0.1 without TLS.
 */
export async function buildPageWorld({ url, db }: { url: string; db: Database }): Promise<PageWorld> {
  const [inbox, github, charts, git, histories] = await Promise.all([
    createWebhookInbox(),
    startFakeGithub(),
    startFakeHelmRepository(),
    hasGitHttpBackend ? startGitServer() : null,
    readHistories(),
  ]);
  inbox.answerAlways(({ path }) => ({ status: path.startsWith('/gone') ? 410 : 200, body: 'ok' }));

  const owner = { email: 'ada@example.org', password: 'a password of the owner' };
  const viewer = { email: 'vera@example.org', password: 'a password of the viewer' };
  const { organizationId } = await createOrganization(db, { name: 'Acme', owner });
  await createOrganization(db, { name: 'Globex', owner: { ...owner, password: null } });
  await createUser(db, { organizationId, role: 'viewer', user: viewer });
  const login = await createApiClient({ baseUrl: url }).call('login', {
    body: owner,
  });
  const person = createApiClient({ baseUrl: url, token: login.access_token });
  const { key } = await person.call('createAPIKey', {
    body: { name: 'Configuration as code', role: 'admin' },
  });
  const api = createApiClient({ baseUrl: url, apiKey: key });
  await administer();
  await api.call('putOrgOverride', { path: { key: 'notification.owner_label' }, body: { value: 'team' } });

  const officeHours = {
    sending_hours: [{ days: ['mon', 'tue'], from: '08:00', to: '18:00' }],
    timezone: 'Europe/Berlin',
  };
  const operations = await channel('Operations', { headers: { 'X-Team': 'platform' } });
  const chat = await channel('Shop chat', { preset: 'slack', digest_minutes: 15, ...officeHours });
  const pager = await channel('Old pager', { url: `${inbox.url}gone` });
  await api.call('updateNotificationSettings', { body: { default_channel_id: operations } });
  const critical = await api.call('createNotificationRule', {
    body: {
      name: 'Critical to the pager',
      severities: ['critical'],
      priority: 10,
      channel_ids: [operations, pager],
      stop_processing: false,
    },
  });
  const team = [{ label: 'team', operator: '=' as const, value: 'shop' }];
  const shop = await api.call('createNotificationRule', {
    body: { name: 'The shop', label_matchers: team, priority: 20, channel_ids: [chat] },
  });

  const rules = {
    majors: await rule({
      name: 'Majors',
      rule_type: 'majors_behind',
      thresholds: { moderate: 1, critical: 2 },
    }),
    days: await rule({
      name: 'Ninety days',
      rule_type: 'days_behind',
      description: 'As agreed with security.',
      days_basis: 'deployed_release',
      thresholds: {
        moderate: 30,
        high: 90,
        critical: 365,
      },
    }),
    minors: await rule({ name: 'Minors', rule_type: 'minors_behind', thresholds: { moderate: 2, high: 4 } }),
  };
  const ruleIds = Object.values(rules);

  const gatherJobs = new Map<string, number>();
  for (const { tool, owner: of } of tools) {
    if (gatherJobs.has(tool)) continue;
    github.repositories.set(`${of}/${tool}`, histories.get(tool)!);
    const body = {
      name: tool,
      artifact_name: `${github.host}/${of}/${tool}`,
      cron_expression: '17 */6 * * *',
    };
    const job = await api.call('createGatherJob', { body: { ...body, source_type: 'github_releases' } });
    gatherJobs.set(tool, job.id);
  }
  const failing = await api.call('createGatherJob', {
    body: { name: 'billing', source_type: 'github_releases', artifact_name: `${github.host}/acme/billing` },
  });
  charts.indexes.set('/stable', chartIndex());
  const helmSyncJob = await api.call('createHelmSyncJob', {
    body: { name: 'Platform charts', repository_url: `http://${charts.host}/stable` },
  });

  const scrapeJobs: number[] = [];
  const configs: number[] = [];
  await until('the releases', async () => {
    const { items } = await api.call('listGatherJobs', { query: { limit: 50 } });
    return items.filter(({ status }) => status === 'completed').length >= gatherJobs.size || undefined;
  });
  for (const [index, { tool, service, team, rule: ruleName, behind }] of tools.entries()) {
    const stable = histories.get(tool)!.filter(({ isPrerelease }) => !isPrerelease);
    const job = await api.call('createScrapeJob', {
      body: { name: `${service}: ${tool}`, parser_type: 'manual' },
    });
    scrapeJobs.push(job.id);
    // The first two versions become the version history.
    for (const place of [behind + 4, behind + 2, behind]) {
      const { tag } = stable[Math.min(place, stable.length - 1)]!;
      await api.call('setScrapeJobVersion', { path: { id: job.id }, body: { version: tag } });
    }
    const labels = { team, stage: index % 3 === 2 ? 'staging' : 'production' };
    const parts = { scrape_job_id: job.id, gather_job_id: gatherJobs.get(tool)! };
    const body = { name: service, ...parts, rule_id: rules[ruleName], labels };
    configs.push((await api.call('createAlertConfig', { body })).id);
  }
  const scraped = await scrape('Ingress', 'clusters/production/values.yaml');
  const missing = await scrape('Retired cluster', 'clusters/retired/values.yaml');

  const alerts = await until('the alerts', async () => {
    const { items } = await api.call('listAlerts', { query: { limit: 50 } });
    return items.length >= 5 ? items.map(({ id }) => id) : undefined;
  });
  const [acknowledged, snoozed, resolved, ...open] = alerts as [number, number, number, ...number[]];
  await api.call('acknowledgeAlert', { path: { id: acknowledged } });
  await api.call('snoozeAlert', { path: { id: snoozed }, body: { until_version_changes: true } });
  await api.call('resolveAlert', { path: { id: resolved } });

  const delivery = (status: 'succeeded' | 'dead_letter') =>
    until(`a delivery that is ${status}`, async () => {
      const { items } = await api.call('listNotificationDeliveries', { query: { status } });
      return items[0]?.id;
    });
  const deliveries = [await delivery('succeeded'), await delivery('dead_letter')];
  await until('the ends of the runs', async () => {
    const jobs = await Promise.all([
      api.call('getGatherJob', { path: { id: failing.id } }),
      api.call('getHelmSyncJob', { path: { id: helmSyncJob.id } }),
      ...[scraped, missing].map((id) => api.call('getScrapeJob', { path: { id } })),
    ]);
    return jobs.every(({ status }) => status === 'completed' || status === 'failed') || undefined;
  });
  const fed = await api.call('listGatherJobs', { query: { helm_sync_job_id: helmSyncJob.id } });
  const releases = await api.call('listReleases', { query: { gather_job_id: gatherJobs.get('caddy')! } });

  const discovered = await discover();
  const group = await followGroup();
  await api.call('createArtifactAlias', {
    body: { name: 'Cache of Docker Hub', prefix: 'harbor.acme.dev/hub/', upstream_prefix: 'docker.io/' },
  });
  await api.call('createArtifactCorrection', {
    body: {
      artifact: 'pkg:oci/shop?repository_url=ghcr.io%2Facme%2Fshop',
      source_type: 'github_releases',
      artifact_name: 'github.com/acme/shop',
    },
  });
  await api.call('createArtifactCorrection', {
    body: { artifact: 'image:registry.local/billing', source_type: null },
  });
  await person.call('createDeploymentTrust', {
    body: {
      name: 'Checkout from GitHub',
      issuer: 'https://token.actions.githubusercontent.com',
      claims: { repository: 'acme/checkout', environment: 'production' },
      services: ['checkout'],
      environments: ['staging', 'production'],
    },
  });
  await api.call('createFreshnessTarget', {
    body: {
      name: 'The shop within 90 days',
      metric: 'exposure_days',
      limit: 90,
      goal_percent: 90,
      label_matchers: [
        {
          label: 'team',
          operator: '=',
          value: 'shop',
        },
      ],
    },
  });
  await api.call('createFreshnessTarget', {
    body: { name: 'No old majors', metric: 'majors', limit: 1, goal_percent: 60 },
  });

  for (const [version, time] of [
    ['1.14.2', null],
    ['1.14.1', '2026-01-01T00:00:00Z'],
  ] as const)
    await api.call('reportDeployment', {
      body: { service: 'checkout', environment: 'production', version, time },
    });

  const upgrades = await api.call('listUpgrades', { query: { limit: 1 } });

  return {
    organizationId,
    owner,
    viewer,
    api,
    inbox,
    url,
    github,
    ids: {
      '/discovery/$id': [discovered, group],
      '/connect/$id': [discovered],
      '/discovery/$id/repositories': [group],
      '/software/$id': scrapeJobs.slice(0, 1),
      '/upgrades/$id': [upgrades.items[0]!.id],
      '/alerts/$id': [open[0]!, acknowledged, snoozed, resolved],
      '/gather-jobs/$id': [gatherJobs.get('terraform')!, failing.id, fed.items[0]!.id],
      '/helm-sync-jobs/$id': [helmSyncJob.id],
      '/scrape-jobs/$id': [scrapeJobs[0]!, scraped, missing],
      '/alert-configs/$id': configs.slice(0, 1),
      '/notification-channels/$id': [operations, pager],
      '/notification-rules/$id': [critical.id, shop.id],
      '/releases/$id': [releases.items[0]!.id],
      '/notification-deliveries/$id': deliveries.toReversed(),
      '/rules/$id': ruleIds,
    },
    standIns: {
      [github.host]: 'github.com',
      [`http://${charts.host}`]: 'https://charts.example.org',
      ...(git && { [`http://${git.host}`]: 'https://git.example.org' }),
      [inbox.url.replace(/\/$/u, '')]: 'https://hooks.example.org',
    },
    close: async () =>
      void (await Promise.all([inbox.close(), github.close(), charts.close(), git?.close()])),
  };

  /** Creates a discovery job with items in all states. */
  async function discover(): Promise<number> {
    const { id } = await api.call('createDiscoveryJob', {
      body: {
        name: 'deployments',
        repository_url: 'https://git.example.org/acme/deployments',
        is_active: false,
      },
    });
    const places = ['production', 'staging', 'integration'].flatMap((environment) =>
      ['checkout', 'search', 'cart', 'billing'].map((service) => ({
        key: `kubernetes:Deployment:${environment}:${service}:image`,
        name: service,
        path: `clusters/${environment}/${service}/deployment.yaml`,
        line: 21,
        version: '2.4.1',
        artifact_name: `ghcr.io/acme/${service}`,
        artifact_purl: null,
        labels: {
          environment,
          service,
        },
      })),
    );
    const [first] = await insertItems(db, organizationId, id, [
      ...places,
      {
        key: 'flux:HelmRelease::ingress:chart',
        path: 'infrastructure/ingress.yaml',
        version: null,
        artifact_kind: 'chart',
        artifact_name: 'ingress-nginx',
        artifact_purl: null,
        version_state: 'templated',
        reason: 'templated',
        proposal: null,
        confidence: 'none',
      },
      {
        key: 'kubernetes:Deployment::own:image',
        path: 'apps/own.yaml',
        artifact_name: 'acme/own',
        artifact_purl: null,
        reason: 'no_source',
        proposal: null,
        confidence: 'none',
      },
      { key: 'kubernetes:Deployment::old:image', path: 'apps/old.yaml', status: 'gone' },
      { key: 'kubernetes:Deployment::test:image', path: 'apps/test.yaml', status: 'ignored' },
    ]);
    await api.call('acceptDiscoveredItems', { body: { item_ids: [first!], rule_id: ruleIds[0]! } });
    return id;
  }

  /** Creates the discovery job of an organization with the jobs of its repositories, one of which is archived. */
  async function followGroup(): Promise<number> {
    const { id } = await api.call('createDiscoveryJob', {
      body: {
        name: 'acme',
        kind: 'repository_group',
        group_url: 'https://github.com/acme',
        is_active: false,
      },
    });
    await sql`
      INSERT INTO discovery_jobs (organization_id, name, kind, repository_url, ref, group_job_id, forge_id, is_active,
        unlisted_since, unlisted_reason)
      SELECT ${organizationId}, path, 'git_repository', 'https://github.com/' || path || '.git', 'HEAD', ${id}, forge_id,
        false, CASE WHEN reason IS NOT NULL THEN pacekeeper_now() - interval '3 days' END, reason
      FROM (VALUES ('1', 'acme/deployments', NULL), ('2', 'acme/platform', NULL), ('3', 'acme/legacy', 'archived'))
        AS listed (forge_id, path, reason)`.execute(db);
    return id;
  }

  async function channel(name: string, body: object): Promise<number> {
    const address = { name, url: `${inbox.url}${name.toLowerCase().replaceAll(' ', '-')}` };
    return (await api.call('createNotificationChannel', { body: { ...address, ...body } })).id;
  }

  async function rule(body: Parameters<typeof api.call<'createRule'>>[1]['body']): Promise<number> {
    return (await api.call('createRule', { body })).id;
  }

  /**
   * Creates a scrape job for a file in a repository. If the Git server can't run, the job uses an unreachable
   * URL.
   */
  async function scrape(name: string, file: string): Promise<number> {
    const repository = git?.createRepository(`platform/${name.toLowerCase().replaceAll(' ', '-')}.git`);
    repository?.commit({ 'clusters/production/values.yaml': 'image:\n  tag: "4.11.2"\n' });
    const at = { repository_url: repository?.url ?? 'http://127.0.0.1:9/platform', target_file: file };
    const parser = { parser_type: 'yq', parse_expression: '.image.tag' } as const;
    return (await api.call('createScrapeJob', { body: { name, ...at, ...parser } })).id;
  }

  /** Creates members, keys, settings, and a second agent in addition to the embedded one. */
  async function administer(): Promise<void> {
    await createUser(db, {
      organizationId,
      role: 'member',
      user: { email: 'max@example.org', password: null },
    });
    await person.call('inviteMember', { body: { email: 'nora@example.org', role: 'member' } });
    await person.call('createAPIKey', { body: { name: 'Deploy pipeline', role: 'reporter' } });
    const old = await person.call('createAPIKey', { body: { name: 'Old pipeline', role: 'member' } });
    await person.call('deactivateAPIKey', { path: { id: old.api_key.id } });
    const { key: agentKey } = await person.call('createAPIKey', { body: { name: 'Agents', role: 'agent' } });
    await createApiClient({ baseUrl: url, apiKey: agentKey }).call('sendHeartbeat', {
      body: {
        name: 'build-network',
        hostname: 'build-7',
        version: '0.1.0',
        running: [],
        capabilities: ['scrape'],
        credential_names: ['deploy-key'],
      },
    });
    await api.call('putOrgOverride', { path: { key: 'gather.max_releases' }, body: { value: 500 } });
    await api.call('putOrgOverride', {
      path: { key: 'delivery.retry_schedule_seconds' },
      body: { value: [1] },
    });
    await api.call('updateNotificationTemplate', {
      path: { category: 'resolved' },
      body: { body: '{"text": {{ alert.config_name | json }}}' },
    });
    await person.call('createFeedback', { body: { message: 'Show me more at once.', category: 'idea' } });
  }
}

/**
 * Returns releases by tool, newest first: real histories if the test data is available, otherwise generated
 * ones.
 */
async function readHistories(): Promise<Map<string, FakeRelease[]>> {
  if (hasTestData) return readReleaseHistories(testDataPath('release-history/mise-versions.jsonl'));
  const count = 200;
  const releases = Array.from({ length: count }, (_, index) => ({
    tag: `${Math.floor((count - index) / 50) + 1}.${Math.floor((count - index) / 5) % 10}.${(count - index) % 5}`,
    publishedAt: new Date(Date.now() - (index + 1) * 9 * dayMs).toISOString(),
    isPrerelease: false,
  }));
  return new Map(tools.map(({ tool }) => [tool, releases]));
}

function chartIndex(): string {
  const versions = (major: number) =>
    [3, 2, 1, 0].map((minor) => ({
      version: `${major}.${minor}.0`,
      appVersion: `1.${minor}.0`,
      created: new Date(Date.now() - (4 - minor) * 40 * dayMs).toISOString(),
    }));
  return writeHelmIndex({
    'cert-manager': versions(1),
    'ingress-nginx': versions(4),
    redis: versions(20).map((version) => ({ ...version, deprecated: true })),
  });
}

async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await sleep(100)) {
    const found = await ask();
    if (found !== undefined) return found;
  }
  throw new Error(`${what} did not come`);
}
