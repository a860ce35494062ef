/**
 * Finding deployed versions in a checkout of 10,000 files. Wanted: at most 15 s of processor time for all of them, 300 MB
 * where the heap is limited to 128 MB, and at most 1.5 s when what was read of unchanged files is kept and ten have changed.
 */
import { type DiscoveredItem, discover } from '../src/domain/discovery/discover.ts';
import { extractFile } from '../src/domain/discovery/extract-file.ts';
import type { Extracted } from '../src/domain/discovery/fact.ts';
import { chooseFiles } from '../src/domain/discovery/scan-paths.ts';

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
