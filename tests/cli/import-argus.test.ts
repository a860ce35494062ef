import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { runCommand } from './run-command.ts';

/** With what a file of Argus can have: old and new forms, defaults, notifiers of many kinds, webhooks. */
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
  tags: { type: url, url: https://github.com/n8n-io/n8n/tags, url_commands: [{ type: regex, regex: "n8n%40([0-9.]+)" }] }
  gitlab: { latest_version: { type: url, url: "https://gitlab.com/api/v4/projects/278964/repository/tags" } }
  golang: { latest_version: { type: url, url: https://go.dev/dl/, url_commands: [{ type: regex, regex: "go([0-9.]+)" }] } }
`;

function argusFile(): string {
  const file = path.join(temporaryFolder(), 'config.yml');
  writeFileSync(file, argus);
  return file;
}

test('what has a counterpart is in a file that apply takes, twice without a change', async () => {
  const server = await startTestServer();
  const organization = await server.createOrganization();
  const imported = await runCommand(['import', 'argus', argusFile()], {});
  expect(imported.code).toBe(0);
  const file = path.join(temporaryFolder(), 'pacekeeper.yaml');
  writeFileSync(file, imported.stdout);
  // The file says by itself which variables it wants.
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
    ['tags', 'git_tags', 'https://github.com/n8n-io/n8n.git', null, '*/30 * * * *'],
    [
      'gitlab',
      'http_json',
      'https://gitlab.com/api/v4/projects/278964/repository/tags',
      null,
      '*/30 * * * *',
    ],
  ]);
  expect(jobs.map((job) => [job.include_prereleases, job.is_active])).toEqual([
    [true, true],
    [false, false],
    [false, true],
    [true, true],
    [true, true],
  ]);
  const configs = (await api.call('listAlertConfigs', { query: { sort: 'created_at' } })).items;
  expect(configs.map(({ candidate_pattern }) => candidate_pattern)).toEqual([
    '^1[01]\\.',
    null,
    '^[0-9.]+[0-9]$',
    null,
    null,
  ]);
  expect((await api.call('listScrapeJobs', { query: { q: 'Typed' } })).items[0]).toMatchObject({
    latest_version: '0.19.4',
  });
});

test('notifiers become channels, and the services that use them rules', async () => {
  const { stdout } = await runCommand(['import', 'argus', argusFile(), '--with-secrets']);
  const { notification_channels: channels, notification_rules: rules } = parse(stdout);
  expect(channels).toEqual([
    { name: 'ops', preset: 'slack', url: 'https://hooks.slack.com/services/T0SECRET/B0SECRET/XSECRET' },
    ...['@releases', '-100200'].map((chat_id, index) => ({
      ...{ name: `phone (${index + 1})`, preset: 'telegram', preset_options: { chat_id } },
      url: 'https://api.telegram.org/bot${env:TELEGRAM_TOKEN}/sendMessage',
    })),
    {
      ...{ name: 'push', preset: 'gotify', url: 'https://push.example.org/sub/message' },
      ...{ headers: { 'X-Gotify-Key': 'GOTIFYSECRET' }, preset_options: { priority: '7' } },
    },
    { name: 'chat', preset: 'mattermost', url: 'https://chat.example.org:8443/hooks/MATTERSECRET' },
    { name: 'game', preset: 'discord', url: 'https://discord.com/api/webhooks/42/DISCORDSECRET' },
    {
      ...{ name: 'topic', preset: 'ntfy', url: 'https://ntfy.sh', preset_options: { topic: 'NTFYSECRET' } },
      headers: { Authorization: `Basic ${Buffer.from('me:PASSSECRET').toString('base64')}` },
    },
    {
      ...{ name: 'awx', preset: 'generic', url: 'https://awx.example.org/HOOKSECRET/', is_active: false },
      headers: { 'X-Kind': 'KINDSECRET' },
    },
    {
      name: 'by-hand: ops',
      preset: 'slack',
      url: 'https://hooks.slack.com/services/OTHER/OTHER/OTHERSECRET',
    },
  ]);
  const everyone = ['grafana/grafana', 'old/form', 'tags', 'gitlab'];
  const telling = Object.fromEntries(rules.map((rule: Record<string, unknown>) => [rule['name'], rule]));
  expect(telling['Argus: ops']).toEqual({
    ...{ name: 'Argus: ops', event_types: ['alert.created'], alert_configs: everyone, channels: ['ops'] },
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

test('what has none is listed with its reason', async () => {
  const { stdout: report, code } = await runCommand(['import', 'argus', argusFile(), '--dry-run']);
  expect(code).toBe(0);
  expect(report).toMatch(/^Imported:\n {2}1 rule\n {2}5 gather jobs\n {2}5 scrape jobs\n/);
  for (const [about, reason] of [
    ['service "grafana/grafana"', 'latest_version.access_token'],
    ['service "grafana/grafana"', 'latest_version.require.docker'],
    ['service "grafana/grafana"', 'deployed_version (queried grafana.example.org)'],
    ['service "grafana/grafana"', 'command'],
    ['service "grafana/grafana"', 'dashboard.icon, dashboard.web_url'],
    ['service "grafana/grafana"', 'comment'],
    ['service "old/form"', 'no deployed_version'],
    ['service "tags"', 'without a pattern'],
    ['service "golang"', "which isn't supported"],
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

test('no secret of the file is in the result, unless that was asked for', async () => {
  const { stdout, stderr } = await runCommand(['import', 'argus', argusFile()]);
  expect(`${stdout}${stderr}`).not.toMatch(/SECRET\b(?!: )|PASSSECRET/);
  expect((await runCommand(['import', 'argus', '-'], { stdin: 'rules: []' })).stderr).toContain(
    'Is this an Argus configuration?',
  );
  expect(await runCommand(['import', 'argus', '-'], { stdin: 'service: [' })).toMatchObject({ code: 2 });
});
