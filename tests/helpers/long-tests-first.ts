import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** Directories whose files take longest: browsers and whole programs, then whole servers. */
const longest = ['tests/e2e/', 'tests/program/', 'tests/faults/', 'tests/pipeline/', 'tests/'];

/**
 * A long file that starts last keeps one worker busy while the others have nothing to do. Vitest starts with the
 * longest it remembers, but a fresh clone has no memory of any run.
 */
export class LongTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const path = moduleId.slice(this.ctx.config.root.length + 1);
      const index = longest.findIndex((folder) => path.startsWith(folder));
      return index < 0 ? longest.length : index;
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
