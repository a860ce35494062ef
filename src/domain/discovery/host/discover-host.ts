import type { Discovered } from '../discover.ts';
import { discoverRunning, type RunningScan } from '../discover-running.ts';
import { guessEnvironmentOfNames } from '../guess-labels.ts';
import { hostFacts } from './host-facts.ts';
import type { ReducedHostObject } from './reduced-host.ts';

/** Version of the facts of a host. Increment it whenever the same objects yield different items. */
export const hostFactsVersion = 1;

/** A scan of a container host. Patterns match `project/service/name`, `service/name`, or `container/name`. */
export interface HostScan extends RunningScan {
  /** Value of the `host` label of every item on the host. */
  hostName: string;
  objects: readonly ReducedHostObject[];
}

/** Converts the containers and services of a container host to items. */
export function discoverHost({ hostName, objects, ...scan }: HostScan): Discovered {
  const files = hostFacts(objects);
  const projects = new Map(files.map(({ path, facts }) => [path, facts[0]?.place.namespace ?? null]));
  return discoverRunning(files, scan, {
    labelsOf(path) {
      const project = projects.get(path) ?? null;
      return { host: hostName, ...(project !== null && { project }) };
    },
    environmentOf: (path) => guessEnvironmentOfNames([projects.get(path) ?? '', hostName]),
  });
}
