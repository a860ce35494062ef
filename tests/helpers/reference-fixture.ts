import type { LifecycleProduct } from '../../src/domain/support/read-lifecycles.ts';
import type { PhaseEnd } from '../../src/domain/support/support-phases.ts';

/** Returns a product for tests. `ends` contains the end of life of each release line by its name. */
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
      // Reverse the order, because `Object.entries` returns integer-like names in ascending order.
      .toReversed(),
  };
}
