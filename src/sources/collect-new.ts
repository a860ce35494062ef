import { createPartCollector } from './collect-parts.ts';
import type { GatheredRelease, GatherPart } from './release-source.ts';
import { createTagSet } from './tag-set.ts';

/** Collects the releases of one page after the other into parts, each tag once. */
export function createNewReleases() {
  const seen = createTagSet();
  const parts = createPartCollector<GatheredRelease>();

  function* handOn(releases: GatheredRelease[]): Generator<GatherPart, void, undefined> {
    if (releases.length > 0) yield { releases };
  }

  return {
    /** Hands on what a reader finds that was not there before, and returns what it returns. */
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
            const full = seen.add(release.tag) ? parts.add(release) : null;
            if (full) yield { releases: full };
          }
        }
      } finally {
        // Does nothing at the end; whoever leaves early makes room.
        await reading.return(undefined as never);
      }
    },
    /** The last part, if there is one. */
    rest: () => handOn(parts.rest()),
  };
}
