import type { ApiClient } from '../../src/client/api-client.ts';
import { createResourceFactories, type ResourceFactories } from '../contract/world.ts';
import type { SharedTestServer, TestOrganization } from '../helpers/test-server.ts';

/** Creates an organization with an agent that completes its runs. */
export async function createOrganizationWithAgent(
  server: SharedTestServer,
  name: string,
): Promise<TestOrganization & { make: ResourceFactories }> {
  const organization = await server.createOrganization(name);
  const { key } = await organization.owner.call('createAPIKey', { body: { name: 'agent', role: 'agent' } });
  const { createApiClient } = await import('../../src/client/api-client.ts');
  const agent = createApiClient({ baseUrl: server.url, apiKey: key });
  const make = createResourceFactories({
    baseUrl: server.url,
    marker: `agent-${organization.id}`,
    webhookUrl: 'https://hooks.example.org/',
    owner: organization.owner,
    admin: organization.api,
    agent,
  });
  return { ...organization, make };
}

/**
 * Creates at least one of every resource that a configuration file can contain, with a non-default value for
 * every field.
 */
export async function fillOrganization(
  api: ApiClient,
  make: ResourceFactories,
  globalJob: number,
): Promise<void> {
  const call = api.call;
  const days = await call('createRule', {
    body: {
      name: 'Days',
      description: 'Ninety: "at most"\nand no more',
      rule_type: 'days_behind',
      thresholds: {
        moderate: 30,
        critical: 90,
      },
      stable_only: false,
      days_basis: 'first_newer_release',
      min_release_age_days: 3,
      is_active: false,
    },
  });
  const majors = await call('createRule', {
    body: { name: 'Majors', rule_type: 'majors_behind', thresholds: { high: 1 } },
  });
  await call('createRule', {
    body: {
      name: 'Safe',
      rule_type: 'known_vulnerabilities',
      thresholds: {
        critical: 1,
        moderate: 9,
      },
    },
  });
  await call('createRule', {
    body: { name: 'Unchanged', rule_type: 'release_integrity', thresholds: { critical: 1 } },
  });
  await call('createRule', {
    body: {
      name: 'Patched',
      rule_type: 'vulnerability_age',
      thresholds: { high: 30 },
      known_exploited_days: 7,
      min_epss: 0.1,
    },
  });
  await call('createRule', {
    body: {
      name: 'Supported',
      rule_type: 'end_of_life',
      support_phase: 'active_support',
      thresholds: {
        moderate: 180,
        critical: -30,
      },
    },
  });
  // These two rules have the same name and different content.
  const [, minors] = [
    await call('createRule', {
      body: { name: 'Minors', rule_type: 'minors_behind', thresholds: { high: 2 } },
    }),
    await call('createRule', {
      body: { name: 'Minors', rule_type: 'minors_behind', thresholds: { high: 3 } },
    }),
  ];

  const sync = await call('createHelmSyncJob', {
    body: {
      name: 'Charts',
      repository_url: 'https://charts.example.org/stable/',
      chart_filter: ['chart*'],
      cron_expression: '0 4 * * *',
      cron_timezone: 'Europe/Berlin',
    },
  });
  await call('createHelmSyncJob', {
    body: {
      name: 'Off',
      repository_url: 'http://127.0.0.1/charts',
      create_gather_jobs: false,
      is_active: false,
      credential_name: 'charts',
    },
  });
  await make.gathered();
  const fed = await call('listGatherJobs', { query: { helm_sync_job_id: sync.id } });
  await call('updateGatherJob', {
    path: { id: fed.items[0]!.id },
    body: {
      name: 'Chart, renamed',
      include_prereleases: false,
      max_releases: 7,
      ignored_versions: ['9.9.9'],
    },
  });

  await call('createDiscoveryJob', {
    body: {
      name: 'Deployments',
      repository_url: 'git@git.example.org:platform/deploy.git',
      ref: 'main',
      include: ['clusters/'],
      exclude: ['**/sandbox/'],
      extractors: ['flux'],
      accept: 'known',
      accept_roles: ['deployed', 'ci'],
      label_rules: [
        {
          pattern: 'clusters/(?P<cluster>[^/]+)/',
          labels: { team: 'platform' },
        },
        { pattern: '(?P<stage>prod)' },
      ],
      custom_extractors: [
        {
          name: 'Jsonnet images',
          path: '*.libsonnet',
          pattern: "version:: '(?P<version>[^']+)', // (?P<artifact>\\S+)",
          templates: { source_type: 'oci_registry', label_team: 'platform' },
        },
        { name: 'Versions', path: 'versions/', pattern: '(?P<artifact>\\w+)=(?P<version>\\S+)' },
      ],
      ignore_rules: [
        { path: 'clusters/sandbox/', reason: 'Only for experiments' },
        { artifact: 'pkg:docker/library/redis', path: 'tests/' },
        { key: 'kubernetes:Deployment::web:image', artifact: 'image:registry.local/web', is_ignored: false },
      ],
      source_credentials: [
        {
          host: 'GHCR.io',
          credential_name: 'ghcr',
        },
      ],
      default_rule_id: majors.id,
      credential_name: 'deploy',
      is_active: false,
      cron_expression: '@hourly',
      cron_timezone: 'Europe/Berlin',
    },
  });

  const github = await call('createGatherJob', {
    body: {
      name: 'Terraform',
      source_type: 'github_releases',
      artifact_name: 'https://github.com/hashicorp/terraform/',
      version_scheme: 'semver',
      version_pattern: '^v(\\d+\\.\\d+\\.\\d+)$',
      include_prereleases: false,
      max_releases: 12,
      ignored_versions: ['1.9.9'],
      counted_versions: ['2024.1'],
      cron_expression: '@daily',
      cron_timezone: 'Asia/Tokyo',
      credential_name: 'github',
      purls: ['pkg:GitHub/HashiCorp/Terraform', 'pkg:docker/hashicorp/terraform@1.9.0'],
      lifecycle_product: 'none',
      vulnerability_packages: ['Go/github.com/HashiCorp/Terraform', 'Bitnami/terraform'],
      changelog_path: 'CHANGELOG.md',
      project_url: 'github.com/hashicorp/terraform.git',
      is_active: false,
    },
  });
  await call('createGatherJob', {
    body: {
      name: 'Node: ${env:NOT_A_VARIABLE}',
      source_type: 'http_json',
      artifact_name: 'nodejs.org/dist/index.json',
      source_options: {
        version_path: '[*].version',
        date_path: '[*].date',
        version_regex: '^v(.+)$',
      },
    },
  });
  await call('createGatherJob', {
    body: {
      name: 'Kubernetes',
      source_type: 'http_text',
      artifact_name: 'https://dl.k8s.io/release/stable.txt',
      source_options: { version_regex: '^v(.+)$' },
    },
  });
  await call('createGatherJob', {
    body: {
      name: 'redis',
      source_type: 'oci_registry',
      artifact_name: 'redis',
      source_options: { artifact_type: 'image' },
    },
  });
  const helm = await call('createGatherJob', {
    body: {
      name: '1.10',
      source_type: 'helm_repository',
      artifact_name: 'charts.example.org/stable/web',
      source_options: { version_field: 'app_version' },
      version_of: 'application',
    },
  });

  await call('createGatherJob', {
    body: {
      name: 'Database service',
      source_type: 'lifecycle',
      artifact_name: 'amazon-rds-postgresql',
      lifecycle_product: 'amazon-rds-postgresql',
    },
  });

  const manual = await call('createScrapeJob', {
    body: { name: 'By hand', parser_type: 'manual', version_transform: 'add_v_lower', history_limit: 7 },
  });
  await call('setScrapeJobVersion', { path: { id: manual.id }, body: { version: '1.10' } });
  await call('createGatherJob', {
    body: {
      name: 'Where it came from',
      source_type: 'deployed_versions',
      artifact_name: `scrape-job/${manual.id}`,
    },
  });
  await call('createScrapeJob', { body: { name: 'By nobody', parser_type: 'manual' } });
  const git = await call('createScrapeJob', {
    body: {
      name: 'Web',
      parser_type: 'regex',
      repository_url: 'git@git.example.org:platform/deploy.git',
      ref: 'main',
      target_file: 'web/values.yaml',
      parse_expression: 'tag: "?([^"\\s]+)',
      version_transform: 'strip_v_lower',
      credential_name: 'deploy',
      cron_expression: '*/15 * * * *',
      cron_timezone: 'America/Lima',
      is_active: false,
      labels: { team: 'web' },
    },
  });
  const head = await call('createScrapeJob', {
    body: {
      name: 'Web',
      parser_type: 'yq',
      repository_url: 'https://git.example.org/platform/deploy',
      target_file: 'values.yaml',
      parse_expression: '.image.tag',
    },
  });

  await call('createScrapeJob', {
    body: {
      name: 'Counted',
      parser_type: 'regex',
      source: 'prometheus',
      url: 'https://prometheus.example.org',
      query: 'shop_build_info',
      label: 'version',
      series: { namespace: 'shop' },
      parse_expression: '^v(.+)',
    },
  });

  const slack = await call('createNotificationChannel', {
    body: {
      name: 'Operations',
      url: 'https://hooks.example.org/services/T0/B0/secret',
      preset: 'slack',
      headers: {
        'X-Team': 'header-one',
        'X-Stage': 'header-two',
      },
      digest_schedule: '0 9 * * mon',
      sending_hours: [
        {
          days: ['mon', 'fri'],
          from: '08:00',
          to: '18:00',
        },
      ],
      timezone: 'Europe/Berlin',
      always_for: ['high', 'critical'],
      owners: ['@acme/platform', 'Team A'],
      is_active: false,
      signing_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      require_login_to_acknowledge: false,
    },
  });
  const pager = await call('createNotificationChannel', {
    body: {
      name: 'Pager',
      url: 'https://events.example.org/v2/enqueue',
      preset: 'pagerduty',
      preset_options: { routing_key: 'a'.repeat(32) },
    },
  });
  await call('createNotificationChannel', {
    body: {
      name: 'Jira',
      channel_type: 'jira',
      url: 'https://acme.atlassian.net',
      project: 'OPS',
      issue_type: 'Task',
      account_email: 'bot@acme.example',
      ticket_labels: ['dependencies'],
      token: 'ATATT3xFfGF0-token-of-tests',
    },
  });
  await call('createNotificationChannel', {
    body: {
      name: 'By email',
      channel_type: 'email',
      recipients: ['ana@acme.example', 'bob@acme.example'],
      digest_schedule: '0 9 * * mon',
      timezone: 'Europe/Berlin',
    },
  });
  await call('createNotificationChannel', {
    body: {
      name: 'Own words',
      url: 'https://hooks.example.org/own',
      success_condition: { path: 'status', equals: 'ok' },
      template: '{"text": "{{ alert.severity }}"}',
      digest_minutes: 15,
      templates: {
        new_alert: '{\n  "text": {{ alert.config_name | json }}\n}\n',
        resolved: '{"text": "well"}',
      },
    },
  });
  await call('createNotificationChannel', {
    body: {
      name: 'Incidents',
      url: 'https://api.example.org/v2/alerts/{{ event_id }}',
      request_method: 'PUT',
      body_format: 'form',
      closing_path: '/v2/alerts/{{ alert.id }}/close?by=alias',
      closing_method: 'DELETE',
    },
  });

  const first = await call('createAlertConfig', {
    body: {
      name: 'Terraform',
      scrape_job_id: manual.id,
      gather_job_id: github.id,
      rule_id: days.id,
      labels: {
        team: 'platform',
        'env.name': 'yes',
      },
      candidate_pattern: '^1\\.',
      is_active: false,
      ignored_versions: ['1.5.0', 'v1.6'],
      counted_versions: ['2024.1'],
      lifecycle_override: {
        ends_on: '2028-06-30',
        note: 'Contract 4711',
      },
      ignored_vulnerabilities: [
        {
          id: 'CVE-2026-1',
          until: '2026-12-31T01:00:00+01:00',
          reason: 'vulnerable_code_not_in_execute_path',
          note: 'Not enabled',
        },
        { id: 'GHSA-1' },
      ],
    },
  });
  const parts = [
    { name: 'Chart', scrape_job_id: head.id, gather_job_id: fed.items[0]!.id, rule_id: minors.id },
    { name: 'Global', scrape_job_id: git.id, gather_job_id: globalJob, rule_id: majors.id },
    { name: 'Web', scrape_job_id: git.id, gather_job_id: helm.id, rule_id: majors.id },
  ];
  for (const body of parts) await call('createAlertConfig', { body });
  // These duplicates have different ordinals, so the server accepts them.
  for (const ordinal of [2, 5])
    await call('createAlertConfig', { body: { ...parts[2]!, name: `Web ${ordinal}`, ordinal } });

  await call('createNotificationRule', {
    body: { name: 'All else', channel_ids: null, stop_processing: true, priority: 900 },
  });
  await call('createNotificationRule', {
    body: {
      name: 'Platform',
      description: 'critical ones',
      priority: 10,
      severities: ['critical', 'high'],
      event_types: ['alert.created', 'alert.resolved'],
      rule_ids: [majors.id, minors.id],
      label_matchers: [
        {
          label: 'team',
          operator: '=~',
          value: 'plat.*',
        },
      ],
      alert_config_ids: [first.id],
      channel_ids: [slack.id, pager.id],
      is_active: false,
    },
  });
  await call('createNotificationRule', {
    body: { name: 'Last', channel_ids: [pager.id], route_to_owner: true },
  });

  await call('createArtifactAlias', {
    body: {
      name: 'Cache of Docker Hub',
      prefix: 'harbor.acme.dev/hub/',
      upstream_prefix: 'docker.io/',
      reads_mirror: true,
    },
  });
  await call('createArtifactCorrection', {
    body: {
      artifact: 'pkg:helm/shop?repository_url=charts.acme.dev',
      source_type: 'helm_repository',
      artifact_name: 'charts.acme.dev/shop',
      source_options: { version_field: 'app_version' },
    },
  });
  await call('createArtifactCorrection', {
    body: { artifact: 'image:registry.local/billing', source_type: null },
  });
  await call('createFreshnessTarget', { body: { name: 'Everything', metric: 'libyears', limit: 2.5 } });
  await call('createFreshnessTarget', {
    body: {
      name: 'Payments',
      metric: 'exposure_days',
      limit: 90,
      goal_percent: 95,
      is_active: false,
      label_matchers: [
        {
          label: 'team',
          operator: '!~',
          value: 'plat.*',
        },
      ],
    },
  });

  await call('putOrgOverride', { path: { key: 'gather.max_releases' }, body: { value: 500 } });
  await call('putOrgOverride', { path: { key: 'default_rule_id' }, body: { value: majors.id } });
  await call('putOrgOverride', {
    path: { key: 'versions.platform_words' },
    body: { value: ['photonos', 'acmeos'] },
  });
  await call('putOrgOverride', {
    path: { key: 'discovery.custom_extractors' },
    body: {
      value: [
        {
          name: 'Versions of Dhall files',
          path: '*.dhall',
          pattern: '"(?P<artifact>[^":]+):(?P<version>[^"]+)"',
          templates: { source_type: 'oci_registry' },
        },
      ],
    },
  });
  await call('putOrgOverride', {
    path: { key: 'delivery.retry_schedule_seconds' },
    body: { value: [1, 2, 3] },
  });
  await call('updateNotificationSettings', {
    body: { default_channel_id: pager.id, fallback_to_default: false, reminder_interval_hours: 24 },
  });
  await call('updateNotificationTemplate', {
    path: { category: 'new_alert' },
    body: { body: '{\n  "text": {{ alert.config_name | json }}\n}\n\n' },
  });
}
