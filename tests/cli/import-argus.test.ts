import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseContent } from '../../src/domain/parsers/parse-content.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { sharedTestServer } from '../helpers/test-server.ts';
import { runCommand } from './run-command.ts';

/** An Argus configuration with old and new syntax, defaults, many kinds of notifiers, and webhooks. */
const argus = `
settings: { log: { level: INFO } }
defaults:
  service:
    options: { interval: 30m }
    notify: { ops: {} }
  notify:
    gotify: { params: { Priority: 7 } }
notify:
  ops:
    type: slack
    url_fields: { Token: hook:T0SECRET-B0SECRET-XSECRET, Channel: releases }
    options: { message: "{{ service_id }} {{ version }}" }
  phone:
    type: telegram
    url_fields: { Token: "\${TELEGRAM_TOKEN}" }
    params: { Chats: "@releases,-100200" }
  push: { type: gotify, url_fields: { Host: push.example.org, Port: 443, Path: sub, Token: GOTIFYSECRET } }
  chat: { type: mattermost, url_fields: { Host: chat.example.org, Port: 8443, Token: MATTERSECRET } }
  game: { type: discord, url_fields: { WebhookID: "42", Token: DISCORDSECRET } }
  topic: { type: ntfy, url_fields: { Topic: NTFYSECRET, Username: me, Password: PASSSECRET } }
  mail: { type: smtp, url_fields: { Host: mail.example.org }, params: { FromAddress: a@example.org } }
webhook:
  awx:
    type: github
    url: https://awx.example.org/HOOKSECRET/
    secret: SIGNSECRET
    headers:
      - { key: X-Kind, value: KINDSECRET }
      - { key: X-Version, value: "{{ version }}" }
service:
  grafana/grafana:
    comment: dashboards
    latest_version:
      type: github
      url: grafana/grafana
      access_token: GHSECRET
      use_prerelease: true
      url_commands: [{ type: regex, regex: "^v([0-9.]+)$" }]
      require: { regex_version: "^1[01]\\\\.", docker: { type: hub, image: grafana/grafana, tag: "{{ version }}" } }
    deployed_version: { type: url, url: "https://grafana.example.org/api?token=URLSECRET", json: version }
    dashboard: { web_url: https://grafana.com, icon: https://grafana.com/i.png }
    webhook: { awx: {} }
    command: [[bash, upgrade.sh]]
  by-hand:
    name: Typed
    options: { active: false, interval: 1d }
    latest_version: { type: github, url: https://github.com/release-argus/Argus }
    deployed_version: { type: manual, version: 0.19.4 }
    notify: { phone: {}, push: {}, chat: {}, game: {}, topic: {}, mail: {}, ops: { url_fields: { token: OTHER-OTHER-OTHERSECRET } } }
  old/form:
    type: github
    url: go-gitea/gitea
    interval: 2h
    url_commands: { type: regex_submatch, regex: "v([0-9.]+)$" }
    regex_version: "^[0-9.]+[0-9]$"
    web_url: https://gitea.example.org
  api:
    latest_version: { type: github, url: acme/api }
    deployed_version:
      url: http://api.internal:8080/status
      json: services[0].build-info.version
      basic_auth: { username: me, password: BASICSECRET }
      headers: [{ key: X-Tenant, value: HEADERSECRET }]
      allow_invalid_certs: true
  page:
    latest_version: { type: github, url: acme/page }
    deployed_version: { url: "https://page.example.org/", regex: "(web|api)-v([0-9.]+)" }
  both:
    latest_version: { type: github, url: acme/both }
    deployed_version: { url: "https://both.example.org/v", json: data.version, regex: "^v([0-9.]+)$" }
  plain:
    latest_version: { type: github, url: acme/plain }
    deployed_version: { url: "https://plain.example.org/version" }
  posts:
    latest_version: { type: github, url: acme/posts }
    deployed_version: { url: "https://posts.example.org/rpc", method: POST, body: "{}", json: version }
  tags: { type: url, url: https://github.com/n8n-io/n8n/tags, url_commands: [{ type: regex, regex: "n8n%40([0-9.]+)" }] }
  gitlab: { latest_version: { type: url, url: "https://gitlab.com/api/v4/projects/278964/repository/tags" } }
  golang: { latest_version: { type: url, url: https://go.dev/dl/, url_commands: [{ type: regex, regex: "go([0-9.]+)" }] } }
`;

function argusFile(): string {
  const file = path.join(temporaryFolder(), 'config.yml');
  writeFileSync(file, argus);
  return file;
}

test('the import contains every supported setting, and applying it twice changes nothing', async () => {
  const server = await sharedTestServer();
  const organization = await server.createOrganization();
  const imported = await runCommand(['import', 'argus', argusFile()], {});
  expect(imported.code).toBe(0);
  const file = path.join(temporaryFolder(), 'pacekeeper.yaml');
  writeFileSync(file, imported.stdout);
  // The header of the file lists the required environment variables.
  const names = [...imported.stdout.matchAll(/^# {3}(\w+): /gm)].map(([, name]) => name!);
  expect(names).toContain('TELEGRAM_TOKEN');
  const values: Record<string, string> = Object.fromEntries(
    names.map((name) => [name, name.endsWith('_URL') ? 'https://hooks.example.org/x' : 'value']),
  );
  const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: organization.apiKey, ...values };
  expect(await runCommand(['apply', '-f', file, '--yes'], { env })).toMatchObject({ code: 0, stderr: '' });
  expect((await runCommand(['apply', '-f', file, '--yes', '--prune'], { env })).stdout).toMatch(
    /^No changes\./,
  );

  const { api } = organization;
  const jobs = (await api.call('listGatherJobs', { query: { sort: 'created_at' } })).items;
  expect(
    jobs.map((job) => [
      job.name,
      job.source_type,
      job.artifact_name,
      job.version_pattern,
      job.cron_expression,
    ]),
  ).toEqual([
    ['grafana/grafana', 'github_releases', 'github.com/grafana/grafana', '^v([0-9.]+)$', '*/30 * * * *'],
    ['Typed', 'github_releases', 'github.com/release-argus/Argus', null, '@daily'],
    ['old/form', 'github_releases', 'github.com/go-gitea/gitea', 'v([0-9.]+)$', '0 */2 * * *'],
    ...['api', 'page', 'both', 'plain', 'posts'].map((name) => [
      name,
      'github_releases',
      `github.com/acme/${name}`,
      null,
      '*/30 * * * *',
    ]),
    ['tags', 'git_tags', 'https://github.com/n8n-io/n8n.git', null, '*/30 * * * *'],
    [
      'gitlab',
      'http_json',
      'https://gitlab.com/api/v4/projects/278964/repository/tags',
      null,
      '*/30 * * * *',
    ],
    ['golang', 'http_text', 'https://go.dev/dl/', null, '*/30 * * * *'],
  ]);
  expect(jobs.map((job) => [job.include_prereleases, job.is_active])).toEqual([
    [true, true],
    [false, false],
    [false, true],
    ...Array.from({ length: 5 }, () => [false, true]),
    [true, true],
    [true, true],
    [true, true],
  ]);
  const configs = (await api.call('listAlertConfigs', { query: { sort: 'created_at' } })).items;
  expect(configs.map(({ candidate_pattern }) => candidate_pattern)).toEqual([
    '^1[01]\\.',
    null,
    '^[0-9.]+[0-9]$',
    ...Array.from({ length: 8 }, () => null),
  ]);
  expect((await api.call('listScrapeJobs', { query: { q: 'Typed' } })).items[0]).toMatchObject({
    latest_version: '0.19.4',
  });
  const trackers = (await api.call('listScrapeJobs', { query: { sort: 'created_at' } })).items;
  expect(
    trackers.map(({ name, source, url, parser_type, parse_expression, credential_name, cron_expression }) => [
      name,
      source,
      url,
      parser_type,
      parse_expression,
      credential_name,
      cron_expression,
    ]),
  ).toEqual([
    ['grafana/grafana', 'http', 'https://grafana.example.org/api', 'yq', '.version', null, '*/30 * * * *'],
    ['Typed', 'git', null, 'manual', null, null, null],
    ['old/form', 'git', null, 'manual', null, null, null],
    [
      'api',
      'http',
      'http://api.internal:8080/status',
      'yq',
      '.services[0].build-info.version',
      'argus-api',
      '*/30 * * * *',
    ],
    ['page', 'http', 'https://page.example.org/', 'regex', '(?:web|api)-v([0-9.]+)', null, '*/30 * * * *'],
    [
      'both',
      'http',
      'https://both.example.org/v',
      'regex',
      '"version"\\s*:\\s*"?(?:v([0-9.]+))["\\s,}\\]]',
      null,
      '*/30 * * * *',
    ],
    ['plain', 'http', 'https://plain.example.org/version', 'regex', '\\S+', null, '*/30 * * * *'],
    ['posts', 'git', null, 'manual', null, null, null],
    ['tags', 'git', null, 'manual', null, null, null],
    ['gitlab', 'git', null, 'manual', null, null, null],
    ['golang', 'git', null, 'manual', null, null, null],
  ]);
});

test('a pattern for a JSON value finds the same version in the JSON text', async () => {
  const { stdout } = await runCommand(['import', 'argus', argusFile()]);
  const jobs = parse(stdout).scrape_jobs as { name: string; parse_expression: string }[];
  const { parse_expression: expression } = jobs.find(({ name }) => name === 'both')!;
  const read = (content: string) =>
    parseContent({ parserType: 'regex', expression, transform: 'none', content });
  expect(read('{"data": {"version": "v1.2.3"}}')).toMatchObject({ version: '1.2.3' });
  expect(read('{"data":{"version":"v1.2.3","x":1}}')).toMatchObject({ version: '1.2.3' });
  expect(read('{"data":{"version":"rc-v1.2.3"}}')).toMatchObject({ ok: false });
});

test('notifiers become channels, and their services become notification rules', async () => {
  const { stdout } = await runCommand(['import', 'argus', argusFile(), '--with-secrets']);
  const { notification_channels: channels, notification_rules: rules } = parse(stdout);
  expect(channels).toEqual([
    { name: 'ops', preset: 'slack', url: 'https://hooks.slack.com/services/T0SECRET/B0SECRET/XSECRET' },
    ...['@releases', '-100200'].map((chat_id, index) => ({
      name: `phone (${index + 1})`,
      preset: 'telegram',
      preset_options: { chat_id },
      url: 'https://api.telegram.org/bot${env:TELEGRAM_TOKEN}/sendMessage',
    })),
    {
      name: 'push',
      preset: 'gotify',
      url: 'https://push.example.org/sub/message',
      headers: { 'X-Gotify-Key': 'GOTIFYSECRET' },
      preset_options: { priority: '7' },
    },
    { name: 'chat', preset: 'mattermost', url: 'https://chat.example.org:8443/hooks/MATTERSECRET' },
    { name: 'game', preset: 'discord', url: 'https://discord.com/api/webhooks/42/DISCORDSECRET' },
    {
      name: 'topic',
      preset: 'ntfy',
      url: 'https://ntfy.sh',
      preset_options: { topic: 'NTFYSECRET' },
      headers: { Authorization: `Basic ${Buffer.from('me:PASSSECRET').toString('base64')}` },
    },
    {
      name: 'awx',
      preset: 'generic',
      url: 'https://awx.example.org/HOOKSECRET/',
      is_active: false,
      headers: { 'X-Kind': 'KINDSECRET' },
    },
    {
      name: 'by-hand: ops',
      preset: 'slack',
      url: 'https://hooks.slack.com/services/OTHER/OTHER/OTHERSECRET',
    },
  ]);
  const everyone = [
    'grafana/grafana',
    'old/form',
    'api',
    'page',
    'both',
    'plain',
    'posts',
    'tags',
    'gitlab',
    'golang',
  ];
  const telling = Object.fromEntries(rules.map((rule: Record<string, unknown>) => [rule['name'], rule]));
  expect(telling['Argus: ops']).toEqual({
    name: 'Argus: ops',
    event_types: ['alert.created'],
    alert_configs: everyone,
    channels: ['ops'],
  });
  expect(telling['Argus: phone (1)']).toMatchObject({
    alert_configs: ['Typed'],
    channels: ['phone (1)', 'phone (2)'],
  });
  expect(telling['Argus: by-hand: ops']).toMatchObject({
    alert_configs: ['Typed'],
    channels: ['by-hand: ops'],
  });
  expect(Object.keys(telling)).toHaveLength(8);
});

test('each unsupported setting is listed with its reason', async () => {
  const { stdout: report, code } = await runCommand(['import', 'argus', argusFile(), '--dry-run']);
  expect(code).toBe(0);
  expect(report).toMatch(/^Imported:\n {2}1 rule\n {2}11 gather jobs\n {2}11 scrape jobs\n/);
  for (const [about, reason] of [
    ['service "grafana/grafana"', 'latest_version.access_token'],
    ['service "grafana/grafana"', 'latest_version.require.docker'],
    ['service "grafana/grafana"', 'deployed_version.url: removed token'],
    [
      'service "api"',
      '{ name: argus-api, type: http_headers, hosts: [api.internal:8080], headers: { Authorization: "env:ARGUS_API_HEADER_1", X-Tenant: "env:ARGUS_API_HEADER_2" } }',
    ],
    ['service "api"', 'allow_invalid_certs'],
    ['service "api"', 'PACEKEEPER_INSECURE_HOSTS'],
    ['service "both"', 'combined into one pattern'],
    ['service "posts"', 'POST request'],
    ['service "grafana/grafana"', 'command'],
    ['service "grafana/grafana"', 'dashboard.icon, dashboard.web_url'],
    ['service "grafana/grafana"', 'comment'],
    ['service "old/form"', 'no deployed_version'],
    ['service "tags"', 'without a pattern'],
    ['notify "ops"', 'message and title'],
    ['notify "mail"', 'no preset for smtp'],
    ['webhook "awx"', 'a github push event'],
    ['webhook "awx"', 'X-Version uses a template'],
    ['webhook "awx"', 'X-Hub-Signature'],
  ] as const) {
    expect(
      report
        .split('\n')
        .filter((line) => line.startsWith(`  ${about}: `))
        .join('\n'),
    ).toContain(reason);
  }
});

test('the import contains no secrets without --with-secrets', async () => {
  const { stdout, stderr } = await runCommand(['import', 'argus', argusFile()]);
  expect(`${stdout}${stderr}`).not.toMatch(/SECRET\b(?!: )|PASSSECRET/);
  expect((await runCommand(['import', 'argus', '-'], { stdin: 'rules: []' })).stderr).toContain(
    'Is this an Argus configuration?',
  );
  expect(await runCommand(['import', 'argus', '-'], { stdin: 'service: [' })).toMatchObject({ code: 2 });
});
