import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClusterAgent } from '../helpers/cluster-agent.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import {
  deploymentOf,
  type FakeKubernetes,
  startFakeKubernetes,
} from '../helpers/upstreams/fake-kubernetes.ts';
import {
  hasKubernetes,
  type KubernetesResponse,
  type RealKubernetes,
  startKubernetes,
} from '../helpers/upstreams/real-kubernetes.ts';

/** Recorded responses of kube-apiserver 1.34.4 with the role from the manifest. Long lists are truncated. */
const recorded = JSON.parse(
  readFileSync(new URL('../fixtures/kubernetes/answers.json', import.meta.url), 'utf8'),
) as Record<string, KubernetesResponse>;

const deployments = '/apis/apps/v1/deployments?limit=2';
type Get = (path: string, token?: string) => Promise<KubernetesResponse>;

/** Sends every request that a scan can send to a cluster with three deployments. */
async function ask(
  get: Get,
  token: string,
  expire: () => Promise<void>,
): Promise<Record<string, KubernetesResponse>> {
  const first = await get(deployments, token);
  const { metadata } = JSON.parse(first.text) as { metadata: { continue: string } };
  const next = `${deployments}&continue=${encodeURIComponent(metadata.continue)}`;
  const last = await get(next, token);
  await expire();
  return {
    'a wrong token': await get('/version', 'wrong'),
    'the version': await get('/version', token),
    'the namespace that identifies the cluster': await get('/api/v1/namespaces/kube-system', token),
    'a group that is not installed': await get('/apis/helm.toolkit.fluxcd.io', token),
    'a resource that the role does not allow': await get('/api/v1/secrets?limit=1', token),
    'the first page of a list': first,
    'the last page of a list': last,
    'a page of a list that has expired': await get(next, token),
    'an empty list': await get('/apis/batch/v1/cronjobs?limit=1', token),
  };
}

/**
 * Returns the status and type of a response and the types of its fields. For an error, includes its code and
 * reason.
 */
function formOf({ status, type, text }: KubernetesResponse): Record<string, unknown> {
  const body: unknown = type === 'application/json' ? JSON.parse(text) : text;
  const form: Record<string, unknown> = { status, type };
  const visit = (value: unknown, at: string) => {
    if (Array.isArray(value)) form[at] = `${value.length} objects`;
    else if (typeof value === 'object' && value !== null)
      for (const [name, each] of Object.entries(value)) visit(each, `${at}/${name}`);
    else form[at] = /\/(?:code|reason|status)$/.test(at) ? value : typeof value;
  };
  visit(body, '');
  return form;
}

const names = Object.keys(recorded);

describe('the fake API server', () => {
  let answers: Record<string, KubernetesResponse>;
  beforeAll(async () => {
    const fake: FakeKubernetes = await startFakeKubernetes();
    fake.objects['deployments'] = [0, 1, 2].map((at) => deploymentOf('shop', `web-${at}`, 'acme/web:1.0.0'));
    fake.denied = new Set(['secrets']);
    fake.missingGroups = new Set(['helm.toolkit.fluxcd.io']);
    answers = await ask(getter(fake), fake.token, async () => void (fake.expiring = 1));
    await fake.close();
  });

  test.each(names)('matches kube-apiserver in every field that it returns: %s', (name) => {
    expect(formOf(recorded[name]!)).toMatchObject(formOf(answers[name]!));
  });
});

function getter({ url, ca }: FakeKubernetes): Get {
  return async (path, token) => {
    const answer = Promise.withResolvers<KubernetesResponse>();
    request(`https://127.0.0.1:${new URL(url).port}${path}`, {
      ca,
      servername: 'good.test',
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })
      .on('error', answer.reject)
      .on('response', async (response) => {
        const text = (await response.toArray()).join('');
        answer.resolve({
          status: response.statusCode ?? 0,
          text,
          type: response.headers['content-type'] ?? '',
        });
      })
      .end();
    return answer.promise;
  };
}

describe.skipIf(!hasKubernetes)('kube-apiserver', () => {
  let real: RealKubernetes;
  const folder = temporaryFolder();
  beforeAll(async () => {
    real = await startKubernetes(folder);
  });
  afterAll(() => real?.close());

  const deploy = (name: string, image: string) => {
    const template = {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name, image, env: [{ name: 'PASSWORD', value: 'planted-marker' }] }] },
    };
    return real.change('POST', '/apis/apps/v1/namespaces/default/deployments', {
      metadata: { name },
      spec: {
        selector: { matchLabels: { app: name } },
        template,
      },
    });
  };

  test('responds as in the recording', async () => {
    for (const at of [0, 1, 2]) await deploy(`web-${at}`, `acme/web:1.0.${at}`);
    const answers = await ask(real.get, real.token, async () => {
      // Changes an object before the compaction, which keeps only the newest revision. The revision of the
      // list is then no longer the newest, so it is removed.
      await real.change('PATCH', '/api/v1/namespaces/default', { metadata: { labels: { changed: 'yes' } } });
      await real.compact();
    });
    for (const name of names)
      expect(formOf(answers[name]!), name).toMatchObject(
        Object.fromEntries(
          Object.entries(formOf(recorded[name]!)).filter(([at]) => !at.startsWith('/metadata/labels')),
        ),
      );
  });

  test('is read in pages with the role from the manifest, and no other data leaves the agent', async () => {
    for (let at = 3; at < 240; at++) await deploy(`web-${at}`, `acme/web:1.0.${at}`);
    const agent = createClusterAgent(real as unknown as FakeKubernetes, folder);
    const { items, summary, error, wire } = await agent.run();
    expect(error).toBeNull();
    expect(items).toHaveLength(241);
    expect(items[0]).toMatchObject({ key: 'kubernetes:Cluster:::version', version: 'v1.34.4' });
    expect(summary).toMatchObject({ found: 241, skipped: 0, unread_kinds: [] });
    expect(summary).not.toHaveProperty('warnings');
    expect(wire).not.toContain('planted-marker');
    const again = await agent.run({ validators: summary!.validators! });
    expect(again.summary).toMatchObject({ not_modified: true });
    const { summary: withSecrets } = await agent.run({ helm_secrets: true });
    expect(withSecrets?.warnings).toEqual([
      "The role doesn't allow listing: secrets. Their items stay as they are.",
    ]);
    await agent.close();
  });
});
