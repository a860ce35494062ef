import { autoScheme } from '../versions/auto-scheme.ts';
import type { Advisory, AffectedPackage } from './advisory.ts';
import { splitModule } from './osv-package.ts';

/**
 * Limits the records of Go modules to the major versions of their paths: `…/v2` has only 2, and a path
 * without a number has 0 and 1. Without this limit, a record for an old path that has no fixed version would
 * affect every version of the project.
 *
 * A path without a number has all major versions if the project has no paths with numbers. The project is
 * recognized by later versions in a record, such as `25.0.6+incompatible`, or by a record that names only
 * this path and isn't from Go's database: GitHub doesn't add the major version to paths.
 */
export function withModuleMajors<A extends Advisory>(advisories: readonly A[]): A[] {
  const withAllMajors = new Set(
    advisories.flatMap(({ affected }) =>
      affected.filter(hasLaterMajor).map(({ name }) => name.toLowerCase()),
    ),
  );
  return advisories.map((advisory) => ({
    ...advisory,
    affected: advisory.affected.map((entry) => limit(entry, advisory, withAllMajors)),
  }));
}

function limit(
  entry: AffectedPackage,
  { id, affected }: Advisory,
  withAllMajors: ReadonlySet<string>,
): AffectedPackage {
  if (entry.ecosystem !== 'Go') return entry;
  const { base, major } = splitModule(entry.name);
  if (major > 0) return { ...entry, majors: [major, major] };
  if (withAllMajors.has(base)) return entry;
  const hasNumberedPath = affected.some((other) => {
    const path = splitModule(other.name);
    return path.base === base && path.major > 0;
  });
  return isOfGoDatabase(id) || hasNumberedPath ? { ...entry, majors: [0, 1] } : entry;
}

/** True if a Go record names a version that only a path without a number can have. */
function hasLaterMajor({ ecosystem, name, ranges, versions }: AffectedPackage): boolean {
  if (ecosystem !== 'Go' || splitModule(name).major > 0) return false;
  return [...versions, ...ranges.flatMap((events) => events.map(({ version }) => version))].some(
    (version) => version.endsWith('+incompatible') || Number(autoScheme.parse(version)?.numbers[0] ?? 0) > 1,
  );
}

function isOfGoDatabase(id: string): boolean {
  return id.startsWith('GO-');
}
