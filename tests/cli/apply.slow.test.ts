import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setClockOffset } from '../helpers/database.ts';
import { insertItems, insertManagedScrapeJob } from '../helpers/discovery-fixture.ts';
import { createScanner, deployedImageItem } from '../helpers/scan-by-hand.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { startTestServer, type TestOrganization, type TestServer } from '../helpers/test-server.ts';
import { type CommandResult, runCommand } from './run-command.ts';

let server: TestServer;
let organization: TestOrganization;

beforeAll(async () => {
  server = await startTestServer();
});

beforeEach(async () => {
  organization = await server.createOrganization();
});

interface ApplyOptions {
  env?: Record<string, string>;
  answers?: string[];
  apiKey?: string;
  onError?(stderr: string): void;
  hasErrorTerminal?: boolean;
}

async function apply(
  text: string,
  args: string[] = ['--yes'],
  options: ApplyOptions = {},
): Promise<CommandResult> {
  const file = path.join(temporaryFolder(), 'pacekeeper.yaml');
  writeFileSync(file, text);
  return runCommand(['apply', '-f', file, ...args], {
    env: {
      PACEKEEPER_SERVER_URL: server.url,
      PACEKEEPER_API_KEY: options.apiKey ?? organization.apiKey,
      ...options.env,
    },
    ...(options.answers && { answers: options.answers }),
    ...(options.onError && { onError: options.onError }),
    ...(options.hasErrorTerminal && { hasErrorTerminal: true }),
  });
}

async function applied(text: string, args?: string[], options?: ApplyOptions): Promise<string> {
  const result = await apply(text, args, options);
  expect(result).toMatchObject({ code: 0, stderr: '' });
  return result.stdout;
}

const file = `
rules:
  - { name: Majors, rule_type: majors_behind, thresholds: { high: 1 } }
gather_jobs:
  - { name: Redis, source_type: github_releases, artifact_name: "https://GitHub.com/redis/redis/releases/tag/7.2.4" }
  - { name: Image, source_type: oci_registry, artifact_name: docker pull redis:7.2 }
  - { name: Tags, source_type: git_tags, artifact_name: git@git.example.org:a/b.git }
helm_sync_jobs:
  - { name: Charts, repository_url: https://Charts.example.org/index.yaml, is_active: false }
scrape_jobs:
  - { name: Redis, parser_type: manual, version: 7.2.4 }
alert_configs:
  - { name: Redis, scrape_job: Redis, gather_job: Redis, rule: Majors }
notification_channels:
  - { name: Operations, url: "\${env:OPS_URL}", headers: { X-Key: "\${env:OPS_KEY}" } }
notification_rules:
  - { name: All, channels: [Operations] }
freshness_targets:
  - { name: Soon, metric: exposure_days, limit: 90 }
artifact_aliases:
  - { name: Cache, prefix: "https://Harbor.acme.dev/hub", upstream_prefix: registry-1.docker.io }
artifact_corrections:
  - { artifact: pkg:docker/acme/shop, source_type: github_releases, artifact_name: "https://GitHub.com/acme/shop" }
  - { artifact: "image:registry.local/billing", source_type: null }
settings:
  default_notification_channel: Operations
templates:
  resolved: '{"text": "$\${env:NO_VARIABLE}", "name": {{ alert.config_name | json }}}'
`;
const env = { OPS_URL: 'https://hooks.example.org/ops', OPS_KEY: 'a key' };

/**
 * Returns the names of all resources and settings of the organization that a configuration file can contain.
 */
async function everything(): Promise<string[]> {
  const { api } = organization;
  const lists = await Promise.all([
    api.call('listRules'),
    api.call('listGatherJobs', { query: { scope: 'organization' } }),
    api.call('listHelmSyncJobs', { query: { scope: 'organization' } }),
    api.call('listScrapeJobs'),
    api.call('listAlertConfigs'),
    api.call('listNotificationChannels'),
    api.call('listNotificationRules'),
    api.call('listFreshnessTargets'),
    api.call('listArtifactAliases'),
  ]);
  const corrections = await api.call('listArtifactCorrections');
  const settings = await api.call('listOrgOverrides');
  return [
    ...lists.flatMap(({ items }) => items.map(({ name }) => name)),
    ...corrections.items.map(({ artifact }) => artifact),
    ...settings.items.map(({ key }) => key),
  ].sort();
}

describe('apply', () => {
  test('creates the resources of a file, and changes nothing when the same file is applied again', async () => {
    const first = await applied(file, ['--yes'], { env });
    expect(first).toContain('+ gather job "Redis"');
    // Setting the version of a new job is counted as part of its creation.
    expect(first).toContain(
      'Plan: 15 to create, 0 to update, 0 to delete, 0 unchanged.\nApplied 15 changes.',
    );
    expect(await applied(file, ['--yes', '--prune'], { env })).toBe('No changes. 15 resources up to date.\n');
    const { items } = await organization.api.call('listNotificationTemplates');
    expect(items.find(({ category }) => category === 'resolved')?.body).toContain(
      '"${env:NO_VARIABLE}", "name": {{',
    );
    const { items: jobs } = await organization.api.call('listScrapeJobs');
    expect(jobs[0]?.latest_version).toBe('7.2.4');
  });

  test('shows the plan of a dry run without changing anything', async () => {
    expect(await applied(file, ['--dry-run'], { env })).toMatch(/15 to create/);
    expect(await everything()).toEqual([]);
  });

  test('shows each changed field with its old and new value', async () => {
    await applied(file, ['--yes'], { env });
    const changed = file
      .replace('thresholds: { high: 1 }', 'thresholds: { high: 2 }, description: Two is too many')
      .replace('rule: Majors', 'rule: Majors, labels: { team: data }');
    const plan = await applied(changed, ['--dry-run'], { env });
    expect(plan.replace(/\(\d+\)/g, '(ID)')).toBe(
      [
        '~ rule "Majors" (ID)',
        '    description: "" → Two is too many',
        '    thresholds: {"high":1} → {"high":2}',
        '~ alert configuration "Redis" (ID)',
        '    labels: {} → {"team":"data"}',
        'Plan: 0 to create, 2 to update, 0 to delete, 13 unchanged.\n',
      ].join('\n'),
    );
  });

  test('follows an apply in progress if it makes the same changes, and rejects other changes', async () => {
    const rule = (high: number) =>
      `rules: [{ name: Majors, rule_type: majors_behind, thresholds: { high: ${high} } }]`;
    await applied(rule(1));
    const another = { name: 'Another', role: 'admin' } as const;
    const { key } = await organization.owner.call('createAPIKey', { body: another });
    // Lock the row that the apply changes, so that the apply stays in progress.
    const holder = await server.db.startTransaction().execute();
    await sql`SELECT 1 FROM rules WHERE organization_id = ${organization.id} FOR UPDATE`.execute(holder);
    const first = apply(rule(2));
    const inProgress = async () => {
      const { rows } = await sql<{ id: number }>`
        SELECT id FROM configuration_applies
        WHERE organization_id = ${organization.id} AND status = 'in_progress'`.execute(server.db);
      return rows[0]?.id;
    };
    await expect.poll(inProgress).toBeTypeOf('number');
    const id = await inProgress();
    const note = `Note: the same changes are already being applied (apply ${id}).\n`;
    let stderr = '';
    const second = apply(rule(2), ['--yes'], { apiKey: key, onError: (text) => void (stderr = text) });
    await expect.poll(() => stderr).toBe(note);
    expect(await apply(rule(3))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `Another configuration is being applied (apply ${id}). Wait until it has finished.`,
      ),
    });
    await holder.rollback().execute();
    const stdout = expect.stringContaining('Applied 1 change.');
    expect(await first).toMatchObject({ code: 0, stdout, stderr: '' });
    expect(await second).toMatchObject({ code: 0, stdout, stderr: note });
  });

  test('shows the number of completed changes on a terminal, where a new job and its version are one change', async () => {
    const text = (high: number) =>
      `rules: [{ name: Majors, rule_type: majors_behind, thresholds: { high: ${high} } }]\n`;
    await applied(text(1));
    // Lock the rule, so that the apply creates the job and then waits.
    const holder = await server.db.startTransaction().execute();
    await sql`SELECT 1 FROM rules WHERE organization_id = ${organization.id} FOR UPDATE`.execute(holder);
    let stderr = '';
    const onError = (all: string) => void (stderr = all);
    const job = 'scrape_jobs: [{ name: Redis, parser_type: manual, version: 7.2.4 }]\n';
    const ended = apply(text(2) + job, ['--yes'], { onError, hasErrorTerminal: true });
    await expect.poll(() => stderr).toContain('Applied 1 of 2 changes');
    await holder.rollback().execute();
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(stdout).toContain('Plan: 1 to create, 1 to update, 0 to delete, 0 unchanged.\nApplied 2 changes.');
    expect(stderr).toContain('Applied 2 of 2 changes');
    expect(stderr).not.toContain('step');
  });

  test('resets a field to its default when the file no longer contains it', async () => {
    const rule = 'rules: [{ name: Days, rule_type: days_behind, thresholds: { high: 9 }';
    await applied(`${rule}, stable_only: false, min_release_age_days: 4 }]`);
    await applied(`${rule} }]`);
    const { items } = await organization.api.call('listRules');
    expect(items[0]).toMatchObject({ stable_only: true, min_release_age_days: 0 });
    expect(await applied(`${rule} }]`)).toMatch(/^No changes\./);
  });

  test('keeps the days_basis of an existing rule if the file omits it, and uses the default for a new one', async () => {
    const rule = 'rules: [{ name: Days, rule_type: days_behind, thresholds: { high: 9 }';
    const basis = async () => (await organization.api.call('listRules')).items[0]?.days_basis;
    await applied(`${rule} }]`);
    expect(await basis()).toBe('first_newer_release');
    await applied(`${rule}, days_basis: deployed_release }]`);
    expect(await applied(`${rule} }]`)).toMatch(/^No changes\./);
    expect(await basis()).toBe('deployed_release');
  });

  test('prompts for confirmation on a terminal, and requires --yes without one', async () => {
    expect(await apply(file, [], { env })).toMatchObject({
      code: 2,
      stderr:
        'pacekeeper apply: No changes made. Without a terminal, use --yes to confirm: Apply these changes?\n',
    });
    expect(await apply(file, [], { env, answers: ['n'] })).toMatchObject({
      code: 1,
      stderr: 'pacekeeper apply: Canceled. No changes made.\n',
    });
    expect(await everything()).toEqual([]);
    expect(await apply(file, [], { env, answers: ['y'] })).toMatchObject({ code: 0 });
    expect(await everything()).not.toEqual([]);
  });
});

describe('--prune', () => {
  test('deletes the resources missing from the sections of the file, dependents first', async () => {
    await applied(file, ['--yes'], { env });
    const rest =
      'rules: []\ngather_jobs: []\nscrape_jobs: []\nalert_configs: []\nnotification_rules: []\nfreshness_targets: []\nartifact_aliases: []\nartifact_corrections: []\nsettings: {}\n';
    expect(await applied(rest)).toMatch(/^No changes\./);
    const output = await applied(rest, ['--yes', '--prune']);
    expect(output).toContain('- alert configuration "Redis"');
    expect(await everything()).toEqual(['Charts', 'Operations', 'notification.template.alert.resolved']);
  });

  test('never deletes a resource that other resources still use', async () => {
    await applied(file, ['--yes'], { env });
    const before = await everything();
    for (const [text, user] of [
      ['rules: []', 'alert configuration "Redis"'],
      ['gather_jobs: []', 'alert configuration "Redis"'],
      ['notification_channels: []\nnotification_rules: []', 'default channel'],
      ['notification_channels: []\nsettings: {}', 'notification rule "All"'],
      [
        'rules: []\nalert_configs: [{ name: Redis, scrape_job: Redis, gather_job: Redis, rule: Majors }]',
        'references it',
      ],
    ] as const) {
      const result = await apply(text, ['--yes', '--prune']);
      expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(user) });
    }
    expect(await everything()).toEqual(before);
  });
});

test('an unset variable is reported as the only error, also for an existing channel', async () => {
  await applied(file, ['--yes'], { env });
  const { code, stderr } = await apply(file, ['--dry-run'], { env: { OPS_KEY: 'k' } });
  expect(code).toBe(2);
  expect(stderr).toContain(
    'notification channel "Operations": url: environment variable OPS_URL isn\'t set or is empty',
  );
  expect(stderr).not.toMatch(/internal|didn't check/);
});

describe('an invalid file', () => {
  test.each([
    [
      'with an unset variable',
      file.replace(/\ntemplates[^]*$/, ''),
      / {2}line 16: notification channel "Operations": url: environment variable OPS_URL isn't set or is empty\n {2}line 16: notification channel "Operations": headers\.X-Key: environment variable OPS_KEY isn't set/,
    ],
    ["that isn't YAML", 'rules: [', /isn't valid YAML/],
    ['with a misspelled section', 'rulez: []', / {2}line 2: unknown section "rulez"; did you mean "rules"\?/],
    [
      'with silences',
      'silences: [{ reason: Upgrade, ends_at: 2027-01-31T08:00:00Z }]',
      /line 2: unknown section "silences"\. Silences are temporary, so they aren't part of configuration files\. Create them with 'pacekeeper silence'\. Remove this section\./,
    ],
    [
      'with a misspelled field',
      'rules:\n  - { name: A, rule_typ: x }',
      / {2}line 3: rule "A": unknown field "rule_typ"; did you mean "rule_type"\?/,
    ],
    [
      'with a number instead of text',
      'scrape_jobs: [{ name: A, parser_type: manual, version: 1.10 }]',
      / {2}line 2: scrape job "A": version: must be text; add quotes/,
    ],
    [
      "with a value that isn't in the contract",
      'scrape_jobs: [{ name: A, parser_type: awk }]',
      / {2}line 2: scrape job "A": parser_type: must be one of yq, jq/,
    ],
    [
      'without required fields',
      'gather_jobs: [{ name: A }]',
      / {2}line 2: gather job "A": must have source_type and artifact_name, or fed_by/,
    ],
    [
      'with a reference to a missing resource',
      'notification_rules: [{ name: A, channels: [B] }]',
      / {2}line 2: notification rule "A": channels\.0: no notification channel named "B"/,
    ],
    [
      'with an unknown setting',
      'settings: { gather.max_release: 1 }',
      / {2}line 2: unknown setting "gather\.max_release"; did you mean "gather\.max_releases"\?/,
    ],
    [
      'with a duplicate name',
      'scrape_jobs: [{ name: A, parser_type: manual }, { name: A, parser_type: manual }]',
      /a unique key/,
    ],
    [
      "with a version for a job that isn't manual",
      'scrape_jobs: [{ name: A, parser_type: yq, repository_url: https://h/a, target_file: f, parse_expression: .a, version: "1" }]',
      /only manual scrape jobs/,
    ],
  ])('%s changes nothing', async (_, text, message) => {
    const result = await apply(`templates: { acknowledged: "{}" }\n${text}`);
    expect(result).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
    expect(await everything()).toEqual([]);
  });
});

describe('applying a file with several errors', () => {
  const broken = `settings:
  gather.max_releases: many
  gather.max_release: 5
rules:
  - name: Ninety days
    rule_type: days_behnd
    threshold: { moderate: 30, high: 20 }
gather_job:
  - name: Terraform
    source_type: github_releases
    artifact_name: terraform
    cron_expression: every hour
    version_pattern: "("
scrape_jobs:
  - name: Production
    parser_type: manual
    version: 1.10
  - parser_type: manual
notification_channels:
  - name: Operations
    url: \${env:NOT_SET}
    template: "{{ alert.nam"
    headers: { "a b": x }
notification_rules:
  - name: Critical \${env:NOT_SET}
    channels: [Operation]
    severities: [critcal]
alert_configs:
  - name: Terraform
    scrape_job: Produktion
    gather_job: Terraform
    rule: Ninety day
    candidate_pattern: "["
`;
  const local = [
    /line 6: rule "Ninety days": rule_type: must be one of .*; did you mean days_behind\?/,
    /line 7: rule "Ninety days": unknown field "threshold"; did you mean "thresholds"\?/,
    /line 8: unknown section "gather_job"; did you mean "gather_jobs"\?/,
    /line 17: scrape job "Production": version: must be text; add quotes/,
    /line 18: scrape job without a name: name: is required/,
    /line 21: notification channel "Operations": url: environment variable NOT_SET isn't set or is empty/,
    /line 23: notification channel "Operations": headers\.a b: isn't a valid header name; use letters, /,
    /line 25: notification rule "Critical \$\{env:NOT_SET\}": name: can't contain \$\{env:NOT_SET\}\. Only url.* can use variables/,
    /line 27: notification rule .*: severities\.0: must be one of .*; did you mean critical\?/,
  ];
  const ofServer = [
    /line 2: setting gather\.max_releases: must be a whole number/,
    /line 3: unknown setting "gather\.max_release"; did you mean "gather\.max_releases"\?/,
    /line 7: rule "Ninety days": threshold\.high: must be greater than moderate/,
    /line 11: gather job "Terraform": artifact_name: .*use github\.com\/owner\/repo/,
    /line 12: gather job "Terraform": cron_expression: /,
    /line 13: gather job "Terraform": version_pattern: /,
    /line 22: notification channel "Operations": template: /,
    /line 26: notification rule .*: channels\.0: no notification channel named "Operation"; did you mean "Operations"\?/,
    /line 32: alert configuration "Terraform": rule: no rule named "Ninety day"; did you mean "Ninety days"\?/,
    /line 33: alert configuration "Terraform": candidate_pattern: /,
  ];

  test('reports the errors of every check in line order, each with its line and resource', async () => {
    const { code, stderr } = await apply(broken, ['--dry-run']);
    expect(code).toBe(2);
    for (const problem of [...local, ...ofServer]) expect(stderr).toMatch(problem);
    const lines = stderr.trimEnd().split('\n').slice(1);
    expect(lines).toHaveLength(local.length + ofServer.length);
    const numbers = lines.map((line) => Number(/line (\d+)/.exec(line)?.[1]));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  });

  test.each([
    [
      'a value with a unit',
      'rules: [{ name: A, rule_type: days_behind, thresholds: { high: 60d, critical: 90 } }]',
      ['rule "A": thresholds.high: must be a whole number, without a unit'],
    ],
    [
      'API field names',
      `scrape_jobs: [{ name: S, parser_type: manual }]
gather_jobs: [{ name: G, source_type: git_tags, artifact_name: github.com/a/b }]
rules: [{ name: R, rule_type: majors_behind, thresholds: { high: 1 } }]
alert_configs: [{ name: C, scrape_job_id: S, gather_job: G, rule_id: R }]`,
      [
        'alert configuration "C": unknown field "scrape_job_id"; did you mean "scrape_job"?',
        'alert configuration "C": unknown field "rule_id"; did you mean "rule"?',
      ],
    ],
    [
      'fields with too little indentation',
      'rules:\n- name: A\nrule_type: days_behind\n',
      [
        'rule "A": rule_type: is required',
        'rule "A": thresholds: is required',
        'unknown section "rule_type". It is a field: check the indentation',
      ],
    ],
    [
      'a URL without a scheme',
      'notification_channels: [{ name: C, url: hooks.example.org/x, headers: { Content-Length: "1" } }]',
      [
        'notification channel "C": url: must be an https:// URL',
        'notification channel "C": headers.Content-Length: ',
      ],
    ],
    [
      'a shell-style variable',
      'notification_channels: [{ name: C, url: "${OPS_URL}" }]',
      [
        'notification channel "C": url: can\'t contain ${OPS_URL}. For an environment variable, use ${env:OPS_URL}',
      ],
    ],
    [
      'unknown enum values',
      `scrape_jobs:
  - { name: S, parser_type: yaml, repository_url: https://h/a, target_file: ../x, parse_expression: .a }
gather_jobs: [{ name: G, source_type: github, artifact_name: x }]`,
      [
        'scrape job "S": parser_type: must be one of yq, jq, regex, sbom, manual; did you mean yq?',
        'scrape job "S": target_file: ',
        'gather job "G": source_type: must be one of ',
        'gather job "G": artifact_name: it\'s incomplete; use github.com/owner/repo',
      ],
    ],
  ])('reports exactly the errors of a file with %s', async (_, text, problems) => {
    const { code, stderr } = await apply(text, ['--dry-run']);
    expect(code).toBe(2);
    expect(stderr.trimEnd().split('\n').slice(1)).toHaveLength(problems.length);
    for (const problem of problems) expect(stderr).toContain(problem);
  });

  test('reports local errors even if the server is unreachable, and the reason why the server did not check the file', async () => {
    const offline = { PACEKEEPER_SERVER_URL: 'http://127.0.0.1:9' };
    const { code, stderr } = await apply(broken, ['--yes'], { env: offline });
    expect(code).toBe(2);
    for (const problem of local) expect(stderr).toMatch(problem);
    expect(stderr).toMatch(/The server didn't check the file: Can't connect to http:\/\/127\.0\.0\.1:9/);
  });

  test('reports no additional errors for references to invalid sections and entries', async () => {
    const { stderr } = await apply(`rulez_of_the_team: []
notification_channels:
  name: Operations
scrape_jobs:
  - Web
gather_jobs: [{ name: G, source_type: github_releases, artifact_name: github.com/a/b }]
alert_configs: [{ name: C, scrape_job: Web, gather_job: G, rule: Majors }]
notification_rules: [{ name: N, channels: [Operations] }]
`);
    expect(stderr.trimEnd().split('\n').slice(1)).toEqual([
      expect.stringMatching(/line 1: unknown section "rulez_of_the_team"; available: settings, /),
      expect.stringMatching(/line 2: notification_channels: must be a list\. Start each entry with "- "/),
      expect.stringMatching(/line 5: scrape job without a name: must be a map of fields/),
    ]);
  });
});

describe('a gather job fed by a helm sync job', () => {
  const text = `helm_sync_jobs: [{ name: Charts, repository_url: https://charts.example.org }]
gather_jobs: [{ name: Web, version_pattern: "^1", fed_by: { helm_sync_job: Charts, chart: web } }]
rules: [{ name: R, rule_type: majors_behind, thresholds: { high: 1 } }]
scrape_jobs: [{ name: S, parser_type: manual }]
alert_configs: [{ name: C, scrape_job: S, gather_job: Web, rule: R }]
`;

  test('is created before its chart is found, and stays pending until then', async () => {
    const result = await apply(text);
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('Applied 5 changes.') });
    expect(result.stdout).toContain('gather job "Web" (pending until the helm sync job finds chart web)');
    expect(result.stderr).toBe(
      'Note: gather job "Web" is pending until its helm sync job finds chart web.\n',
    );
    const { items } = await organization.api.call('listGatherJobs', { query: { scope: 'organization' } });
    const syncs = await organization.api.call('listHelmSyncJobs', { query: { scope: 'organization' } });
    expect(items).toMatchObject([
      {
        name: 'Web',
        artifact_name: 'charts.example.org/web',
        source_type: 'helm_repository',
        version_scheme: 'semver',
        version_pattern: '^1',
        helm_sync_job_id: syncs.items[0]!.id,
        cron_expression: null,
      },
    ]);
    expect(await applied(text)).toMatch(/^No changes\./);
  });

  test('fails --wait if its chart is not found in time', async () => {
    const result = await apply(text, ['--yes', '--wait', '1']);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/All changes applied.*found chart web for gather job "Web".*within 1 s/s);
  });

  test.each([
    [
      'fields that its helm sync job sets',
      (whole: string) => whole.replace('chart: web }', 'chart: web }, cron_expression: "@daily"'),
      'cron_expression: comes from its helm sync job',
    ],
    [
      'an excluded chart',
      (whole: string) => whole.replace('example.org }', 'example.org, chart_filter: [api] }'),
      'chart_filter of the helm sync job excludes chart web',
    ],
    [
      'a helm sync job that creates no gather jobs',
      (whole: string) => whole.replace('example.org }', 'example.org, create_gather_jobs: false }'),
      "doesn't create gather jobs",
    ],
  ])("can't have %s", async (_, change, message) => {
    const result = await apply(change(text));
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(await everything()).toEqual([]);
  });
});

test('discovery jobs of clusters and container hosts are exported exactly as applied', async () => {
  const text = `discovery_jobs:
  - { name: eu, kind: kubernetes_cluster, cluster_name: eu, helm_secrets: true, credential_name: eu }
  - { name: web-1, kind: container_host, host_name: web-1, credential_name: socket, exclude: [sandbox/] }
`;
  expect(await applied(text)).toContain('Applied 2 changes.');
  const { items } = await organization.api.call('listDiscoveryJobs', { query: { sort: 'name' } });
  expect(items).toMatchObject([
    { kind: 'kubernetes_cluster', cluster_name: 'eu', host_name: null, helm_secrets: true },
    { kind: 'container_host', cluster_name: null, host_name: 'web-1', credential_name: 'socket' },
  ]);
  const exported = await runCommand(['export'], {
    env: { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: organization.apiKey },
  });
  expect(exported.stdout).toContain('host_name: web-1');
  expect(await applied(exported.stdout)).toMatch(/^No changes\./);
});

test('a repository group is exported exactly as applied, without the jobs of its repositories', async () => {
  const text = `discovery_jobs:
  - name: acme
    kind: repository_group
    group_url: https://github.com/acme/
    repository_filter: { include: [deploy-*], topics: [production] }
  - { name: all, kind: repository_group, group_url: https://git.example.com/acme, forge: gitea }
`;
  expect(await applied(text)).toContain('Applied 2 changes.');
  const { items } = await organization.api.call('listDiscoveryJobs', { query: { sort: 'name' } });
  expect(items).toMatchObject([
    {
      kind: 'repository_group',
      group_url: 'https://github.com/acme',
      forge: 'github',
      ref: null,
      repository_filter: { include: ['deploy-*'], exclude: [], topics: ['production'], forks: false },
    },
    { group_url: 'https://git.example.com/acme', forge: 'gitea', repository_filter: { include: [] } },
  ]);
  await sql`
    INSERT INTO discovery_jobs (organization_id, name, kind, repository_url, ref, group_job_id, forge_id)
    VALUES (${organization.id}, 'acme/deploy-web', 'git_repository', 'https://github.com/acme/deploy-web.git', 'HEAD',
      ${items[0]!.id}, '1')`.execute(server.db);
  const exported = await runCommand(['export', '--all'], {
    env: { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: organization.apiKey },
  });
  expect(exported.stdout).toContain('group_url: https://github.com/acme');
  expect(exported.stdout).not.toContain('deploy-web');
  expect(await applied(exported.stdout)).toMatch(/^No changes\./);
  expect(await applied(text)).toMatch(/^No changes\./);
  expect(await apply(text, ['--yes', '--prune'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^No changes\./),
    stderr: expect.stringContaining(
      "1 discovery job that discovery jobs manage isn't in the file and stays.",
    ),
  });
});

describe('a scrape job fed by a discovery job', () => {
  const text = `discovery_jobs: [{ name: Deployments, repository_url: "https://git.example.org/deploy" }]
scrape_jobs:
  - { name: Web, history_limit: 7, fed_by: { discovery_job: Deployments, key: "kubernetes:a", discriminator: a.yaml } }
`;

  async function createFed(): Promise<number> {
    const { api, id } = organization;
    const job = await api.call('createDiscoveryJob', {
      body: { name: 'Deployments', repository_url: 'https://git.example.org/deploy' },
    });
    const fedId = await insertManagedScrapeJob(server.db, id, job.id);
    const [itemId] = await insertItems(server.db, id, job.id, [
      { key: 'kubernetes:a', status: 'accepted', scrape_job_id: fedId },
    ]);
    await sql`UPDATE discovered_items SET discriminator = 'a.yaml' WHERE id = ${itemId}`.execute(server.db);
    await sql`UPDATE scrape_jobs SET labels = '{"team": "web"}' WHERE id = ${fedId}`.execute(server.db);
    return fedId;
  }

  test('is identified by its item, keeps labels that the file omits, and is never pruned', async () => {
    const id = await createFed();
    expect(await applied(text)).toContain('Applied 1 change.');
    const { api } = organization;
    expect(await api.call('getScrapeJob', { path: { id } })).toMatchObject({
      name: 'Web',
      history_limit: 7,
      parser_type: 'discovered',
      labels: { team: 'web' },
    });
    expect(await applied(text)).toMatch(/^No changes\./);
    const exported = await runCommand(['export'], {
      env: { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: organization.apiKey },
    });
    expect(exported.stdout).toContain('discriminator: a.yaml');
    expect(await applied(exported.stdout)).toMatch(/^No changes\./);
    const without = text.replace(/scrape_jobs:[^]*/, 'scrape_jobs: []');
    expect(await applied(without, ['--yes', '--prune'])).toMatch(/^No changes\./);
    // Deleting the discovery job converts its scrape job to a manual one.
    await applied('discovery_jobs: []', ['--yes', '--prune']);
    expect(await api.call('getScrapeJob', { path: { id } })).toMatchObject({ parser_type: 'manual' });
  });

  test.each([
    [
      'fields that its discovery job sets',
      (whole: string) => whole.replace('history_limit: 7', 'parser_type: manual'),
      'parser_type: comes from its discovery job',
    ],
    [
      'the key of an unknown item',
      (whole: string) => whole.replace('kubernetes:a', 'unknown:b'),
      "isn't the key of an item",
    ],
    [
      'an item of another scrape job in the file',
      (whole: string) => `${whole}${whole.split('\n').at(-2)!.replace('Web', 'Web 2')}\n`,
      'another scrape job in the file has the same item',
    ],
  ])("can't have %s", async (_, change, message) => {
    await createFed();
    const result = await apply(change(text));
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});

describe('scrape jobs fed by a discovery job, applied to another organization', () => {
  const shared = 'kubernetes:Deployment::web:containers[web]';
  const web = (file: string, version: string) => deployedImageItem('web', { file, version, key: shared });
  const found = [web('z.yaml', '1.0.0'), deployedImageItem('db', { version: '2.0.0' })];
  const later = [web('a.yaml', '1.1.0'), ...found];

  /** Exports an organization whose items weren't found in the order of their paths. */
  async function exportAccepted(): Promise<string> {
    const source = await server.createOrganization();
    const { id } = await source.api.call('createDiscoveryJob', {
      body: { name: 'Deployments', repository_url: 'https://git.example.org/deploy' },
    });
    const rule = await source.api.call('createRule', {
      body: { name: 'R', rule_type: 'days_behind', thresholds: { high: 30 } },
    });
    const scanner = createScanner(source.api);
    await scanner.scan(id, found);
    await scanner.scan(id, later);
    await source.api.call('acceptDiscoveredItems', { body: { filter: {}, rule_id: rule.id } });
    return exportOf(source.apiKey);
  }

  async function exportOf(apiKey: string): Promise<string> {
    const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: apiKey };
    return (await runCommand(['export'], { env })).stdout;
  }

  async function versions(): Promise<Record<string, string | null>> {
    const { items } = await organization.api.call('listScrapeJobs', { query: {} });
    return Object.fromEntries(items.map((job) => [job.target_file, job.latest_version]));
  }

  test('get the versions of their items after the first scan', async () => {
    const text = await exportAccepted();
    expect(await applied(text)).toContain('Applied 10 changes.');
    const { api } = organization;
    const [job] = (await api.call('listDiscoveryJobs', { query: {} })).items;
    const waiting = await api.call('listDiscoveredItems', { query: {} });
    expect(waiting.items).toHaveLength(3);
    for (const item of waiting.items)
      expect(item).toMatchObject({ status: 'accepted', version: null, reason: 'not_scanned' });
    expect(await applied(text, ['--yes', '--prune'])).toMatch(/^No changes\./);

    await createScanner(api).scan(job!.id, later);
    expect(await versions()).toEqual({
      'a.yaml': '1.1.0',
      'z.yaml': '1.0.0',
      'clusters/prod/db.yaml': '2.0.0',
    });
    const filled = await api.call('listDiscoveredItems', { query: {} });
    expect(filled.items.map(({ artifact, reason }) => [artifact.kind, reason])).toEqual(
      Array(3).fill(['image', null]),
    );
    expect(await applied(text, ['--yes', '--prune'])).toMatch(/^No changes\./);
    expect(await exportOf(organization.apiKey)).toBe(text);
  });

  test('are linked to the items of an earlier scan, regardless of their order', async () => {
    const text = await exportAccepted();
    const { api } = organization;
    const job = await api.call('createDiscoveryJob', {
      body: { name: 'Deployments', repository_url: 'https://git.example.org/deploy' },
    });
    const scanner = createScanner(api);
    await scanner.scan(job.id, later);
    await applied(text);
    expect(await versions()).toEqual({
      'a.yaml': '1.1.0',
      'z.yaml': '1.0.0',
      'clusters/prod/db.yaml': '2.0.0',
    });
    expect(await applied(text, ['--yes', '--prune'])).toMatch(/^No changes\./);
    expect(await exportOf(organization.apiKey)).toBe(text);
    const scanned = await api.call('getDiscoveryJob', { path: { id: job.id } });
    expect(scanned.item_counts).toMatchObject({ new: 0, accepted: 3 });
  });

  test('are disabled when the repository no longer contains their items', async () => {
    await applied(await exportAccepted());
    const { api } = organization;
    const [job] = (await api.call('listDiscoveryJobs', { query: {} })).items;
    const scanner = createScanner(api);
    await scanner.scan(job!.id, found);
    await setClockOffset(server.db, '2 hours');
    await scanner.scanUnchanged(job!.id);
    await setClockOffset(server.db, '0');
    const { items } = await api.call('listScrapeJobs', { query: {} });
    expect(Object.fromEntries(items.map((each) => [each.target_file, each.is_active]))).toEqual({
      'a.yaml': false,
      'z.yaml': true,
      'clusters/prod/db.yaml': true,
    });
  });
});

test('a scrape job cannot change to or from manual', async () => {
  await applied('scrape_jobs: [{ name: A, parser_type: manual }]');
  const text =
    'scrape_jobs: [{ name: A, parser_type: yq, repository_url: https://h/a, target_file: f, parse_expression: .a }]';
  expect(await apply(text)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("can't change to or from manual"),
  });
});

test('a notification rule without channels is kept, but skipped in a new organization', async () => {
  const { api } = organization;
  const url = 'https://hooks.example.org/x';
  const { id } = await api.call('createNotificationChannel', { body: { name: 'C', url } });
  await api.call('createNotificationRule', { body: { name: 'R', channel_ids: [id] } });
  await api.call('deleteNotificationChannel', { path: { id } });
  const credentials = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: organization.apiKey };
  const { stdout } = await runCommand(['export'], { env: credentials });
  expect(await applied(stdout, ['--yes', '--prune'])).toMatch(/^No changes\./);
  organization = await server.createOrganization();
  expect(await apply(stdout)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('skipped: it has no channels'),
  });
});

describe('resources with the same name', () => {
  const two = (first: string, second: string) => `rules:
  - { name: Same, key: 1, rule_type: ${first}, thresholds: { high: 1 } }
  - { name: Same, key: 2, rule_type: ${second}, thresholds: { high: 1 } }
scrape_jobs: [{ name: S, parser_type: manual }]
gather_jobs: [{ name: G, source_type: github_releases, artifact_name: github.com/a/b }]
alert_configs: [{ name: C, scrape_job: S, gather_job: G, rule: { name: Same, key: 2 } }]
`;

  test('are distinguished by their keys, so that removing one keeps the other', async () => {
    await applied(two('majors_behind', 'minors_behind'));
    const configs = await organization.api.call('listAlertConfigs');
    const rule = await organization.api.call('getRule', { path: { id: configs.items[0]!.rule_id } });
    expect(rule.rule_type).toBe('minors_behind');
    const rest = two('majors_behind', 'minors_behind').replace(/^.*majors_behind.*\n/m, '');
    expect(await applied(rest, ['--yes', '--prune'])).toContain('0 to create, 0 to update, 1 to delete');
    expect((await organization.api.call('listRules')).items.map(({ id }) => id)).toEqual([rule.id]);
    expect(await applied(rest, ['--yes', '--prune'])).toMatch(/^No changes\./);
  });

  test('are rejected with their IDs if the file contains no keys', async () => {
    await applied(two('majors_behind', 'minors_behind'));
    const { items } = await organization.api.call('listRules');
    const result = await apply('rules: [{ name: Same, rule_type: days_behind, thresholds: { high: 1 } }]');
    expect(result.code).toBe(2);
    for (const { id } of items) expect(result.stderr).toMatch(new RegExp(`\\b${id}\\b`));
  });
});

describe('secrets', () => {
  const channel = (headers: string) => `notification_channels:
  - { name: C, url: "\${env:OPS_URL}", headers: ${headers}, signing_secret: "\${env:SIGNING}" }\n`;
  const all = { ...env, SIGNING: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };

  test('never appear in the output, even when they change', async () => {
    const outputs = [
      await applied(channel('{ X-Key: "${env:OPS_KEY}" }'), ['--yes'], { env: all }),
      await applied(channel('{ X-Key: "${env:OPS_KEY}", X-B: "b" }'), ['--yes'], {
        env: { ...all, OPS_URL: 'https://hooks.example.org/other', OPS_KEY: 'another key' },
      }),
    ].join('');
    expect(outputs).toContain('url: https://hooks.example.org/… → ${env:OPS_URL}');
    for (const secret of ['a key', 'another key', '/ops', '/other', all.SIGNING])
      expect(outputs).not.toContain(secret);
  });

  test('are included in an update that changes the host of a channel, and removed if missing from the file', async () => {
    const { api } = organization;
    const find = async () => (await api.call('listNotificationChannels')).items[0]!;
    await applied(channel('{ X-Key: "${env:OPS_KEY}" }'), ['--yes'], { env: all });
    const moved = { ...all, OPS_URL: 'https://hooks.example.com/ops' };
    const output = await applied(channel('{ X-Key: "${env:OPS_KEY}" }'), ['--yes'], { env: moved });
    expect(output).toContain('headers: ["X-Key"] → ["X-Key"]');
    expect(output).toContain('signing_secret: (secret) → (secret)');
    expect(await find()).toMatchObject({ headers: { 'X-Key': null }, has_signing_secret: true });

    const without = 'notification_channels: [{ name: C, url: https://hooks.example.net/ops }]';
    await applied(without);
    expect(await find()).toMatchObject({
      url: 'https://hooks.example.net/ops',
      headers: {},
      has_signing_secret: false,
    });
    expect(await applied(without)).toMatch(/^No changes/);
  });

  test('in preset options are set again for a new host, and removed with the preset', async () => {
    const ntfy = (preset: string, url: string) =>
      `notification_channels: [{ name: C, preset: ${preset}, url: ${url}, preset_options: ${
        preset === 'ntfy' ? '{ topic: "${env:TOPIC}" }' : '{}'
      } }]`;
    const topic = { env: { TOPIC: 'a-topic' } };
    await applied(ntfy('ntfy', 'https://ntfy.example.org'), ['--yes'], topic);
    await applied(ntfy('ntfy', 'https://ntfy.example.com'), ['--yes'], topic);
    await applied(ntfy('slack', 'https://ntfy.example.com'));
    const { items } = await organization.api.call('listNotificationChannels');
    expect(items).toMatchObject([{ preset: 'slack', has_preset_options: false }]);
  });

  test('are listed in the error if an update would send them to another host', async () => {
    await applied(channel('{ X-Key: "${env:OPS_KEY}" }'), ['--yes'], { env: all });
    const result = await runCommand(['update', 'channel', 'C', '--set', 'url=https://hooks.example.com/x'], {
      env: { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: organization.apiKey },
    });
    expect(result.code).not.toBe(0);
    expect(result.stderr).toContain(
      'The URL changes from https://hooks.example.org to https://hooks.example.com, and stored secrets are never sent to a new receiver. Send again or remove: headers.X-Key, signing_secret.',
    );
  });

  test('are written again only with --update-secrets, because their values cannot be compared', async () => {
    const text = channel('{ X-Key: "${env:OPS_KEY}" }');
    await applied(text, ['--yes'], { env: all });
    const other = { env: { ...all, OPS_KEY: 'another key' } };
    expect(await applied(text, ['--yes'], other)).toMatch(/^No changes\./);
    expect(await applied(text, ['--yes', '--update-secrets'], other)).toContain(
      'headers: ["X-Key"] → ["X-Key"]',
    );
  });
});

test('an entry that the server rejects is reported with its line, and nothing is changed', async () => {
  const text = (artifact: string) => `rules: [{ name: R, rule_type: majors_behind, thresholds: { high: 1 } }]
gather_jobs: [{ name: G, source_type: github_releases, artifact_name: ${artifact} }]
scrape_jobs: [{ name: S, parser_type: manual }]
`;
  for (const args of [['--dry-run'], ['--yes']]) {
    const result = await apply(text('nonsense'), args);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(/No changes made.*\n {2}line 2: gather job "G": artifact_name: /);
  }
  expect(await everything()).toEqual([]);
  expect(await applied(text('github.com/a/b'))).toContain(
    '3 to create, 0 to update, 0 to delete, 0 unchanged.',
  );
});

test('an API key without the required role changes nothing', async () => {
  const { key } = await organization.owner.call('createAPIKey', { body: { name: 'viewer', role: 'viewer' } });
  expect(await apply(file, ['--yes'], { env, apiKey: key })).toMatchObject({ code: 4 });
  expect(await everything()).toEqual([]);
});

describe('alert configurations with the same comparison', () => {
  const parts = (configs: string) => `rules: [{ name: R, rule_type: majors_behind, thresholds: { high: 1 } }]
scrape_jobs: [{ name: S, parser_type: manual }, { name: T, parser_type: manual }]
gather_jobs: [{ name: G, source_type: github_releases, artifact_name: github.com/a/b }]
alert_configs:
${configs}`;
  const compares = (name: string, job = 'S', more = '') =>
    `  - { name: ${name}, scrape_job: ${job}, gather_job: G, rule: R${more} }\n`;
  const stored = async () => {
    const { items } = await organization.api.call('listAlertConfigs', { query: { sort: 'name' } });
    return items.map(({ name, scrape_job, ordinal }) => `${name} ${scrape_job.name} ${ordinal}`);
  };

  test('are rejected before any change, whether both are in the file or one is on the server', async () => {
    const twice = await apply(parts(compares('A') + compares('B')));
    expect(twice).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/"B".*: alert configuration "A" already compares these/),
    });
    expect((await organization.api.call('listRules')).total).toBe(0);
    await applied(parts(compares('A')));
    const again = await apply(parts(compares('B')));
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/alert configuration "A" \(ID \d+\) already compares these/),
    });
    expect(await stored()).toEqual(['A S 0']);
  });

  test('are created with different ordinals, and a file without ordinals keeps them', async () => {
    const both = parts(compares('A', 'S', ', ordinal: 0') + compares('B', 'S', ', ordinal: 1'));
    await applied(both);
    expect(await stored()).toEqual(['A S 0', 'B S 1']);
    expect(await applied(both)).toMatch(/^No changes\./);
    expect(await applied(parts(compares('A') + compares('B')), ['--yes', '--prune'])).toMatch(
      /^No changes\./,
    );
  });

  test('are renamed instead of replaced if --prune would delete the old name', async () => {
    await applied(parts(compares('A')));
    const [before] = (await organization.api.call('listAlertConfigs')).items;
    const output = await applied(parts(compares('B')), ['--yes', '--prune']);
    expect(output).toContain('0 to create, 1 to update, 0 to delete');
    const { items } = await organization.api.call('listAlertConfigs');
    expect(items.map(({ id, name }) => ({ id, name }))).toEqual([{ id: before!.id, name: 'B' }]);
  });

  test('are never created temporarily, because changes are ordered to avoid them', async () => {
    await applied(parts(compares('A', 'S') + compares('B', 'T')));
    await applied(
      parts(compares('A', 'T') + compares('B', 'T', ', candidate_pattern: "^1"') + compares('C', 'S')),
    );
    expect(await stored()).toEqual(['A T 0', 'B T 0', 'C S 0']);
  });

  test('require an intermediate step if two configurations swap their jobs', async () => {
    await applied(parts(compares('A', 'S') + compares('B', 'T')));
    const result = await apply(parts(compares('A', 'T') + compares('B', 'S')));
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('already compares these') });
    await applied(parts(compares('A', 'T', ', ordinal: 1') + compares('B', 'S')));
    expect(await stored()).toEqual(['A T 1', 'B S 0']);
  });
});
