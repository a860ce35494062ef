import type { Discovered } from '../discover.ts';
import { discoverRunning, type RunningScan } from '../discover-running.ts';
import { guessEnvironmentOfNames } from '../guess-labels.ts';
import { clusterFacts } from './cluster-facts.ts';
import type { ReducedObject } from './reduced-objects.ts';

/** Version of the facts of a cluster. Increment it whenever the same objects yield different items. */
export const clusterFactsVersion = 2;

/** Input of a cluster scan. Patterns match `namespace/Kind/name`. */
export interface ClusterScan extends RunningScan {
  /** Value of the `cluster` label of all items in the cluster. */
  clusterName: string;
  /** Version that the API server reports, or `null`. */
  version: string | null;
  objects: readonly ReducedObject[];
}

/** Converts the objects of a cluster to items. */
export function discoverCluster({ clusterName, version, objects, ...scan }: ClusterScan): Discovered {
  return discoverRunning(clusterFacts(version, objects), scan, {
    labelsOf: () => ({ cluster: clusterName }),
    // Guess the environment only from the cluster and the namespace. A workload can have the name of an
    // environment without being part of it.
    environmentOf: (path) => guessEnvironmentOfNames([path.split('/', 1)[0] ?? '', clusterName]),
  });
}
