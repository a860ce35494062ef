import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { authority, serverCertificates, serverKey } from '../tls-certificates.ts';

/**
 * A fake of the Kubernetes API server endpoints that scans use. A test compares its responses with those of a
 * real API server.
 */
export interface FakeKubernetes {
  /** Server URL, whose host name only `resolveName` can resolve. */
  url: string;
  ca: string;
  token: string;
  resolveName: () => Promise<string[]>;
  uid: string;
  version: string;
  /** Objects by resource. Resources have the same names as in roles. */
  objects: Record<string, object[]>;
  /** Resources that the agent's role can't list. */
  denied: Set<string>;
  /** API groups that aren't installed. */
  missingGroups: Set<string>;
  /** Error statuses of the next list requests. Each applies to one request. */
  failures: number[];
  /** Response bodies by resource, sent unchanged. */
  raw: Record<string, string>;
  /** Number of continue tokens that the server rejects as expired. */
  expiring: number;
  /** Paths of all requests with their query strings, in order. */
  requests: string[];
  close(): Promise<void>;
}

const preferredVersions: Readonly<Record<string, string>> = {
  'helm.toolkit.fluxcd.io': 'v2',
  'source.toolkit.fluxcd.io': 'v1',
  'argoproj.io': 'v1alpha1',
};

export async function startFakeKubernetes(): Promise<FakeKubernetes> {
  const server = createServer({ key: serverKey, cert: serverCertificates.nothing });
  const status = (code: number, reason: string, message: string) => ({
    code,
    body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code },
  });

  function answer(url: URL, authorization: string | undefined): { code: number; body: object | string } {
    if (authorization !== `Bearer ${fake.token}`) return status(401, 'Unauthorized', 'Unauthorized');
    const path = url.pathname;
    if (path === '/version') return { code: 200, body: { major: '1', gitVersion: fake.version } };
    if (path === '/api/v1/namespaces/kube-system')
      return fake.denied.has('namespaces')
        ? status(403, 'Forbidden', 'namespaces "kube-system" is forbidden')
        : { code: 200, body: { kind: 'Namespace', metadata: { name: 'kube-system', uid: fake.uid } } };
    const group = /^\/apis\/([^/]+)$/.exec(path)?.[1];
    if (group !== undefined) {
      const version = preferredVersions[group];
      if (version === undefined || fake.missingGroups.has(group))
        return { code: 404, body: '404 page not found\n' };
      return { code: 200, body: { kind: 'APIGroup', name: group, preferredVersion: { version } } };
    }
    const resource = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)\/([a-z]+)$/.exec(path)?.[1];
    if (resource === undefined)
      return status(404, 'NotFound', 'the server could not find the requested resource');
    const failure = fake.failures.shift();
    if (failure !== undefined) return status(failure, 'Failure', 'try again');
    if (fake.denied.has(resource))
      return status(403, 'Forbidden', `${resource} is forbidden: User "pacekeeper" cannot list resource`);
    return list(resource, url.searchParams);
  }

  function list(resource: string, query: URLSearchParams) {
    const all = (fake.objects[resource] ?? []).filter((object) => matches(object, query));
    const limit = Number(query.get('limit') ?? all.length);
    const from = Number(query.get('continue') ?? 0);
    if (from > 0 && fake.expiring > 0) {
      fake.expiring -= 1;
      return status(410, 'Expired', 'The provided continue parameter is too old');
    }
    const items = all.slice(from, from + limit);
    const rest = all.length - from - items.length;
    const metadata = {
      resourceVersion: '1',
      ...(rest > 0 && { continue: String(from + items.length), remainingItemCount: rest }),
    };
    return { code: 200, body: { kind: 'List', metadata, items } };
  }

  server.on('request', (request, response) => {
    fake.requests.push(request.url ?? '');
    const { code, body } = answer(new URL(request.url ?? '', fake.url), request.headers.authorization);
    const resource = /\/([a-z]+)\?/.exec(request.url ?? '')?.[1] ?? '';
    const text = fake.raw[resource] ?? (typeof body === 'string' ? body : JSON.stringify(body));
    // Like the real server, compress large responses.
    const isPacked = text.length > 128 * 1024 && String(request.headers['accept-encoding']).includes('gzip');
    response.writeHead(code, {
      'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
      ...(isPacked && { 'content-encoding': 'gzip' }),
      ...(code === 429 && { 'retry-after': '1' }),
    });
    response.end(isPacked ? gzipSync(text) : text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const fake: FakeKubernetes = {
    url: `https://good.test:${(server.address() as AddressInfo).port}`,
    ca: authority,
    token: 'token-of-the-service-account',
    resolveName: async () => ['127.0.0.1'],
    uid: '5f0f4a4e-0000-4000-8000-000000000001',
    version: 'v1.32.1',
    objects: {},
    denied: new Set(),
    missingGroups: new Set(),
    failures: [],
    expiring: 0,
    requests: [],
    raw: {},
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return fake;
}

function matches(object: object, query: URLSearchParams): boolean {
  const { type, metadata } = object as { type?: string; metadata?: { labels?: Record<string, string> } };
  const field = /^type=(.+)$/.exec(query.get('fieldSelector') ?? '')?.[1];
  if (field !== undefined && type !== field) return false;
  const wanted = (query.get('labelSelector') ?? '').split(',').filter((part) => part !== '');
  return wanted.every((part) => {
    const [key = '', value = ''] = part.split('=');
    return metadata?.labels?.[key] === value;
  });
}

/** Returns a fully rolled out deployment with one container. */
export function deploymentOf(
  namespace: string,
  name: string,
  image: string,
  { labels = {}, annotations = {}, env = [] as object[] } = {},
): object {
  return {
    metadata: { namespace, name, uid: `uid-${namespace}-${name}`, generation: 1, labels, annotations },
    spec: { replicas: 1, template: { spec: { containers: [{ name, image, env }] } } },
    status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
  };
}

/**
 * Returns the deployment and release secret that `helm install` creates for a chart whose objects have the
 * standard labels.
 */
export function helmReleaseObjects(
  namespace: string,
  release: string,
  chart: { name: string; version: string; home?: string; sources?: string[] },
  values: object = {},
): { deployment: object; secret: object } {
  const packed = gzipSync(
    JSON.stringify({
      name: release,
      namespace,
      version: 1,
      info: { status: 'deployed' },
      config: values,
      chart: {
        metadata: {
          ...chart,
          apiVersion: 'v2',
        },
        values,
        templates: [],
      },
      manifest: JSON.stringify(values),
    }),
  );
  return {
    deployment: deploymentOf(namespace, release, `registry.example.org/${chart.name}:1.0.0`, {
      labels: {
        'app.kubernetes.io/managed-by': 'Helm',
        'helm.sh/chart': `${chart.name}-${chart.version}`.replaceAll('+', '_').slice(0, 63).replace(/-$/, ''),
      },
      annotations: { 'meta.helm.sh/release-name': release, 'meta.helm.sh/release-namespace': namespace },
    }),
    secret: {
      metadata: {
        namespace,
        name: `sh.helm.release.v1.${release}.v1`,
        labels: {
          owner: 'helm',
          status: 'deployed',
          name: release,
          version: '1',
        },
      },
      type: 'helm.sh/release.v1',
      data: { release: Buffer.from(packed.toString('base64')).toString('base64') },
    },
  };
}
