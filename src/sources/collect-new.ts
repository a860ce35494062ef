import { createPartCollector } from './collect-parts.ts';
import type { GatheredRelease, GatherPart } from './release-source.ts';
import { createTagSet } from './tag-set.ts';

/** Collects the releases of one page after the other into parts, each tag once. */
export function createNewReleases() {
  const seen = createTagSet();
  const parts = createPartCollector<GatheredRelease>();
  let repeated = 0;

  function* handOn(releases: GatheredRelease[]): Generator<GatherPart, void, undefined> {
    if (releases.length > 0) yield { releases };
  }

  return {
    /** Passes on new items that a reader finds, and returns the reader's result. */
    async *take<Output>(
      reading: AsyncGenerator<GatheredRelease[], Output, undefined>,
    ): AsyncGenerator<GatherPart, Output, undefined> {
      try {
        for (;;) {
          const { done, value } = await reading.next();
          if (done) {
            yield* handOn(parts.large());
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
        // Has no effect at the end. If the caller stops early, this releases memory.
        await reading.return(undefined as never);
      }
    },
    /** How many were listed by an earlier page too. */
    repeated: () => repeated,
    /** The last part, if there is one. */
    rest: () => handOn(parts.rest()),
  };
}
