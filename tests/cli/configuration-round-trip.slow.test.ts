import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fieldsOf } from '../../src/cli/configuration/section-schema.ts';
import { kinds } from '../../src/domain/configuration/kinds.ts';
import type { ResourceFactories } from '../contract/world.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { startTestServer, type TestOrganization, type TestServer } from '../helpers/test-server.ts';
import { createOrganizationWithAgent, fillOrganization } from './full-installation.ts';
import { runCommand } from './run-command.ts';

let server: TestServer;
let full: TestOrganization & { make: ResourceFactories };
let globalJob: number;

/** Values for the environment variables that the export of `full` requires. */
const secrets = {
  CHANNEL_OPERATIONS_URL: 'https://hooks.example.org/services/T0/B0/secret',
  CHANNEL_OPERATIONS_HEADER_X_TEAM: 'header-one',
  CHANNEL_OPERATIONS_HEADER_X_STAGE: 'header-two',
  CHANNEL_OPERATIONS_SIGNING_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  CHANNEL_PAGER_URL: 'https://events.example.org/v2/enqueue',
  CHANNEL_PAGER_ROUTING_KEY: 'a'.repeat(32),
  CHANNEL_OWN_WORDS_URL: 'https://hooks.example.org/own',
  CHANNEL_INCIDENTS_URL: 'https://api.example.org/v2/alerts/{{ event_id }}',
  CHANNEL_INCIDENTS_CLOSING_PATH: '/v2/alerts/{{ alert.id }}/close?by=alias',
  CHANNEL_JIRA_TOKEN: 'ATATT3xFfGF0-token-of-tests',
};

const envOf = ({ apiKey }: TestOrganization) => ({
  PACEKEEPER_SERVER_URL: server.url,
  PACEKEEPER_API_KEY: apiKey,
  ...secrets,
});

async function done(args: string[], organization: TestOrganization, env: Record<string, string> = {}) {
  const result = await runCommand([...args], { env: { ...envOf(organization), ...env } });
  expect(result, `${args.join(' ')}: ${result.stderr}`).toMatchObject({ code: 0 });
  return result.stdout;
}

function fileOf(text: string): string {
  const file = path.join(temporaryFolder(), 'pacekeeper.yaml');
  writeFileSync(file, text);
  return file;
}

/** Completes gather runs, as an agent would, until `work` has settled. */
async function whileAgentWorks<T>(make: ResourceFactories, work: Promise<T>): Promise<T> {
  let isOver = false;
  const ended = work.finally(() => (isOver = true));
  while (!isOver) {
    await make.gathered();
    await sleep(50);
  }
  return ended;
}

beforeAll(async () => {
  server = await startTestServer({
    PACEKEEPER_SMTP_URL: 'smtp://127.0.0.1:9',
    PACEKEEPER_EMAIL_FROM: 'alerts@acme.example',
    PACEKEEPER_EMAIL_DOMAINS: 'acme.example',
  });
  const job = {
    name: 'Kubernetes',
    source_type: 'github_releases',
    artifact_name: 'github.com/k8s/k8s',
  } as const;
  await server.system.call('createGatherJob', { body: { ...job, artifact_name: 'github.com/k8s/other' } });
  globalJob = (await server.system.call('createGatherJob', { body: job })).id;
  full = await createOrganizationWithAgent(server, 'Full');
  await fillOrganization(full.api, full.make, globalJob);
});

describe('the configuration of an organization', () => {
  test('is unchanged after an export, an apply to an empty organization, and another export', async () => {
    const exported = await done(['export', '--with-versions'], full);
    const empty = await createOrganizationWithAgent(server, 'Empty');
    await whileAgentWorks(empty.make, done(['apply', '--yes', '-f', fileOf(exported)], empty));
    expect(await done(['export', '--with-versions'], empty)).toBe(exported);
    // The file refers to resources by name and contains no IDs or server-generated fields.
    expect(exported).not.toMatch(/^\s*-?\s*\w*(_id|_ids|created_at|status):/m);
    // The copy also has the values that the file doesn't contain, such as channel URLs.
    const { items } = await empty.api.call('listNotificationChannels');
    expect(items.flatMap(({ url, closing_path }) => [url ?? [], closing_path ?? []].flat()).sort()).toEqual(
      [
        secrets.CHANNEL_OPERATIONS_URL,
        secrets.CHANNEL_PAGER_URL,
        secrets.CHANNEL_OWN_WORDS_URL,
        secrets.CHANNEL_INCIDENTS_URL,
        secrets.CHANNEL_INCIDENTS_CLOSING_PATH,
        'https://acme.atlassian.net',
      ].sort(),
    );
  });

  test('changes nothing when applied to the organization that exported it', async () => {
    const file = fileOf(await done(['export', '--with-versions'], full));
    const before = await full.api.call('listAuditLog', { query: { limit: 1 } });
    expect(await done(['apply', '--yes', '--prune', '-f', file], full)).toMatch(/^No changes\./);
    expect(await full.api.call('listAuditLog', { query: { limit: 1 } })).toEqual(before);
  });

  test('can contain a gather job that refers to a scrape job in the same file, and both are created and deleted together', async () => {
    const organization = await createOrganizationWithAgent(server, 'Staged');
    const jobs = (name: string) => ({
      gather_jobs: [
        { name: 'Staging', source_type: 'deployed_versions', artifact_name: { scrape_job: name } },
      ],
      scrape_jobs: [
        { name: 'In staging', parser_type: 'manual' },
        { name: '7', parser_type: 'manual' },
      ],
    });
    const apply = (document: object, ...options: string[]) =>
      runCommand(['apply', '--yes', ...options, '-f', fileOf(JSON.stringify(document))], {
        env: envOf(organization),
      });
    const unknown = await apply(jobs('Staging'));
    expect(unknown.code).not.toBe(0);
    expect(unknown.stderr).toContain('no scrape job named "Staging" in the file or on the server');
    expect(await apply(jobs('In staging'))).toMatchObject({ code: 0 });
    const { items } = await organization.api.call('listScrapeJobs', { query: { sort: 'name' } });
    const staging = items.find(({ name }) => name === 'In staging')!.id;
    const followed = async () =>
      (
        await organization.api.call('listGatherJobs', { query: { source_type: 'deployed_versions' } })
      ).items.map((job) => job.artifact_name);
    expect(await followed()).toEqual([`scrape-job/${staging}`]);
    expect((await apply(jobs('In staging'), '--prune')).stdout).toMatch(/^No changes\./);
    const alone = await apply({ scrape_jobs: [] }, '--prune');
    expect(alone.stderr).toContain('gather job "Staging" uses it, and the file has no gather_jobs');
    expect(await followed()).toEqual([`scrape-job/${staging}`]);
    expect(await apply({ gather_jobs: [], scrape_jobs: [] }, '--prune')).toMatchObject({ code: 0 });
    expect(await followed()).toEqual([]);
  });

  test('keeps the type of a channel, ignores the case of addresses, and is rejected with outside recipients', async () => {
    const organization = await createOrganizationWithAgent(server, 'Email');
    const apply = (channel: object, ...options: string[]) =>
      runCommand(
        ['apply', '--yes', ...options, '-f', fileOf(JSON.stringify({ notification_channels: [channel] }))],
        { env: envOf(organization) },
      );
    const team = { name: 'Team', channel_type: 'email', recipients: ['b@acme.example', 'a@acme.example'] };
    const outsider = await apply({ ...team, recipients: ['a@acme.example', 'eve@evil.example'] });
    expect(outsider.code).not.toBe(0);
    expect(outsider.stderr).toContain('recipients.1');
    expect(await apply(team)).toMatchObject({ code: 0 });
    const again = await apply({ ...team, recipients: ['A@ACME.example', 'b@acme.example'] }, '--prune');
    expect(again.stdout).toMatch(/^No changes\./);
    expect(await apply({ name: 'Team', url: 'https://hooks.example.org/x' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("can't change. Delete the channel or use another name."),
    });
    const fewer = await apply({ ...team, recipients: ['a@acme.example'] });
    expect(fewer).toMatchObject({ code: 0, stdout: expect.stringContaining('recipients') });
    const { items } = await organization.api.call('listNotificationChannels');
    expect(items).toMatchObject([{ channel_type: 'email', recipients: ['a@acme.example'] }]);
  });

  test('is exported with a note about optional preset options only if a channel has any', async () => {
    const organization = await server.createOrganization();
    const channel = (name: string, more: object) =>
      organization.api.call('createNotificationChannel', {
        body: {
          name,
          url: 'https://hooks.example.org/x',
          preset: 'slack',
          ...more,
        },
      });
    await channel('Without', {});
    await channel('With', { preset_options: { slack_signing_secret: 'a'.repeat(32) } });
    const { stderr } = await runCommand(['export'], { env: envOf(organization) });
    expect(stderr).toBe(
      'Note: notification channel "With": the server doesn\'t return optional preset_options (slack_signing_secret).\n',
    );
  });

  test('contains no secrets, and lists the required environment variables', async () => {
    const exported = await done(['export'], full);
    for (const secret of Object.values(secrets)) expect(exported).not.toContain(secret);
    for (const name of Object.keys(secrets)) expect(exported).toMatch(new RegExp(`^#   ${name}: `, 'm'));
    expect(exported).toMatch(
      new RegExp(`^# yaml-language-server: \\$schema=${server.url}/api/spec/pacekeeper.schema.json`),
    );
    expect(await done(['export', '--with-urls'], full)).toContain(secrets.CHANNEL_OPERATIONS_URL);
    const { key } = await full.owner.call('createAPIKey', { body: { name: 'viewer', role: 'viewer' } });
    expect(await done(['export'], { ...full, apiKey: key })).toBe(exported);
    const env = { ...envOf(full), PACEKEEPER_API_KEY: key };
    expect(await runCommand(['export', '--with-urls'], { env })).toMatchObject({ code: 4, stdout: '' });
  });

  test('contains every field that the API accepts', async () => {
    const document = parse(await done(['export', '--with-versions'], full));
    for (const { section } of kinds) {
      const written = new Set(document[section].flatMap((entry: object) => Object.keys(entry)));
      const missing = fieldsOf(section).filter(([field]) => !written.has(field));
      // Fields that the exported file is allowed to lack. In sections with unique names, entries have no
      // `key`. Other tests cover the fields of clusters, hosts, repository groups, and scrape jobs fed by a
      // discovery job.
      const others = [
        'discovery_jobs.kind',
        'discovery_jobs.cluster_name',
        'discovery_jobs.helm_secrets',
        'discovery_jobs.host_name',
        'discovery_jobs.group_url',
        'discovery_jobs.forge',
        'discovery_jobs.repository_filter',
        'scrape_jobs.fed_by',
      ];
      expect(
        missing
          .map(([field]) => `${section}.${field}`)
          .filter((field) => !field.endsWith('.key') && !others.includes(field)),
      ).toEqual([]);
    }
  });

  test('matches the schema that the server serves', async () => {
    const served = await fetch(`${server.url}/api/spec/pacekeeper.schema.json`);
    expect(await served.json()).toEqual(
      JSON.parse(
        readFileSync(new URL('../../src/generated/configuration-schema.json', import.meta.url), 'utf8'),
      ),
    );
  });
});
