import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { describeStartFailure } from '../../src/operator/commands/serve-command.ts';
import { readConfig } from '../../src/platform/config.ts';
import { clientNetwork } from '../../src/platform/http/client-network.ts';
import { createHttpServer } from '../../src/platform/http/index.ts';
import { readIfMatch } from '../../src/platform/http/preconditions.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { reserveListenAddress } from '../../src/server/listen-address.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { sharedTestServer } from '../helpers/test-server.ts';

const chart = fileURLToPath(new URL('../../deploy/helm/pacekeeper', import.meta.url));
const helm = [process.env['HELM'], 'helm', path.join(homedir(), 'go/bin/helm')].find(
  (each) => each !== undefined && (existsSync(each) || spawnSync(each, ['version']).status === 0),
);

describe('variables that Kubernetes generates from service names', () => {
  test.each([
    ['server', 'tcp://10.96.1.2:9464'],
    ['client', 'tcp://10.96.1.2:9464'],
    ['client', 'tcp://[fd00::1]:9464'],
    ['client', 'udp://10.96.1.2:53'],
  ] as const)('are ignored with one warning (%s, %s)', (role, value) => {
    const env = {
      PACEKEEPER_METRICS_PORT: value,
      PACEKEEPER_METRICS_SERVICE_HOST: '10.96.1.2',
      PACEKEEPER_METRICS_SERVICE_PORT: '9464',
      PACEKEEPER_METRICS_SERVICE_PORT_METRICS: '9464',
      PACEKEEPER_METRICS_PORT_9464_TCP: value,
      PACEKEEPER_METRICS_PORT_9464_TCP_ADDR: '10.96.1.2',
    };
    const { metricsPort, warnings } = readConfig(env, { role });
    expect(metricsPort).toBeNull();
    expect(warnings).toEqual([expect.stringContaining('enableServiceLinks: false')]);
  });

  test('don’t hide an invalid value that an operator set', () => {
    expect(() => readConfig({ PACEKEEPER_METRICS_PORT: 'tcp://metrics' })).toThrow(/PACEKEEPER_METRICS_PORT/);
    expect(readConfig({ PACEKEEPER_METRICS_SERVICE_HOST: 'x' }).warnings).toEqual([
      expect.stringContaining('Unknown variable PACEKEEPER_METRICS_SERVICE_HOST'),
    ]);
  });
});

describe('HOST', () => {
  const claim = async (host: string) => {
    const { url, release } = await reserveListenAddress({ host, port: 0 });
    await release();
    return url;
  };

  test('can be the address of all IPv6 and IPv4 interfaces', async () => {
    const server = await createHttpServer({
      log: createSilentLog(),
      trustedProxies: [],
      isUnavailable: () => false,
    });
    server.get('/address', async (request) => clientNetwork(request.ip));
    await server.listen({ host: '::', port: 0 });
    const { port } = server.server.address() as AddressInfo;
    const addressFor = async (host: string) => (await fetch(`http://${host}:${port}/address`)).text();
    expect(await addressFor('127.0.0.1')).toBe(clientNetwork('127.0.0.1'));
    expect(await addressFor('[::1]')).toBe(clientNetwork('::1'));
    await server.close();
    expect(await claim('::')).toMatch(/^http:\/\/\[::\]:\d+$/);
  });

  // csh sets HOST to the name of the machine, and Conda sets it to the platform of its compiler.
  test.each(['x86_64-conda-linux-gnu', 'build-host.invalid'])(
    'causes an error with an explanation at startup if another tool set it to %s',
    async (host) => {
      const sentence = describeStartFailure(await claim(host).catch((error: unknown) => error));
      expect(sentence).toContain(`HOST: given "${host}", which isn't a name or address of this machine.`);
      expect(sentence).toContain('Set HOST to 127.0.0.1, or to 0.0.0.0 or :: for all addresses.');
    },
  );
});

test.each([
  [undefined, 'timeout=72'],
  [620_000, 'timeout=620'],
])(
  'the server keeps idle connections open for the configured time (%s ms)',
  async (keepAliveMs, expected) => {
    const server = await createHttpServer({
      log: createSilentLog(),
      trustedProxies: [],
      isUnavailable: () => false,
      ...(keepAliveMs !== undefined && { keepAliveMs }),
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = server.server.address() as AddressInfo;
    const agent = new Agent({ keepAlive: true });
    const header = await new Promise((resolve, reject) =>
      get({ port, agent }, (response) => resolve(response.resume().headers['keep-alive'])).once(
        'error',
        reject,
      ),
    );
    expect(header).toBe(expected);
    agent.destroy();
    await server.close();
  },
);

test('the server of an installation keeps connections open longer than load balancers reuse them', async () => {
  const { url } = await sharedTestServer();
  const agent = new Agent({ keepAlive: true });
  const header = await new Promise((resolve, reject) =>
    get(`${url}/health/live`, { agent }, (response) => resolve(response.resume().headers['keep-alive'])).once(
      'error',
      reject,
    ),
  );
  agent.destroy();
  const [, seconds] = /^timeout=(\d+)$/.exec(String(header)) ?? [];
  // The longest of the usual idle timeouts is that of Google Cloud.
  expect(Number(seconds)).toBeGreaterThan(600);
});

test('an ETag that a proxy weakened matches like the original', () => {
  expect(readIfMatch('W/"3"')).toEqual(['"3"']);
  expect(readIfMatch('W/"1", "2"')).toEqual(['"1"', '"2"']);
});

describe.skipIf(helm === undefined)('the chart', () => {
  const folder = temporaryFolder();
  function render(values: object): { text: string; stderr: string } {
    const file = path.join(folder, 'values.yaml');
    writeFileSync(file, stringify({ existingSecret: 'keys', ...values }));
    const args = ['template', 'release', chart, '--kube-version', '1.31.0', '-f', file];
    const { stdout, stderr } = spawnSync(helm!, args, { encoding: 'utf8' });
    return { text: stdout, stderr };
  }
  const agents = { replicas: 1, existingSecret: 'agent' };

  test('disables service variables for servers and agents', () => {
    const { text } = render({ agents });
    expect(text.match(/enableServiceLinks: false/g)).toHaveLength(2);
  });

  test.each([
    [1_000_000, '"1000000"'],
    [0.5, '"0.5"'],
    [0, '"0"'],
    [true, '"true"'],
    ['1e3', '"1e3"'],
  ])('passes the value %j to the container unchanged', (value, expected) => {
    const { text } = render({ server: { env: { LIMIT: value } } });
    expect(text).toContain(`{ name: LIMIT, value: ${expected} }`);
  });

  test('converts numbers and booleans in labels, annotations, and selectors to strings', () => {
    const map = { 'example.org/port': 9464, 'example.org/scrape': true, 'example.org/big': 1_000_000 };
    const part = { podLabels: map, podAnnotations: map, nodeSelector: map };
    const { text, stderr } = render({
      server: { ...part, trustedProxies: ['10.244.0.0/16'] },
      agents: { ...agents, ...part },
      ingress: { enabled: true, host: 'pk.example.com', tlsSecret: 'tls', annotations: map },
      metrics: { enabled: true, serviceMonitor: { enabled: true, labels: map } },
      serviceAccount: { annotations: map },
    });
    expect(stderr).toBe('');
    // Each entry appears nine times: in three maps of the server and three of the agents, and in the ingress,
    // the ServiceMonitor, and the service account.
    for (const [name, value] of Object.entries(map))
      expect(text.split(`${name}: "${value}"\n`), name).toHaveLength(10);
  });

  test.each([
    [{ image: { tag: 1.1 } }, /tag.*(?:string|number)/],
    [{ service: { port: '80' } }, /port.*(?:string|integer)/],
    [{ server: { replicas: '2' } }, /replicas.*(?:string|integer)/],
  ])('rejects %j, which has a value of the wrong type, and names the value', (values, problem) => {
    const { text, stderr } = render(values);
    expect(text).toBe('');
    expect(stderr.replaceAll('\n', ' ')).toMatch(problem);
  });

  test.each([
    [{}, '0.0.0.0'],
    [{ host: '::' }, '::'],
    [{ env: { HOST: '::', PACEKEEPER_METRICS_HOST: '::' } }, '::'],
  ])('listens with the values %j on the address %s, and sets each variable once', (server, address) => {
    const { text } = render({ server, metrics: { enabled: true } });
    for (const name of ['HOST', 'PACEKEEPER_METRICS_HOST'])
      expect(
        [...text.matchAll(new RegExp(`{ name: ${name}, value: "(.+)" }`, 'g'))].map(([, value]) => value),
      ).toEqual([address]);
  });

  test('requires the scheme of an ingress unless TLS determines it', () => {
    const server = { trustedProxies: ['10.244.0.0/16'] };
    const ingress = { enabled: true, host: 'pk.example.com' };
    expect(render({ server, ingress }).stderr).toContain('ingress.scheme');
    for (const scheme of ['http', 'https'])
      expect(render({ server, ingress: { ...ingress, scheme } }).text).toContain(
        `"${scheme}://pk.example.com"`,
      );
    expect(render({ server, ingress: { ...ingress, tlsSecret: 'tls' } }).text).toContain(
      '"https://pk.example.com"',
    );
  });

  test.each([
    ['https://pk.example.com', '/'],
    ['https://apps.example.com/pacekeeper/', '/pacekeeper'],
  ])('forwards only the path of the base URL %s', (baseUrl, expected) => {
    const server = { trustedProxies: ['10.244.0.0/16'], baseUrl };
    const { text } = render({ server, ingress: { enabled: true, host: new URL(baseUrl).host } });
    expect(text).toContain(`          - path: ${expected}\n`);
  });

  test.each(['server', 'agents'])(
    'applies the placement, volumes, variables, and labels of the values to the pods of the %s',
    (part) => {
      const extras = {
        nodeSelector: { disk: 'ssd' },
        topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' }],
        priorityClassName: 'high',
        podLabels: { team: 'ops' },
        envFrom: [{ configMapRef: { name: 'more' } }],
        extraVolumes: [{ name: 'extra', emptyDir: {} }],
        extraVolumeMounts: [{ name: 'extra', mountPath: '/extra' }],
      };
      const { text } = render(part === 'server' ? { server: extras } : { agents: { ...agents, ...extras } });
      for (const wanted of [
        'disk: ssd',
        'topologyKey: zone',
        'priorityClassName: high',
        'team: ops',
        'name: more',
        'mountPath: /extra',
      ])
        expect(text.split(wanted), wanted).toHaveLength(2);
    },
  );

  test('sets no user ID on platforms that assign one (OpenShift)', () => {
    expect(render({}).text).toContain('runAsUser: 10001');
    const { text } = render({ fixedUser: false, agents });
    expect(text).not.toMatch(/runAsUser|fsGroup/);
    expect(text).toContain('runAsNonRoot: true');
  });
});
