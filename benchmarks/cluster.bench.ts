/**
 * Listing a cluster with 10,000 pods by an agent. Wanted: at most 20 s and 250 MB, with its processes. The API server is a
 * process of its own.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClusterAgent } from '../tests/helpers/cluster-agent.ts';
import { type FakeKubernetes, startFakeKubernetes } from '../tests/helpers/upstreams/fake-kubernetes.ts';

const podCount = 10_000;
const podsOfWorkload = 4;

/** As large as those of real clusters: 10 kB each. */
function objects(): Record<string, object[]> {
  const env = Array.from({ length: 60 }, (_, at) => ({ name: `VARIABLE_${at}`, value: `value of ${at}` }));
  const managedFields = Array.from({ length: 4 }, (_, at) => ({
    ...{ manager: `manager-${at}`, operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' },
    fieldsV1: Object.fromEntries(Array.from({ length: 40 }, (__, each) => [`f:field-${each}`, { '.': {} }])),
  }));
  const container = (at: number) => ({
    ...{ name: 'app', image: `ghcr.io/acme/app-${at % 500}:1.${at % 40}.${at % 7}`, env },
  });
  const deployments = Array.from({ length: podCount / podsOfWorkload }, (_, at) => ({
    metadata: { namespace: `team-${at % 40}`, name: `app-${at}`, generation: 1, managedFields },
    spec: { replicas: podsOfWorkload, template: { spec: { containers: [container(at)] } } },
    status: { observedGeneration: 1, replicas: 4, updatedReplicas: 4, availableReplicas: 4 },
  }));
  const pods = Array.from({ length: podCount }, (_, index) => {
    const at = Math.floor(index / podsOfWorkload);
    return {
      metadata: {
        ...{ namespace: `team-${at % 40}`, name: `app-${at}-5d4f8c7b9-${index}`, managedFields },
        labels: { 'pod-template-hash': '5d4f8c7b9' },
        ownerReferences: [{ controller: true, kind: 'ReplicaSet', name: `app-${at}-5d4f8c7b9` }],
      },
      spec: { containers: [container(at)] },
      status: {
        phase: 'Running',
        containerStatuses: [{ name: 'app', imageID: `ghcr.io/acme/app@sha256:${'a'.repeat(64)}` }],
      },
    };
  });
  return { deployments, pods };
}

if (process.send !== undefined) {
  const fake = await startFakeKubernetes();
  fake.objects = objects();
  const bytes = Object.values(fake.objects)
    .flat()
    .reduce((sum: number, each) => sum + JSON.stringify(each).length, 0);
  process.send({ url: fake.url, ca: fake.ca, token: fake.token, bytes });
} else {
  const child = fork(new URL(import.meta.url));
  const [server] = (await once(child, 'message')) as [
    { url: string; ca: string; token: string; bytes: number },
  ];
  const folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-bench-cluster-'));
  const fake = { ...server, resolveName: async () => ['127.0.0.1'] } as unknown as FakeKubernetes;
  const agent = createClusterAgent(fake, folder);
  console.log(`${podCount} pods, ${(server.bytes / 1e6).toFixed(0)} MB of JSON`);
  let validators = null;
  for (const title of ['first scan', 'nothing changed']) {
    let megabytes = 0;
    const watch = setInterval(() => (megabytes = Math.max(megabytes, memoryOf(child.pid!))), 100);
    const startedAt = performance.now();
    const { summary, items, error } = await agent.run({ validators });
    const elapsed = performance.now() - startedAt;
    clearInterval(watch);
    if (error) throw error;
    console.log(
      `${title}: ${summary?.found} items, ${summary?.requests} requests, ${(JSON.stringify(items).length / 1e6).toFixed(1)} MB sent, ${(elapsed / 1_000).toFixed(1)} s, at most ${Math.round(megabytes)} MB with its processes`,
    );
    validators = summary?.validators ?? null;
  }
  await agent.close();
  child.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** Of this process and those below it, without the API server. */
function memoryOf(exceptPid: number): number {
  let megabytes = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const isCounted = Number(pid) === process.pid || Number(fields[1]) === process.pid;
      if (isCounted && Number(pid) !== exceptPid) megabytes += (Number(fields[21]) * 4_096) / 1e6;
    } catch {
      // It has ended.
    }
  }
  return megabytes;
}
