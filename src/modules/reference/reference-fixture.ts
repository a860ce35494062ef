import type { LifecycleProduct } from '../../domain/verdicts/read-lifecycles.ts';
import type { PhaseEnd } from '../../domain/verdicts/support-phases.ts';

/** For tests: a product with the ends of life of its lines by their names. */
export function lifecycleProduct(
  name: string,
  ends: Readonly<Record<string, PhaseEnd>>,
  purls: readonly string[] = [],
): LifecycleProduct {
  return {
    name,
    label: name.toUpperCase(),
    purls,
    lines: Object.entries(ends)
      .map(([line, end_of_life]) => ({
        name: line,
        isLts: false,
        releasedOn: null,
        latest: null,
        ends: {
          active_support: null,
          end_of_life,
          extended_support: null,
        },
      }))
      // Names that look like integers are in ascending order.
      .toReversed(),
  };
}
