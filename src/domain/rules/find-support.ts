import type { LifecycleLine } from '../support/read-lifecycles.ts';
import { defaultSupportPhase, type SupportPhase, supportEndOf } from '../support/support-phases.ts';
import { judgeSupport, type SupportVerdict } from './judge-support.ts';
import type { Rule } from './rule-type.ts';
import type { SupportFacts } from './support-facts.ts';

/** Support of the deployed version, and a line that can replace it. */
export interface SupportLookup {
  readonly facts: SupportFacts;
  /**
   * The version that was looked up, which for charts is the version of the application. `null` if it isn't
   * known.
   */
  readonly version: string | null;
  readonly verdict: SupportVerdict;
  /** The newest supported line. */
  readonly newest: LifecycleLine | null;
  /** Last days of support of the deployed version and of the newest line. `null` if not known. */
  readonly endsOn: string | null;
  readonly newestEndsOn: string | null;
}

/** @param version The version to look up. `null` if the deployed text doesn't contain one. */
export function findSupport(
  facts: SupportFacts,
  rule: Rule,
  version: string | null,
  nowMs: number,
): SupportLookup {
  const { lines, paidUntil, validUntilMs } = facts;
  const phase = rule.supportPhase ?? defaultSupportPhase;
  // Outdated data must not open or resolve alerts, so it's evaluated as of the end of its validity.
  const isOld = validUntilMs !== null && nowMs > validUntilMs;
  const judgedAtMs = isOld ? validUntilMs : nowMs;
  const verdict: SupportVerdict =
    version === null
      ? { ...withoutVersion }
      : judgeSupport({ lines, version, phase, thresholds: rule.thresholds, paidUntil, nowMs: judgedAtMs });
  const newest = lines.lines.find((line) => isSupported(line, phase, judgedAtMs)) ?? null;
  return {
    facts,
    version,
    verdict: isOld ? { ...verdict, nextCrossingAtMs: null } : verdict,
    newest,
    endsOn: toDay(verdict.end?.endsAtMs ?? null),
    newestEndsOn: newest === null ? null : toDay(supportEndOf(newest, phase)?.endsAtMs ?? null),
  };
}

const withoutVersion: SupportVerdict = {
  state: 'no_data',
  stateReason: 'no_lifecycle',
  severity: null,
  line: null,
  end: null,
  daysLeft: null,
  nextCrossingAtMs: null,
};

function isSupported(line: LifecycleLine, phase: SupportPhase, atMs: number): boolean {
  const end = supportEndOf(line, phase);
  return end !== null && (end.endsAtMs === null ? !end.hasEnded : end.endsAtMs > atMs);
}

/**
 * Returns the last day of support. It's the day before the end, because the end is the first instant after
 * that day.
 */
function toDay(endsAtMs: number | null): string | null {
  return endsAtMs === null ? null : new Date(endsAtMs - 1).toISOString().slice(0, 10);
}
