import type { AdvisorySeverity } from './advisory.ts';
import { advisorySeverities } from './advisory.ts';
import type { ExploitationState, ExploitScore } from './exploits.ts';

/** The fields of a listed vulnerability that determine its place in the list. */
interface Listed {
  readonly severity: AdvisorySeverity | null;
  readonly exploitation: ExploitationState;
  readonly epss: ExploitScore | null;
  readonly due_at: string | null;
  readonly is_breached: boolean;
}

export interface VulnerabilityListQuery {
  readonly exploitation?: ExploitationState | undefined;
  readonly min_epss?: number | undefined;
  readonly is_breached?: boolean | undefined;
  /** Default: `-exploitation`. */
  readonly sort?: VulnerabilityListOrder | undefined;
}

/** Orders of the list. Known exploited vulnerabilities come first by default, and the most severe ones among them. */
export type VulnerabilityListOrder = '-exploitation' | '-severity' | '-epss' | 'due_at';

/**
 * Returns the vulnerabilities that match the filters, in order. Vulnerabilities without a value for this
 * order come last.
 */
export function arrangeVulnerabilities<Item extends Listed>(
  items: readonly Item[],
  {
    exploitation,
    min_epss: minEpss,
    is_breached: isBreached,
    sort = '-exploitation',
  }: VulnerabilityListQuery,
): Item[] {
  return items
    .filter(
      (item) =>
        (exploitation === undefined || item.exploitation === exploitation) &&
        (minEpss === undefined || (item.epss !== null && item.epss.score >= minEpss)) &&
        (isBreached === undefined || item.is_breached === isBreached),
    )
    .toSorted((a, b) => ranks[sort](b) - ranks[sort](a) || rankOfSeverity(b) - rankOfSeverity(a));
}

const ranks: Readonly<Record<VulnerabilityListOrder, (item: Listed) => number>> = {
  '-exploitation': ({ exploitation }) => (exploitation === 'known_exploited' ? 1 : 0),
  '-severity': rankOfSeverity,
  '-epss': ({ epss }) => epss?.score ?? -1,
  due_at: ({ due_at }) => (due_at === null ? Number.MIN_SAFE_INTEGER : -Date.parse(due_at)),
};

function rankOfSeverity({ severity }: Pick<Listed, 'severity'>): number {
  return severity === null ? -1 : advisorySeverities.indexOf(severity);
}
