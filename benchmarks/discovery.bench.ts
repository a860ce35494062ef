/**
 * Measures finding deployed versions in 10,000 files: first in a local checkout, then in a repository that an
 * agent reads. Goals: at most 15 s of CPU time for all files, 300 MB, and at most 1.5 s when ten files have
 * changed. The agent is a separate process. Its child processes are included in the measurement; the server
 * and the repository aren't. Linux only.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, createApiClient } from '../src/client/api-client.ts';
import { type DiscoveredItem, discover } from '../src/domain/discovery/discover.ts';
import { extractFile } from '../src/domain/discovery/extract-file.ts';
import type { Extracted } from '../src/domain/discovery/fact.ts';
import { chooseFiles } from '../src/domain/discovery/scan-paths.ts';
import { type RunningProgram, runProgram } from '../tests/helpers/run-program.ts';
import { temporaryFolder } from '../tests/helpers/temporary-folder.ts';
import { startGitServer } from '../tests/helpers/upstreams/git-server.ts';

const fileCount = 10_000;

/**
 * Returns the content of a file. Two of every five files are workloads, one is a HelmRelease, one contains
 * Helm values, and one contains no version.
 */
function textOf(at: number): string {
  const name = `service-${at}`;
  const version = `${at % 9}.${at % 31}.${at % 7}`;
  switch (at % 5) {
    case 0:
    case 1:
      return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: team-${at % 40}
  labels: { app: ${name} }
spec:
  replicas: 2
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers:
        - name: ${name}
          image: ghcr.io/acme/${name}:${version}
          ports: [{ containerPort: 8080 }]
          env:
${Array.from({ length: 30 }, (_, each) => `            - { name: VARIABLE_${each}, value: "${at * each}" }`).join('\n')}
---
apiVersion: v1
kind: Service
metadata: { name: ${name} }
spec: { ports: [{ port: 80 }] }
`;
    case 2:
      return `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: ${name}, namespace: flux-system }
spec:
  chart: { spec: { chart: chart-${at % 200}, version: ${version}, sourceRef: { kind: HelmRepository, name: acme } } }
  values:
    image: { repository: acme/${name}, tag: ${version} }
`;
    case 3:
      return `${Array.from({ length: 60 }, (_, each) => `setting${each}: { enabled: true, value: ${each} }`).join('\n')}
image: { repository: acme/${name}, tag: ${version} }
`;
    default:
      return `resources:\n${Array.from({ length: 20 }, (_, each) => `  key${each}: value`).join('\n')}\n`;
  }
}

const directories = ['clusters/prod', 'clusters/staging', 'clusters/dev', 'apps/base'];
const files = new Map<string, string>();
for (let at = 0; at < fileCount; at++) {
  const name = at % 5 === 3 ? 'values' : 'manifest';
  files.set(`${directories[at % directories.length]}/service-${at}/${name}.yaml`, textOf(at));
}
files.set(
  'sources/acme.yaml',
  'apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: { name: acme, namespace: flux-system }\nspec: { url: https://charts.example.org }\n',
);

/** Latest text of each file and the versions extracted from it, so that a scan skips unchanged files. */
const kept = new Map<string, { text: string; extracted: Extracted }>();

function scan(): DiscoveredItem[] {
  const scanned = chooseFiles([...files.keys()], []).files.map((file) => {
    const text = files.get(file.path)!;
    const before = kept.get(file.path);
    const extracted =
      before?.text === text
        ? before.extracted
        : extractFile(file, text, { isChartTemplate: file.isChartTemplate });
    kept.set(file.path, { text, extracted });
    return { path: file.path, ...extracted };
  });
  return discover(scanned, { known: [], labelsOf: () => ({}), ownerOf: () => null }).items;
}

function measure(title: string): void {
  const before = process.cpuUsage();
  const items = scan();
  const { user, system } = process.cpuUsage(before);
  const { rss } = process.memoryUsage();
  globalThis.gc?.();
  const { heapUsed } = process.memoryUsage();
  console.log(
    `${title}: ${items.length} items, ${((user + system) / 1e6).toFixed(2)} s of processor time, ${Math.round(rss / 1e6)} MB, of which ${Math.round(heapUsed / 1e6)} MB are kept`,
  );
}

const bytes = [...files.values()].reduce((sum, text) => sum + text.length, 0);
console.log(`${files.size} files, ${(bytes / 1e6).toFixed(1)} MB`);
measure('first scan');
for (const path of [...files.keys()].slice(0, 10)) files.set(path, `${files.get(path)!}# changed\n`);
measure('ten files changed');

/** Returns the IDs of a process and its descendants. */
function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const pid of readdirSync('/proc').map(Number)) {
    const parent = Number(statOf(pid)?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const below = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(below)];
  return below(root);
}

/**
 * Returns the fields of `/proc/<pid>/stat` after the process name, or `undefined` if the process has exited.
 */
function statOf(pid: number): string[] | undefined {
  const text = read(`/proc/${pid}/stat`);
  return text === '' ? undefined : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Reads a file in `/proc`. Returns an empty string if the process has exited. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/**
 * Returns the CPU time of a process and its descendants, in seconds. Descendants that have exited count
 * toward their parent.
 */
function secondsOf(root: number): number {
  const fields = treeOf(root).flatMap((pid) => statOf(pid)?.slice(11, 15) ?? []);
  return fields.reduce((sum, each) => sum + Number(each), 0) / ticks;
}

const kilobytes = (pid: number, name: string, file = 'status') =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/${file}`))?.[1] ?? 0) * 1.024;

/** Samples the memory of a process and its descendants ten times a second until the returned function is called. */
function watchMemory(root: number): () => { megabytes: number; peaks: string } {
  let most = 0;
  const peaks = new Map<number, { name: string; peak: number }>();
  const look = () => {
    let now = 0;
    let shared = 0;
    for (const pid of treeOf(root)) {
      // A newly forked process shares its parent's pages. Use PSS, which counts shared pages only once.
      now += kilobytes(pid, 'Pss_Anon', 'smaps_rollup') + kilobytes(pid, 'Pss_Shmem', 'smaps_rollup');
      // Pages of files, such as the program itself, are shared by all processes, so count only the largest value.
      shared = Math.max(shared, kilobytes(pid, 'RssFile'));
      const name = /^Name:\s+(.*)$/m.exec(read(`/proc/${pid}/status`))?.[1];
      const command = read(`/proc/${pid}/cmdline`);
      const shown = command.includes('sandbox-process') ? 'sandbox' : pid === root ? 'agent' : name;
      if (shown !== undefined) peaks.set(pid, { name: shown, peak: kilobytes(pid, 'VmHWM') });
    }
    most = Math.max(most, now + shared);
  };
  const timer = setInterval(look, 100);
  return () => {
    clearInterval(timer);
    look();
    const largest = [...peaks.values()].toSorted((a, b) => b.peak - a.peak).slice(0, 4);
    return {
      megabytes: Math.round(most / 1_000),
      peaks: largest.map(({ name, peak }) => `${name} ${Math.round(peak / 1_000)}`).join(', '),
    };
  };
}

const folder = temporaryFolder();
const password = 'a password for benchmarks';
const git = await startGitServer();
const server = runProgram(['serve'], {
  PORT: '0',
  PACEKEEPER_DATA_DIR: path.join(folder, 'server'),
  PACEKEEPER_REFERENCE_DATA: 'off',
  PACEKEEPER_LOG_LEVEL: 'warn',
  PACEKEEPER_ADMIN_PASSWORD: password,
  PACEKEEPER_EMBEDDED_AGENT: 'false',
  PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
  PACEKEEPER_INSECURE_HOSTS: '127.0.0.1',
});
let agent: RunningProgram | undefined;
try {
  const repository = git.createRepository('acme/deploy.git');
  repository.commit(Object.fromEntries(files));
  const [, url = ''] = await server.waitForOutput(/running at (\S+)/, 120_000);
  const login = await createApiClient({ baseUrl: url }).call('login', {
    body: { email: 'admin@localhost', password },
  });
  const owner = createApiClient({ baseUrl: url, token: login.access_token });
  const { key } = await owner.call('createAPIKey', { body: { name: 'agent', role: 'agent' } });
  agent = runProgram(['agent'], {
    PACEKEEPER_SERVER_URL: url,
    PACEKEEPER_API_KEY: key,
    PACEKEEPER_LOG_LEVEL: 'warn',
    PACEKEEPER_DATA_DIR: path.join(folder, 'agent'),
    PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
    PACEKEEPER_INSECURE_HOSTS: '127.0.0.1',
  });
  const pid = agent.process.pid!;
  await sleep(5_000);
  console.log(`agent process, idle: ${watchMemory(pid)().megabytes} MB`);
  let id: number | undefined;
  for (const title of ['first scan', 'ten files changed', 'nothing changed']) {
    const before = secondsOf(pid);
    const stopWatching = watchMemory(pid);
    const start = performance.now();
    if (id === undefined)
      ({ id } = await owner.call('createDiscoveryJob', {
        body: { name: 'Deployments', repository_url: repository.url },
      }));
    else await owner.call('runDiscoveryJob', { path: { id } });
    const { run, items } = await endOfRun(owner, id);
    const elapsed = performance.now() - start;
    // Include the memory that the agent uses to write its stored facts, which happens after the run.
    await sleep(1_000);
    const { megabytes, peaks } = stopWatching();
    console.log(
      `agent process, ${title}: ${run}, ${items} items, ${(secondsOf(pid) - before).toFixed(2)} s of processor time, ${(elapsed / 1_000).toFixed(1)} s, at most ${megabytes} MB with its processes (peaks: ${peaks})`,
    );
    if (title === 'first scan') {
      const ten = [...files.keys()].slice(0, 10);
      repository.commit(
        Object.fromEntries(ten.map((file) => [file, `${files.get(file)!}# changed again\n`])),
      );
    }
  }
} finally {
  await Promise.all([agent?.stop(), server.stop(), git.close()]);
  rmSync(folder, { recursive: true, force: true });
}

async function endOfRun(api: ApiClient, id: number): Promise<{ run: string; items: number }> {
  for (;;) {
    const { status, item_counts, last_run } = await api.call('getDiscoveryJob', { path: { id } });
    if (status === 'completed' || status === 'failed')
      return { run: last_run?.error?.message ?? status, items: item_counts.new };
    await sleep(50);
  }
}
