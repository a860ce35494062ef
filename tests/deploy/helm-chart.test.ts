import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ClusterRole } from 'kubernetes-models/rbac.authorization.k8s.io/v1/ClusterRole';
import { ClusterRoleBinding } from 'kubernetes-models/rbac.authorization.k8s.io/v1/ClusterRoleBinding';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readAgentConfig } from '../../src/agent/agent-config.ts';
import { clusterResources } from '../../src/domain/discovery/cluster/cluster-resources.ts';
import { configVariables } from '../../src/platform/config.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Environment variables of the program, and those of Node.js and the C library that limit its memory. */
const variableNames: readonly string[] = [
  ...configVariables.map(({ name }) => name),
  'NODE_OPTIONS',
  'MALLOC_ARENA_MAX',
];
const deploy = fileURLToPath(new URL('../../deploy', import.meta.url));
const chart = path.join(deploy, 'helm/pacekeeper');
const examples = readdirSync(path.join(deploy, 'helm/examples'));

/** Kubernetes schemas by API version and kind. */
const schemas: Readonly<Record<string, new (manifest: never) => { validate(): void }>> = {
  'apps/v1 Deployment': Deployment,
  'apps/v1 StatefulSet': StatefulSet,
  'v1 Service': Service,
  'v1 ServiceAccount': ServiceAccount,
  'v1 Namespace': Namespace,
  'v1 ConfigMap': ConfigMap,
  'v1 Secret': Secret,
  'rbac.authorization.k8s.io/v1 ClusterRole': ClusterRole,
  'rbac.authorization.k8s.io/v1 ClusterRoleBinding': ClusterRoleBinding,
  'networking.k8s.io/v1 Ingress': Ingress,
  'networking.k8s.io/v1 NetworkPolicy': NetworkPolicy,
  'policy/v1 PodDisruptionBudget': PodDisruptionBudget,
  'monitoring.coreos.com/v1 ServiceMonitor': ServiceMonitor,
};

const helm = [process.env['HELM'], 'helm', path.join(homedir(), 'go/bin/helm')].find(
  (program) => program !== undefined && spawnSync(program, ['version', '--short']).status === 0,
);
if (helm === undefined) console.warn('There is no helm here: the chart is not rendered. Set HELM to one.');

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  rules?: { apiGroups: string[]; resources: string[]; verbs: string[]; resourceNames?: string[] }[];
  data?: Record<string, string>;
  spec?: { replicas?: number; template?: { spec: PodSpec }; selector?: unknown };
}
interface Rule {
  ports: { port: string }[];
  from?: object[];
}
interface PodSpec {
  automountServiceAccountToken?: boolean;
  containers: {
    name: string;
    env?: { name: string }[];
    securityContext?: object;
    startupProbe?: { periodSeconds: number; failureThreshold: number };
  }[];
}

interface Rendered {
  manifests: Manifest[];
  stderr: string;
  status: number | null;
}

/** Rendered manifests by arguments, because many tests render the same examples. */
const rendered = new Map<string, Rendered>();

function render(...args: string[]): Rendered {
  const key = JSON.stringify(args);
  let result = rendered.get(key);
  if (!result) {
    const { stdout, stderr, status } = spawnSync(
      helm ?? '',
      ['template', 'release', chart, '--kube-version', '1.31.0', ...args],
      { encoding: 'utf8' },
    );
    const documents = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest | null);
    result = { manifests: documents.filter((manifest) => manifest !== null), stderr, status };
    rendered.set(key, result);
  }
  return result;
}

const withValues = (example: string) => ['-f', path.join(deploy, 'helm/examples', example)];

describe.skipIf(helm === undefined)('the Helm chart', () => {
  test.each(examples)('passes lint and renders valid manifests with %s', (example) => {
    expect(
      spawnSync(helm!, ['lint', chart, '--strict', ...withValues(example)], { encoding: 'utf8' }).status,
    ).toBe(0);
    const { manifests, stderr } = render(...withValues(example));
    expect(stderr).toBe('');
    expect(manifests.length).toBeGreaterThan(0);
    for (const manifest of manifests) {
      const Schema = schemas[`${manifest.apiVersion} ${manifest.kind}`];
      expect(Schema, `a schema for ${manifest.apiVersion} ${manifest.kind}`).toBeDefined();
      new Schema!(manifest as never).validate();
    }
  });

  test.each(examples)('sets only supported environment variables with %s', (example) => {
    const containers = render(...withValues(example)).manifests.flatMap(
      ({ spec }) => spec?.template?.spec.containers ?? [],
    );
    expect(containers.length).toBeGreaterThan(0);
    const named = containers.flatMap(({ env }) => (env ?? []).map(({ name }) => name));
    expect(named.filter((name) => !variableNames.includes(name))).toEqual([]);
  });

  test.each(['embedded.yaml', 'external.yaml'])(
    'allows at least 30 minutes for the migration of a server with %s',
    (example) => {
      const probes = render(...withValues(example))
        .manifests.flatMap(({ spec }) => spec?.template?.spec.containers ?? [])
        .flatMap(({ startupProbe }) => startupProbe ?? []);
      expect(probes).toHaveLength(1);
      expect(probes[0]!.periodSeconds * probes[0]!.failureThreshold).toBeGreaterThanOrEqual(1_800);
    },
  );

  test('trusts the ingress controller and uses the host of the ingress as the base URL', () => {
    const servers = render(...withValues('embedded.yaml')).manifests.flatMap(
      ({ spec }) => spec?.template?.spec.containers ?? [],
    );
    expect(servers.flatMap(({ env }) => env ?? [])).toEqual(
      expect.arrayContaining([
        { name: 'PACEKEEPER_BASE_URL', value: 'https://pacekeeper.example.org' },
        { name: 'PACEKEEPER_TRUSTED_PROXIES', value: '10.244.0.0/16' },
      ]),
    );
  });

  test('exposes unauthenticated metrics only inside the cluster and to the configured pods', () => {
    const open = ['--set', 'metrics.enabled=true,networkPolicy.enabled=true,service.type=LoadBalancer'];
    const from = [{ podSelector: { matchLabels: { app: 'prometheus' } } }];
    const found = (...more: string[]) => {
      const { manifests } = render(...withValues('embedded.yaml'), ...open, ...more);
      const services = manifests.filter(({ kind }) => kind === 'Service') as unknown as {
        spec: { type: string; ports: { name: string }[] };
      }[];
      const rules = manifests.flatMap(({ kind, spec }) =>
        kind === 'NetworkPolicy' ? ((spec as { ingress?: Rule[] }).ingress ?? []) : [],
      );
      return {
        types: services.filter(({ spec }) => spec.ports.some(({ name }) => name === 'metrics')),
        rules: rules.filter(({ ports }) => ports.some(({ port }) => port === 'metrics')),
      };
    };
    expect(found().types.map(({ spec }) => spec.type)).toEqual(['ClusterIP']);
    expect(found().rules).toEqual([]);
    const given = found('--set-json', `networkPolicy.metricsFrom=${JSON.stringify(from)}`);
    expect(given.rules).toMatchObject([{ from }]);
  });

  test.each(examples)('grants containers no unnecessary privileges with %s', (example) => {
    for (const { spec } of render(...withValues(example)).manifests) {
      for (const { securityContext } of spec?.template?.spec.containers ?? []) {
        expect(securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });

  test.each([
    [[], 'existingSecret: name a secret'],
    [['--set', 'database.mode=embedded,server.replicas=2'], 'an embedded database belongs to one server'],
    [['--set', 'existingSecret=x,agents.replicas=1'], 'agents require a secret'],
    [['--set', 'existingSecret=x,agents.kubernetes.enabled=true'], 'Set agents.replicas to 1'],
    [['--set', 'existingSecret=x,ingress.enabled=true'], 'an ingress needs a host'],
    [
      ['--set', 'existingSecret=x,ingress.enabled=true,ingress.host=pacekeeper.example.org'],
      "--set 'server.trustedProxies={10.244.0.0/16}'",
    ],
    [['--set', 'existingSecret=x,server.trustedProxies={0.0.0.0/0}'], 'trustedProxies'],
    [['--set', 'existingSecret=x,server.replicaz=2'], 'replicaz'],
    [['--set', 'existingSecret=x,service.port=99999'], 'port'],
  ])('rejects %j with a reason', (args, reason) => {
    const { status, stderr } = render(...args);
    expect(status).not.toBe(0);
    expect(stderr).toContain(reason);
  });
});

const clusterAgent = parseAllDocuments(
  readFileSync(path.join(deploy, 'kubernetes/cluster-agent.yaml'), 'utf8'),
).map((document) => document.toJS() as Manifest);
const roleOf = (manifests: readonly Manifest[]) =>
  manifests.find(({ kind }) => kind === 'ClusterRole')?.rules ?? [];

describe('the manifest of an agent that scans its own cluster', () => {
  test('matches the Kubernetes schemas and sets only supported environment variables', () => {
    for (const manifest of clusterAgent) {
      const Schema = schemas[`${manifest.apiVersion} ${manifest.kind}`];
      expect(Schema, `a schema for ${manifest.apiVersion} ${manifest.kind}`).toBeDefined();
      new Schema!(manifest as never).validate();
    }
    const containers = clusterAgent.flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
    const named = containers.flatMap(({ env }) => (env ?? []).map(({ name }) => name));
    expect(named.filter((name) => !variableNames.includes(name))).toEqual([]);
  });

  test('grants read access to exactly the resources of a scan, without secrets', () => {
    const allowed = roleOf(clusterAgent).flatMap(({ apiGroups, resources, verbs }) => {
      expect(verbs.every((verb) => verb === 'get' || verb === 'list')).toBe(true);
      return resources.map((resource) => `${apiGroups.join()}/${resource}`);
    });
    const listed = Object.entries(clusterResources).map(([name, { group }]) => `${group}/${name}`);
    expect(allowed.toSorted()).toEqual(
      ['/namespaces', ...listed.filter((name) => name !== '/secrets')].toSorted(),
    );
    expect(roleOf(clusterAgent)[0]).toMatchObject({ resourceNames: ['kube-system'], verbs: ['get'] });
  });

  test('contains a valid agent configuration', () => {
    const config = clusterAgent.find(({ kind }) => kind === 'ConfigMap')!.data!['agent.yaml']!;
    expect(readInPod(config)).toMatchObject({
      capabilities: ['discovery:kubernetes'],
      credentials: [{ name: 'prod-eu', type: 'kubernetes', apiServer: 'https://10.96.0.1:443' }],
    });
  });
});

describe.skipIf(helm === undefined)('the Helm chart of an agent that scans its own cluster', () => {
  const values = withValues('cluster-agent.yaml');

  test('has the same role as the plain manifest, and grants no role to other agents', () => {
    expect(roleOf(render(...values).manifests)).toEqual(roleOf(clusterAgent));
    const { manifests } = render(...withValues('agents-only.yaml'));
    expect(roleOf(manifests)).toEqual([]);
    const pods = manifests.flatMap(({ spec }) => spec?.template?.spec ?? []);
    expect(pods.map((pod) => pod.automountServiceAccountToken)).toEqual([false]);
  });

  test('grants access to secrets only if it is enabled', () => {
    const rules = roleOf(render(...values, '--set', 'agents.kubernetes.helmSecrets=true').manifests);
    expect(rules.filter(({ resources }) => resources.includes('secrets'))).toEqual([
      { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] },
    ]);
  });

  test('contains a valid agent configuration and accepts the API key as a value', () => {
    const { manifests } = render(
      '--set',
      'server.replicas=0,agents.replicas=1,agents.kubernetes.enabled=true',
      '--set',
      'agents.serverUrl=https://pacekeeper.example.org,agents.apiKey=pk_1_abc',
      '--set',
      'agents.kubernetes.credential=prod-eu,existingSecret=unused',
    );
    const config = manifests.find(({ kind }) => kind === 'ConfigMap')!.data!['agent.yaml']!;
    expect(readInPod(config)).toMatchObject({ name: 'prod-eu', credentials: [{ name: 'prod-eu' }] });
    expect(manifests.find(({ kind }) => kind === 'Secret')).toMatchObject({
      stringData: { PACEKEEPER_API_KEY: 'pk_1_abc' },
    });
    const pods = manifests.flatMap(({ spec }) => spec?.template?.spec ?? []);
    expect(pods.map((pod) => pod.automountServiceAccountToken)).toEqual([true]);
  });
});

/** Reads the configuration like the agent in the pod. */
function readInPod(config: string) {
  const file = path.join(temporaryFolder(), 'agent.yaml');
  writeFileSync(file, config);
  return readAgentConfig(file, {
    PACEKEEPER_SERVER_URL: 'https://pacekeeper.example.org',
    PACEKEEPER_API_KEY: 'pk_1_abc',
    KUBERNETES_SERVICE_HOST: '10.96.0.1',
    KUBERNETES_SERVICE_PORT: '443',
  });
}

test('the compose file sets only supported environment variables', () => {
  const compose = parse(readFileSync(path.join(deploy, '../compose.yaml'), 'utf8')) as {
    services: { pacekeeper: { environment: Record<string, string> } };
  };
  const names = Object.keys(compose.services.pacekeeper.environment);
  expect(names.filter((name) => !variableNames.includes(name))).toEqual([]);
});
