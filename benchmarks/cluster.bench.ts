/**
 * Measures an agent that lists a cluster with 10,000 pods. Goal: at most 20 s, and 250 MB including its child
 * processes. The API server and the agent are separate processes, and the agent has the environment variables
 * of the manifest. The memory is the sum of the resident memory of all processes of the agent, so shared
 * pages count more than once.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { limitMemory } from '../src/platform/limit-memory.ts';
import { createClusterAgent } from '../tests/helpers/cluster-agent.ts';
import { type FakeKubernetes, startFakeKubernetes } from '../tests/helpers/upstreams/fake-kubernetes.ts';

interface ServerAddress {
  url: string;
  ca: string;
  token: string;
  bytes: number;
}

interface AgentManifest {
  spec?: { template?: { spec: { containers: { env?: { name: string; value?: string }[] }[] } } };
}

const podCount = 10_000;
const podsOfWorkload = 4;

/** Creates objects as large as those of real clusters: 10 kB each. */
function objects(): Record<string, object[]> {
  const env = Array.from({ length: 60 }, (_, at) => ({ name: `VARIABLE_${at}`, value: `value of ${at}` }));
  const managedFields = Array.from({ length: 4 }, (_, at) => ({
    manager: `manager-${at}`,
    operation: 'Update',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: Object.fromEntries(Array.from({ length: 40 }, (__, each) => [`f:field-${each}`, { '.': {} }])),
  }));
  const container = (at: number) => ({
    name: 'app',
    image: `ghcr.io/acme/app-${at % 500}:1.${at % 40}.${at % 7}`,
    env,
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
        namespace: `team-${at % 40}`,
        name: `app-${at}-5d4f8c7b9-${index}`,
        managedFields,
        labels: { 'pod-template-hash': '5d4f8c7b9' },
        ownerReferences: [
          {
            controller: true,
            kind: 'ReplicaSet',
            name: `app-${at}-5d4f8c7b9`,
          },
        ],
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

const [role] = process.argv.slice(2);
if (role === 'api-server') {
  const fake = await startFakeKubernetes();
  fake.objects = objects();
  const bytes = Object.values(fake.objects)
    .flat()
    .reduce((sum: number, each) => sum + JSON.stringify(each).length, 0);
  process.send!({ url: fake.url, ca: fake.ca, token: fake.token, bytes });
} else if (role === 'agent') {
  const [server] = (await once(process, 'message')) as [ServerAddress];
  await scan(server);
  process.exit();
} else {
  const file = new URL(import.meta.url);
  const server = fork(file, ['api-server']);
  const [address] = (await once(server, 'message')) as [ServerAddress];
  console.log(`${podCount} pods, ${(address.bytes / 1e6).toFixed(0)} MB of JSON`);
  const agent = fork(file, ['agent'], { env: { ...process.env, ...variables() } });
  agent.send(address);
  const [code] = await once(agent, 'exit');
  process.exitCode = Number(code ?? 1);
  server.kill();
}

/**
 * Returns the environment variables that the manifest sets for the agent, except those that begin with `PACEKEEPER_`.
 */
function variables(): Record<string, string> {
  const text = readFileSync(new URL('../deploy/kubernetes/cluster-agent.yaml', import.meta.url), 'utf8');
  const manifests = parseAllDocuments(text).map((document) => document.toJS() as AgentManifest);
  const env = manifests.flatMap(({ spec }) => spec?.template?.spec.containers[0]?.env ?? []);
  return Object.fromEntries(
    env.flatMap(({ name, value }) =>
      name.startsWith('PACEKEEPER_') || value === undefined ? [] : [[name, value]],
    ),
  );
}

async function scan(address: ServerAddress): Promise<void> {
  limitMemory();
  const folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-bench-cluster-'));
  const fake = { ...address, resolveName: async () => ['127.0.0.1'] } as unknown as FakeKubernetes;
  const agent = createClusterAgent(fake, folder);
  console.log(`idle: ${peakMegabytes()} MB`);
  let validators = null;
  for (const title of ['first scan', 'nothing changed', 'nothing changed']) {
    let megabytes = 0;
    // Reset the peak memory of this process.
    writeFileSync('/proc/self/clear_refs', '5');
    const watch = setInterval(() => (megabytes = Math.max(megabytes, memoryOf())), 50);
    const startedAt = performance.now();
    const { summary, items, error } = await agent.run({ validators });
    const elapsed = performance.now() - startedAt;
    clearInterval(watch);
    if (error) throw error;
    console.log(
      `${title}: ${summary?.found} items, ${summary?.requests} requests, ${(JSON.stringify(items).length / 1e6).toFixed(1)} MB sent, ${(elapsed / 1_000).toFixed(1)} s, at most ${peakMegabytes()} MB, ${Math.round(megabytes)} MB with its processes`,
    );
    validators = summary?.validators ?? null;
  }
  await agent.close();
  rmSync(folder, { recursive: true, force: true });
}

function peakMegabytes(): number {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Math.round((Number(kilobytes) * 1_024) / 1e6);
}

/** Returns the memory of this process and its descendants, in MB. */
function memoryOf(): number {
  let megabytes = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(pid) === process.pid || Number(fields[1]) === process.pid)
        megabytes += (Number(fields[21]) * 4_096) / 1e6;
    } catch {
      // The process has exited.
    }
  }
  return megabytes;
}
