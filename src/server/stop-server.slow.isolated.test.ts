import net from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../tests/helpers/test-server.ts';
import { createApiClient } from '../client/api-client.ts';

/** Sockets that the current test opened. They are destroyed after the test. */
const sockets: net.Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

function connect(
  server: TestServer,
  text: string,
): Promise<{ socket: net.Socket; received: () => string; closed: Promise<void> }> {
  return new Promise((resolve) => {
    const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1', () => {
      socket.write(text);
      resolve({ socket, received: () => received, closed });
    });
    sockets.push(socket);
    let received = '';
    const closed = new Promise<void>((done) => socket.on('close', () => done()));
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => (received += chunk.toString()));
  });
}

async function startAgent(server: TestServer) {
  const { owner } = await server.createOrganization();
  const { key } = await owner.call('createAPIKey', { body: { name: 'agent', role: 'agent' } });
  const agent = createApiClient({ baseUrl: server.url, apiKey: key });
  const { agent_id } = await agent.call('sendHeartbeat', {
    body: {
      name: 'a',
      hostname: 'h',
      version: '1',
      capabilities: ['scrape'],
      credential_names: [],
      running: [],
    },
  });
  return { key, agent, agent_id };
}

/**
 * Maximum duration of a stop, in milliseconds. It's shorter than 30 seconds, after which the pending requests
 * would end anyway.
 */
const soonMs = 25_000;

async function stopSoon({ server }: TestServer): Promise<void> {
  const outcome = await Promise.race([
    server.stop().then(() => 'stopped'),
    new Promise((resolve) => setTimeout(resolve, soonMs, 'still there')),
  ]);
  expect(outcome).toBe('stopped');
}

describe('a server that is shutting down', () => {
  test('closes streams, long polls, and idle connections immediately', async () => {
    const server = await startTestServer();
    const { apiKey } = await server.createOrganization();
    const { agent, agent_id } = await startAgent(server);
    const poll = agent.call('claimTasks', {
      body: { agent_id, capabilities: ['scrape'], credential_names: [], max: 1, wait_seconds: 30 },
    });
    const stream = await connect(
      server,
      `GET /api/v1/client/events HTTP/1.1\r\nHost: x\r\nX-API-Key: ${apiKey}\r\n\r\n`,
    );
    await expect.poll(stream.received).toContain('retry: 3000');
    const idle = await connect(server, 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(idle.received).toContain('"ok"');

    await stopSoon(server);
    expect(await poll).toEqual({ tasks: [] });
    await Promise.all([stream.closed, idle.closed]);
    await expect(fetch(`${server.url}/health/live`)).rejects.toThrow();
  });

  test('is not blocked by a request that never ends', async () => {
    const server = await startTestServer({}, undefined, { shutdownTimeoutMs: 1_000 });
    const { apiKey } = await server.createOrganization();
    const head = `POST /api/v1/client/rules HTTP/1.1\r\nHost: x\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    const request = await connect(server, head);
    await server.server.stop();
    await request.closed;
  });
});

test('long polls leave no listeners on a persistent connection', async () => {
  const server = await startTestServer();
  const { key, agent_id } = await startAgent(server);
  const body = JSON.stringify({
    agent_id,
    capabilities: ['scrape'],
    credential_names: [],
    max: 1,
    wait_seconds: 0,
  });
  const claim = `POST /api/v1/agent/tasks/claim HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const warnings: string[] = [];
  const onWarning = (warning: Error) => warnings.push(warning.name);
  process.on('warning', onWarning);
  const connection = await connect(server, claim);
  for (let count = 1; count <= 15; count++) {
    await expect
      .poll(() => connection.received().match(/"tasks":\[\]/g)?.length, { interval: 5 })
      .toBe(count);
    connection.socket.write(claim);
  }
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', onWarning);
  expect(warnings.filter((name) => name === 'MaxListenersExceededWarning')).toEqual([]);
});
