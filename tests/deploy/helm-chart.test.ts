import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { configVariables } from '../../src/platform/config.ts';

const variableNames: readonly string[] = configVariables.map(({ name }) => name);
const deploy = fileURLToPath(new URL('../../deploy', import.meta.url));
const chart = path.join(deploy, 'helm/pacekeeper');
const examples = readdirSync(path.join(deploy, 'helm/examples'));

/** The schemas of Kubernetes, by what a manifest says that it is. */
const schemas: Readonly<Record<string, new (manifest: never) => { validate(): void }>> = {
  'apps/v1 Deployment': Deployment,
  'apps/v1 StatefulSet': StatefulSet,
  'v1 Service': Service,
  'v1 ServiceAccount': ServiceAccount,
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
  spec?: { replicas?: number; template?: { spec: PodSpec }; selector?: unknown };
}
interface PodSpec {
  containers: { name: string; env?: { name: string }[]; securityContext?: object }[];
}

function render(...args: string[]): { manifests: Manifest[]; stderr: string; status: number | null } {
  const { stdout, stderr, status } = spawnSync(
    helm ?? '',
    ['template', 'release', chart, '--kube-version', '1.31.0', ...args],
    { encoding: 'utf8' },
  );
  const manifests = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest | null);
  return { manifests: manifests.filter((manifest) => manifest !== null), stderr, status };
}

const withValues = (example: string) => ['-f', path.join(deploy, 'helm/examples', example)];

describe.skipIf(helm === undefined)('the Helm chart', () => {
  test.each(examples)(
    'with %s is accepted by lint and every manifest by the schema of its kind',
    (example) => {
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
    },
  );

  test.each(examples)('with %s sets only variables that the program has', (example) => {
    const containers = render(...withValues(example)).manifests.flatMap(
      ({ spec }) => spec?.template?.spec.containers ?? [],
    );
    expect(containers.length).toBeGreaterThan(0);
    const named = containers.flatMap(({ env }) => (env ?? []).map(({ name }) => name));
    expect(named.filter((name) => !variableNames.includes(name))).toEqual([]);
  });

  test('believes the ingress controller, and sends links to the host of the ingress', () => {
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

  test.each(examples)('with %s gives no container a right that it does not need', (example) => {
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
    [['--set', 'existingSecret=x,agents.replicas=1'], 'agents need a secret'],
    [['--set', 'existingSecret=x,ingress.enabled=true'], 'an ingress needs a host'],
    [
      ['--set', 'existingSecret=x,ingress.enabled=true,ingress.host=pacekeeper.example.org'],
      "--set 'server.trustedProxies={10.244.0.0/16}'",
    ],
    [['--set', 'existingSecret=x,server.trustedProxies={0.0.0.0/0}'], 'trustedProxies'],
    [['--set', 'existingSecret=x,server.replicaz=2'], 'replicaz'],
    [['--set', 'existingSecret=x,service.port=99999'], 'port'],
  ])('refuses %j and says why', (args, reason) => {
    const { status, stderr } = render(...args);
    expect(status).not.toBe(0);
    expect(stderr).toContain(reason);
  });
});

test('the compose file sets only variables that the program has', () => {
  const compose = parse(readFileSync(path.join(deploy, '../compose.yaml'), 'utf8')) as {
    services: { pacekeeper: { environment: Record<string, string> } };
  };
  const names = Object.keys(compose.services.pacekeeper.environment);
  expect(names.filter((name) => !variableNames.includes(name))).toEqual([]);
});
