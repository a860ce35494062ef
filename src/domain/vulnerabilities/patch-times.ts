const dayMs = 86_400_000;

/**
 * A vulnerability in a place (a pair of a scrape job and a gather job), from the time when a fix could be
 * deployed there. Times are in milliseconds since 1970.
 */
export interface PatchCase {
  readonly id: string;
  /** Latest of the publication, the release of the fix, and the deployment of an affected version. */
  readonly possibleSinceMs: number;
  /**
   * Time when a version without the vulnerability was deployed, or when the deployed version could no longer
   * be compared. `null` if the case is open.
   */
  readonly endedAtMs: number | null;
  /** False if the case ended without a known fix, because the deployed version could no longer be compared. */
  readonly isFixed: boolean;
}

/** Facts about the versions and vulnerabilities of a place. */
export interface PatchFacts {
  /** Returns the IDs of the vulnerabilities of a version, or `null` if they aren't known. */
  readonly findAll: (version: string) => ReadonlySet<string> | null;
  /**
   * Returns, for each of the vulnerabilities, when the lowest release above `version` that doesn't have it
   * was published.
   */
  readonly findFixTimes: (version: string, ids: ReadonlySet<string>) => ReadonlyMap<string, number>;
  /** Returns when a vulnerability was published. `null` if the time isn't known. */
  readonly publishedAtMs: (id: string) => number | null;
}

/**
 * Finds the vulnerabilities that could have been fixed in a place by another version, in short steps.
 * Vulnerabilities without a fix or a known publication time are omitted, and so are those that ended before a
 * fix existed, because they weren't fixed late.
 *
 * @param changes Deployed versions, oldest first.
 */
export function* findPatchCases(
  changes: readonly { readonly atMs: number; readonly version: string }[],
  { findAll, findFixTimes, publishedAtMs }: PatchFacts,
): Generator<void, PatchCase[], void> {
  const cases: PatchCase[] = [];
  const deployedSince = new Map<string, number>();
  let current: string | null = null;

  function close(ids: ReadonlySet<string>, endedAtMs: number | null, isFixed: boolean): void {
    if (current === null || ids.size === 0) return;
    const fixTimes = findFixTimes(current, ids);
    for (const id of ids) {
      const [published, fixed] = [publishedAtMs(id), fixTimes.get(id)];
      const deployed = deployedSince.get(id)!;
      if (endedAtMs !== null) deployedSince.delete(id);
      if (published === null || fixed === undefined) continue;
      const possibleSinceMs = Math.max(published, fixed, deployed);
      if (endedAtMs !== null && possibleSinceMs > endedAtMs) continue;
      cases.push({ id, possibleSinceMs, endedAtMs, isFixed });
    }
  }

  for (const { atMs, version } of changes) {
    const found = findAll(version);
    const ended = new Set([...deployedSince.keys()].filter((id) => found === null || !found.has(id)));
    close(ended, atMs, found !== null);
    for (const id of found ?? []) if (!deployedSince.has(id)) deployedSince.set(id, atMs);
    current = version;
    yield;
  }
  close(new Set(deployedSince.keys()), null, false);
  return cases;
}

/** Figures of one month. */
export interface PatchMonth {
  /** Format: `2026-11`. */
  readonly month: string;
  /** False if no version was known before the end of the month. */
  readonly hasData: boolean;
  /** Median of the days from the possible fix to its deployment, with one decimal. `null` without a fixed vulnerability. */
  readonly medianDays: number | null;
  /** Number of vulnerabilities that were fixed in the month. */
  readonly fixedCount: number;
  /**
   * Number of vulnerabilities with a fix that wasn't deployed at the end of the month, or, in the current
   * month, isn't deployed now.
   */
  readonly openCount: number;
}

/**
 * Summarizes cases by the month in which they ended.
 *
 * @param months Months in the format `2026-11`.
 * @param knownFromMs When the first version became known. `Infinity` if none is known.
 */
export function summarizePatchCases(
  cases: readonly PatchCase[],
  months: readonly string[],
  knownFromMs: number,
  nowMs: number,
): PatchMonth[] {
  return months.map((month) => {
    const startMs = Date.parse(`${month}-01T00:00:00Z`);
    const endMs = Math.min(nextMonthMs(startMs), nowMs);
    const days = cases.flatMap(({ possibleSinceMs, endedAtMs, isFixed }) =>
      isFixed && endedAtMs !== null && endedAtMs >= startMs && endedAtMs < nextMonthMs(startMs)
        ? [(endedAtMs - possibleSinceMs) / dayMs]
        : [],
    );
    const isOpenAtEnd = ({ possibleSinceMs, endedAtMs }: PatchCase) =>
      possibleSinceMs < endMs && (endedAtMs === null || endedAtMs >= endMs);
    return {
      month,
      hasData: knownFromMs < nextMonthMs(startMs),
      medianDays: medianOf(days),
      fixedCount: days.length,
      openCount: cases.filter(isOpenAtEnd).length,
    };
  });
}

function nextMonthMs(startMs: number): number {
  const start = new Date(startMs);
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1);
}

function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return Math.round(median * 10) / 10;
}
