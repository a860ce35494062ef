import type { LifecycleLine } from '../support/read-lifecycles.ts';
import type { SupportLines } from '../support/support-lines.ts';

/**
 * Known facts about the support of a gather job's product, and the paid support of the configuration that uses the
 * product.
 */
export interface SupportFacts {
  readonly product: string;
  readonly label: string;
  readonly lines: SupportLines<LifecycleLine>;
  /** For charts, application versions by chart release. `null` if the releases are those of the software itself. */
  readonly applicationVersions: ReadonlyMap<string, string> | null;
  /** Last day of paid support. */
  readonly paidUntil: string | null;
  /**
   * Last time at which the data is recent enough. After this time, the passage of time alone doesn't change any
   * verdict. `null` in forecasts.
   */
  readonly validUntilMs: number | null;
}
