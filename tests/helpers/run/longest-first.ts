import path from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';
import { readDurations } from './durations.ts';

/** Assumed duration of a file without a recorded one. It is long, so that the file starts early in case it is slow. */
const assumedSeconds = 30;

/**
 * Starts the longest files first, because a long file that starts last keeps one worker busy while the others are idle.
 *
 * Isolated files come before all others. A shared worker would end when an isolated file follows, and the next shared
 * worker would have to load the modules of the server again.
 */
export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durations = readDurations();
    const secondsOf = ({ moduleId }: TestSpecification) =>
      durations.get(path.relative(this.ctx.config.root, moduleId))?.seconds ?? assumedSeconds;
    const isIsolated = ({ project }: TestSpecification) => Number(project.config.isolate);
    return Promise.resolve(
      files.toSorted(
        (one, other) => isIsolated(other) - isIsolated(one) || secondsOf(other) - secondsOf(one),
      ),
    );
  }
}
