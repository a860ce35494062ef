import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { authority, serverCertificates, serverKey } from '../tls-certificates.ts';

const hasProgram = (name: string) => spawnSync(name, ['--version']).status === 0;

/**
 * True if this machine has the programs of a Kubernetes control plane. `tests/kubernetes/README.md` explains
 * how to install them.
 */
export const hasKubernetes = hasProgram('kube-apiserver') && hasProgram('etcd');

export interface KubernetesResponse {
  status: number;
  type: string;
  text: string;
}

/**
 * A kube-apiserver with etcd and the role from `deploy/kubernetes/cluster-agent.yaml`. The cluster has no
 * nodes and no running pods.
 */
export interface RealKubernetes {
  url: string;
  ca: string;
  /** Token of the agent's service account. */
  token: string;
  resolveName: () => Promise<string[]>;
  /**
   * Sends a request as an administrator.
   * @throws Error if the request fails.
   */
  change(method: 'POST' | 'PUT' | 'PATCH', path: string, body: object): Promise<Record<string, unknown>>;
  get(path: string, token?: string): Promise<KubernetesResponse>;
  /** Expires all continue tokens that have been issued so far. */
  compact(): Promise<void>;
  close(): Promise<void>;
}

export async function startKubernetes(folder: string): Promise<RealKubernetes> {
  const file = (name: string, content: string) => {
    writeFileSync(path.join(folder, name), content, { mode: 0o600 });
    return path.join(folder, name);
  };
  const [etcdPort, peerPort, port] = [await freePort(), await freePort(), await freePort()];
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const processes: ChildProcess[] = [];
  const start = (program: string, args: readonly string[]) =>
    processes.push(spawn(program, args, { stdio: 'ignore', cwd: folder }));
  start('etcd', [
    '--data-dir',
    path.join(folder, 'etcd'),
    '--listen-client-urls',
    etcdUrl,
    '--advertise-client-urls',
    etcdUrl,
    '--listen-peer-urls',
    `http://127.0.0.1:${peerPort}`,
  ]);
  start('kube-apiserver', [
    '--etcd-servers',
    etcdUrl,
    '--bind-address',
    '127.0.0.1',
    '--secure-port',
    String(port),
    '--tls-cert-file',
    file('tls.crt', serverCertificates.nothing),
    '--tls-private-key-file',
    file('tls.key', serverKey),
    '--cert-dir',
    folder,
    '--service-account-issuer',
    'https://kubernetes.default.svc',
    '--service-account-key-file',
    file('accounts.pub', publicKey),
    '--service-account-signing-key-file',
    file('accounts.key', privateKey),
    '--token-auth-file',
    file('tokens.csv', 'administrator,admin,1,"system:masters"\n'),
    '--authorization-mode',
    'RBAC',
    '--service-cluster-ip-range',
    '10.96.0.0/16',
    // Disable this plugin, because it requires a default service account for pods in each namespace, and no controller
    // creates these accounts.
    '--disable-admission-plugins=ServiceAccount',
    // Disable this feature, because the API server would still respond from its own snapshots after etcd has compacted
    // a revision.
    '--feature-gates=ListFromCacheSnapshot=false',
  ]);

  function send(method: string, at: string, token: string | undefined, body?: object) {
    const answer = Promise.withResolvers<KubernetesResponse>();
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path: at,
        method,
        ca: authority,
        servername: 'good.test',
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
        },
      },
      async (response) => {
        const pieces: Buffer[] = [];
        for await (const piece of response) pieces.push(piece as Buffer);
        const text = Buffer.concat(pieces).toString('utf8');
        const type = response.headers['content-type']?.split(';')[0] ?? '';
        answer.resolve({ status: response.statusCode ?? 0, type, text });
      },
    );
    sent.on('error', answer.reject);
    sent.end(body && JSON.stringify(body));
    return answer.promise;
  }

  async function change(method: 'POST' | 'PUT' | 'PATCH', at: string, body: object) {
    const { status, text } = await send(method, at, 'administrator', body);
    if (status >= 300) throw new Error(`${method} ${at}: ${status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }

  for (let waited = 0; ; waited += 250) {
    const ready = await send('GET', '/readyz', 'administrator').catch(() => null);
    const system = await send('GET', '/api/v1/namespaces/kube-system', 'administrator').catch(() => null);
    if (ready?.status === 200 && system?.status === 200) break;
    if (waited > 120_000 || processes.some(({ exitCode }) => exitCode !== null))
      throw new Error("kube-apiserver doesn't start");
    await sleep(250);
  }
  for (const document of parseAllDocuments(readFileSync(manifest, 'utf8'))) {
    const object = document.toJS() as { kind: string };
    const at = paths[object.kind];
    if (at !== undefined) await change('POST', at, object);
  }
  const account = `${paths['ServiceAccount']}/pacekeeper-cluster/token`;
  const { status } = await change('POST', account, { spec: { expirationSeconds: 3_600 } });
  return {
    url: `https://good.test:${port}`,
    ca: authority,
    token: (
      status as {
        token: string;
      }
    ).token,
    resolveName: async () => ['127.0.0.1'],
    change,
    get: (at, token) => send('GET', at, token),
    async compact() {
      const call = async (name: string, body: object) =>
        (
          await fetch(`${etcdUrl}/v3/kv/${name}`, {
            method: 'POST',
            body: JSON.stringify(body),
          })
        ).json();
      const { header } = (await call('range', { key: 'AA==' })) as {
        header: {
          revision: string;
        };
      };
      await call('compaction', {
        revision: header.revision,
        physical: true,
      });
    },
    async close() {
      for (const process of processes.toReversed()) {
        process.kill('SIGKILL');
        if (process.exitCode === null && process.signalCode === null) await once(process, 'exit');
      }
    },
  };
}

const manifest = new URL('../../../deploy/kubernetes/cluster-agent.yaml', import.meta.url);

/** API paths of the resources that the manifest creates, except for the agent itself. */
const paths: Readonly<Record<string, string>> = {
  Namespace: '/api/v1/namespaces',
  ServiceAccount: '/api/v1/namespaces/pacekeeper/serviceaccounts',
  ClusterRole: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ClusterRoleBinding: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
