import type { Fact } from './fact.ts';
import { readVersion } from './read-version.ts';

/**
 * GitHub repository of the software, or its product on endoflife.date if its releases aren't listed in one
 * place.
 */
export type VersionedSoftware = { repository: string } | { product: string };

/** Returns the artifact and the version of software that an operator installs. */
export function readSoftware(
  software: VersionedSoftware,
  version: string,
): Pick<Fact, 'artifact' | 'origin' | 'version' | 'state' | 'reason'> {
  return 'product' in software
    ? {
        artifact: { kind: 'service', name: software.product },
        origin: { type: 'lifecycle', product: software.product },
        ...readVersion(version, 'service'),
      }
    : {
        artifact: { kind: 'git', name: software.repository },
        origin: { type: 'git', url: `https://github.com/${software.repository}` },
        ...readVersion(version, 'tool'),
      };
}
