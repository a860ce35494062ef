import type { Version, VersionSchemeId } from './version-scheme.ts';
import { versionScheme } from './versions.ts';

export type Step = 'major' | 'minor' | 'patch';

/**
 * Returns the largest step from one of these versions to a higher one. A step is the first number that
 * differs. Versions that aren't lower or can't be parsed are ignored.
 *
 * @returns `null` if none of the versions is known to be lower. Versions whose numbers are a date can't be
 * compared in this way.
 */
export function findLargestStep(
  { id, platformWords }: { id: VersionSchemeId; platformWords: string },
  from: readonly (string | null)[],
  to: string,
): Step | null {
  const scheme = versionScheme(id, platformWords);
  const target = scheme.parse(to);
  if (target === null || target.isDate) return null;
  const steps = from.flatMap((text) => {
    const version = text === null ? null : scheme.parse(text);
    return version === null || version.isDate || scheme.compare(version, target) >= 0
      ? []
      : [stepBetween(version, target)];
  });
  return orderedSteps.find((step) => steps.includes(step)) ?? null;
}

/** Steps, from largest to smallest. */
const orderedSteps = ['major', 'minor', 'patch'] as const satisfies Step[];

function stepBetween(from: Version, to: Version): Step {
  const [major = 0, minor = 0] = from.numbers;
  const [newMajor = 0, newMinor = 0] = to.numbers;
  if (major !== newMajor) return 'major';
  return minor === newMinor ? 'patch' : 'minor';
}
