import type { LifecycleLine } from '../verdicts/read-lifecycles.ts';
import type { SupportLines } from '../verdicts/support-lines.ts';

/**
 * Known facts about the support of a gather job's product and about the configuration that uses the product.
 */
export interface SupportFacts {
  readonly product: string;
  readonly label: string;
  readonly lines: SupportLines<LifecycleLine>;
  /**
   * Application versions by chart release, for charts. `null` if the releases are those of the software
   * itself.
   */
  readonly applicationVersions: ReadonlyMap<string, string> | null;
  /** Last day of purchased support. */
  readonly paidUntil: string | null;
  /**
   * Time after which the data is too old, so the passage of time no longer changes any verdict. `null` in
   * forecasts.
   */
  readonly validUntilMs: number | null;
}
