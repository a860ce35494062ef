import { ownValue } from '../../json/own-value.ts';
import { withoutTrailing } from '../../text/trailing.ts';
import { readChart } from '../chart-fact.ts';
import { emptyExtraction, type Fact, type FactLocation, type Link, type Origin } from '../fact.ts';
import type { ScannedFile } from '../link-facts.ts';
import { factDefaults } from '../manifest.ts';
import { mostCommon } from '../most-common.ts';
import { readImage, splitImage } from '../read-image.ts';
import { readVersion } from '../read-version.ts';
import {
  compareReported,
  type ReportedVersion,
  readKubernetesVersion,
  readRuntimeVersion,
  readSystemVersion,
} from './deployed-version.ts';
import type {
  ReducedApplication,
  ReducedFluxRelease,
  ReducedFluxSource,
  ReducedNode,
  ReducedObject,
  ReducedPods,
  ReducedWorkload,
} from './reduced-objects.ts';

type Of<T extends ReducedObject['type']> = Extract<ReducedObject, { type: T }>;

/**
 * Converts the objects of a cluster to facts in the same format as those of files. Each object is a "file"
 * with the path `namespace/Kind/name`. Its items have the same keys as the items of the file that declares
 * the object.
 *
 * @param version Version that the API server reports, or `null` if it doesn't report one.
 */
export function clusterFacts(version: string | null, objects: readonly ReducedObject[]): ScannedFile[] {
  const ofType = <T extends ReducedObject['type']>(type: T) =>
    objects.filter((object): object is Of<T> => object.type === type);
  const sources = ofType('flux_source');
  const facts: Fact[] = [];
  if (version !== null)
    facts.push(reportedFact('Cluster', null, 'version', readKubernetesVersion(version), null));
  facts.push(
    ...nodeFacts(ofType('node')),
    ...imageFacts(ofType('workload'), ofType('pods')),
    ...ofType('flux_release').flatMap((release) => [...fluxFacts(release, sources)]),
    ...ofType('application').flatMap((application) => [...applicationFacts(application)]),
    ...helmFacts(objects),
  );
  const files = facts.map((fact) => ({ ...emptyExtraction(), path: pathOf(fact.place), facts: [fact] }));
  const links = sources.map(
    ({ kind, name, namespace, url, isOci }): Link => ({
      type: 'flux_source',
      kind,
      name,
      namespace,
      url,
      isOci,
    }),
  );
  return [...files, { ...emptyExtraction(), path: 'sources', links }];
}

function pathOf({ namespace, kind, name }: FactLocation): string {
  return [namespace, kind, name]
    .flatMap((part) => (part === null ? [] : [part.slice(0, 300)]))
    .join('/')
    .replaceAll(/\p{Cc}/gu, ' ');
}

function placeOf(kind: string, namespace: string | null, name: string | null, field: string): FactLocation {
  return { line: 1, document: 0, kind, namespace, name, field };
}

function reportedFact(
  kind: string,
  name: string | null,
  field: string,
  { tool, version, note }: ReportedVersion,
  range: string | null,
): Fact {
  const notes = [note, range].filter((each) => each !== null);
  return {
    extractor: 'kubernetes',
    place: placeOf(kind, null, name, field),
    artifact: { kind: 'tool', name: tool },
    origin: { type: 'tool' },
    ...readVersion(version, 'tag'),
    digest: null,
    note: notes.length > 0 ? notes.join('; ') : null,
  };
}

const nodeFields = [
  ['kubelet', 'status.nodeInfo.kubeletVersion', readKubernetesVersion],
  ['runtime', 'status.nodeInfo.containerRuntimeVersion', readRuntimeVersion],
  ['osImage', 'status.nodeInfo.osImage', readSystemVersion],
] as const;

/** Yields one fact per pool and component, with the lowest version of the pool's nodes. */
function* nodeFacts(nodes: readonly ReducedNode[]): Generator<Fact, void> {
  for (const [pool, members] of Map.groupBy(nodes, (node) => node.pool)) {
    for (const [name, field, read] of nodeFields) {
      const texts = [...new Set(members.flatMap((node) => node[name] ?? []))];
      const versions = texts
        .flatMap((text) => read(text) ?? [])
        .toSorted((a, b) => compareReported(a.version, b.version) || (a.tool < b.tool ? -1 : 1));
      const [lowest] = versions;
      const highest = versions.at(-1);
      if (!lowest || !highest) continue;
      const range =
        lowest.version === highest.version ? null : `lowest of the pool; the highest is ${highest.version}`;
      yield reportedFact('Node', pool, field, lowest, range);
    }
  }
}

/** Yields one fact per workload and container. */
function* imageFacts(
  workloads: readonly ReducedWorkload[],
  pods: readonly ReducedPods[],
): Generator<Fact, void> {
  const keyOf = (kind: string, { namespace, name }: { namespace: string; name: string }) =>
    JSON.stringify([kind, namespace, name]);
  const known = new Set(workloads.map((workload) => keyOf(workload.kind, workload)));
  const byOwner = Map.groupBy(pods, (each) => {
    const listedAs = ownValue(listedOwners, each.kind);
    return keyOf(listedAs !== undefined && known.has(keyOf(listedAs, each)) ? listedAs : each.kind, each);
  });
  for (const workload of workloads) {
    const running = byOwner.get(keyOf(workload.kind, workload)) ?? [];
    for (const { field, image } of workload.containers) {
      const ofContainer = running.filter((each) => each.field === field);
      const old = workload.isRolledOut
        ? undefined
        : mostCommonPods(ofContainer.filter((each) => each.image !== image));
      const note = old ? `rollout to ${tagOf(image)} in progress` : null;
      yield* imageFact(workload.kind, workload, field, old?.image ?? image, ofContainer, note);
    }
  }
  for (const [key, running] of byOwner) {
    const [first] = running;
    // Skip a standalone job, because it runs once and isn't a deployment.
    if (!first || known.has(key) || first.kind === 'Job') continue;
    for (const [field, ofContainer] of Map.groupBy(running, (each) => each.field)) {
      const image = mostCommonPods(ofContainer)!.image;
      const others = new Set(ofContainer.map((each) => each.image)).size - 1;
      const note = others > 0 ? 'some pods run another image' : null;
      yield* imageFact(first.kind, first, field, image, ofContainer, note);
    }
  }
}

/** Kinds of workloads, by the kind of the object between a workload and its pods. */
const listedOwners: Readonly<Record<string, string | undefined>> = {
  ReplicaSet: 'Deployment',
  Job: 'CronJob',
};

function* imageFact(
  kind: string,
  { namespace, name }: { namespace: string; name: string },
  field: string,
  text: string,
  pods: readonly ReducedPods[],
  note: string | null,
): Generator<Fact, void> {
  const image = splitImage(text);
  if (!image) return;
  const read = readImage(image);
  const running = mostCommonPods(pods.filter((each) => each.image === text && each.digest !== null));
  yield {
    extractor: 'kubernetes',
    place: placeOf(kind, namespace, name, field),
    ...read,
    digest: read.digest ?? running?.digest ?? null,
    note,
  };
}

function tagOf(text: string): string {
  const image = splitImage(text);
  return image?.tag ?? image?.digest ?? text;
}

/** Returns the pods with the image that most pods run. */
function mostCommonPods(pods: readonly ReducedPods[]): ReducedPods | undefined {
  return mostCommon(pods, (each) => `${each.image} ${each.digest}`);
}

function* fluxFacts(
  release: ReducedFluxRelease,
  sources: readonly ReducedFluxSource[],
): Generator<Fact, void> {
  const { namespace, name, chart, source, chartReference, deployed } = release;
  const version = deployed?.version ?? release.version;
  if (chart !== null) {
    const read = readChart(chart, null, version);
    const origin: Origin =
      source === null
        ? { type: 'unknown' }
        : source.kind === 'HelmRepository'
          ? { type: 'flux_source', ...source }
          : { type: source.kind === 'GitRepository' ? 'local' : 'unsupported' };
    const place = placeOf('HelmRelease', namespace, name, 'spec.chart.spec');
    yield { extractor: 'flux', place, ...read, origin, ...factDefaults };
  } else if (chartReference !== null) {
    const url = sources.find(
      (each) =>
        each.kind === chartReference.kind &&
        each.name === chartReference.name &&
        each.namespace === chartReference.namespace,
    )?.url;
    const reference = url === undefined ? undefined : withoutTrailing(url.replace(/^oci:\/\//i, ''), '/');
    const place = placeOf('HelmRelease', namespace, name, 'spec.chartRef');
    yield {
      extractor: 'flux',
      place,
      artifact: {
        kind: 'chart',
        name: deployed?.chart ?? reference?.slice(reference.lastIndexOf('/') + 1) ?? chartReference.name,
      },
      origin: reference === undefined ? { type: 'unknown' } : { type: 'oci', reference },
      ...readVersion(version, 'chart'),
      ...factDefaults,
    };
  }
}

function* applicationFacts({ namespace, name, sources }: ReducedApplication): Generator<Fact, void> {
  for (const { field, url, chart, version, revision } of sources) {
    const place = placeOf('Application', namespace, name, field);
    if (chart !== null) {
      yield { extractor: 'argocd', place, ...readChart(chart, url, revision ?? version), ...factDefaults };
    } else if (url !== null && /^oci:\/\//i.test(url)) {
      const image = readImage({ name: url.slice('oci://'.length), tag: version, digest: null });
      yield { extractor: 'argocd', place, ...image, note: null };
    } else if (url !== null) {
      const artifact = { kind: 'git' as const, name: url };
      const read = readVersion(version ?? 'HEAD', 'ref');
      // If the application follows a branch, use the synchronized commit.
      const synced = read.state === 'floating' && revision !== null ? readVersion(revision, 'ref') : read;
      yield {
        extractor: 'argocd',
        place,
        artifact,
        origin: { type: 'git', url },
        ...synced,
        ...factDefaults,
      };
    }
  }
}

/**
 * Yields the charts of Helm releases that no other object declares. The secret of a release takes precedence
 * over labels.
 */
function* helmFacts(objects: readonly ReducedObject[]): Generator<Fact, void> {
  const managed = new Set<string>();
  const fromSecrets = new Set<string>();
  const keyOf = ({ namespace, name }: { namespace: string; name: string }) =>
    JSON.stringify([namespace, name]);
  for (const object of objects) {
    if (object.type === 'flux_release') managed.add(keyOf(object.release));
    if (object.type === 'helm_release') fromSecrets.add(keyOf(object));
  }
  // Collect all versions of a chart, because objects of both versions can exist during an upgrade.
  const found = new Map<
    string,
    {
      release: { namespace: string; name: string };
      chart: string;
      versions: string[];
      projectUrl: string | null;
    }
  >();
  for (const object of objects) {
    const release =
      object.type === 'helm_release'
        ? object
        : object.type === 'workload' && object.release && !fromSecrets.has(keyOf(object.release))
          ? { ...object.release, ...readChartLabel(object.release.chart), projectUrl: null }
          : null;
    if (release === null || managed.has(keyOf(release))) continue;
    const key = JSON.stringify([release.namespace, release.name, release.chart]);
    const { chart, projectUrl } = release;
    const entry = found.get(key) ?? { release, chart, versions: [], projectUrl };
    if (release.version !== null) entry.versions.push(release.version);
    found.set(key, entry);
  }
  for (const { release, chart, versions, projectUrl } of found.values()) {
    yield {
      extractor: 'helm_release',
      place: placeOf('Release', release.namespace, release.name, `chart[${chart}]`),
      artifact: { kind: 'chart', name: chart },
      origin: { type: 'unknown' },
      ...readVersion(versions.toSorted(compareReported).at(-1) ?? null, 'chart'),
      ...factDefaults,
      projectUrl,
    };
  }
}

/**
 * Length at which a label may have been truncated, so that the version at its end is incomplete. Labels have
 * at most 63 characters, and charts truncate longer ones.
 */
const maxLabelLength = 62;

/** Maximum length of a label that is parsed. Kubernetes accepts 63 characters. */
const maxParsedLabel = 253;

/**
 * Parses a chart label such as `name-1.2.3`, where `_` replaces a plus sign. Names can contain hyphens and
 * numbers.
 */
export function readChartLabel(label: string): { chart: string; version: string | null } {
  if (label.length > maxParsedLabel) return { chart: label, version: null };
  const match = /^(.+?)-(v?\d+\.\d+\.\d+(?:[-_+][\w.+-]*)?)$/.exec(label);
  if (!match) return { chart: label, version: null };
  const [, chart = label, version = ''] = match;
  return { chart, version: label.length >= maxLabelLength ? null : version.replaceAll('_', '+') };
}
