import { type Discovered, discover } from '../discover.ts';
import { compileLabelRules, guessEnvironment, type LabelRule } from '../guess-labels.ts';
import { matchesPath, parsePathPattern } from '../path-pattern.ts';
import { clusterFacts } from './cluster-facts.ts';
import type { ReducedObject } from './reduced-objects.ts';

/** Increment it whenever the same objects yield different items. */
export const clusterFactsVersion = 1;

export interface ClusterScan {
  /** The label `cluster` of everything in it. */
  clusterName: string;
  /** As the API server reports it. */
  version: string | null;
  objects: readonly ReducedObject[];
  /** Patterns over `namespace/Kind/name`. */
  include: readonly string[];
  exclude: readonly string[];
  /** Empty: all. */
  extractors: readonly string[];
  labelRules: readonly LabelRule[];
}

/** Turns what runs in a cluster into items, in an order that doesn't depend on the API server. */
export function discoverCluster({
  clusterName,
  version,
  objects,
  include,
  exclude,
  extractors,
  labelRules,
}: ClusterScan): Discovered {
  const rules = compileLabelRules(labelRules);
  const { items, omittedCount } = discover(clusterFacts(version, objects), {
    labelsOf: (path) => ({ cluster: clusterName, ...(rules.ok ? rules.labelsOf(path) : {}) }),
    ownerOf: () => null,
    // A workload named like an environment says nothing about it; its namespace and its cluster do.
    environmentOf: (path) => guessEnvironment(`${clusterName}/${path.split('/', 1)[0] ?? ''}`),
  });
  const includes = include.flatMap((pattern) => parsePathPattern(pattern) ?? []);
  const excludes = exclude.flatMap((pattern) => parsePathPattern(pattern) ?? []);
  const wanted = items.filter(
    ({ extractor, place: { file } }) =>
      (extractors.length === 0 || extractors.includes(extractor)) &&
      (includes.length === 0 || includes.some((pattern) => matchesPath(pattern, file))) &&
      !excludes.some((pattern) => matchesPath(pattern, file)),
  );
  const orderOf = ({ place: { file }, key }: (typeof wanted)[number]) => `${file}\n${key}`;
  return { items: wanted.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)), omittedCount };
}
