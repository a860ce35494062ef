import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { closedNetwork, createClusterAgent } from '../../tests/helpers/cluster-agent.ts';
import type { DiscoveryOutcome } from '../../tests/helpers/hold-discovery.ts';
import { temporaryFolder } from '../../tests/helpers/temporary-folder.ts';
import {
  deploymentOf,
  type FakeKubernetes,
  helmReleaseObjects,
  startFakeKubernetes,
} from '../../tests/helpers/upstreams/fake-kubernetes.ts';
import { openOutboundTo } from '../platform/outbound/index.ts';
import { createProgramCredentials, type ProgramCredentials } from './program-credentials.ts';

let fake: FakeKubernetes;
let agent: ReturnType<typeof createClusterAgent>;
let folder: string;
beforeEach(async () => {
  fake = await startFakeKubernetes();
  folder = temporaryFolder();
  agent = createClusterAgent(fake, folder);
});
afterEach(async () => {
  await agent.close();
  await fake.close();
});

const keysOf = ({ items }: DiscoveryOutcome) => items.map(({ key }) => key);
const listed = (resource: string) => fake.requests.filter((request) => request.includes(`/${resource}?`));

describe('a scan of a cluster', () => {
  test('finds the deployed versions on a private address with a custom CA certificate', async () => {
    fake.objects = {
      deployments: [deploymentOf('shop', 'web', 'ghcr.io/acme/web:1.9.0')],
      nodes: [{ metadata: { name: 'a' }, status: { nodeInfo: { kubeletVersion: 'v1.31.4' } } }],
    };
    const { items, summary, error } = await agent.run();
    expect(error).toBeNull();
    expect(items).toMatchObject([
      { key: 'kubernetes:Cluster:::version', version: 'v1.32.1' },
      { key: 'kubernetes:Node::default:status.nodeInfo.kubeletVersion', version: 'v1.31.4' },
      {
        key: 'kubernetes:Deployment:shop:web:containers[web]',
        version: '1.9.0',
        place: {
          file: 'shop/Deployment/web',
          namespace: 'shop',
        },
        labels: {
          cluster: 'eu',
          service: 'web',
        },
      },
    ]);
    expect(summary).toMatchObject({
      not_modified: false,
      found: 3,
      skipped: 0,
      cluster_uid: fake.uid,
      unread_kinds: [],
      requests: fake.requests.length,
    });
    expect(summary).not.toHaveProperty('warnings');
  });

  test('reads long lists in pages of 100', async () => {
    fake.objects['deployments'] = Array.from({ length: 241 }, (_, at) =>
      deploymentOf('shop', `web-${at}`, `acme/web:1.0.${at}`),
    );
    const { items, error } = await agent.run();
    expect(error).toBeNull();
    expect(items).toHaveLength(242);
    expect(listed('deployments')).toEqual([
      '/apis/apps/v1/deployments?limit=100',
      '/apis/apps/v1/deployments?limit=100&continue=100',
      '/apis/apps/v1/deployments?limit=100&continue=200',
    ]);
  });

  test('restarts an expired list and finds each item once', async () => {
    fake.objects['deployments'] = Array.from({ length: 120 }, (_, at) =>
      deploymentOf('shop', `web-${at}`, 'acme/web:1.0.0'),
    );
    fake.expiring = 2;
    const { items } = await agent.run();
    expect(new Set(items.map(({ key }) => key)).size).toBe(121);
    expect(items).toHaveLength(121);
    expect(listed('deployments')).toHaveLength(6);
    fake.expiring = 100;
    expect((await agent.run()).error).toMatchObject({ code: 'upstream_error' });
  });

  test('retries requests that a busy server rejects', async () => {
    fake.objects['deployments'] = [deploymentOf('shop', 'web', 'acme/web:1.0.0')];
    fake.failures = [429, 503];
    expect(keysOf(await agent.run())).toHaveLength(2);
    fake.failures = [500, 500, 500];
    expect((await agent.run()).error).toMatchObject({ code: 'upstream_error' });
  });

  test('reports kinds that the role does not allow listing, and reads the rest', async () => {
    fake.objects = {
      deployments: [deploymentOf('shop', 'web', 'acme/web:1.0.0')],
      daemonsets: [deploymentOf('shop', 'log', 'acme/log:1.0.0')],
    };
    fake.denied = new Set(['daemonsets', 'nodes', 'helmreleases']);
    const outcome = await agent.run();
    expect(keysOf(outcome)).toEqual([
      'kubernetes:Cluster:::version',
      'kubernetes:Deployment:shop:web:containers[web]',
    ]);
    expect(outcome.summary).toMatchObject({
      reasons: { unreadable: 3 },
      skipped_examples: [
        { name: 'nodes', reason: "The role doesn't allow listing them." },
        { name: 'daemonsets' },
        { name: 'helmreleases' },
      ],
      warnings: [
        "The role doesn't allow listing: nodes, daemonsets, helmreleases. Their items stay as they are.",
      ],
      unread_kinds: ['DaemonSet', 'HelmRelease', 'Node', 'Release'],
    });
  });

  test('fails if the role does not allow listing anything or reading the cluster UID', async () => {
    fake.denied = new Set([
      'nodes',
      'deployments',
      'statefulsets',
      'daemonsets',
      'cronjobs',
      'pods',
      'helmreleases',
      'helmrepositories',
      'ocirepositories',
      'applications',
    ]);
    expect((await agent.run()).error).toMatchObject({ code: 'unauthorized' });
    fake.denied = new Set(['namespaces']);
    expect((await agent.run()).error).toMatchObject({ code: 'unauthorized' });
  });

  test('succeeds without Flux and Argo CD resources', async () => {
    fake.missingGroups = new Set(['helm.toolkit.fluxcd.io', 'source.toolkit.fluxcd.io', 'argoproj.io']);
    expect((await agent.run()).summary).toMatchObject({ found: 1, skipped: 0, unread_kinds: [] });
  });

  test('sends nothing if nothing has changed', async () => {
    fake.objects['deployments'] = [deploymentOf('shop', 'web', 'acme/web:1.0.0')];
    const first = await agent.run();
    const { validators } = first.summary!;
    const again = await agent.run({ validators });
    expect(again.summary).toMatchObject({ not_modified: true, validators, cluster_uid: fake.uid });
    expect(again.items).toEqual([]);
    // Validators also depend on the job's options and on the kinds of objects that could be listed.
    expect((await agent.run({ validators, exclude: ['kube-system/'] })).summary).toMatchObject({
      not_modified: false,
    });
    fake.denied = new Set(['nodes']);
    expect((await agent.run({ validators })).summary).toMatchObject({ not_modified: false });
    fake.denied = new Set();
    fake.objects['deployments'] = [deploymentOf('shop', 'web', 'acme/web:1.0.1')];
    expect((await agent.run({ validators })).summary).toMatchObject({ not_modified: false });
  });

  test('fails if the cluster UID differs', async () => {
    expect((await agent.run({ uid: fake.uid })).error).toBeNull();
    const { error, items } = await agent.run({ uid: 'another' });
    expect(error).toMatchObject({ code: 'wrong_cluster', isRetryable: false });
    expect(items).toEqual([]);
  });

  test('reads the token file on each run, and fails without a valid token', async () => {
    expect((await agent.run()).error).toBeNull();
    fake.token = 'renewed';
    expect((await agent.run()).error).toMatchObject({ code: 'unauthorized' });
    writeFileSync(path.join(folder, 'token'), 'renewed');
    expect((await agent.run()).error).toBeNull();
    writeFileSync(path.join(folder, 'token'), '');
    expect((await agent.run()).error).toMatchObject({ code: 'unauthorized' });
    expect((await agent.run({ credential_name: 'unknown' })).error).toMatchObject({
      code: 'credential_missing',
    });
    expect((await agent.run({ credential_name: null })).error).toMatchObject({ code: 'credential_missing' });
  });

  test('fails if the CA certificate does not match the server', async () => {
    writeFileSync(path.join(folder, 'ca.crt'), '');
    const { error } = await agent.run();
    expect(error).toMatchObject({ code: 'unreachable' });
  });
});

describe('Helm releases', () => {
  const world = () => {
    const releases = [
      helmReleaseObjects(
        'certs',
        'cm',
        { name: 'cert-manager', version: 'v1.16.2' },
        { password: 'planted-value' },
      ),
      helmReleaseObjects('ingress', 'nginx', { name: 'ingress-nginx', version: '4.12.0' }),
    ];
    fake.objects['deployments'] = releases.map(({ deployment }) => deployment);
    fake.objects['secrets'] = [
      ...releases.map(({ secret }) => secret),
      { metadata: { namespace: 'a', name: 'tls' }, type: 'Opaque', data: { key: 'cGxhbnRlZC12YWx1ZQ==' } },
    ];
  };
  const chartsOf = ({ items }: DiscoveryOutcome) =>
    items.flatMap(({ extractor, artifact, version }) =>
      extractor === 'helm_release' ? [`${artifact.name} ${version}`] : [],
    );

  test('are found by their labels, without a request for secrets', async () => {
    world();
    expect(chartsOf(await agent.run())).toEqual(['cert-manager v1.16.2', 'ingress-nginx 4.12.0']);
    expect(fake.requests.filter((request) => request.includes('secrets'))).toEqual([]);
  });

  test('are read only from secrets of Helm releases, and only if the job sets helm_secrets', async () => {
    world();
    fake.objects['deployments'] = [];
    expect(chartsOf(await agent.run())).toEqual([]);
    expect(chartsOf(await agent.run({ helm_secrets: true }))).toEqual([
      'cert-manager v1.16.2',
      'ingress-nginx 4.12.0',
    ]);
    expect(listed('secrets').map(decodeURIComponent)).toEqual([
      '/api/v1/secrets?limit=20&fieldSelector=type=helm.sh/release.v1&labelSelector=owner=helm,status=deployed',
    ]);
  });

  test('are found by their labels if the role does not allow reading secrets', async () => {
    world();
    fake.denied = new Set(['secrets']);
    const outcome = await agent.run({ helm_secrets: true });
    expect(chartsOf(outcome)).toEqual(['cert-manager v1.16.2', 'ingress-nginx 4.12.0']);
    expect(outcome.summary).toMatchObject({ reasons: { unreadable: 1 } });
  });

  test('are still found if other releases are too large or corrupt', async () => {
    const large = helmReleaseObjects(
      'a',
      'large',
      { name: 'large', version: '1.0.0' },
      { a: 'x'.repeat(3_000_000) },
    );
    const broken = helmReleaseObjects('a', 'broken', { name: 'broken', version: '1.0.0' });
    const { secret } = helmReleaseObjects('a', 'fine', { name: 'fine', version: '1.0.0' });
    fake.objects['secrets'] = [
      large.secret,
      { ...broken.secret, data: { release: Buffer.from('not gzip').toString('base64') } },
      { ...broken.secret, data: {} },
      secret,
    ];
    expect(chartsOf(await agent.run({ helm_secrets: true }))).toEqual(['fine 1.0.0']);
  });
});

test('the agent sends no values of secrets, variables, annotations, or charts', async () => {
  const marker = (place: string) => `planted-${place}`;
  const { deployment, secret } = helmReleaseObjects(
    'certs',
    'cm',
    { name: 'cert-manager', version: 'v1.16.2' },
    { password: marker('chart-value') },
  );
  const env = [{ name: marker('variable-name'), value: marker('variable') }];
  fake.objects = {
    deployments: [
      deployment,
      deploymentOf('shop', 'web', 'acme/web:1.0.0', {
        annotations: { [marker('annotation-name')]: marker('annotation') },
        labels: { [marker('label-name')]: 'x', custom: marker('label') },
        env,
      }),
    ],
    pods: [
      {
        metadata: {
          namespace: 'shop',
          name: 'web-1',
          annotations: { a: marker('pod-annotation') },
          ownerReferences: [
            {
              controller: true,
              kind: 'StatefulSet',
              name: 'other',
            },
          ],
        },
        spec: { containers: [{ name: 'web', image: 'acme/web:1.0.0', env, args: [marker('argument')] }] },
        status: { phase: 'Running', message: marker('message') },
      },
    ],
    nodes: [
      {
        metadata: { name: marker('node-name'), annotations: { a: marker('node-annotation') } },
        status: { addresses: [{ address: marker('address') }], nodeInfo: { machineID: marker('machine') } },
      },
    ],
    helmreleases: [
      {
        metadata: { namespace: 'apps', name: 'podinfo' },
        spec: {
          values: { password: marker('flux-value') },
          chart: { spec: { chart: 'podinfo', version: '6.7.1', sourceRef: { name: 'podinfo' } } },
        },
      },
    ],
    helmrepositories: [
      {
        metadata: { namespace: 'apps', name: 'podinfo' },
        spec: { url: `https://user:${marker('password')}@charts.example.org`, secretRef: { name: 'x' } },
      },
    ],
    applications: [
      {
        metadata: { namespace: 'argocd', name: 'a' },
        spec: {
          source: {
            repoURL: `https://${marker('user')}@charts.example.org`,
            chart: 'a',
            targetRevision: '1.0.0',
            helm: {
              parameters: [
                {
                  name: 'token',
                  value: marker('parameter'),
                },
              ],
            },
          },
        },
      },
    ],
    secrets: [secret, { metadata: { name: 'tls' }, type: 'Opaque', data: { key: marker('secret') } }],
  };
  const outcome = await agent.run({ helm_secrets: true });
  expect(outcome.error).toBeNull();
  expect(outcome.items.map(({ artifact }) => artifact.name)).toEqual(
    expect.arrayContaining(['cert-manager', 'acme/web', 'podinfo', 'a']),
  );
  const packed = (secret as { data: { release: string } }).data.release;
  for (const text of ['planted-', packed.slice(0, 40), fake.token]) expect(outcome.wire).not.toContain(text);
});

test.each([
  ["items that aren't objects", '{"items":[1,null,"x",[[]],{"metadata":{"name":{}}}]}', null],
  ['no items', '{}', null],
  ['null', 'null', null],
  ["a continue token that isn't text", '{"items":[],"metadata":{"continue":{}}}', null],
  ['invalid JSON', '<html>', 'invalid_index'],
  ['very deep JSON', '['.repeat(1_000_000), 'invalid_index'],
])('an API server that sends %s can only cause its own run to fail', async (_, body, code) => {
  fake.raw = { deployments: body };
  const { error, summary } = await agent.run();
  if (code === null) expect(summary).toMatchObject({ found: 1 });
  else expect(error).toMatchObject({ code });
});

test('the access check prints what the agent can read from a cluster', async () => {
  fake.denied = new Set(['secrets', 'nodes']);
  fake.missingGroups = new Set(['argoproj.io']);
  const lines: string[] = [];
  const check = () => agent.check((line) => void lines.push(line));
  expect(await check()).toBe(true);
  expect(lines.slice(0, 2)).toEqual([
    `cluster (kubernetes): ${fake.url}`,
    `  Kubernetes v1.32.1, cluster ${fake.uid}`,
  ]);
  expect(lines).toEqual(
    expect.arrayContaining([
      '  list nodes             NOT ALLOWED',
      '  list deployments       allowed',
      '  list applications      not installed',
      '  list secrets           NOT ALLOWED (needed only for jobs with helm_secrets)',
    ]),
  );
  expect(fake.requests.every((request) => !request.includes('limit=') || request.includes('limit=1'))).toBe(
    true,
  );
  fake.denied = new Set(['pods']);
  expect(await check()).toBe(false);
  fake.token = 'renewed';
  expect(await check()).toBe(false);
  expect(lines.at(-1)).toBe('  The API server rejected the token. Check the token file.');
});

test('the client of a cluster can reach only the configured host', async () => {
  const client = openOutboundTo(closedNetwork, {
    host: 'good.test',
    ca: fake.ca,
    isDirect: true,
    userAgent: 'test',
    resolveName: fake.resolveName,
  });
  const request = (url: string) =>
    client.request({ url, purpose: 'source', timeoutMs: 5_000, maxBytes: 1_000 }).then(
      ({ status }) => status,
      (error: { code: string }) => error.code,
    );
  expect(await request(`${fake.url}/version`)).toBe(401);
  const { port } = new URL(fake.url);
  for (const host of ['127.0.0.1', 'localhost', 'other.test', '[::1]'])
    expect(await request(`https://${host}:${port}/version`)).toBe('target_not_allowed');
  expect(await request(`http://good.test:${port}/version`)).toBe('target_not_allowed');
  await client.close();
  const metadata = openOutboundTo(closedNetwork, {
    host: 'good.test',
    ca: null,
    isDirect: true,
    userAgent: 'test',
    resolveName: async () => ['169.254.169.254'],
  });
  await expect(
    metadata.request({ url: fake.url, purpose: 'source', timeoutMs: 5_000, maxBytes: 1_000 }),
  ).rejects.toMatchObject({ code: 'target_not_allowed' });
  await metadata.close();
});

describe('an exec plugin', () => {
  const apiVersion = 'client.authentication.k8s.io/v1';
  const writePlugin = (token: string) => {
    const answer = JSON.stringify({ kind: 'ExecCredential', apiVersion, status: { token } });
    writeFileSync(path.join(folder, 'plugin'), `#!/bin/sh\nprintf '%s' '${answer}'\n`, { mode: 0o755 });
  };
  const withPlugin = (programs?: ProgramCredentials) => {
    const command = path.join(folder, 'plugin');
    const exec = { apiVersion, command, args: [], env: {}, providesClusterInfo: false };
    const own = createClusterAgent(fake, folder, { tokenFile: null, exec }, programs);
    onTestFinished(() => own.close());
    return own;
  };

  test('returns the token of a scan, and is named if the API server rejects the token', async () => {
    writePlugin(fake.token);
    expect((await withPlugin().run()).error).toBeNull();
    writePlugin('other');
    expect((await withPlugin().run()).error).toMatchObject({
      code: 'unauthorized',
      message: 'The API server rejected the token. Check the exec plugin.',
    });
  });

  test('runs again if the API server rejects the token of an earlier scan', async () => {
    let now = new Date();
    const own = withPlugin(createProgramCredentials({ clock: () => now }));
    writePlugin(fake.token);
    expect((await own.run()).error).toBeNull();
    fake.token = 'renewed';
    writePlugin(fake.token);
    // A token that was just issued isn't replaced.
    now = new Date(now.getTime() + 10_000);
    expect((await own.run()).error).toBeNull();
  });
});
