import type { ComparableRelease } from './release-set.ts';
import { dayMs } from './stored-lag.ts';

/** Minimum number of releases with a date. With fewer releases, a busy week would be mistaken for an import. */
const minDated = 10;
/** Maximum number of days that the dates from an import or a rebuilt index can span. */
const maxDays = 3;
/**
 * Minimum number of distinct minor versions on the shared days, because young projects often publish several
 * patches a day.
 */
const minMinors = 4;

/**
 * Marks the dates of releases that come from an import or a rebuilt index. That's assumed if more than half
 * of the releases share at most three days and span several minor versions. A release can be older than its
 * marked date.
 *
 * @returns `releases` itself if no dates are marked.
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
  // A day with only a few releases isn't part of an import, even if it's among the three busiest days.
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
