import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** Directories whose files take longest: whole programs and browsers, then whole servers. */
const longest = ['tests/program/', 'tests/faults/', 'tests/e2e/', 'tests/pipeline/', 'tests/'];

/**
 * A long file that starts last keeps one worker busy while the others have nothing to do. Vitest starts with the
 * longest it remembers, but a fresh clone has no memory of any run.
 *
 * Isolated files come before all others: a worker that is shared ends when an isolated file is next, and the one that
 * takes its place loads the modules of the server again.
 */
export class LongTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification) => {
      const path = moduleId.slice(this.ctx.config.root.length + 1);
      const index = longest.findIndex((folder) => path.startsWith(folder));
      const place = index < 0 ? longest.length : index;
      return project.config.isolate ? place : place + longest.length + 1;
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
