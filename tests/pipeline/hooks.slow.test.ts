import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';

import type { Schemas } from '../../src/generated/client-api.ts';
import { deleteOldHookDeliveriesAcrossOrganizations } from '../../src/modules/hooks/index.ts';
import { transaction } from '../../src/platform/database/index.ts';
import { setClockOffset } from '../helpers/database.ts';
import { isLong } from '../helpers/long-tests.ts';
import { startTestServer, type TestOrganization } from '../helpers/test-server.ts';

const server = await startTestServer({
  PACEKEEPER_LOG_LEVEL: 'error',
  PACEKEEPER_RATE_LIMIT_PER_MINUTE: '0',
});

type Kind = Schemas['HookKind'];
type Hook = Schemas['CreateHookResponse'];
type Headers = Record<string, string>;

let organization: TestOrganization;
beforeEach(async () => {
  organization = await server.createOrganization();
});

const createHook = (kind: Kind, by = organization) =>
  by.api.call('createHook', { body: { name: kind, kind } });

const push = (name: string, more: object = {}) =>
  JSON.stringify({
    ref: 'refs/heads/main',
    repository: { clone_url: `https://github.com/${name}.git` },
    ...more,
  });

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const fromGithub = ({ secret }: Pick<Hook, 'secret'>, body: string, more: Headers = {}): Headers => ({
  'x-github-event': 'push',
  'x-hub-signature-256': `sha256=${hmac(secret, body)}`,
  ...more,
});
const fromBitbucket = ({ secret }: Pick<Hook, 'secret'>, body: string): Headers => ({
  'x-event-key': 'repo:push',
  'x-hub-signature': `sha256=${hmac(secret, body)}`,
});
const basic = (user: string, password: string): Headers => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
const fromAzure = ({ secret }: Pick<Hook, 'secret'>): Headers => basic('pacekeeper', secret);
const azurePush = (remoteUrl: string) =>
  JSON.stringify({
    eventType: 'git.push',
    resource: { repository: { name: 'web', remoteUrl, project: { name: 'platform' } } },
  });
const fromGeneric = (
  { secret }: Hook,
  body: string,
  atMs = Date.parse(new Date().toISOString()),
): Headers => {
  const timestamp = String(Math.floor(atMs / 1_000));
  return {
    'x-pacekeeper-timestamp': timestamp,
    'x-pacekeeper-signature': `sha256=${hmac(secret, `${timestamp}.${body}`)}`,
  };
};

async function send(hook: Pick<Hook, 'url'>, body: string, headers: Headers, search = '') {
  const url = `${server.url}${new URL(hook.url).pathname}${search}`;
  const response = await fetch(url, { method: 'POST', body, headers });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Creates a scrape job that never runs, because the embedded agent is disabled. */
async function createScrapeJob(
  repository_url: string,
  by = organization,
  more: object = {},
): Promise<number> {
  const { id } = await by.api.call('createScrapeJob', {
    body: {
      name: 'web',
      parser_type: 'yq',
      repository_url,
      target_file: 'a.yaml',
      parse_expression: '.a',
      ...more,
    },
  });
  await endRuns();
  return id;
}

async function createGatherJob(
  source_type: string,
  artifact_name: string,
  by = organization,
): Promise<number> {
  const { id } = await by.api.call('createGatherJob', {
    body: { name: 'web', source_type, artifact_name } as Schemas['CreateGatherJobRequest'],
  });
  await endRuns();
  return id;
}

async function endRuns(status = 'succeeded'): Promise<void> {
  await sql`UPDATE runs SET status = ${status}, finished_at = pacekeeper_now() WHERE status IN ('queued', 'in_progress')`.execute(
    server.db,
  );
}

async function hookRuns(jobId: number, kind = 'scrape'): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM runs
    WHERE trigger = 'hook' AND kind = ${kind} AND job_id = ${jobId}`.execute(server.db);
  return rows[0]!.count;
}

describe('an event about a repository itself', () => {
  const createGroup = async () => {
    const { id } = await organization.api.call('createDiscoveryJob', {
      body: { name: 'acme', kind: 'repository_group', group_url: 'https://github.com/Acme' },
    });
    await endRuns();
    return id;
  };
  const runsOf = (jobId: number) => expect.poll(() => hookRuns(jobId, 'discovery'), { interval: 50 });
  const event = (name: string, type = 'repository') => {
    const body = push(name, { action: 'created' });
    return { body, headersOf: (hook: Hook) => fromGithub(hook, body, { 'x-github-event': type }) };
  };

  test('runs the job of its group, which lists the repositories again', async () => {
    const groupId = await createGroup();
    const hook = await createHook('github');
    const { body, headersOf } = event('acme/new');
    expect(await send(hook, body, headersOf(hook))).toMatchObject({ status: 202, body: { jobs: 1 } });
    await runsOf(groupId).toBe(1);
  });

  test.each([
    ['a push', 'acme/new', 'push'],
    ['a repository of an organization with a longer name', 'acme-other/new', 'repository'],
  ])('does not run the job of the group for %s', async (_, name, type) => {
    await createGroup();
    const hook = await createHook('github');
    const { body, headersOf } = event(name, type);
    expect((await send(hook, body, headersOf(hook))).body).toMatchObject({ jobs: 0 });
  });
});

describe('an event', () => {
  test.each<[string, Kind, string, (hook: Hook, body: string) => Headers, string]>([
    ['GitHub, https', 'github', push('acme/web'), fromGithub, 'https://github.com/acme/web.git'],
    ['GitHub, ssh', 'github', push('acme/web'), fromGithub, 'git@github.com:acme/web.git'],
    [
      'GitLab',
      'gitlab',
      JSON.stringify({ project: { git_http_url: 'https://gitlab.com/acme/sub/web.git' } }),
      ({ secret }) => ({ 'x-gitlab-token': secret }),
      'https://gitlab.com/acme/sub/web',
    ],
    [
      'Gitea',
      'gitea',
      JSON.stringify({ repository: { clone_url: 'https://git.example.org/acme/web.git' } }),
      ({ secret }, body) => ({ 'x-gitea-signature': hmac(secret, body) }),
      'https://git.example.org/acme/web.git',
    ],
    [
      'Gitea and Forgejo with the content type of a form',
      'gitea',
      new URLSearchParams({
        payload: JSON.stringify({ repository: { clone_url: 'https://git.example.org/acme/forms.git' } }),
      }).toString(),
      ({ secret }, body) => ({
        'x-gitea-signature': hmac(secret, new URLSearchParams(body).get('payload')!),
      }),
      'https://git.example.org/acme/forms.git',
    ],
    [
      'Bitbucket Cloud',
      'bitbucket',
      JSON.stringify({
        push: { changes: [{ new: { type: 'branch', name: 'main' } }] },
        repository: {
          type: 'repository',
          full_name: 'acme/web',
          links: {
            self: { href: 'https://api.bitbucket.org/2.0/repositories/acme/web' },
            html: { href: 'https://bitbucket.org/acme/web' },
          },
        },
      }),
      fromBitbucket,
      'git@bitbucket.org:acme/web.git',
    ],
    [
      'Bitbucket Data Center',
      'bitbucket',
      JSON.stringify({
        eventKey: 'repo:refs_changed',
        repository: {
          slug: 'web',
          project: { key: 'ACME' },
          links: {
            clone: [
              { href: 'ssh://git@bitbucket.acme.example:7999/acme/web.git', name: 'ssh' },
              { href: 'https://ana@bitbucket.acme.example/scm/acme/web.git', name: 'http' },
            ],
          },
        },
      }),
      fromBitbucket,
      'https://bitbucket.acme.example/scm/acme/web.git',
    ],
    [
      'Azure DevOps',
      'azure_devops',
      azurePush('https://ana@dev.azure.com/acme/platform/_git/web'),
      fromAzure,
      'https://dev.azure.com/acme/platform/_git/web',
    ],
    [
      'Azure DevOps, ssh',
      'azure_devops',
      azurePush('https://dev.azure.com/acme/platform/_git/web'),
      fromAzure,
      'git@ssh.dev.azure.com:v3/acme/platform/web',
    ],
    [
      'Azure DevOps, the default repository of a project',
      'azure_devops',
      azurePush('https://dev.azure.com/acme/_git/web'),
      fromAzure,
      'https://dev.azure.com/acme/web/_git/web',
    ],
    [
      'Azure DevOps, a former host',
      'azure_devops',
      azurePush('https://acme.visualstudio.com/DefaultCollection/platform/_git/web'),
      fromAzure,
      'https://acme.visualstudio.com/DefaultCollection/platform/_git/web',
    ],
    [
      'a generic sender',
      'generic',
      JSON.stringify({ repository_url: 'https://git.example.org/acme/web' }),
      fromGeneric,
      'ssh://git@git.example.org/acme/web.git',
    ],
  ])(
    'runs the scrape and discovery jobs of its repository: %s',
    async (_, kind, body, sign, repositoryUrl) => {
      const hook = await createHook(kind);
      const id = await createScrapeJob(repositoryUrl);
      const other = await createScrapeJob('https://github.com/acme/webshop.git');
      const discovery = await organization.api.call('createDiscoveryJob', {
        body: { name: 'deploy', kind: 'git_repository', repository_url: repositoryUrl },
      });
      await endRuns();
      expect(await send(hook, body, sign(hook, body))).toEqual({
        status: 202,
        body: { duplicate: false, jobs: 2 },
      });
      await expect.poll(() => hookRuns(id)).toBe(1);
      await expect.poll(() => hookRuns(discovery.id, 'discovery')).toBe(1);
      expect(await hookRuns(other)).toBe(0);
      const [run] = (await organization.api.call('listScrapeJobRuns', { path: { id }, query: {} })).items;
      expect(run).toMatchObject({ trigger: 'hook', status: 'queued' });
    },
  );

  test.each<[string, Kind, object, (hook: Hook, body: string) => Headers, string, string]>([
    [
      'a release',
      'github',
      { repository: { html_url: 'https://github.com/Acme/Web' } },
      fromGithub,
      'github_releases',
      'github.com/acme/web',
    ],
    [
      'a tag',
      'github',
      { repository: { clone_url: 'https://github.com/acme/web.git' } },
      fromGithub,
      'git_tags',
      'https://github.com/acme/web.git',
    ],
    [
      'a GitHub container image',
      'github',
      { package: { name: 'web', namespace: 'Acme', package_type: 'CONTAINER' } },
      (hook, body) => fromGithub(hook, body, { 'x-github-event': 'package' }),
      'oci_registry',
      'ghcr.io/acme/web',
    ],
    [
      'a registry image',
      'registry',
      {
        events: [
          { action: 'push', target: { repository: 'acme/web' }, request: { host: 'registry.example.org' } },
        ],
      },
      ({ secret }) => ({ authorization: `Bearer ${secret}` }),
      'oci_registry',
      'registry.example.org/acme/web',
    ],
    [
      'a Harbor image',
      'harbor',
      {
        type: 'PUSH_ARTIFACT',
        occur_at: 1_586_922_308,
        operator: 'admin',
        event_data: {
          resources: [
            { digest: 'sha256:8a9e', tag: 'latest', resource_url: 'hub.acme.example/library/debian:latest' },
          ],
          repository: { name: 'debian', namespace: 'library', repo_full_name: 'library/debian' },
        },
      },
      ({ secret }) => ({ authorization: secret }),
      'oci_registry',
      'hub.acme.example/library/debian',
    ],
    [
      'a Harbor image in the form of CloudEvents',
      'harbor',
      {
        specversion: '1.0',
        type: 'harbor.artifact.pushed',
        data: {
          resources: [{ tag: '1.2', resource_url: 'hub.acme.example:8443/library/alpine:1.2' }],
          repository: { repo_full_name: 'library/alpine' },
        },
      },
      ({ secret }) => ({ authorization: `Bearer ${secret}` }),
      'oci_registry',
      'hub.acme.example:8443/library/alpine',
    ],
  ])('runs the gather jobs of its artifact: %s', async (_, kind, event, sign, sourceType, artifact) => {
    const hook = await createHook(kind);
    const id = await createGatherJob(sourceType, artifact);
    const body = JSON.stringify(event);
    expect(await send(hook, body, sign(hook, body))).toMatchObject({ status: 202, body: { jobs: 1 } });
    await expect.poll(() => hookRuns(id, 'gather')).toBe(1);
  });

  test.each([
    [
      'docker_hub',
      'docker.io/acme/web',
      { repository: { repo_name: 'acme/web' }, push_data: { tag: '1.2' } },
    ],
    [
      'quay',
      'quay.io/acme/web',
      {
        name: 'web',
        repository: 'acme/web',
        namespace: 'acme',
        docker_url: 'quay.io/acme/web',
        homepage: 'https://quay.io/repository/acme/web',
        updated_tags: ['1.2'],
      },
    ],
  ] as const)('from %s is authenticated by the secret in the URL', async (kind, artifact, event) => {
    const hook = await createHook(kind);
    const id = await createGatherJob('oci_registry', artifact);
    const body = JSON.stringify(event);
    expect(await send(hook, body, {}, '?token=wrong')).toMatchObject({ status: 401 });
    expect(await send(hook, body, {}, `?token=${hook.secret}`)).toMatchObject({
      status: 202,
      body: { jobs: 1 },
    });
    await expect.poll(() => hookRuns(id, 'gather')).toBe(1);
  });

  test('from Quay is not a duplicate when the same tag is pushed again', async () => {
    const hook = await createHook('quay');
    await createGatherJob('oci_registry', 'quay.io/acme/again');
    const body = JSON.stringify({
      name: 'again',
      repository: 'acme/again',
      namespace: 'acme',
      docker_url: 'quay.io/acme/again',
      homepage: 'https://quay.io/repository/acme/again',
      updated_tags: ['latest'],
    });
    for (let push = 1; push <= 2; push++) {
      expect(await send(hook, body, {}, `?token=${hook.secret}`)).toMatchObject({
        status: 202,
        body: { duplicate: false, jobs: 1 },
      });
    }
  });

  test('runs no disabled job, no job of another organization, and no global job', async () => {
    const hook = await createHook('github');
    const other = await server.createOrganization();
    const ids = [
      await createScrapeJob('https://github.com/acme/web', organization, { is_active: false }),
      await createScrapeJob('https://github.com/acme/web', other),
      (
        await server.system.call('createGatherJob', {
          body: { name: 'global', source_type: 'github_releases', artifact_name: 'github.com/acme/web' },
        })
      ).id,
    ];
    await endRuns();
    const body = push('acme/web');
    expect(await send(hook, body, fromGithub(hook, body))).toMatchObject({ status: 202, body: { jobs: 0 } });
    for (const [index, id] of ids.entries())
      expect(await hookRuns(id, index === 2 ? 'gather' : 'scrape')).toBe(0);
  });
});

describe('a forged event', () => {
  const body = push('acme/web');
  test.each<[string, Kind, (hook: Hook) => Headers, string?]>([
    ['no signature', 'github', () => ({})],
    ['another secret', 'github', () => fromGithub({ secret: 'x' }, body)],
    ['the signature of another body', 'github', (hook) => fromGithub(hook, `${body} `)],
    [
      'SHA-1',
      'github',
      ({ secret }) => ({
        'x-hub-signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`,
      }),
    ],
    ['an empty signature', 'github', () => ({ 'x-hub-signature-256': '' })],
    ['only the digest', 'github', ({ secret }) => ({ 'x-hub-signature-256': hmac(secret, body) })],
    ['the header of another platform', 'github', ({ secret }) => ({ 'x-gitlab-token': secret })],
    ['part of the token', 'gitlab', ({ secret }) => ({ 'x-gitlab-token': secret.slice(0, -1) })],
    ['an empty token', 'gitlab', () => ({ 'x-gitlab-token': '' })],
    ['another secret', 'gitea', () => ({ 'x-gitea-signature': hmac('x', body) })],
    ['no Bearer prefix', 'registry', ({ secret }) => ({ authorization: secret })],
    ['another secret', 'bitbucket', () => fromBitbucket({ secret: 'x' }, body)],
    ['the signature of another body', 'bitbucket', (hook) => fromBitbucket(hook, `${body} `)],
    ['another password', 'azure_devops', () => basic('pacekeeper', 'x')],
    ['the secret as user name', 'azure_devops', ({ secret }) => basic(secret, '')],
    [
      'the secret without a user name',
      'azure_devops',
      ({ secret }) => ({ authorization: `Basic ${secret}` }),
    ],
    ['no header', 'harbor', () => ({})],
    ['only the prefix', 'harbor', () => ({ authorization: 'Bearer ' })],
    ['no token', 'quay', () => ({})],
    ['a token in the URL', 'registry', () => ({}), 'secret'],
    ['no token', 'docker_hub', () => ({})],
    [
      'no timestamp',
      'generic',
      ({ secret }) => ({ 'x-pacekeeper-signature': `sha256=${hmac(secret, `.${body}`)}` }),
    ],
    [
      'an old timestamp',
      'generic',
      (hook) => fromGeneric(hook, body, Date.parse(new Date().toISOString()) - 301_000),
    ],
    [
      'a timestamp from tomorrow',
      'generic',
      (hook) => fromGeneric(hook, body, Date.parse(new Date().toISOString()) + 86_400_000),
    ],
    [
      'a timestamp that differs from the signed one',
      'generic',
      (hook) => ({
        ...fromGeneric(hook, body, 1_000),
        'x-pacekeeper-timestamp': fromGeneric(hook, body)['x-pacekeeper-timestamp']!,
      }),
    ],
  ])('is rejected like one for an unknown hook: %s (%s)', async (_, kind, headersOf, search) => {
    const hook = await createHook(kind);
    const id = await createScrapeJob('https://github.com/acme/web');
    const rejected = await send(hook, body, headersOf(hook), search ? `?token=${hook.secret}` : '');
    const unknown = await send({ url: `https://x/hooks/${'A'.repeat(22)}` }, body, headersOf(hook));
    const { request_id: _first, ...first } = rejected.body;
    const { request_id: _second, ...second } = unknown.body;
    expect([rejected.status, first]).toEqual([401, second]);
    expect(unknown.status).toBe(401);
    expect(await hookRuns(id)).toBe(0);
  });

  test("is rejected with the secret of another organization's hook or of a deleted hook", async () => {
    const other = await createHook('github', await server.createOrganization());
    const hook = await createHook('github');
    expect((await send(hook, body, fromGithub(other, body))).status).toBe(401);
    await organization.api.call('deleteHook', { path: { id: hook.id } });
    expect((await send(hook, body, fromGithub(hook, body))).status).toBe(401);
  });

  test.each(['', 'short', '../x', "' OR true --", 'A'.repeat(23), '%00'])(
    'is rejected with an invalid hook ID: %j',
    async (id) => {
      const response = await fetch(`${server.url}/hooks/${encodeURIComponent(id)}`, { method: 'POST', body });
      expect([400, 401, 404]).toContain(response.status);
    },
  );
});

describe('an unusual authentic event', () => {
  test.each([
    ['invalid JSON', '<xml/>', 400],
    ['an empty body', '', 400],
    ['a number', '7', 202],
    ['fields of the wrong type', '{"repository": {"clone_url": 7, "ssh_url": null}}', 202],
    ['a file URL', '{"repository": {"clone_url": "file:///etc/passwd"}}', 202],
    ['a __proto__ key', '{"__proto__": {"repository": {"clone_url": "https://github.com/acme/web"}}}', 202],
    ['deep nesting', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 202],
    ['a large body', JSON.stringify({ commits: Array.from({ length: 9_000 }, () => 'x'.repeat(100)) }), 202],
    ['a body over the size limit', JSON.stringify('x'.repeat(1024 * 1024)), 413],
  ])('runs no jobs: %s', async (_, body, status) => {
    const hook = await createHook('github');
    const answer = await send(hook, body, fromGithub(hook, body));
    expect(answer.status).toBe(status);
    if (status === 202) expect(answer.body['jobs']).toBe(0);
  });

  test('can be form-encoded by GitHub', async () => {
    const hook = await createHook('github');
    await createScrapeJob('https://github.com/acme/web');
    const body = `payload=${encodeURIComponent(push('acme/web'))}`;
    expect(await send(hook, body, fromGithub(hook, body))).toMatchObject({ status: 202, body: { jobs: 1 } });
  });
});

test('a replay has no effect for an hour, with the same or a different delivery ID', async () => {
  const hook = await createHook('github');
  const id = await createScrapeJob('https://github.com/acme/web');
  const body = push('acme/web', { after: 'a' });
  const first = fromGithub(hook, body, { 'x-github-delivery': 'd1' });
  expect((await send(hook, body, first)).body).toEqual({ duplicate: false, jobs: 1 });
  expect((await send(hook, body, first)).body).toEqual({ duplicate: true, jobs: 0 });
  const renamed = fromGithub(hook, body, { 'x-github-delivery': 'd2' });
  expect((await send(hook, body, renamed)).body).toEqual({ duplicate: true, jobs: 0 });
  const next = push('acme/web', { after: 'b' });
  expect((await send(hook, next, fromGithub(hook, next, { 'x-github-delivery': 'd1' }))).body).toEqual({
    duplicate: true,
    jobs: 0,
  });
  const another = await createHook('github');
  expect((await send(another, body, fromGithub(another, body))).body).toMatchObject({ duplicate: false });
  await expect.poll(() => hookRuns(id)).toBe(1);
});

test('GitLab events with the same cause are separate deliveries, but a retry is a duplicate', async () => {
  const hook = await createHook('gitlab');
  await createScrapeJob('https://gitlab.example.org/acme/web');
  const sendPush = async (after: string, key: string) => {
    const body = JSON.stringify({
      after,
      project: { git_http_url: 'https://gitlab.example.org/acme/web.git' },
    });
    const headers = { 'x-gitlab-event-uuid': 'u1', 'idempotency-key': key, 'x-gitlab-token': hook.secret };
    return (await send(hook, body, headers)).body;
  };
  expect(await sendPush('a', 'k1')).toEqual({ duplicate: false, jobs: 1 });
  expect(await sendPush('b', 'k2')).toEqual({ duplicate: false, jobs: 1 });
  expect(await sendPush('c', 'k2')).toEqual({ duplicate: true, jobs: 0 });
});

test('an identical event from a generic sender with another timestamp is a separate delivery', async () => {
  const hook = await createHook('generic');
  await createScrapeJob('https://git.example.org/acme/web');
  const body = JSON.stringify({ repository_url: 'https://git.example.org/acme/web' });
  const nowMs = Date.parse(new Date().toISOString());
  const sendAt = async (atMs: number) => (await send(hook, body, fromGeneric(hook, body, atMs))).body;
  expect(await sendAt(nowMs)).toEqual({ duplicate: false, jobs: 1 });
  expect(await sendAt(nowMs)).toEqual({ duplicate: true, jobs: 0 });
  expect(await sendAt(nowMs - 60_000)).toEqual({ duplicate: false, jobs: 1 });
});

test('the job count of an event includes jobs that are already due, although the event does not write to their rows', async () => {
  const hook = await createHook('github');
  const id = await createScrapeJob('https://github.com/acme/web');
  const stateOf = async () =>
    (
      await sql<{ requested_seq: number; is_free: boolean; version: string }>`
        SELECT requested_seq::int, lease_token IS NULL AND requested_seq = processed_seq AS is_free, xmin::text AS version
        FROM hooked_jobs WHERE kind = 'scrape' AND job_id = ${id}`.execute(server.db)
    ).rows[0]!;
  const pushed = async (after: string) => {
    const body = push('acme/web', { after });
    expect((await send(hook, body, fromGithub(hook, body))).body).toEqual({ duplicate: false, jobs: 1 });
    return stateOf();
  };
  await pushed('a');
  await expect.poll(async () => (await stateOf()).is_free).toBe(true);
  await endRuns();
  // The job has just run, so its next run is due in a minute.
  const second = await pushed('b');
  expect(second).toMatchObject({ requested_seq: 2, is_free: false });
  expect(await pushed('c')).toEqual(second);
});

test('a burst of pushes causes two runs of a job, and the second run follows the last push', async () => {
  const hook = await createHook('github');
  const id = await createScrapeJob('https://github.com/acme/web');
  const count = isLong ? 10_000 : 500;
  const sendAll = async (from: number, to: number) => {
    let next = from;
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let at = next++; at < to; at = next++) {
          const body = push('acme/web', { after: String(at) });
          expect((await send(hook, body, fromGithub(hook, body))).status).toBe(202);
        }
      }),
    );
  };
  await sendAll(0, 10);
  await expect.poll(() => hookRuns(id)).toBe(1);
  // The run has started, so it may have read the repository before the other pushes.
  await sql`UPDATE runs SET status = 'in_progress' WHERE kind = 'scrape' AND job_id = ${id} AND trigger = 'hook'`.execute(
    server.db,
  );
  await sendAll(10, count);
  expect(await hookRuns(id)).toBe(1);
  await endRuns();
  expect(await hookRuns(id)).toBe(1);
  await setClockOffset(server.db, '61 seconds');
  await expect.poll(() => hookRuns(id)).toBe(2);
  await setClockOffset(server.db, '0 seconds');
  const { rows } = await sql<{ due: boolean }>`
    SELECT due_at < 'infinity' AS due FROM hooked_jobs WHERE kind = 'scrape' AND job_id = ${id}`.execute(
    server.db,
  );
  expect(rows).toEqual([{ due: false }]);
});

test("a job that can't be started doesn't block the other jobs of the event", async () => {
  const hook = await createHook('github');
  const failing = await createScrapeJob('https://github.com/acme/web');
  const id = await createScrapeJob('https://github.com/acme/web');
  await sql`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`.execute(
    server.db,
  );
  await sql`
    CREATE TRIGGER refuse BEFORE INSERT ON runs FOR EACH ROW
    WHEN (NEW.scrape_job_id = ${sql.lit(failing)}) EXECUTE FUNCTION refuse()`.execute(server.db);
  const body = push('acme/web');
  expect((await send(hook, body, fromGithub(hook, body))).body).toMatchObject({ jobs: 2 });
  await expect.poll(() => hookRuns(id)).toBe(1);
  await sql`DROP FUNCTION refuse CASCADE`.execute(server.db);
  await sql`DELETE FROM hooked_jobs WHERE job_id = ${failing}`.execute(server.db);
});

test('the hook state of a job is deleted if no event started a run of the job', async () => {
  const hook = await createHook('github');
  const id = await createScrapeJob('https://github.com/acme/web');
  await organization.api.call('runScrapeJob', { path: { id } });
  const body = push('acme/web');
  expect((await send(hook, body, fromGithub(hook, body))).body).toMatchObject({ jobs: 1 });
  const read = async () => {
    const { rows } = await sql<{ last_run_at: Date | null; is_handled: boolean }>`
      SELECT last_run_at, due_at = 'infinity' AS is_handled FROM hooked_jobs
      WHERE kind = 'scrape' AND job_id = ${id}`.execute(server.db);
    return rows;
  };
  await expect.poll(read).toEqual([{ last_run_at: null, is_handled: true }]);
  await transaction(server.db, (tx) => deleteOldHookDeliveriesAcrossOrganizations(tx, 1));
  expect(await read()).toEqual([]);
});

test.each([
  ['a failure', 'unreachable', true],
  ['a rate limit', 'rate_limited', false],
])(
  'a push to a job whose run waits after %s makes the run due, except after a rate limit',
  async (_, code, isHurried) => {
    const hook = await createHook('github');
    const id = await createScrapeJob('https://github.com/acme/web');
    const fail = () =>
      sql`
      UPDATE runs SET due_at = pacekeeper_now() + interval '1 day', attempt = 1, error_code = ${code}
      WHERE kind = 'scrape' AND job_id = ${id} AND status = 'queued'`.execute(server.db);
    const readState = async () => {
      const { rows } = await sql<{ is_due: boolean; is_handled: boolean; is_limited: boolean }>`
      SELECT runs.due_at <= pacekeeper_now() AS is_due, hooked.due_at = 'infinity' AS is_handled,
        hooked.due_at > pacekeeper_now() AND hooked.due_at < 'infinity' AND hooked.lease_token IS NULL AS is_limited
      FROM runs JOIN hooked_jobs AS hooked USING (organization_id, kind, job_id)
      WHERE runs.kind = 'scrape' AND runs.job_id = ${id} AND runs.status = 'queued'`.execute(server.db);
      return rows[0]!;
    };
    const pushed = async (after: string) => {
      const body = push('acme/web', { after });
      expect((await send(hook, body, fromGithub(hook, body))).body).toMatchObject({ jobs: 1 });
    };
    await organization.api.call('runScrapeJob', { path: { id } });
    await fail();
    await pushed('a');
    await expect.poll(readState).toMatchObject({ is_due: isHurried, is_handled: true });
    if (!isHurried) return;
    // Fail the next attempt within the same minute, which reaches the limit.
    await fail();
    await pushed('b');
    await expect.poll(readState).toMatchObject({ is_due: false, is_limited: true });
    await endRuns();
  },
);

test('an organization can have at most 50 hooks', async () => {
  for (let count = 0; count < 50; count++) await createHook('github');
  await expect(createHook('github')).rejects.toMatchObject({ status: 409 });
});

test('the secret is returned only on creation and appears in no list, log, or database row', async () => {
  const hook = await createHook('github');
  expect(hook.secret).toMatch(/^[\w-]{43}$/);
  expect(new URL(hook.url).pathname).toMatch(/^\/hooks\/[\w-]{22}$/);
  const { items } = await organization.api.call('listHooks');
  expect(items).toMatchObject([{ id: hook.id, last_received_at: null }]);
  const log = await organization.api.call('listAuditLog', { query: { resource: 'hook' } });
  expect(log.items).toMatchObject([{ action: 'hook.created' }]);
  const { rows } = await sql<{
    text: string;
  }>`SELECT hooks::text AS text FROM hooks WHERE id = ${hook.id}`.execute(server.db);
  expect(JSON.stringify([items, log, rows])).not.toContain(hook.secret);
  const body = push('acme/none');
  await send(hook, body, fromGithub(hook, body));
  expect((await organization.api.call('listHooks')).items[0]!.last_received_at).not.toBeNull();
});

test('the response to an event states that it started no jobs, unless the event is a duplicate', async () => {
  const hook = await createHook('github');
  const body = push('acme/unknown');
  const first = await send(hook, body, fromGithub(hook, body));
  expect(first).toMatchObject({ status: 202, body: { duplicate: false, jobs: 0 } });
  expect(first.body['detail']).toContain('started no jobs');
  const lastJobs = async () => (await organization.api.call('listHooks')).items[0]!.last_event_jobs;
  expect(await lastJobs()).toBe(0);
  expect((await send(hook, body, fromGithub(hook, body))).body).toEqual({ duplicate: true, jobs: 0 });
  await createScrapeJob('https://github.com/acme/known');
  const known = push('acme/known');
  await send(hook, known, fromGithub(hook, known));
  expect(await lastJobs()).toBe(1);
});

test.each(['DELETE_ARTIFACT', 'harbor.artifact.pulled'])(
  'a Harbor event of type %s starts no jobs',
  async (type) => {
    const hook = await createHook('harbor');
    await createGatherJob('oci_registry', 'hub.acme.example/library/debian');
    const parts = {
      resources: [{ resource_url: 'hub.acme.example/library/debian:latest' }],
      repository: { repo_full_name: 'library/debian' },
    };
    const body = JSON.stringify({ type, event_data: parts, data: parts });
    const headers = { authorization: `Bearer ${hook.secret}` };
    expect((await send(hook, body, headers)).body).toMatchObject({ jobs: 0 });
  },
);
