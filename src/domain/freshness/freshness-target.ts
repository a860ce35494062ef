import type { LabelMatcher } from '../routing/match-rule.ts';
import { dayMs } from '../rules/stored-lag.ts';
import type { TargetMetric } from './freshness-metrics.ts';

/** Limit on how far resources can be behind, with the share of resources that must be within the limit. */
export interface FreshnessTarget {
  readonly labelMatchers: readonly LabelMatcher[];
  readonly metric: TargetMetric;
  /** Highest value that is within the target. */
  readonly limit: number;
  readonly goalPercent: number;
}

/**
 * @param isLowerBound True if the actual value can be higher than the given one, which then can prove that
 * the target is exceeded, but not that it's met.
 * @returns True if the value is within the target, or `null` if that is unknown.
 */
export function isWithinTarget(
  { limit }: Pick<FreshnessTarget, 'limit'>,
  value: number | null,
  isLowerBound: boolean,
): boolean | null {
  if (value === null) return null;
  if (value > limit) return false;
  return isLowerBound ? null : true;
}

/**
 * Returns the percentage within the target, rounded down to a tenth, so that 100 means all. Returns `null` if
 * no value is known.
 */
export function percentWithin(within: number, known: number): number | null {
  return known === 0 ? null : Math.floor((within * 1_000) / known) / 10;
}

/**
 * True if a share meets a goal, or if the target applies to nothing. `null` if it applies only to resources without a
 * known value.
 */
export function isGoalMet(
  goalPercent: number,
  { within, known, unknown }: { within: number; known: number; unknown: number },
): boolean | null {
  if (known === 0 && unknown > 0) return null;
  return within * 100 >= goalPercent * known;
}

/** State of a target between two measurements. */
export interface TargetState {
  /** Last reported result. `null` before the first measurement. */
  readonly reported: 'met' | 'missed' | null;
  /** Time since which the measurements differ from the reported result. */
  readonly differsSinceMs: number | null;
}

/**
 * Minimum time that a change lasts before it's reported, so that a value around the goal doesn't cause repeated
 * messages.
 */
export const hysteresisMs = dayMs;

/**
 * Updates the state of a target after a measurement.
 *
 * @param isMet `null` if no value is known, which changes nothing.
 * @returns The next state, and the result to report, if any. The first measurement reports nothing.
 */
export function updateTargetState(
  { reported, differsSinceMs }: TargetState,
  isMet: boolean | null,
  nowMs: number,
): { state: TargetState; report: 'met' | 'missed' | null } {
  if (isMet === null) return { state: { reported, differsSinceMs }, report: null };
  const measured = isMet ? 'met' : 'missed';
  if (reported === null || reported === measured) {
    return { state: { reported: measured, differsSinceMs: null }, report: null };
  }
  const sinceMs = Math.min(differsSinceMs ?? nowMs, nowMs);
  if (nowMs - sinceMs < hysteresisMs) return { state: { reported, differsSinceMs: sinceMs }, report: null };
  return { state: { reported: measured, differsSinceMs: null }, report: measured };
}
