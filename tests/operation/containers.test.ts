import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readConfig } from '../../src/platform/config.ts';
import { readIfMatch } from '../../src/platform/http/preconditions.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const chart = fileURLToPath(new URL('../../deploy/helm/pacekeeper', import.meta.url));
const helm = [process.env['HELM'], 'helm', path.join(homedir(), 'go/bin/helm')].find(
  (each) => each !== undefined && (existsSync(each) || spawnSync(each, ['version']).status === 0),
);

describe('variables that Kubernetes makes from names of services', () => {
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

  test('don’t hide a value that an operator set wrongly', () => {
    expect(() => readConfig({ PACEKEEPER_METRICS_PORT: 'tcp://metrics' })).toThrow(/PACEKEEPER_METRICS_PORT/);
    expect(readConfig({ PACEKEEPER_METRICS_SERVICE_HOST: 'x' }).warnings).toEqual([
      expect.stringContaining('Unknown variable PACEKEEPER_METRICS_SERVICE_HOST'),
    ]);
  });
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

  test('turns off service variables for servers and agents', () => {
    const { text } = render({ agents });
    expect(text.match(/enableServiceLinks: false/g)).toHaveLength(2);
  });

  test.each([
    [1_000_000, '"1000000"'],
    [0.5, '"0.5"'],
    [0, '"0"'],
    [true, '"true"'],
    ['1e3', '"1e3"'],
  ])('passes the value %j on as it is written', (value, expected) => {
    const { text } = render({ server: { env: { LIMIT: value } } });
    expect(text).toContain(`{ name: LIMIT, value: ${expected} }`);
  });

  test('asks for the scheme of an ingress instead of guessing it', () => {
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
    'places the pods of the %s, and gives them volumes, variables, and labels',
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

  test('leaves the user to the platform where it assigns one (OpenShift)', () => {
    expect(render({}).text).toContain('runAsUser: 10001');
    const { text } = render({ fixedUser: false, agents });
    expect(text).not.toMatch(/runAsUser|fsGroup/);
    expect(text).toContain('runAsNonRoot: true');
  });
});
