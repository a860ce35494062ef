/** Support phases, in the order in which they end. */
export const supportPhases = ['active_support', 'end_of_life', 'extended_support'] as const;
export type SupportPhase = (typeof supportPhases)[number];

/** Default for new rules. */
export const defaultSupportPhase: SupportPhase = 'end_of_life';

/**
 * End of a support phase: its last day (`2026-11-12`), true if the phase ended on an unknown day, false if it hasn't
 * ended, or `null` if nothing is known.
 */
export type PhaseEnd = string | boolean | null;

export interface SupportLine {
  readonly name: string;
  readonly ends: Readonly<Record<SupportPhase, PhaseEnd>>;
}

export interface SupportEnd {
  /**
   * Phase whose end is used: the requested phase, or the end of life if the line has no end for the requested phase.
   */
  readonly phase: SupportPhase;
  /** First instant after the phase, in milliseconds since 1970. `null` if the day isn't known. */
  readonly endsAtMs: number | null;
  /** True if the phase has ended. Relevant only if the day isn't known. */
  readonly hasEnded: boolean;
}

/** Returns the end of support of a line, or `null` if the data doesn't contain it. */
export function supportEndOf({ ends }: SupportLine, requested: SupportPhase): SupportEnd | null {
  const phase = ends[requested] === null ? 'end_of_life' : requested;
  const end = ends[phase];
  if (end === null) return null;
  if (typeof end === 'boolean') return { phase, endsAtMs: null, hasEnded: end };
  const endsAtMs = endOfDay(end);
  return endsAtMs === null ? null : { phase, endsAtMs, hasEnded: false };
}

const dayMs = 86_400_000;

/** Last instant that can be stored, because later years have more than four digits. `9999-12-31` often means never. */
export const lastInstantMs = Date.parse('9999-12-31T23:59:59.999Z');
/**
 * First valid day. Earlier days are mistakes. Thresholds can also result in times that are years before the
 * end of support, and those must be storable, too.
 */
const firstDay = '1900-01-01';

/** Returns 00:00 UTC on the day after a day such as `2026-11-12`. `null` if the text isn't a valid day. */
export function endOfDay(day: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || day < firstDay) return null;
  const atMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(atMs) || new Date(atMs).toISOString().slice(0, 10) !== day) return null;
  return Math.min(atMs + dayMs, lastInstantMs);
}

/** Returns the number of days until `endsAtMs`, rounded up. The number is 0 at `endsAtMs` and then becomes negative. */
export function daysLeft(endsAtMs: number, nowMs: number): number {
  return Math.ceil((endsAtMs - nowMs) / dayMs) + 0;
}
