import type { LabelMatcher } from '../routing/match-rule.ts';
import { dayMs } from '../rules/behind-days.ts';
import type { TargetMetric } from './freshness-metrics.ts';

/** Per organization. Each is measured with every resource. */
export const maxTargets = 50;

/** How far behind resources may be, and what share of them has to be within the limit. */
export interface FreshnessTarget {
  readonly labelMatchers: readonly LabelMatcher[];
  readonly metric: TargetMetric;
  /** A value up to the limit is within the target. */
  readonly limit: number;
  readonly goalPercent: number;
}

/** @returns `null` if the value of its metric is unknown. */
export function isWithinTarget(
  { limit }: Pick<FreshnessTarget, 'limit'>,
  value: number | null,
): boolean | null {
  return value === null ? null : value <= limit;
}

/** How many percent are within, rounded down to a tenth, so that 100 means all. `null` if nothing is known. */
export function percentWithin(within: number, known: number): number | null {
  return known === 0 ? null : Math.floor((within * 1_000) / known) / 10;
}

/** Whether a share meets a goal. Nothing to measure misses no goal. */
export function isGoalMet(goalPercent: number, within: number, known: number): boolean {
  return within * 100 >= goalPercent * known;
}

/** What is remembered about a target between two measurements. */
export interface TargetState {
  /** As last reported. `null` before the first measurement. */
  readonly reported: 'met' | 'missed' | null;
  /** Since when the measurements differ from what was reported. */
  readonly differsSinceMs: number | null;
}

/** A change is reported when it has lasted for a day, so a value around the goal doesn't send one message after another. */
export const hysteresisMs = dayMs;

/** @returns The next state, and what to report, if anything. The first measurement reports nothing. */
export function followTarget(
  { reported, differsSinceMs }: TargetState,
  isMet: boolean,
  nowMs: number,
): { state: TargetState; report: 'met' | 'missed' | null } {
  const measured = isMet ? 'met' : 'missed';
  if (reported === null || reported === measured) {
    return { state: { reported: measured, differsSinceMs: null }, report: null };
  }
  const sinceMs = Math.min(differsSinceMs ?? nowMs, nowMs);
  if (nowMs - sinceMs < hysteresisMs) return { state: { reported, differsSinceMs: sinceMs }, report: null };
  return { state: { reported: measured, differsSinceMs: null }, report: measured };
}
