/**
 * Finding deployed versions in 10,000 files: in a checkout, and by an agent in a repository. Wanted: at most 15 s of
 * processor time for all of them, 300 MB, and at most 1.5 s when ten have changed. The agent counts with its processes.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type DiscoveredItem, discover } from '../src/domain/discovery/discover.ts';
import { extractFile } from '../src/domain/discovery/extract-file.ts';
import type { Extracted } from '../src/domain/discovery/fact.ts';
import { chooseFiles } from '../src/domain/discovery/scan-paths.ts';
import { createDiscoveryAgent } from '../tests/helpers/discovery-agent.ts';
import { startGitServer } from '../tests/helpers/upstreams/git-server.ts';

const fileCount = 10_000;

/** Of five files, two are workloads, one is a release, one has values, and one holds no version. */
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

/** What was read of each file. */
const kept = new Map<string, { text: string; extracted: Extracted }>();

function scan(): DiscoveredItem[] {
  const scanned = chooseFiles([...files.keys()], []).map((file) => {
    const text = files.get(file.path)!;
    const before = kept.get(file.path);
    const extracted = before?.text === text ? before.extracted : extractFile(file, text, file);
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

/** Of all processes below this one that match, now: those that have ended count with their parent. */
function usageBelow(isCounted: (command: string) => boolean): { seconds: number; megabytes: number } {
  const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  let [seconds, megabytes] = [0, 0];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const isOwn = Number(pid) === process.pid;
      if (!isOwn && (Number(fields[1]) !== process.pid || !isCounted(command))) continue;
      const times = isOwn ? [11, 12, 13, 14] : [11, 12];
      seconds += times.reduce((sum, at) => sum + Number(fields[at]), 0) / ticks;
      megabytes += (Number(fields[21]) * 4_096) / 1e6;
    } catch {
      // It has ended.
    }
  }
  return { seconds, megabytes };
}

kept.clear();
const folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-bench-discovery-'));
const git = await startGitServer();
const agent = createDiscoveryAgent(folder);
try {
  const repository = git.createRepository('acme/deploy.git');
  repository.commit(Object.fromEntries(files));
  let validators = null;
  for (const title of ['agent, first scan', 'agent, ten files changed', 'agent, nothing changed']) {
    globalThis.gc?.();
    const before = usageBelow((command) => command.includes('sandbox-process'));
    let megabytes = 0;
    const watch = setInterval(() => {
      const now = usageBelow((command) => command.includes('sandbox-process'));
      megabytes = Math.max(megabytes, now.megabytes);
    }, 250);
    const start = performance.now();
    const { summary, items, parts } = await agent.run({ repository_url: repository.url, validators });
    const elapsed = performance.now() - start;
    clearInterval(watch);
    const after = usageBelow((command) => command.includes('sandbox-process'));
    console.log(
      `${title}: ${items.length} items in ${parts} parts, ${Math.round(JSON.stringify(items).length / Math.max(1, items.length))} bytes each, ${summary?.files_read ?? 0} files read, ${(after.seconds - before.seconds).toFixed(2)} s of processor time, ${(elapsed / 1_000).toFixed(2)} s, at most ${Math.round(megabytes)} MB with its processes`,
    );
    validators = summary?.validators ?? null;
    if (title.includes('first')) {
      const ten = [...files.keys()].slice(0, 10);
      repository.commit(
        Object.fromEntries(ten.map((file) => [file, `${files.get(file)!}# changed again\n`])),
      );
    }
  }
} finally {
  await Promise.all([agent.close(), git.close()]);
  rmSync(folder, { recursive: true, force: true });
}
