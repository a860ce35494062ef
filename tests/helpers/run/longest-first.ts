import path from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';
import { readDurations } from './durations.ts';

/** A file without a recorded duration starts early: that it is short isn't known. */
const unknownSeconds = 30;

/**
 * Starts the longest files first, because a long file that starts last keeps one worker busy while the others are idle.
 *
 * Isolated files come before all others. A shared worker ends when the next file is isolated, and its successor loads
 * the modules of the server again.
 */
export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durations = readDurations();
    const secondsOf = ({ moduleId }: TestSpecification) =>
      durations.get(path.relative(this.ctx.config.root, moduleId))?.seconds ?? unknownSeconds;
    const isIsolated = ({ project }: TestSpecification) => Number(project.config.isolate);
    return Promise.resolve(
      files.toSorted(
        (one, other) => isIsolated(other) - isIsolated(one) || secondsOf(other) - secondsOf(one),
      ),
    );
  }
}
