import type { Advisory, AffectedPackage } from './advisory.ts';
import { splitModule } from './osv-package.ts';

/**
 * Limits the records of a Go module to the major versions of its path: `…/v2` has only 2, and a path without
 * a number has 0 and 1, plus later versions if a range lists them as `+incompatible`. Without this limit, a
 * record for the old path that has no fixed version would affect every version of the project.
 */
export function withModuleMajors<A extends Advisory>(advisory: A): A {
  return { ...advisory, affected: advisory.affected.map(limit) };
}

function limit(entry: AffectedPackage): AffectedPackage {
  if (entry.ecosystem !== 'Go') return entry;
  const { major } = splitModule(entry.name);
  if (major > 0) return { ...entry, majors: [major, major] };
  const versions = [
    ...entry.versions,
    ...entry.ranges.flatMap((events) => events.map(({ version }) => version)),
  ];
  return versions.some((version) => version.endsWith('+incompatible')) ? entry : { ...entry, majors: [0, 1] };
}
