import { autoScheme } from '../versions/auto-scheme.ts';
import type { Advisory, AffectedPackage } from './advisory.ts';
import { splitModulePath } from './osv-package.ts';

/**
 * Limits the records of Go modules to the major versions in their paths: `…/v2` has only version 2, and a
 * path without a number has versions 0 and 1. Without this limit, a record that has an old path and no fixed
 * version would affect every version of the project.
 *
 * However, if a project never uses numbers in its paths, the path without a number has all major versions.
 * Two kinds of records are evidence for that: a record with a later version, such as `25.0.6+incompatible`,
 * and a record that contains only this path and isn't from Go's database. Records from GitHub never have the
 * major version in paths.
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
  const { base, major } = splitModulePath(entry.name);
  if (major > 0) return { ...entry, majors: [major, major] };
  if (withAllMajors.has(base)) return entry;
  const hasNumberedPath = affected.some((other) => {
    const path = splitModulePath(other.name);
    return path.base === base && path.major > 0;
  });
  return isOfGoDatabase(id) || hasNumberedPath ? { ...entry, majors: [0, 1] } : entry;
}

/** True if a Go record contains a version that is possible only if the project doesn't use numbers in its paths. */
function hasLaterMajor({ ecosystem, name, ranges, versions }: AffectedPackage): boolean {
  if (ecosystem !== 'Go' || splitModulePath(name).major > 0) return false;
  return [...versions, ...ranges.flatMap((events) => events.map(({ version }) => version))].some(
    (version) => version.endsWith('+incompatible') || Number(autoScheme.parse(version)?.numbers[0] ?? 0) > 1,
  );
}

function isOfGoDatabase(id: string): boolean {
  return id.startsWith('GO-');
}
