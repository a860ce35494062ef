import type { Advisory, AffectedPackage } from './advisory.ts';
import { splitModule } from './osv-package.ts';

/**
 * Limits what records say about Go modules to the major versions that a module has: `…/v2` has only 2, and a module without
 * a number has 0 and 1, and later ones where a range names them as `+incompatible`. Without this, a record that never ended for
 * the old path would count for every version of the project.
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
