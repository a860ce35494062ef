import type { LifecycleLine } from '../verdicts/read-lifecycles.ts';
import type { SupportLines } from '../verdicts/support-lines.ts';

/** What is known of the support of a gather job's product, and of the configuration that uses it. */
export interface SupportFacts {
  readonly product: string;
  readonly label: string;
  readonly lines: SupportLines<LifecycleLine>;
  /** For charts: the version of the application by that of the release. `null` if the releases are those of the software. */
  readonly applicationVersions: ReadonlyMap<string, string> | null;
  /** The last day of support that was bought. */
  readonly paidUntil: string | null;
  /** Time after this changes no verdict, because the data is too old by then. `null` in forecasts. */
  readonly validUntilMs: number | null;
}
