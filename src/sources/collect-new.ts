import { stopReading } from './body-reader.ts';
import { createPartCollector } from './collect-parts.ts';
import type { GatheredRelease, GatherPart } from './release-source.ts';
import { createTagSet } from './tag-set.ts';

/** Creates a collector that combines the releases of all pages into parts and drops repeated tags. */
export function createNewReleaseCollector() {
  const seen = createTagSet();
  const parts = createPartCollector<GatheredRelease>();
  let repeated = 0;

  function* toParts(releases: GatheredRelease[]): Generator<GatherPart, void, undefined> {
    if (releases.length > 0) yield { releases };
  }

  return {
    /** Yields parts with the new items of a reader, and returns the result of the reader. */
    async *take<Output>(
      reading: AsyncGenerator<GatheredRelease[], Output, undefined>,
    ): AsyncGenerator<GatherPart, Output, undefined> {
      try {
        for (;;) {
          const { done, value } = await reading.next();
          if (done) {
            yield* toParts(parts.large());
            return value;
          }
          for (const release of value) {
            const isNew = seen.add(release.tag);
            if (!isNew) repeated += 1;
            const full = isNew ? parts.add(release) : null;
            if (full) yield { releases: full };
          }
        }
      } finally {
        // Releases memory if the caller stops early. After the last item, this has no effect.
        await stopReading(reading);
      }
    },
    /** Returns the number of releases that an earlier page also listed. */
    repeated: () => repeated,
    /** Yields the last part, if any. */
    rest: () => toParts(parts.rest()),
  };
}
