import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
settings:
  default_notification_channel: Operations
templates:
  resolved: '{"text": "$\${env:NO_VARIABLE} {{ alert.config_name }}"}'
`;
const env = { OPS_URL: 'https://hooks.example.org/ops', OPS_KEY: 'a key' };

/** Everything an organization has that a file could say. */
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
  ]);
  const settings = await api.call('listOrgOverrides');
  return [
    ...lists.flatMap(({ items }) => items.map(({ name }) => name)),
    ...settings.items.map(({ key }) => key),
  ].sort();
}

describe('apply', () => {
  test('makes what the file says, and a second time changes nothing, however addresses are written', async () => {
    const first = await applied(file, ['--yes'], { env });
    expect(first).toContain('+ gather job "Redis"');
    expect(first).toContain('Applied 12 changes.');
    expect(await applied(file, ['--yes', '--prune'], { env })).toBe('No changes. 11 resources up to date.\n');
    const { items } = await organization.api.call('listNotificationTemplates');
    expect(items.find(({ category }) => category === 'resolved')?.body).toContain('"${env:NO_VARIABLE} {{');
    const { items: jobs } = await organization.api.call('listScrapeJobs');
    expect(jobs[0]?.latest_version).toBe('7.2.4');
  });

  test('shows what a dry run would do, and does nothing', async () => {
    expect(await applied(file, ['--dry-run'], { env })).toMatch(/10 to create|11 to create/);
    expect(await everything()).toEqual([]);
  });

  test('shows each member that changes, before and after', async () => {
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
        'Plan: 0 to create, 2 to update, 0 to delete, 9 unchanged.\n',
      ].join('\n'),
    );
  });

  test('a member that is taken out of the file has its default again', async () => {
    const rule = 'rules: [{ name: Days, rule_type: days_behind, thresholds: { high: 9 }';
    await applied(`${rule}, stable_only: false, min_release_age_days: 4 }]`);
    await applied(`${rule} }]`);
    const { items } = await organization.api.call('listRules');
    expect(items[0]).toMatchObject({ stable_only: true, min_release_age_days: 0 });
    expect(await applied(`${rule} }]`)).toMatch(/^No changes\./);
  });

  test('a rule without a days_basis in the file keeps its own, and a new one has the default', async () => {
    const rule = 'rules: [{ name: Days, rule_type: days_behind, thresholds: { high: 9 }';
    const basis = async () => (await organization.api.call('listRules')).items[0]?.days_basis;
    await applied(`${rule} }]`);
    expect(await basis()).toBe('first_newer_release');
    await applied(`${rule}, days_basis: deployed_release }]`);
    expect(await applied(`${rule} }]`)).toMatch(/^No changes\./);
    expect(await basis()).toBe('deployed_release');
  });

  test('asks a person, and without one wants --yes', async () => {
    expect(await apply(file, [], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes'),
    });
    expect(await apply(file, [], { env, answers: ['n'] })).toMatchObject({ code: 1 });
    expect(await everything()).toEqual([]);
    expect(await apply(file, [], { env, answers: ['y'] })).toMatchObject({ code: 0 });
    expect(await everything()).not.toEqual([]);
  });
});

describe('--prune', () => {
  test('deletes what the file has not, those first that use others, in the sections that it has', async () => {
    await applied(file, ['--yes'], { env });
    const rest =
      'rules: []\ngather_jobs: []\nscrape_jobs: []\nalert_configs: []\nnotification_rules: []\nsettings: {}\n';
    expect(await applied(rest)).toMatch(/^No changes\./);
    const output = await applied(rest, ['--yes', '--prune']);
    expect(output).toContain('- alert configuration "Redis"');
    expect(await everything()).toEqual(['Charts', 'Operations', 'notification.template.alert.resolved']);
  });

  test('never takes along what the file says nothing of', async () => {
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

describe('nothing is changed by a file', () => {
  test.each([
    [
      'with a variable that is not set',
      file.replace(/\ntemplates[^]*$/, ''),
      /OPS_URL \(line 16\)\n {2}OPS_KEY \(line 16\)/,
    ],
    ['that is no YAML', 'rules: [', /isn't valid YAML/],
    ['with a misspelt section', 'rulez: []', /unknown field "rulez"; did you mean rules\?/],
    [
      'with a misspelt member',
      'rules:\n  - { name: A, rule_typ: x }',
      /line 3: .*"rule_typ"; did you mean rule_type\?/,
    ],
    [
      'with a number for a text',
      'scrape_jobs: [{ name: A, parser_type: manual, version: 1.10 }]',
      /must be a string; add quotes/,
    ],
    [
      'with a value that the contract has not',
      'scrape_jobs: [{ name: A, parser_type: awk }]',
      /must be one of yq, jq/,
    ],
    [
      'without what a thing needs',
      'gather_jobs: [{ name: A }]',
      /must have source_type and artifact_name, or fed_by/,
    ],
    [
      'that refers to nothing',
      'notification_rules: [{ name: A, channels: [B] }]',
      /no notification channel named "B"/,
    ],
    ['with an unknown setting', 'settings: { gather.max_release: 1 }', /Did you mean gather.max_releases\?/],
    [
      'with a name twice',
      'scrape_jobs: [{ name: A, parser_type: manual }, { name: A, parser_type: manual }]',
      /a unique key/,
    ],
    [
      'with a version for a job that reads it',
      'scrape_jobs: [{ name: A, parser_type: yq, repository_url: https://h/a, target_file: f, parse_expression: .a, version: "1" }]',
      /only manual scrape jobs/,
    ],
  ])('%s', async (_, text, message) => {
    const result = await apply(`templates: { acknowledged: "{}" }\n${text}`);
    expect(result).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
    expect(await everything()).toEqual([]);
  });
});

describe('a gather job that a helm sync feeds', () => {
  const text = `helm_sync_jobs: [{ name: Charts, repository_url: https://charts.example.org }]
gather_jobs: [{ name: Web, version_pattern: "^1", fed_by: { helm_sync_job: Charts, chart: web } }]
rules: [{ name: R, rule_type: majors_behind, thresholds: { high: 1 } }]
scrape_jobs: [{ name: S, parser_type: manual }]
alert_configs: [{ name: C, scrape_job: S, gather_job: Web, rule: R }]
`;

  test('is created before its chart is found, and pending until then', async () => {
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

  test('is waited for if that is requested, and when it does not come that is said', async () => {
    const result = await apply(text, ['--yes', '--wait', '1']);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/All changes applied.*found chart web for gather job "Web".*within 1 s/s);
  });

  test.each([
    [
      'what its helm sync job says',
      (whole: string) => whole.replace('chart: web }', 'chart: web }, cron_expression: "@daily"'),
      'cron_expression comes from its helm sync job',
    ],
    [
      'a chart that is left out',
      (whole: string) => whole.replace('example.org }', 'example.org, chart_filter: [api] }'),
      'chart_filter of the helm sync job excludes chart web',
    ],
    [
      'a sync that creates none',
      (whole: string) => whole.replace('example.org }', 'example.org, create_gather_jobs: false }'),
      "doesn't create gather jobs",
    ],
  ])("can't have %s", async (_, change, message) => {
    const result = await apply(change(text));
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(await everything()).toEqual([]);
  });
});

test('a job never changes to or from manual', async () => {
  await applied('scrape_jobs: [{ name: A, parser_type: manual }]');
  const text =
    'scrape_jobs: [{ name: A, parser_type: yq, repository_url: https://h/a, target_file: f, parse_expression: .a }]';
  expect(await apply(text)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("can't change to or from manual"),
  });
});

test('a rule whose channels were deleted stays as it is, and cannot be made anew', async () => {
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

describe('things of one name', () => {
  const two = (first: string, second: string) => `rules:
  - { name: Same, key: 1, rule_type: ${first}, thresholds: { high: 1 } }
  - { name: Same, key: 2, rule_type: ${second}, thresholds: { high: 1 } }
scrape_jobs: [{ name: S, parser_type: manual }]
gather_jobs: [{ name: G, source_type: github_releases, artifact_name: github.com/a/b }]
alert_configs: [{ name: C, scrape_job: S, gather_job: G, rule: { name: Same, key: 2 } }]
`;

  test('are told apart by their keys, and stay the same when one goes', async () => {
    await applied(two('majors_behind', 'minors_behind'));
    const configs = await organization.api.call('listAlertConfigs');
    const rule = await organization.api.call('getRule', { path: { id: configs.items[0]!.rule_id } });
    expect(rule.rule_type).toBe('minors_behind');
    const rest = two('majors_behind', 'minors_behind').replace(/^.*majors_behind.*\n/m, '');
    expect(await applied(rest, ['--yes', '--prune'])).toContain('0 to create, 0 to update, 1 to delete');
    expect((await organization.api.call('listRules')).items.map(({ id }) => id)).toEqual([rule.id]);
    expect(await applied(rest, ['--yes', '--prune'])).toMatch(/^No changes\./);
  });

  test('which the file does not tell apart are an error that names their ids', async () => {
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

  test('are in no output, not even when they change', async () => {
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

  test('are sent again when the host of a channel changes, and those that the file has not are removed', async () => {
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

  test('are options of another preset, and of the same preset at another host, only when they are sent', async () => {
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

  test('that would follow a channel to another host are named by the error of a single change', async () => {
    await applied(channel('{ X-Key: "${env:OPS_KEY}" }'), ['--yes'], { env: all });
    const result = await runCommand(['update', 'channel', 'C', '--set', 'url=https://hooks.example.com/x'], {
      env: { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: organization.apiKey },
    });
    expect(result.code).not.toBe(0);
    expect(result.stderr).toContain(
      'The URL changes from https://hooks.example.org to https://hooks.example.com, and stored secrets are never sent to a new receiver. Send again or remove: headers.X-Key, signing_secret.',
    );
  });

  test('are written again with --update-secrets, for nobody can compare them', async () => {
    const text = channel('{ X-Key: "${env:OPS_KEY}" }');
    await applied(text, ['--yes'], { env: all });
    const other = { env: { ...all, OPS_KEY: 'another key' } };
    expect(await applied(text, ['--yes'], other)).toMatch(/^No changes\./);
    expect(await applied(text, ['--yes', '--update-secrets'], other)).toContain(
      'headers: ["X-Key"] → ["X-Key"]',
    );
  });
});

test('an entry that the server rejects is named with its line, and nothing is changed', async () => {
  const text = (artifact: string) => `rules: [{ name: R, rule_type: majors_behind, thresholds: { high: 1 } }]
gather_jobs: [{ name: G, source_type: github_releases, artifact_name: ${artifact} }]
scrape_jobs: [{ name: S, parser_type: manual }]
`;
  for (const args of [['--dry-run'], ['--yes']]) {
    const result = await apply(text('nonsense'), args);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(/No changes made.*\n {2}gather_jobs "G" \(line 2\): artifact_name: /);
  }
  expect(await everything()).toEqual([]);
  expect(await applied(text('github.com/a/b'))).toContain(
    '3 to create, 0 to update, 0 to delete, 0 unchanged.',
  );
});

test('a key of too small a role changes nothing', async () => {
  const { key } = await organization.owner.call('createAPIKey', { body: { name: 'viewer', role: 'viewer' } });
  expect(await apply(file, ['--yes'], { env, apiKey: key })).toMatchObject({ code: 4 });
  expect(await everything()).toEqual([]);
});

describe('alert configurations that compare the same', () => {
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

  test('stop the plan, in the file as on the server, before anything is changed', async () => {
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

  test('are created with ordinals of their own, and a file without ordinals changes none', async () => {
    const both = parts(compares('A', 'S', ', ordinal: 0') + compares('B', 'S', ', ordinal: 1'));
    await applied(both);
    expect(await stored()).toEqual(['A S 0', 'B S 1']);
    expect(await applied(both)).toMatch(/^No changes\./);
    expect(await applied(parts(compares('A') + compares('B')), ['--yes', '--prune'])).toMatch(
      /^No changes\./,
    );
  });

  test('under another name are one that is renamed, when the old name would be deleted', async () => {
    await applied(parts(compares('A')));
    const [before] = (await organization.api.call('listAlertConfigs')).items;
    const output = await applied(parts(compares('B')), ['--yes', '--prune']);
    expect(output).toContain('0 to create, 1 to update, 0 to delete');
    const { items } = await organization.api.call('listAlertConfigs');
    expect(items.map(({ id, name }) => ({ id, name }))).toEqual([{ id: before!.id, name: 'B' }]);
  });

  test('for a moment only are changed in an order that avoids it', async () => {
    await applied(parts(compares('A', 'S') + compares('B', 'T')));
    await applied(
      parts(compares('A', 'T') + compares('B', 'T', ', candidate_pattern: "^1"') + compares('C', 'S')),
    );
    expect(await stored()).toEqual(['A T 0', 'B T 0', 'C S 0']);
  });

  test('only because two change places need a step between', async () => {
    await applied(parts(compares('A', 'S') + compares('B', 'T')));
    const result = await apply(parts(compares('A', 'T') + compares('B', 'S')));
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('already compares these') });
    await applied(parts(compares('A', 'T', ', ordinal: 1') + compares('B', 'S')));
    expect(await stored()).toEqual(['A T 1', 'B S 0']);
  });
});
