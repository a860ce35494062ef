import { dayMs } from '../rules/behind-days.ts';

/** The phases of support, in the order in which they end. */
export const supportPhases = ['active_support', 'end_of_life', 'extended_support'] as const;
export type SupportPhase = (typeof supportPhases)[number];

/** The end of a phase: its last day as `2026-11-12`, whether it has ended on an unknown day, or `null` if nothing is known. */
export type PhaseEnd = string | boolean | null;

export interface SupportLine {
  readonly name: string;
  readonly ends: Readonly<Record<SupportPhase, PhaseEnd>>;
}

export interface SupportEnd {
  /** The phase whose end counts. A line without the requested phase has the end of life instead. */
  readonly phase: SupportPhase;
  /** The first instant after the phase, in milliseconds since 1970. `null` if the day isn't known. */
  readonly endsAtMs: number | null;
  /** Only meaningful without a day. */
  readonly hasEnded: boolean;
}

/** When support of a line ends, or `null` if the data doesn't say. */
export function supportEndOf({ ends }: SupportLine, requested: SupportPhase): SupportEnd | null {
  const phase = ends[requested] === null ? 'end_of_life' : requested;
  const end = ends[phase];
  if (end === null) return null;
  if (typeof end === 'boolean') return { phase, endsAtMs: null, hasEnded: end };
  const endsAtMs = endOfDay(end);
  return endsAtMs === null ? null : { phase, endsAtMs, hasEnded: false };
}

/** The last instant that can be stored: later years have more digits. `9999-12-31` is often written for never. */
export const lastInstantMs = Date.parse('9999-12-31T23:59:59.999Z');
/** Earlier days are mistakes, and thresholds of years before them can't be stored. */
const firstDay = '1900-01-01';

/** 00:00 UTC after a day such as `2026-11-12`. `null` if it isn't a day. */
export function endOfDay(day: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || day < firstDay) return null;
  const atMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(atMs) || new Date(atMs).toISOString().slice(0, 10) !== day) return null;
  return Math.min(atMs + dayMs, lastInstantMs);
}

/** Days until `endsAtMs`, rounded up: 0 from that instant on, then negative. */
export function daysLeft(endsAtMs: number, nowMs: number): number {
  return Math.ceil((endsAtMs - nowMs) / dayMs) + 0;
}
