import type { SupportLines } from '../support/support-lines.ts';
import {
  daysLeft,
  endOfDay,
  lastInstantMs,
  type SupportEnd,
  type SupportLine,
  type SupportPhase,
  supportEndOf,
} from '../support/support-phases.ts';
import { type AlertSeverity, descendingThresholds, highestSeverityOf, type Thresholds } from './severity.ts';
import { dayMs } from './stored-lag.ts';

export interface SupportInput {
  readonly lines: SupportLines<SupportLine>;
  readonly version: string;
  readonly phase: SupportPhase;
  /** Days before the end of support, in the format of `descendingThresholds`. */
  readonly thresholds: Thresholds;
  /** Last day of paid support, such as `2028-06-30`. Applies if it's later than the end of the line. */
  readonly paidUntil: string | null;
  readonly nowMs: number;
}

export interface SupportVerdict {
  readonly state: 'ok' | 'alerting' | 'no_data';
  /**
   * Reason for the state. `line_unknown`: the version is above every line in the data. `no_support_date`: the
   * data has no line for the version, or no end date for the line, and there's no paid support.
   * `no_lifecycle`: the version to look up isn't known. `not_comparable`: the deployed text isn't a version.
   */
  readonly stateReason: 'line_unknown' | 'no_support_date' | 'no_lifecycle' | 'not_comparable' | null;
  readonly severity: AlertSeverity | null;
  /** `null` if the data has no line for the version. `end` can still be the end of paid support. */
  readonly line: SupportLine | null;
  readonly end: SupportEnd | null;
  /** Days until the end of support. `null` if the day of the end isn't known. */
  readonly daysLeft: number | null;
  /** Time of the next severity change if only time passes. `null` if the severity doesn't change anymore. */
  readonly nextCrossingAtMs: number | null;
}

/**
 * Evaluates how close the support of a version is to its end. Pure. Never guesses: without data, the state is
 * `no_data`, or `ok` for a version above every line.
 */
export function judgeSupport(input: SupportInput): SupportVerdict {
  const match = input.lines.find(input.version);
  switch (match.kind) {
    case 'unparseable':
      return withoutLine('no_data', 'not_comparable');
    case 'above_all':
      return withoutLine('ok', 'line_unknown');
    case 'none':
    case 'line': {
      const line = match.kind === 'line' ? match.line : null;
      const end = withPaidSupport(line && supportEndOf(line, input.phase), input);
      if (end === null) return { ...withoutLine('no_data', 'no_support_date'), line };
      return judgeEnd(input, line, end);
    }
  }
}

function judgeEnd(
  { thresholds, nowMs }: SupportInput,
  line: SupportLine | null,
  end: SupportEnd,
): SupportVerdict {
  const { endsAtMs, hasEnded } = end;
  const left = endsAtMs === null ? null : daysLeft(endsAtMs, nowMs);
  const severity =
    left !== null
      ? descendingThresholds.severityOf(left, thresholds)
      : hasEnded
        ? highestSeverityOf(thresholds)
        : null;
  const next = left === null ? null : descendingThresholds.nextThreshold(left, thresholds);
  return {
    state: severity === null ? 'ok' : 'alerting',
    stateReason: null,
    severity,
    line,
    end,
    daysLeft: left,
    nextCrossingAtMs: endsAtMs === null || next === null ? null : crossingAt(endsAtMs - next * dayMs),
  };
}

/** Returns `null` for a crossing after the last instant that can be stored. */
function crossingAt(atMs: number): number | null {
  return atMs > lastInstantMs ? null : atMs;
}

function withoutLine(
  state: 'ok' | 'no_data',
  stateReason: NonNullable<SupportVerdict['stateReason']>,
): SupportVerdict {
  return {
    state,
    stateReason,
    severity: null,
    line: null,
    end: null,
    daysLeft: null,
    nextCrossingAtMs: null,
  };
}

/**
 * Extends the end of support to the end of paid support. If the data has no end, uses the end of paid
 * support. If regular support hasn't ended and has no end date, returns `end` unchanged, because paid support
 * can't shorten it.
 */
function withPaidSupport(
  end: SupportEnd | null,
  { paidUntil, phase }: Pick<SupportInput, 'paidUntil' | 'phase'>,
): SupportEnd | null {
  const paidUntilMs = paidUntil === null ? null : endOfDay(paidUntil);
  if (paidUntilMs === null) return end;
  if (end === null) return { phase, endsAtMs: paidUntilMs, hasEnded: false };
  const isLonger = end.endsAtMs === null ? end.hasEnded : paidUntilMs > end.endsAtMs;
  return isLonger ? { ...end, endsAtMs: paidUntilMs, hasEnded: false } : end;
}
