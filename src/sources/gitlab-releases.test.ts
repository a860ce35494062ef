import { afterEach, describe, expect, test } from 'vitest';
import { type FakeGitlab, startFakeGitlab } from '../../tests/helpers/upstreams/fake-gitlab.ts';
import { type Gathered, gatherFrom } from '../../tests/helpers/upstreams/gather-from.ts';
import { createTestBench } from '../platform/outbound/outbound-test-servers.ts';
import { gitlabReleases } from './gitlab-releases.ts';

const bench = createTestBench();
const servers: FakeGitlab[] = [];

afterEach(async () => {
  await bench.close();
  for (const server of servers.splice(0)) await server.close();
});

async function start(): Promise<{ gitlab: FakeGitlab; gather(): Promise<Gathered> }> {
  const gitlab = await startFakeGitlab();
  servers.push(gitlab);
  gitlab.projects.set(
    'acme/app',
    Array.from({ length: 250 }, (_, index) => ({
      tag: `v${250 - index}`,
      releasedAt: '2026-01-01T00:00:00Z',
    })),
  );
  gitlab.privateProjects.set('acme/app', 'secret');
  const gather = (): Promise<Gathered> =>
    gatherFrom(gitlabReleases, `${gitlab.host}/acme/app`, {
      client: bench.client(),
      insecureHosts: [gitlab.host],
      isFull: true,
      credential: { type: 'https_pat', name: 'gl', hosts: [gitlab.host], token: 'secret' },
    });
  return { gitlab, gather };
}

describe('the next page', () => {
  test.each([
    ['another host', 'https://gitlab.corp'],
    ['another scheme', 'https://127.0.0.1'],
  ])('is read with the credential if Link refers to %s', async (_, origin) => {
    const { gitlab, gather } = await start();
    rewriteHeaders(gitlab, ({ link, ...headers }) => ({
      ...headers,
      ...(link !== undefined && { link: link.replaceAll(`http://${gitlab.host}`, origin) }),
    }));
    expect(await gather()).toMatchObject({ requests: 3, summary: { found: 250, isCompleteList: true } });
  });

  test('is read if only x-next-page refers to it', async () => {
    const { gitlab, gather } = await start();
    rewriteHeaders(gitlab, ({ link = '', ...headers }) => ({
      ...headers,
      'x-next-page': /[?&]page=(\d+)[^>]*>; rel="next"/u.exec(link)?.[1] ?? '',
    }));
    expect(await gather()).toMatchObject({ requests: 3, summary: { found: 250, isCompleteList: true } });
  });
});

test('a list that shrinks during a read is not complete', async () => {
  const { gitlab, gather } = await start();
  gitlab.intercept = (request) => {
    if (request.url?.includes('&page=2')) gitlab.projects.get('acme/app')?.shift();
    return false;
  };
  expect(await gather()).toMatchObject({ summary: { found: 249, isCompleteList: false } });
});

/** Changes the headers of the server's responses. */
function rewriteHeaders(
  gitlab: FakeGitlab,
  change: (headers: Record<string, string | undefined>) => Record<string, string | undefined>,
): void {
  gitlab.intercept = (_, response) => {
    const writeHead = response.writeHead.bind(response) as (
      status: number,
      headers: Record<string, string | undefined>,
    ) => typeof response;
    response.writeHead = ((status: number, headers: Record<string, string>) =>
      writeHead(
        status,
        Object.fromEntries(Object.entries(change(headers)).filter(([, value]) => value !== undefined)),
      )) as typeof response.writeHead;
    return false;
  };
}
