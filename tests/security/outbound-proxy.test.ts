import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  createTestBench,
  outboundErrorOf,
  testCertificate,
  testKey,
} from '../../src/platform/outbound/outbound-test-servers.ts';
import { runProgram } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { authority } from '../helpers/tls-certificates.ts';
import { startFakeJsonDocuments } from '../helpers/upstreams/fake-json-documents.ts';
import { hasTinyproxy, startForwardProxy, startTlsFront } from '../helpers/upstreams/forward-proxy.ts';
import { hasGitHttpBackend, startGitServer } from '../helpers/upstreams/git-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';

const bench = createTestBench();
const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await bench.close();
});

const get = (url: string) => ({ url, purpose: 'source' as const, timeoutMs: 5_000, maxBytes: 1_000 });

/** Starts a proxy that responds to every `CONNECT` with this function and records it. */
async function startProxy(answer: (line: string) => string | null) {
  const asked: string[] = [];
  const port = await bench.raw(() => {});
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (data) => {
      const [line = ''] = data.toString('latin1').split('\r\n');
      asked.push(line);
      const said = answer(line);
      if (said === null) socket.destroy();
      else socket.write(said);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  const own = address !== null && typeof address === 'object' ? address.port : port;
  return { url: `http://127.0.0.1:${own}`, port: own, asked };
}

const through = (url: string, more: { noProxy?: string[]; proxyHosts?: string[] } = {}) => ({
  proxy: { url, noProxy: [], proxyHosts: [], ...more },
});

describe('the egress guard behind a proxy', () => {
  test.each([
    'http://127.0.0.2/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://0x7f.0.0.2/',
    'http://2130706434/',
    'http://printer.local/',
    'http://metadata.google.internal/',
    'http://private.example/',
    'http://mixed.example/',
  ])('rejects %s before the proxy receives a request', async (url) => {
    const proxy = await startProxy(() => null);
    const client = bench.client({
      ...through(proxy.url),
      allow: [],
      resolveName: async (name) => (name.startsWith('mixed') ? ['1.1.1.1', '10.0.0.1'] : ['10.0.0.1']),
    });
    expect((await outboundErrorOf(client.request(get(url)))).code).toBe('target_not_allowed');
    expect(proxy.asked).toEqual([]);
  });

  test('connects the proxy to the verified address, not to the name', async () => {
    const proxy = await startProxy(() => 'HTTP/1.1 503 Unavailable\r\n\r\n');
    const client = bench.client({
      ...through(proxy.url),
      resolveName: async () => ['1.1.1.1', '2606:4700::1111'],
    });
    const error = await outboundErrorOf(client.request(get('http://public.example/')));
    expect(error.message).toBe("public.example:80: the outbound proxy couldn't connect (503)");
    expect(proxy.asked).toEqual(['CONNECT 1.1.1.1:80 HTTP/1.1', 'CONNECT [2606:4700::1111]:80 HTTP/1.1']);
  });

  test('lets the proxy resolve only listed names and their subdomains', async () => {
    const proxy = await startProxy(() => 'HTTP/1.1 403 Forbidden\r\n\r\n');
    const client = bench.client({
      ...through(proxy.url, { proxyHosts: ['github.com'] }),
      allow: [],
      resolveName: async () => {
        throw new Error('no such name');
      },
    });
    for (const host of ['github.com', 'API.github.com.']) {
      const error = await outboundErrorOf(client.request(get(`http://${host}/`)));
      expect(error.message).toContain("the outbound proxy doesn't allow this connection (403)");
    }
    for (const host of ['notgithub.com', 'github.com.evil.example', 'example.com'])
      expect((await outboundErrorOf(client.request(get(`http://${host}/`)))).code).toBe('name_not_found');
    expect(proxy.asked).toEqual(['CONNECT github.com:80 HTTP/1.1', 'CONNECT api.github.com:80 HTTP/1.1']);
  });

  test('rejects requests whose target is the proxy itself, by address or by name', async () => {
    const proxy = await startProxy(() => 'HTTP/1.1 200 OK\r\n\r\n');
    const client = bench.client(through(proxy.url, { noProxy: ['direct.test'], proxyHosts: ['127.0.0.1'] }));
    for (const host of ['127.0.0.1', 'proxy.test', 'direct.test', 'localhost']) {
      const error = await outboundErrorOf(client.request(get(`http://${host}:${proxy.port}/`)));
      expect(error.message, host).toMatch(/this address isn't allowed because it's the outbound proxy$/);
    }
    expect(proxy.asked).toEqual([]);
  });

  test('still checks targets that bypass the proxy', async () => {
    const proxy = await startProxy(() => null);
    const port = await bench.http((_request, response) => response.end('direct'));
    const client = bench.client({
      ...through(proxy.url, { noProxy: ['.inner.test', '127.0.0.2/31', '10.0.0.0/8'] }),
      resolveName: async (name) => [name.startsWith('private') ? '10.0.0.1' : '127.0.0.1'],
    });
    const answer = await client.request(get(`http://git.inner.test:${port}/`));
    expect(Buffer.from(answer.body).toString()).toBe('direct');
    for (const host of ['private.inner.test', '127.0.0.2', '10.0.0.1'])
      expect((await outboundErrorOf(client.request(get(`http://${host}:${port}/`)))).code).toBe(
        'target_not_allowed',
      );
    expect(proxy.asked).toEqual([]);
  });

  test.each([
    ['closes the connection', null, 'the outbound proxy closed the connection'],
    ["sends a response that isn't HTTP", 'SSH-2.0-x\r\n\r\n', 'the outbound proxy closed the connection'],
    [
      'never ends its response',
      `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}`,
      'the outbound proxy closed the connection',
    ],
    [
      'requires other credentials',
      'HTTP/1.1 407 No\r\n\r\n',
      'the outbound proxy requires other credentials (407)',
    ],
  ])('fails without a direct connection if the proxy %s', async (_what, said, sentence) => {
    const reached: string[] = [];
    const port = await bench.http((request, response) => {
      reached.push(request.url ?? '');
      response.end();
    });
    const proxy = await startProxy(() => said);
    const error = await outboundErrorOf(
      bench.client(through(proxy.url)).request(get(`http://127.0.0.1:${port}/`)),
    );
    expect(error).toMatchObject({ code: 'connection_failed', message: `127.0.0.1:${port}: ${sentence}` });
    expect(reached).toEqual([]);
  });

  test('connects to a proxy over TLS and verifies its certificate', async () => {
    const port = await bench.http((_request, response) => response.end('through'));
    const plain = await startProxy(() => null);
    const tunnel = createServer((socket) => {
      socket.once('data', () => {
        const target = connect(port, '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          socket.pipe(target).pipe(socket);
        });
        for (const each of [socket, target]) each.on('error', () => {});
      });
    });
    await new Promise<void>((resolve) => tunnel.listen(0, '127.0.0.1', resolve));
    const front = await startTlsFront((tunnel.address() as AddressInfo).port, {
      key: testKey,
      cert: testCertificate,
    });
    closers.push(
      () => new Promise((resolve) => tunnel.close(resolve)),
      () => front.close(),
    );
    const url = `http://127.0.0.1:${port}/`;
    const proxy = `https://good.test:${front.port}`;
    const answer = await bench.client(through(proxy)).request(get(url));
    expect(Buffer.from(answer.body).toString()).toBe('through');

    const causeOf = async (options: Parameters<typeof bench.client>[0]) => {
      const error = await outboundErrorOf(bench.client(options).request(get(url)));
      expect(error.message).toBe(`127.0.0.1:${port}: couldn't reach the outbound proxy`);
      return (error.cause as Error).message;
    };
    expect(await causeOf(through(`https://bad.test:${front.port}`))).toContain('for a different host');
    expect(await causeOf({ ...through(proxy), ca: authority })).toContain(
      "isn't signed by a trusted authority",
    );
    // The proxy closes the connection during the TLS handshake.
    expect(await causeOf(through(`https://good.test:${plain.port}`))).toContain('TLS connection failed');
  });

  test('fails if the proxy is unreachable', async () => {
    const port = await bench.http((_request, response) => response.end());
    const client = bench.client(through('http://127.0.0.1:1'));
    const error = await outboundErrorOf(client.request(get(`http://127.0.0.1:${port}/`)));
    expect(error.message).toBe(`127.0.0.1:${port}: couldn't reach the outbound proxy`);
  });
});

test.runIf(hasTinyproxy && hasGitHttpBackend)(
  'sources, Git, webhooks, and an agent use a proxy with a password and trust a private CA',
  async () => {
    const proxy = await startForwardProxy();
    closers.push(() => proxy.close());
    const caFile = path.join(temporaryFolder(), 'ca.pem');
    writeFileSync(caFile, testCertificate);
    const network = {
      PACEKEEPER_PROXY_URL: proxy.url,
      // Loopback represents the internet in this test, so requests to it must use the proxy.
      PACEKEEPER_NO_PROXY: 'nothing.example',
      PACEKEEPER_CA_FILE: caFile,
      PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
    };
    const server = await startTestServer({
      ...network,
      PACEKEEPER_INSECURE_HOSTS: '',
      PACEKEEPER_ALLOW_HTTP_WEBHOOKS: 'false',
    });
    const { owner, api } = await server.createOrganization();

    const front = async (host: string) => {
      const { port, close } = await startTlsFront(Number(host.split(':')[1]), {
        key: testKey,
        cert: testCertificate,
      });
      closers.push(close);
      return port;
    };
    const documents = await startFakeJsonDocuments();
    const git = await startGitServer();
    const inbox = await createWebhookInbox();
    closers.push(
      () => documents.close(),
      () => git.close(),
      () => inbox.close(),
    );
    documents.documents.set('/versions', { versions: [{ name: '2.0.0' }, { name: '1.0.0' }] });
    const repository = git.createRepository('acme/deploy');
    repository.commit({ 'version.txt': '1.0.0\n' });
    const ports = {
      documents: await front(documents.host),
      git: await front(git.host),
      inbox: await front(new URL(inbox.url).host),
    };

    // The agent also connects to its server through the proxy.
    const { key } = await owner.call('createAPIKey', { body: { name: 'runner', role: 'agent' } });
    const agent = runProgram(['agent'], {
      ...network,
      PACEKEEPER_SERVER_URL: server.url,
      PACEKEEPER_API_KEY: key,
      PACEKEEPER_DATA_DIR: temporaryFolder(),
    });
    closers.push(() => agent.stop());

    const channel = await api.call('createNotificationChannel', {
      body: { name: 'ops', url: `https://localhost:${ports.inbox}/hook` },
    });
    await api.call('testNotificationChannel', { path: { id: channel.id } });
    const gather = await api.call('createGatherJob', {
      body: {
        name: 'app',
        source_type: 'http_json',
        artifact_name: `https://localhost:${ports.documents}/versions`,
        source_options: { version_path: '.versions[*].name' },
      },
    });
    const scrape = await api.call('createScrapeJob', {
      body: {
        name: 'app',
        repository_url: `https://localhost:${ports.git}${new URL(repository.url).pathname}`,
        target_file: 'version.txt',
        parser_type: 'regex',
        parse_expression: '(.+)',
      },
    });
    await expect
      .poll(() => api.call('getGatherJob', { path: { id: gather.id } }))
      .toMatchObject({ status: 'completed' });
    await expect
      .poll(() => api.call('getScrapeJob', { path: { id: scrape.id } }))
      .toMatchObject({ status: 'completed', latest_version: '1.0.0' });
    await expect.poll(() => inbox.requests.length).toBeGreaterThan(0);

    const expected = [...Object.values(ports), Number(new URL(server.url).port)];
    expect(new Set(proxy.targets())).toEqual(new Set(expected.map((port) => `127.0.0.1:${port}`)));
  },
);
