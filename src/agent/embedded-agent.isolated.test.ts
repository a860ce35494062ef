import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import {
  type FakeAgentInterface,
  startFakeAgentInterface,
} from '../../tests/helpers/fake-agent-interface.ts';
import { localNetwork } from '../../tests/helpers/local-network.ts';
import { createAgentDataFolder, temporaryFolder } from '../../tests/helpers/temporary-folder.ts';
import { startFakeGithub } from '../../tests/helpers/upstreams/fake-github.ts';
import { ConfigError } from '../platform/config.ts';
import { createSilentLog } from '../platform/log.ts';
import { startEmbeddedAgent } from './embedded-agent.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(service: FakeAgentInterface, agentConfigPath: string | null = null) {
  const agent = await startEmbeddedAgent({
    serverUrl: service.url,
    token: 'pacekeeper-embedded-x',
    config: {
      agentConfigPath,
      ...localNetwork,
      dataDir: createAgentDataFolder(),
      logLevel: 'silent',
      logFormat: 'json',
    },
    log: createSilentLog(),
  });
  closers.push(() => agent.stop());
  return agent;
}

test('the embedded agent uses the same API as remote agents, and stops on request', async () => {
  const service = await startFakeAgentInterface();
  const github = await startFakeGithub();
  closers.push(
    () => service.close(),
    () => github.close(),
  );
  github.repositories.set('acme/app', [{ tag: 'v1', publishedAt: '2026-01-01T00:00:00Z' }]);
  const agent = await start(service);
  const entry = service.add({
    task_id: 1,
    organization_id: 2,
    lease_token: 'lease',
    lease_expires_at: '2026-11-21T05:11:00.000Z',
    kind: 'gather',
    spec: {
      gather_job_id: 1,
      source_type: 'github_releases',
      artifact_name: `${github.host}/acme/app`,
      source_options: {},
      version_pattern: null,
      version_scheme: 'auto',
      include_prereleases: true,
      credential_name: null,
      validators: null,
      is_full: true,
      share_key: 'one',
    },
  });
  await service.ended();
  expect(entry.parts.get(1)).toMatchObject([{ tag: 'v1' }]);
  expect(service.callsTo('/heartbeat')[0]?.headers.authorization).toBe('Bearer pacekeeper-embedded-x');
  await agent.stop();
  const calls = service.calls.length;
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(service.calls.length).toBe(calls);
});

test('the embedded agent uses a changed token from a file without a restart', async () => {
  const service = await startFakeAgentInterface();
  const github = await startFakeGithub();
  closers.push(
    () => service.close(),
    () => github.close(),
  );
  github.repositories.set('acme/app', [{ tag: 'v1', publishedAt: '2026-01-01T00:00:00Z' }]);
  const folder = temporaryFolder();
  const file = path.join(folder, 'agent.yaml');
  writeFileSync(path.join(folder, 'token'), 'first');
  writeFileSync(
    file,
    'credentials: [{ name: gh, type: github_token, organizations: [2], hosts: [127.0.0.1], token: "file:token" }]',
  );
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await start(service, file);
  let number = 0;
  const sentToken = async () => {
    number += 1;
    service.add({
      task_id: number,
      organization_id: 2,
      lease_token: 'lease',
      lease_expires_at: '2026-11-21T05:11:00.000Z',
      kind: 'gather',
      spec: {
        gather_job_id: 1,
        source_type: 'github_releases',
        artifact_name: `${github.host}/acme/app`,
        source_options: {},
        version_pattern: null,
        version_scheme: 'auto',
        include_prereleases: true,
        credential_name: 'gh',
        validators: null,
        is_full: true,
        share_key: 'one',
      },
    });
    await service.ended();
    return github.requests.at(-1)?.headers.authorization;
  };
  expect(await sentToken()).toBe('Bearer first');
  writeFileSync(path.join(folder, 'token'), 'second one');
  // The agent checks the token file every 5 s, and reads a change only after the next check finds no further
  // change.
  vi.advanceTimersByTime(10_000);
  await expect.poll(sentToken, { interval: 20 }).toBe('Bearer second one');
});

test('a thread that ends unexpectedly is restarted', async () => {
  const service = await startFakeAgentInterface();
  closers.push(() => service.close());
  let refusals = 1;
  // The agent stops when its first heartbeat is rejected, which ends the thread.
  service.refuse = () => (refusals-- > 0 ? { status: 401, code: 'unauthenticated' } : null);
  await start(service);
  while (service.callsTo('/claim').length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(service.callsTo('/heartbeat').length).toBeGreaterThanOrEqual(2);
});

test('an invalid configuration prevents the start', async () => {
  const service = await startFakeAgentInterface();
  closers.push(() => service.close());
  await expect(start(service, '/nowhere/agent.yaml')).rejects.toThrow(ConfigError);
});
