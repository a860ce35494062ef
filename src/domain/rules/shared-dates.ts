import type { ComparableRelease } from './release-set.ts';
import { dayMs } from './stored-lag.ts';

/** Minimum number of dated releases. With fewer, a busy week looks like an import. */
const minDated = 10;
/** Maximum number of days that an import or a rebuilt index takes. */
const maxDays = 3;
/** Minimum number of distinct minor versions on these days. Several patches a day are usual for a young project. */
const minMinors = 4;

/**
 * Marks dates that belong to an import or a rebuilt index: more than half of the releases share at most three days,
 * although their versions span several minor versions. The releases are at least as old as these dates.
 *
 * @returns `releases` itself if the dates are those of the releases.
 */
export function markSharedDates(releases: readonly ComparableRelease[]): readonly ComparableRelease[] {
  const counts = new Map<number, number>();
  let dated = 0;
  for (const release of releases) {
    if (release.dateSource !== 'released_at') continue;
    dated += 1;
    counts.set(dayOf(release), (counts.get(dayOf(release)) ?? 0) + 1);
  }
  if (dated < minDated) return releases;
  const busiest = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, maxDays);
  // A day with a few releases doesn't belong to the import only because it is among the three busiest.
  const days = new Set(busiest.filter(([, count]) => count >= minMinors).map(([day]) => day));
  const isShared = (release: ComparableRelease) =>
    release.dateSource === 'released_at' && days.has(dayOf(release));
  const shared = releases.filter(isShared);
  const minors = new Set(
    shared.map(({ version }) => `${version.line} ${version.numbers.slice(0, 2).join('.')}`),
  );
  if (shared.length * 2 <= dated || minors.size < minMinors) return releases;
  return releases.map((release) => (isShared(release) ? { ...release, dateSource: 'listed_at' } : release));
}

function dayOf({ dateMs }: ComparableRelease): number {
  return Math.floor(dateMs / dayMs);
}
