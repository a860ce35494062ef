import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentCapabilities } from '../../src/agent/agent-config.ts';
import { runAgent } from '../../src/agent/agent-loop.ts';
import { createAgentComponents } from '../../src/agent/agent-parts.ts';
import type { TaskOf } from '../../src/agent/agent-task.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { startFakeAgentInterface } from '../helpers/fake-agent-interface.ts';
import { localNetwork } from '../helpers/local-network.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const dripping = new Set<NodeJS.Timeout>();
const upstream = createServer((request, response) => {
  if (request.url?.startsWith('/good')) response.end('["1.0.0"]');
  else drip(response);
});
/** Accepts git connections but never responds. */
const silent = createTcpServer((socket) => {
  sockets.add(socket);
  socket.on('error', () => undefined);
});
const sockets = new Set<Socket>();
const portOf = (server: Pick<typeof silent, 'address'>) => (server.address() as AddressInfo).port;

function drip(response: ServerResponse): void {
  response.write('[');
  const timer = setInterval(() => response.write(' '), 20);
  dripping.add(timer);
  response.on('close', () => clearInterval(timer));
}

beforeAll(async () => {
  for (const server of [upstream, silent])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  for (const timer of dripping) clearInterval(timer);
  upstream.close();
  upstream.closeAllConnections();
  for (const socket of sockets) socket.destroy();
  silent.close();
});

let nextId = 1;
const head = () => ({
  task_id: nextId,
  organization_id: 2,
  lease_token: `lease-${nextId++}`,
  lease_expires_at: '2026-11-21T05:11:00.000Z',
});

const gather = (path: string): TaskOf<'gather'> => ({
  ...head(),
  kind: 'gather',
  spec: {
    gather_job_id: nextId,
    source_type: 'http_json',
    artifact_name: `http://127.0.0.1:${portOf(upstream)}/${path}`,
    source_options: { version_path: '.' },
    version_pattern: null,
    version_scheme: 'auto',
    include_prereleases: true,
    credential_name: null,
    validators: null,
    is_full: true,
    share_key: path,
  },
});

const scrape = (): TaskOf<'scrape'> => ({
  ...head(),
  kind: 'scrape',
  spec: {
    scrape_job_id: nextId,
    repository_url: `http://127.0.0.1:${portOf(silent)}/acme/deploy.git`,
    ref: 'HEAD',
    target_file: 'values.yaml',
    parser_type: 'yq',
    parse_expression: '.tag',
    version_transform: 'none',
    credential_name: null,
  },
});

test('a run whose source never ends fails in time and frees its slot for the next run', async () => {
  const service = await startFakeAgentInterface();
  const parts = createAgentComponents(
    {
      ...localNetwork,
      dataDir: temporaryFolder(),
      version: '1',
    },
    [],
    createSilentLog(),
  );
  const stopping = new AbortController();
  const ended = runAgent({
    connection: { serverUrl: service.url, apiKey: 'pk_1_secret' },
    name: 'runner',
    version: '1',
    capabilities: agentCapabilities,
    credentials: [],
    runners: parts.runners,
    log: createSilentLog(),
    signal: stopping.signal,
    // Allow one gather run and one read of a repository at a time.
    limits: { maxGathers: 1, maxReads: 1, maxRunMs: 1_500 },
  });
  try {
    const slow = [service.add(gather('slow')), service.add(scrape())];
    const good = service.add(gather('good'));
    await service.ended();
    for (const { state, error, retryable } of slow) {
      expect({ state, error, retryable }).toEqual({
        state: 'failed',
        error: { code: 'timeout', message: expect.stringContaining('The run took longer than') },
        retryable: true,
      });
    }
    expect(good).toMatchObject({ state: 'completed', summary: { found: 1 } });
  } finally {
    stopping.abort();
    await ended;
    await parts.close();
    await service.close();
  }
});
