import type { Discovered } from '../discover.ts';
import { discoverRunning, type RunningScan } from '../discover-running.ts';
import { guessEnvironment } from '../guess-labels.ts';
import { clusterFacts } from './cluster-facts.ts';
import type { ReducedObject } from './reduced-objects.ts';

/** Increment it whenever the same objects yield different items. */
export const clusterFactsVersion = 2;

/** Patterns match `namespace/Kind/name`. */
export interface ClusterScan extends RunningScan {
  /** The label `cluster` of everything in it. */
  clusterName: string;
  /** As the API server reports it. */
  version: string | null;
  objects: readonly ReducedObject[];
}

/** Turns what runs in a cluster into items. */
export function discoverCluster({ clusterName, version, objects, ...scan }: ClusterScan): Discovered {
  return discoverRunning(clusterFacts(version, objects), scan, {
    labelsOf: () => ({ cluster: clusterName }),
    // A workload named like an environment says nothing about it; its namespace and its cluster do.
    environmentOf: (path) => guessEnvironment(`${clusterName}/${path.split('/', 1)[0] ?? ''}`),
  });
}
